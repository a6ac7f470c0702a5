"""Initialisers as MSVL lists: C's flat items, with their byte offsets, put back into the nesting of the type."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.frontends.c.semantics.tree import Initialiser, Item, Written
from pincer.frontends.c.semantics.types import CHAR, Array, CType, Floating, Integer, Pointer, Record
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.checks import NULL
from pincer.frontends.msvl.from_c.arithmetic import NotExact, Operand
from pincer.frontends.msvl.from_c.calls import arguments
from pincer.frontends.msvl.from_c.context import TranslatedBody
from pincer.frontends.msvl.syntax import Expression


def initial(body: TranslatedBody, type: CType, init: Initialiser, node: Written) -> Expression:
    """What an object of the type holds first; what the initialiser does not mention is zero."""
    with body.whole.exactly(node):
        if init.refused is not None:
            raise NotExact(init.refused[0])
        found = init.items
        operands = iter(arguments(body, [item.value for item in found if item.value is not None]))
        leaves: dict[int, Expression] = {}
        wholes: dict[int, Record] = {}
        for item in found:
            if item.contents is not None:
                leaves.update(_characters(item))
            else:
                leaves[item.offset] = _converted(body, item, next(operands))
                if isinstance(item.type, Record):
                    wholes[item.offset] = item.type
        return _nested(body, type, 0, leaves, wholes)


def _converted(body: TranslatedBody, item: Item, operand: Operand) -> Expression:
    if item.bits is not None:
        raise NotExact("a bit-field")
    body.whole.types.shape(item.type)
    return body.arithmetic.converted(operand, item.type).expression


def _characters(item: Item) -> dict[int, Expression]:
    assert item.contents is not None and isinstance(item.type, Array) and isinstance(item.type.element, Integer)
    if item.type.element.bits != 8:
        raise NotExact("a string of wide characters")
    signed = item.type.element.signed
    codes = (code - 256 if signed and code > 127 else code for code in item.contents)
    return {item.offset + i: syntax.Number(code) for i, code in enumerate(codes)}


def _nested(
    body: TranslatedBody, type: CType, offset: int, leaves: Mapping[int, Expression], wholes: Mapping[int, Record]
) -> Expression:
    """The part of the type at an offset."""
    if isinstance(type, Record) and wholes.get(offset) is type:
        return leaves[offset]
    match type:
        case Array(element, int() as length):
            size = body.whole.program.target.size(element) or 1
            end = offset + length * size
            reached = max((at for at in leaves if offset <= at < end), default=offset)
            count = (reached - offset) // size + 1
            return syntax.ListValue(
                tuple(_nested(body, element, offset + i * size, leaves, wholes) for i in range(count))
            )
        case Record():
            return syntax.ListValue(
                tuple(_nested(body, part.type, offset + part.offset, leaves, wholes) for part in type.members)
            )
    return leaves.get(offset, zero(type))


def zero(type: CType) -> Expression:
    """A zero of any type; one element stands for an array of zeros."""
    match type:
        case Array(element):
            return syntax.ListValue((zero(element),))
        case Record():
            return syntax.ListValue(tuple(zero(member.type) for member in type.members))
        case Pointer():
            return syntax.Name(NULL)
        case Floating():
            return syntax.Number(0.0)
    return syntax.Number(0)


def text_list(contents: bytes) -> Expression:
    """The characters of a string literal."""
    assert CHAR.signed
    return syntax.ListValue(tuple(syntax.Number(code - 256 if code > 127 else code) for code in contents))
