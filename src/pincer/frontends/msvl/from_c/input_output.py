"""Reading inputs and printing: `scanf`, nondeterministic values, `printf`, `puts`, `putchar`."""

from __future__ import annotations

import re

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import FunctionName
from pincer.frontends.c.semantics.tree import bare
from pincer.frontends.c.semantics.types import (
    CHAR,
    DOUBLE,
    INT,
    SHORT,
    UNSIGNED_CHAR,
    UNSIGNED_INT,
    UNSIGNED_SHORT,
    Floating,
    Integer,
    Pointer,
    Target,
)
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.arithmetic import NotExact, Operand
from pincer.frontends.msvl.from_c.context import TranslatedBody
from pincer.frontends.msvl.from_c.expressions import kept, place, value
from pincer.frontends.msvl.from_c.steps import at_once
from pincer.frontends.msvl.syntax import Expression

NONDET = "__VERIFIER_nondet"
_PIECE = re.compile(r"%([-+ 0#]*)(\d*)((?:\.\d+)?)(hh|h|ll|l|z|j|t|)(.?)", re.DOTALL)


def nondet(body: TranslatedBody, node: tree.Call, target: Operand | None) -> Operand | None:
    """Any value of the function's type, read into the target if it has just that type.

    None when a target was given and the value cannot go there directly.
    """
    kind = node.type
    if not isinstance(kind, Integer):
        body.whole.refuse(f"an input of this type from `{_name(node)}`", node.written)
    if target is not None:
        if target.type != kind or not _is_direct(body, kind):
            return None
        body.emit(at_once(syntax.InputStatement((target.expression,))))
        return target
    return _read(body, kind)


def _is_direct(body: TranslatedBody, kind: Integer) -> bool:
    """Whether an input of the declared type has exactly the values of the C type."""
    int32 = body.arithmetic.int32
    return kind.boolean or (int32 and kind.signed) or (kind.bits == 8 and (kind.signed or not int32))


def _read(body: TranslatedBody, kind: Integer) -> Operand:
    """An input of the type; where the interpreter would allow more, a remainder maps all of it onto the type."""
    body.arithmetic.require(kind)
    name = body.temporary()
    declaration = body.whole.types.shape(kind).declaration(name)
    body.emit(at_once(declaration, syntax.InputStatement((syntax.Name(name),))))
    found: Expression = syntax.Name(name)
    if _is_direct(body, kind):
        return body.arithmetic.any_of(found, kind)
    modulus = 1 << kind.bits
    rest = syntax.Binary("%", found, syntax.Number(modulus))
    return body.saved(body.arithmetic.fitted(rest, 1 - modulus, modulus - 1, kind))


def scanned(body: TranslatedBody, node: tree.Call) -> None:
    """`scanf("%d", &x)`: every conversion reads an input; a read that fails is not modelled, nor is its count."""
    nodes = [bare(argument) for argument in node.arguments]
    pattern = _format(body, nodes[0])
    pieces = pattern.split()
    if len(pieces) != len(nodes) - 1 or not all(re.fullmatch(r"%(hh|h|ll|l|)[du]", piece) for piece in pieces):
        body.whole.refuse(f'`scanf` with the format "{pattern}"', node.written)
    for piece, argument in zip(pieces, nodes[1:], strict=True):
        found = _PIECE.fullmatch(piece)
        assert found is not None
        kind = _integer_type(found[4], piece.endswith("d"), body.whole.program.target)
        target = _pointed(body, argument)
        if target.type != kind:
            body.whole.refuse(f"`{piece}` for a variable of another type", argument.written)
        if _is_direct(body, kind):
            body.emit(at_once(syntax.InputStatement((target.expression,))))
        else:
            body.assign(target, _read(body, kind))


def _pointed(body: TranslatedBody, node: tree.Expression) -> Operand:
    if isinstance(node, tree.Address):
        return place(body, node.place)
    pointer = value(body, node)
    if not isinstance(pointer.type, Pointer):
        body.whole.refuse("`scanf` into something that is no pointer", node.written)
    return Operand(syntax.Unary("*", pointer.expression), pointer.type.target)


def _format(body: TranslatedBody, node: tree.Expression) -> str:
    if not isinstance(node, tree.Read) or not isinstance(node.place, tree.Text):
        body.whole.refuse("a format that is no string literal", node.written)
    assert isinstance(node.type, Pointer)
    try:
        narrow = body.whole.program.target.size(node.type.target) == 1
        return node.place.contents[:-1].decode("ascii" if narrow else "utf-32")
    except UnicodeDecodeError:
        body.whole.refuse("a text with characters beyond ASCII", node.written)


def _name(node: tree.Call) -> str:
    assert isinstance(node.callee, FunctionName)
    return node.callee.name


def printed(body: TranslatedBody, node: tree.Call) -> None:
    """`printf` with plain conversions: each argument has the type that its conversion asks for."""
    nodes = [bare(argument) for argument in node.arguments]
    pattern = _format(body, nodes[0])
    found: list[tuple[Operand, int]] = []
    pending = nodes[1:]

    def piece(match: re.Match[str]) -> str:
        flags, width, precision, length, letter = match.groups()
        if letter == "%" and not (flags or width or precision or length):
            return "%%"
        if not pending:
            body.whole.refuse("`printf` with fewer arguments than its format asks for", node.written)
        argument = pending.pop(0)
        with body.whole.exactly(argument.written):
            found.append((_printable(body, argument, flags + width + precision, length, letter), len(body.steps)))
        return f"%{flags}{width}{precision}{letter}"

    text = _PIECE.sub(piece, pattern)
    if pending:
        body.whole.refuse("`printf` with more arguments than its format asks for", node.written)
    end = len(body.steps)
    values = [operand if mark == end else kept(body, operand, mark) for operand, mark in reversed(found)][::-1]
    call = syntax.Call("printf", (syntax.Text(text), *(operand.expression for operand in values)))
    body.emit(at_once(syntax.Evaluate(call)))


def _printable(body: TranslatedBody, node: tree.Expression, shape: str, length: str, letter: str) -> Operand:
    unsigned = letter in "uxXo" and letter != ""
    if "#" in shape or (unsigned and set(shape) & {"+", " "}) or (letter == "c" and shape):
        raise NotExact(f"`%{shape}{length}{letter}`")
    if letter in ("d", "i") or unsigned:
        kind = _integer_type(length, not unsigned, body.whole.program.target)
        return body.arithmetic.converted(value(body, node), kind)
    if letter == "c":
        return body.arithmetic.converted(value(body, node), UNSIGNED_CHAR)
    if letter in ("f", "e", "g") and length in ("", "l"):
        found = value(body, node)
        if isinstance(found.type, Floating):
            return body.arithmetic.converted(found, DOUBLE)
    if letter == "s" and not length:
        if isinstance(node, tree.Read) and isinstance(node.place, tree.Text):
            return Operand(syntax.Text(_format(body, node)), Pointer(CHAR))
        found = value(body, node)
        if isinstance(found.type, Pointer) and found.type.target == CHAR:
            return found
    raise NotExact(f"`%{shape}{length}{letter}` with this argument")


def _integer_type(length: str, signed: bool, target: Target) -> Integer:
    match length:
        case "hh":
            return CHAR if signed else UNSIGNED_CHAR
        case "h":
            return SHORT if signed else UNSIGNED_SHORT
        case "":
            return INT if signed else UNSIGNED_INT
    return target.long if signed else target.unsigned_long


def written(body: TranslatedBody, node: tree.Call) -> None:
    """`puts` and `putchar`."""
    argument = bare(node.arguments[0])
    if _name(node) == "putchar":
        found = body.arithmetic.converted(value(body, argument), INT)
        found = body.arithmetic.converted(found, UNSIGNED_CHAR)
    else:
        found = _printable(body, argument, "", "", "s")
    body.emit(at_once(syntax.Evaluate(syntax.Call(_name(node), (found.expression,)))))
