"""From the text's tree to the core that runs.

Definitions leave, `repeat` and missing `else` are spelled out, nested `and` and `;` become flat, `return` becomes an
assignment to the result, and calls inside expressions move before their statement: `S[f(a)]` becomes
`t := f(a); S[t]` with a temporary whose name no text can contain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.checks import Definitions, parameter_name, passes_result
from pincer.frontends.msvl.program import RESULT
from pincer.frontends.msvl.syntax import Bind, Expression, Statement

_Connective = TypeVar("_Connective", syntax.And, syntax.Chop)
_DEFINITIONS = (syntax.FunctionDefinition, syntax.StructDefinition)


@dataclass
class Lowering:
    """One pass over a program; temporaries are numbered in the order in which they are made."""

    found: Definitions
    made: int = 0

    def statement(self, statement: Statement, tail: bool = False) -> Statement:
        """`tail` says that a `return` here is the last thing the function does."""
        match statement:
            case _ if isinstance(statement, _DEFINITIONS):
                return syntax.Empty(statement.at)
            case syntax.And(parts):
                return _flat(syntax.And, [self.statement(part, tail) for part in parts], statement.at)
            case syntax.Chop(parts):
                return self._chop(parts, tail, statement.at)
            case syntax.Local(names, body):
                return syntax.Local(names, self.statement(body, tail), statement.at)
            case syntax.Return(value):
                return self._return(statement, value, tail)
            case syntax.If() | syntax.While() | syntax.Repeat():
                return self._control(statement, tail)
            case syntax.Or() | syntax.Parallel() | syntax.Projection():
                return syntax.rebuilt(statement, self.statement)
            case syntax.Next() | syntax.Always() | syntax.Keep() | syntax.Fin():
                return syntax.rebuilt(statement, self.statement)
            case _:
                return self._simple(statement)

    def _chop(self, parts: tuple[Statement, ...], tail: bool, at: int) -> Statement:
        kept = [part for part in parts[:-1] if not isinstance(part, _DEFINITIONS)]
        lowered = [*(self.statement(part) for part in kept), self.statement(parts[-1], tail)]
        return lowered[0] if len(lowered) == 1 else _flat(syntax.Chop, lowered, at)

    def _return(self, statement: syntax.Return, value: Expression, tail: bool) -> Statement:
        if not tail:
            message = "`return` must be the last thing a function does; set a flag and test it instead"
            raise self.found.mistake(statement.at, message)
        target = syntax.Name(RESULT, statement.at)
        return self.statement(syntax.Unit(target, value, statement.at))

    def _control(self, statement: syntax.If | syntax.While | syntax.Repeat, tail: bool) -> Statement:
        at = statement.at
        if isinstance(statement, syntax.Repeat):
            condition: Expression = syntax.Unary("!", statement.until, statement.until.at)
            loop = syntax.While(condition, statement.body, at)
            return self._chop((statement.body, loop), False, at)
        binds: list[Bind] = []
        condition = self._hoisted(statement.condition, binds)
        if isinstance(statement, syntax.If):
            otherwise = syntax.Empty(at) if statement.otherwise is None else self.statement(statement.otherwise, tail)
            return _after(binds, syntax.If(condition, self.statement(statement.then, tail), otherwise, at))
        body = self.statement(statement.body)
        if binds:
            body = _flat(syntax.Chop, [body, *binds], at)
        return _after(binds, syntax.While(condition, body, at))

    def _simple(self, statement: Statement) -> Statement:
        binds: list[Bind] = []
        match statement:
            case syntax.Declaration(type_, declarators):
                kept = tuple(self._declarator(declarator, binds) for declarator in declarators)
                done: Statement = syntax.Declaration(type_, kept, statement.at)
            case syntax.Evaluate(syntax.Call() as call) if self._internal(call):
                done = syntax.Evaluate(self._call(call, binds), statement.at)
            case _:
                done = syntax.rebuilt(statement, lambda part: self._hoisted(part, binds))
        return _after(binds, done)

    def _declarator(self, declarator: syntax.Declarator, binds: list[Bind]) -> syntax.Declarator:
        if declarator.initial is None:
            return declarator
        initial = self._hoisted(declarator.initial, binds)
        kept = (declarator.name, declarator.stars, declarator.dimensions)
        return syntax.Declarator(*kept, initial, declarator.unit, declarator.signature, declarator.at)

    def _internal(self, call: syntax.Call) -> bool:
        return not call.external and call.function in self.found.functions

    def _call(self, call: syntax.Call, binds: list[Bind]) -> syntax.Call:
        """The call with plain arguments; a literal result argument is dropped."""
        arguments = call.arguments[:-1] if self._drops_result(call) else call.arguments
        plain = tuple(self._hoisted(argument, binds) for argument in arguments)
        return syntax.Call(call.function, plain, call.external, call.at)

    def _drops_result(self, call: syntax.Call) -> bool:
        if not passes_result(call):
            return False
        if call.function not in self.found.functions:
            return True
        parameters = self.found.parameters(call.function)
        ends = bool(parameters) and parameter_name(parameters[-1]) == RESULT
        return len(call.arguments) == len(parameters) + (0 if ends else 1)

    def _hoisted(self, expression: Expression, binds: list[Bind]) -> Expression:
        """The expression with its internal calls replaced by temporaries; innermost and leftmost calls come first."""
        if isinstance(expression, syntax.SizeOf):
            # Nothing in it is evaluated.
            return expression
        if not isinstance(expression, syntax.Call):
            return syntax.rebuilt(expression, lambda part: self._hoisted(part, binds))
        plain = self._call(expression, binds)
        if not self._internal(plain):
            return plain
        self.made += 1
        name = f"{plain.function}@{self.made}"
        binds.append(Bind(name, plain, plain.at))
        return syntax.Name(name, plain.at)


def _after(binds: list[Bind], statement: Statement) -> Statement:
    return _flat(syntax.Chop, [*binds, statement], statement.at) if binds else statement


def _flat(connective: type[_Connective], parts: list[Statement], at: int) -> _Connective:
    """One connective for nested ones of the same kind: both are associative."""
    flat: list[Statement] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, connective) else (part,))
    return connective(tuple(flat), at)
