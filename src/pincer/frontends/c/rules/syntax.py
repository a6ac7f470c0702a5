"""API rules as trees, and the reader of the rule language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias, cast

from lark import Lark, Token, Transformer, Tree, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from msgspec import Struct

from pincer.errors import PincerError, Position

Moment = Literal["before", "after", "on_entry", "on_return"]
Expression: TypeAlias = tuple[Token, ...]


class RuleVariable(Struct, frozen=True):
    """A variable of the rule, one for the whole program or one for each object."""

    name: Token
    type: str
    initial: Expression
    per_object: bool


class HandlerParameter(Struct, frozen=True):
    """A value that a handler receives; the name `_` leaves it unused. Without a type it is an int."""

    name: Token
    type: str | None


class Assertion(Struct, frozen=True):
    condition: Expression
    message: str
    at: Token


class RuleAssignment(Struct, frozen=True):
    target: Token
    value: Expression


class RuleConditional(Struct, frozen=True):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


Statement: TypeAlias = Assertion | RuleAssignment | RuleConditional


class Handler(Struct, frozen=True):
    """What happens at one moment of one function. `object` is the number, from one, of the argument it concerns."""

    function: Token
    moment: Moment
    parameters: tuple[HandlerParameter, ...]
    result: HandlerParameter | None
    object: Token | None
    body: tuple[Statement, ...]

    @property
    def values(self) -> tuple[HandlerParameter, ...]:
        return self.parameters if self.result is None else (*self.parameters, self.result)


class Rule(Struct, frozen=True):
    name: Token
    description: str
    constants: dict[str, Expression]
    states: dict[str, RuleVariable]
    handlers: tuple[Handler, ...]


class RuleSource:
    """The text of a rule file, and errors that point into it."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text

    def position(self, token: Token) -> Position:
        return Position(self.file, token.line or 1, token.column or 1)

    def line(self, number: int) -> str:
        lines = self.text.splitlines()
        return lines[number - 1] if number <= len(lines) else ""

    def error(self, line: int, column: int, message: str) -> PincerError:
        return PincerError(message, Position(self.file, line, column), self.line(line))

    def reject(self, token: Token, message: str) -> NoReturn:
        raise PincerError(message, self.position(token), self.line(token.line or 1))


def read_rule(source: RuleSource) -> Rule:
    """Parse a rule; `rule_checks.check_rule` rejects what makes no sense in any program."""
    _check_comments(source)
    try:
        tree = _parser().parse(source.text)
    except UnexpectedInput as mistake:
        raise _syntax_error(source, mistake) from None
    return _collect(source, _Builder().transform(tree))


def _check_comments(source: RuleSource) -> None:
    """An open comment, found here because `/` and `*` are operators too."""
    for found in re.finditer(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/|/\*', source.text, re.DOTALL):
        if found[0] == "/*":
            before = source.text[: found.start()]
            line, column = before.count("\n") + 1, found.start() - before.rfind("\n")
            raise source.error(line, column, "this comment is not closed; end it with `*/`")


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, start="rule", parser="lalr", maybe_placeholders=True)


def _collect(source: RuleSource, tree: Tree[Any]) -> Rule:
    name, description, *declarations = cast(list[Any], tree.children)
    constants: dict[str, Expression] = {}
    states: dict[str, RuleVariable] = {}
    handlers: list[Handler] = []
    for declaration in declarations:
        match declaration:
            case Handler():
                handlers.append(declaration)
            case RuleVariable():
                _declare(source, declaration.name, constants, states)
                states[str(declaration.name)] = declaration
            case (Token() as constant, value):
                _declare(source, constant, constants, states)
                constants[str(constant)] = value
    return Rule(name, _unquoted(description), constants, states, tuple(handlers))


def _declare(
    source: RuleSource, name: Token, constants: dict[str, Expression], states: dict[str, RuleVariable]
) -> None:
    if name == "_":
        source.reject(name, "`_` stands for a value that is not used; choose another name")
    if str(name) in constants or str(name) in states:
        source.reject(name, f"`{name}` is already declared; choose another name")


def _unquoted(text: Token | None) -> str:
    return "" if text is None else str(text)[1:-1]


_EXPECTED = {
    "SEMICOLON": "`;`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "EQUAL": "`=`",
    "STRING": "a message in double quotes",
    "NAME": "a name",
    "INTEGER": "a number",
    "RULE": "`rule NAME;`",
    "CALL": "`call`",
    "ENTRY": "`entry of`",
    "RETURN": "`return from`",
    "ON": "`on`",
    "STATE": "`state`",
    "CONST": "`const`",
    "ASSERT": "`assert`",
    "IF": "`if`",
    "$END": "the end of the file",
}


def _syntax_error(source: RuleSource, mistake: UnexpectedInput) -> PincerError:
    if isinstance(mistake, UnexpectedCharacters):
        return source.error(mistake.line, mistake.column, _unknown_text(source.text[mistake.pos_in_stream or 0 :]))
    token = mistake.token if isinstance(mistake, UnexpectedToken) else None
    if token is None or token.type == "$END":
        last = source.text.rstrip().splitlines() or [""]
        accepted = mistake.accepts if isinstance(mistake, UnexpectedToken) else set()
        return source.error(len(last), len(last[-1]) + 1, f"the rule ends too early{_alternatives(accepted)}")
    assert isinstance(mistake, UnexpectedToken)
    return source.error(mistake.line, mistake.column, f"unexpected `{token}`{_alternatives(mistake.accepts)}")


def _unknown_text(rest: str) -> str:
    if rest.startswith('"'):
        return "this message is not closed on its line, or has a backslash; messages are plain text in double quotes"
    return f"unexpected `{rest[:1]}`; expressions use names, integers and the operators of C without side effects"


def _alternatives(accepted: set[str]) -> str:
    words = [word for terminal, word in _EXPECTED.items() if terminal in accepted]
    return f"; expected {' or '.join(words)}" if 0 < len(words) <= 4 else ""


def _flatten(children: Iterator[Any]) -> Expression:
    """The tokens of an expression in order; C gives them their precedence again."""
    tokens: list[Token] = []
    for child in children:
        if isinstance(child, Token):
            tokens.append(child)
        elif child is not None:
            tokens.extend(child)
    return tuple(tokens)


def _event(moment: Moment) -> Callable[..., Handler]:
    def build(_: _Builder, name: Token, parameters: Any, argument: Any, *rest: Any) -> Handler:
        result = next((value for value in rest if isinstance(value, HandlerParameter)), None)
        return Handler(name, moment, parameters or (), result, argument, ())

    return build


@v_args(inline=True)
class _Builder(Transformer[Token, Any]):
    """Lark's tree, bottom up, into the classes above."""

    before = _event("before")
    after = _event("after")
    on_entry = _event("on_entry")
    on_return = _event("on_return")

    def constant(self, name: Token, value: Expression) -> tuple[Token, Expression]:
        return name, value

    def state(self, per_object: Any, type_: str, name: Token, initial: Expression | None) -> RuleVariable:
        return RuleVariable(name, type_, initial or (), per_object is not None)

    def per_object(self) -> bool:
        return True

    def handler(self, event: Handler, body: tuple[Statement, ...]) -> Handler:
        return Handler(event.function, event.moment, event.parameters, event.result, event.object, body)

    def parameters(self, *parameters: HandlerParameter | None) -> tuple[HandlerParameter, ...]:
        return tuple(parameter for parameter in parameters if parameter is not None)

    def parameter(self, type_: str | None, name: Token) -> HandlerParameter:
        return HandlerParameter(name, type_)

    def argument(self, number: Token) -> Token:
        return number

    def giving(self, parameter: HandlerParameter) -> HandlerParameter:
        return parameter

    def pointer(self) -> str:
        return "void *"

    def boolean(self) -> str:
        return "_Bool"

    def integer(self, *words: Token) -> str:
        return " ".join(words)

    def statements(self, *statements: Statement) -> tuple[Statement, ...]:
        return statements

    def assertion(self, condition: Expression, message: Token) -> Assertion:
        return Assertion(condition, _unquoted(message), message)

    def assignment(self, target: Token, value: Expression) -> RuleAssignment:
        return RuleAssignment(target, value)

    def conditional(self, condition: Expression, then: tuple[Statement, ...], otherwise: Any) -> RuleConditional:
        return RuleConditional(condition, then, otherwise or ())

    def chained(self, condition: Expression, then: tuple[Statement, ...], otherwise: Any) -> tuple[Statement, ...]:
        return (self.conditional(condition, then, otherwise),)

    def expression(self, condition: Expression, then: Expression | None, otherwise: Expression | None) -> Expression:
        if then is None or otherwise is None:
            return condition
        return (*condition, Token("OPERATOR", "?"), *then, Token("OPERATOR", ":"), *otherwise)

    def disjunction(self, *parts: Any) -> Expression:
        return _flatten(iter(parts))

    def prefixed(self, *parts: Any) -> Expression:
        return _flatten(iter(parts))

    def parenthesised(self, inner: Expression) -> Expression:
        opening = Token.new_borrow_pos("OPERATOR", "(", inner[0])
        return (opening, *inner, Token("OPERATOR", ")"))
