"""Variable arguments: how the caller passes them, and how the callee takes the next one.

The caller puts them into an object of its own and passes its address. Each argument lies behind a word that says what
it is (its kind and its size), a zero ends them. So the callee can tell whether there is an argument of the type that it
asks for: if not, C leaves open what happens.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincer.frontends.c.lowering.conversions import convert
from pincer.frontends.c.lowering.expressions import place
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import assign, check_access, named_origin, read, spill, spill_place
from pincer.frontends.c.lowering.values import MemoryPlace, Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.context import Definition, TypedProgram
from pincer.frontends.c.semantics.conversions import promoted_type
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import (
    DOUBLE,
    FLOAT,
    LONG_LONG,
    UNSIGNED_LONG_LONG,
    CType,
    Floating,
    Integer,
    Pointer,
    Target,
    text,
)
from pincer.frontends.c.semantics.usage import LIST_STARTERS
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Check, Store

_WORD = 8
_SCALAR, _FLOATING, _RECORD = 1 << 32, 2 << 32, 3 << 32


def takes_variable_arguments(program: TypedProgram, definition: Definition) -> bool:
    """Whether a function looks at its variable arguments: only then they are passed."""
    return definition.type.variadic and not program.usage.functions[definition.name].calls.isdisjoint(LIST_STARTERS)


def _passed_type(type: CType) -> CType:
    """The type in which an argument without a parameter is passed."""
    if type == FLOAT:
        return DOUBLE
    promoted = promoted_type(type)
    if isinstance(promoted, Integer) and promoted.bits not in (32, 64, 128):
        return LONG_LONG if promoted.signed else UNSIGNED_LONG_LONG
    return promoted


def _word(target: Target, type: CType) -> Term:
    """What stands in front of an argument; integers and pointers of one size are passed alike."""
    kind = _SCALAR if isinstance(type, Integer | Pointer) else _FLOATING if isinstance(type, Floating) else _RECORD
    return bitvectors.constant(kind + (target.size(type) or 0), 8 * _WORD)


def _room(target: Target, type: CType) -> int:
    """The bytes that an argument and the word before it take."""
    return _WORD + -(-(target.size(type) or 0) // _WORD) * _WORD


def argument_block(frame: Frame, arguments: Sequence[Value], node: Written) -> Term:
    """The address of a new object with these arguments."""
    passed = [convert(frame, argument, _passed_type(argument.type)) for argument in arguments]
    size = sum(_room(frame.target, argument.type) for argument in passed) + _WORD
    block = frame.new_object(frame.unique("$arguments"), size)
    offset = 0
    for argument in passed:
        frame.emit(Store(_moved(frame, block, offset), _word(frame.target, argument.type)), node)
        address = _moved(frame, block, offset + _WORD)
        within = MemoryPlace(
            argument.type, address, node, named_origin(frame, address, _room(frame.target, argument.type))
        )
        assign(frame, within, argument, node)
        offset += _room(frame.target, argument.type)
    frame.emit(Store(_moved(frame, block, offset), bitvectors.constant(0, 8 * _WORD)), node)
    return block


def _moved(frame: Frame, address: Term, offset: int) -> Term:
    return bitvectors.binary("bvadd", address, frame.address(offset))


def arguments(frame: Frame, node: tree.Arguments) -> Value:
    """Where the function's variable arguments are."""
    assert frame.arguments is not None
    return Value(node.type, frame.arguments)


def next_argument(frame: Frame, node: tree.NextArgument) -> Value:
    """The next argument of a list, which moves on."""
    target, written = frame.target, node.written
    cursor = spill_place(frame, place(frame, node.cursor))
    at = spill(frame, read(frame, cursor))
    check_access(frame, MemoryPlace(node.type, at.term, written), _WORD)
    fits = terms.equal(bitvectors.load(at.term, _WORD), _word(target, node.type))
    message = f"the next argument, if there is one, is of another type than {text(node.type)}"
    frame.emit(Check("arguments", fits, message), written)
    following = Value(at.type, _moved(frame, at.term, _room(target, node.type)))
    assign(frame, cursor, following, written)
    return read(frame, MemoryPlace(node.type, _moved(frame, at.term, _WORD), written))
