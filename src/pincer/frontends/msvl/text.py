"""Programs as MSVL text that reads back as the same tree: on one line for labels, indented for files; and literals,
written and read.

A space follows every `/`, so that no operand can turn it into a comment or the end of a property block.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, assert_never

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression, Statement
from pincer.frontends.source import MisreadError


class _Level(IntEnum):
    """How tightly a text holds together; what is looser than its place allows is put in parentheses."""

    CHOP = 0
    PARALLEL = 1
    OR = 2
    AND = 3
    BASIC = 4
    UNARY = 11
    POSTFIX = 12


_TIGHTENING: Final = ("OR",), ("AND",), ("|",), ("^",), ("&",), ("=", "!="), ("<", ">", "<=", ">="), ("<<", ">>")
_BINARY: Final = (*_TIGHTENING, ("+", "-"), ("*", "/", "%"))
_LEVELS: Final = {operator: level for level, group in enumerate(_BINARY, 1) for operator in group}
_CONNECTIVES: Final[dict[type, tuple[int, str]]] = {
    syntax.Chop: (_Level.CHOP, "; "),
    syntax.Parallel: (_Level.PARALLEL, " || "),
    syntax.Or: (_Level.OR, " or "),
    syntax.And: (_Level.AND, " and "),
}
_STEP: Final = "  "
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_BACK = {value: key for key, value in _ESCAPES.items()} | {"\\": "\\", '"': '"', "'": "'"}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", re.DOTALL)


def statement_text(statement: Statement) -> str:
    """The statement on one line."""
    return _MsvlWriter(None).statement(statement, _Level.CHOP)


def program_text(statement: Statement) -> str:
    """The statement as a file: one line for each part of a sequence, blocks indented."""
    return _MsvlWriter(0).statement(statement, _Level.CHOP) + "\n"


def expression_text(expression: Expression) -> str:
    return _MsvlWriter(None).value(expression)


def type_text(type_: syntax.TypeName) -> str:
    return " ".join(type_.words) + " *" * bool(type_.stars) + "*" * max(type_.stars - 1, 0)


class _MsvlWriter:
    """`depth` is how far blocks are indented, None for everything on one line."""

    def __init__(self, depth: int | None) -> None:
        self._depth = depth

    def statement(self, statement: Statement, place: int) -> str:
        level, separator = _CONNECTIVES.get(type(statement), (_Level.BASIC, ""))
        if not isinstance(statement, syntax.Chop | syntax.Parallel | syntax.Or | syntax.And):
            return self._basic(statement)
        if level < place:
            return self._enclosed("(", statement, ")")
        if level == _Level.CHOP and self._depth is not None:
            separator = ";\n" + _STEP * self._depth
        return separator.join(self.statement(part, level + 1) for part in statement.parts)

    def _enclosed(self, opening: str, statement: Statement, closing: str) -> str:
        if self._depth is None:
            return f"{opening}{self.statement(statement, _Level.CHOP)}{closing}"
        self._depth += 1
        inner = self.statement(statement, _Level.CHOP)
        text = f"{opening}\n{_STEP * self._depth}{inner}\n{_STEP * (self._depth - 1)}{closing}"
        self._depth -= 1
        return text if isinstance(statement, syntax.Chop) else f"{opening}{inner}{closing}"

    def _block(self, statement: Statement) -> str:
        return self._enclosed("{", statement, "}")

    def _basic(self, statement: Statement) -> str:
        match statement:
            case syntax.Empty():
                return "empty"
            case syntax.Skip():
                return "skip"
            case syntax.More():
                return "more"
            case syntax.Immediate(target, value):
                return f"{self.expression(target, 1)}<=={self.value(value)}"
            case syntax.Unit(target, value):
                return f"{self.expression(target, 1)}:={self.value(value)}"
            case syntax.Declaration():
                return self._declaration(statement)
            case syntax.Evaluate(expression):
                text = self.expression(expression, 1)
                # A sum that begins with a variable called `return` would read as a return.
                return f"({text})" if re.match(r"return\b(?!\$)", text) else text
            case syntax.Return(value):
                return f"{{return {self.expression(value, 1)}}}"
            case syntax.Bind(name, call):
                return f"{name}:={self.value(call)}"
            case syntax.If(condition, then, otherwise):
                rest = "" if otherwise is None else f" else {self._block(otherwise)}"
                return f"if({self.expression(condition, 1)}) then {self._block(then)}{rest}"
            case syntax.While(condition, body):
                return f"while({self.expression(condition, 1)}) {self._block(body)}"
            case syntax.Repeat(body, until):
                return f"repeat {self._block(body)} until ({self.expression(until, 1)})"
            case syntax.Projection(parts, whole):
                listed = ", ".join(self._listable(part) for part in parts)
                return f"({listed}) prj {self._block(whole)}"
            case syntax.FunctionDefinition() | syntax.StructDefinition():
                return self._definition(statement)
            case _:
                return self._prefixed(statement)

    def _listable(self, part: Statement) -> str:
        """A part of a projection; the comma after a bare declaration would go on with it."""
        return (
            self._enclosed("(", part, ")")
            if isinstance(part, syntax.Declaration)
            else self.statement(part, _Level.BASIC)
        )

    def _prefixed(self, statement: Statement) -> str:
        match statement:
            case syntax.LengthStatement(count):
                return f"len({self.expression(count, 1)})"
            case syntax.HaltStatement(condition, frames):
                return f"{'await' if frames else 'halt'}({self.expression(condition, 1)})"
            case syntax.InputStatement(targets):
                return f"input({self._listed(targets)})"
            case syntax.OutputStatement(values):
                return f"output({self._listed(values)})"
            case syntax.FrameStatement(names):
                return f"frame({','.join(names)})"
            case syntax.Local(names, body):
                return f"local({','.join(names)}): {self._block(body)}"
            case syntax.Next(body) | syntax.Always(body) | syntax.Keep(body) | syntax.Fin(body):
                return f"{type(statement).__name__.lower()} {self._block(body)}"
        raise TypeError(f"{type(statement).__name__} is no statement")

    def _definition(self, definition: syntax.FunctionDefinition | syntax.StructDefinition) -> str:
        if isinstance(definition, syntax.StructDefinition):
            keyword = "union" if definition.union else "struct"
            fields = " and ".join(self._declaration(field) for field in definition.fields)
            return f"{keyword} {definition.tag} {{ {fields} }}"
        result = "" if definition.result is None else f"{type_text(definition.result)} "
        parameters = ",".join(self._parameter(parameter) for parameter in definition.parameters)
        return f"function {result}{definition.name}({parameters}) {self._block(definition.body)}"

    def _declaration(self, declaration: syntax.Declaration) -> str:
        return f"{type_text(declaration.type)} " + ",".join(map(self._declarator, declaration.declarators))

    def _declarator(self, declarator: syntax.Declarator) -> str:
        stars = "*" * declarator.stars
        if declarator.signature is not None:
            inner = ",".join(map(self._parameter, declarator.signature))
            return f"{stars}(*{declarator.name})({inner})"
        dimensions = "".join("[]" if d is None else f"[{self.expression(d, 1)}]" for d in declarator.dimensions)
        text = f"{stars}{declarator.name}{dimensions}"
        if declarator.initial is None:
            return text
        return f"{text}{':=' if declarator.unit else '<=='}{self.value(declarator.initial)}"

    def _parameter(self, parameter: syntax.Parameter) -> str:
        type_ = "" if parameter.type is None else type_text(parameter.type)
        name = "" if parameter.declarator is None else self._declarator(parameter.declarator)
        return f"{type_} {name}" if type_ and name else type_ or name

    def _listed(self, expressions: tuple[Expression, ...]) -> str:
        return ",".join(self.value(expression) for expression in expressions)

    def value(self, expression: Expression) -> str:
        """An expression where a list or a bare conditional may stand too."""
        match expression:
            case syntax.ListValue(items):
                return f"[{self._listed(items)}]"
            case syntax.Choice(condition, then, otherwise):
                return f"if({self.expression(condition, 1)}) then {self.value(then)} else {self.value(otherwise)}"
            case _:
                return self.expression(expression, 1)

    def expression(self, expression: Expression, place: int) -> str:
        match expression:
            case syntax.Binary(operator, left, right):
                level = _LEVELS[operator]
                spaced = f" {operator} " if operator.isalpha() or operator in "/&*" else operator
                text = f"{self.expression(left, level)}{spaced}{self.expression(right, level + 1)}"
            case syntax.Unary(operator, operand):
                level = _Level.UNARY
                inner = self.expression(operand, _Level.UNARY)
                text = f"{operator}{' ' * (inner[0] == operator)}{inner}"
            case syntax.Cast(type_, operand):
                level = _Level.UNARY
                text = f"({type_text(type_)}) {self.expression(operand, _Level.UNARY)}"
            case syntax.Call(_, _, True):
                level, text = _Level.UNARY, f"extern {self._call(expression)}"
            case syntax.SizeOfType(type_):
                level, text = _Level.UNARY, f"sizeof({type_text(type_)})"
            case syntax.SizeOf(operand):
                level, text = _Level.UNARY, f"sizeof({self.expression(operand, 1)})"
            case _:
                level, text = _Level.POSTFIX, self._tight(expression)
        return text if level >= place else f"({text})"

    def _tight(self, expression: Expression) -> str:
        match expression:
            case syntax.Name(text):
                return text
            case syntax.Number(value):
                return str(value) if value >= 0 else f"({value})"
            case syntax.Truth(value):
                return "true" if value else "false"
            case syntax.Text(value):
                return quoted(value, '"')
            case syntax.Character(value):
                return quoted(chr(value), "'")
            case syntax.Call():
                return self._call(expression)
            case syntax.Index(base, indices):
                return f"{self._owner(base)}[{','.join(self.expression(i, 1) for i in indices)}]"
            case syntax.MemberAccess(base, name, arrow):
                return f"{self._owner(base)}{'->' if arrow else '.'}{name}"
            case syntax.Choice() | syntax.ListValue():
                return f"({self.value(expression)})"
            case syntax.Binary() | syntax.Unary() | syntax.Cast() | syntax.SizeOf() | syntax.SizeOfType():
                return f"({self.expression(expression, 1)})"
            case _:
                assert_never(expression)

    def _owner(self, base: Expression) -> str:
        """What a field or an index follows; a dot after a number would make another number."""
        text = self.expression(base, _Level.POSTFIX)
        return f"({text})" if isinstance(base, syntax.Number) else text

    def _call(self, call: syntax.Call) -> str:
        return f"{call.function}({self._listed(call.arguments)})"


def number_value(written: str) -> int | float:
    if written[:2] in ("0x", "0X"):
        return int(written.rstrip("uUlL"), 16)
    digits = written.rstrip("uUlLfF")
    return int(digits) if digits.isdigit() and "f" not in written.lower() else float(digits)


def text_value(written: str) -> str:
    """The characters between the quotes, escapes replaced."""
    return _ESCAPE.sub(_unescape, written[1:-1])


def character_value(written: str, at: int) -> int:
    value = text_value(written)
    if len(value) != 1:
        raise MisreadError(at, "a character literal holds exactly one character; texts stand between double quotes")
    return ord(value)


def quoted(value: str, quote: str) -> str:
    """`value` as a literal that reads back as the same characters."""
    other = '"' if quote == "'" else "'"
    return quote + "".join(_escaped(c) if c != other else c for c in value) + quote


def _unescape(match: re.Match[str]) -> str:
    body = match[1]
    if body[0] == "x" and len(body) > 1:
        return chr(int(body[1:], 16))
    if body[0] in "01234567":
        return chr(int(body, 8))
    return _ESCAPES.get(body, body)


def _escaped(character: str) -> str:
    if character in _BACK:
        return "\\" + _BACK[character]
    return f"\\{ord(character):03o}" if ord(character) < 32 else character
