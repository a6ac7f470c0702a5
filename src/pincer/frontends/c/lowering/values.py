"""What an expression denotes while it is lowered: a value, or the place of an object; small questions about terms."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import CType
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term


class Origin(Struct, frozen=True):
    """How an address was computed: `delta` bytes from `base`.

    `size` is that of the object when `base` is the start of a named object; None when `base` is any pointer.
    """

    base: Term
    size: int | None
    delta: Term


class Value(Struct, frozen=True):
    """A typed term over the current state. The term of a record is the address of its bytes."""

    type: CType
    term: Term
    origin: Origin | None = None


class Pair(Struct, frozen=True):
    """Pointers that an expression compares for order or subtracts, or only for equality (`equal`)."""

    left: Term
    right: Term
    equal: bool = False


class RegisterPlace(Struct, frozen=True):
    """A variable that lives in a register."""

    type: CType
    register: Term


class BitRange(Struct, frozen=True):
    """The bits of a bit-field within the bytes that hold it."""

    shift: int
    width: int
    bytes: int


class MemoryPlace(Struct, frozen=True):
    """An object in memory, or a bit-field; `node` is the expression that denotes it, for messages. What is `shared`
    lies where other members of a union do."""

    type: CType
    address: Term
    node: Written
    origin: Origin | None = None
    bits: BitRange | None = None
    shared: bool = False


Place: TypeAlias = RegisterPlace | MemoryPlace


def reads_memory(term: Term) -> bool:
    return any(part.op == "load" for part in bitvectors.state_reads(term))


def reads_room(term: Term) -> bool:
    return any(part.op == "room" for part in bitvectors.state_reads(term))


def flag(condition: Term, bits: int) -> Term:
    """1 where the condition holds, 0 elsewhere."""
    return terms.conditional(condition, bitvectors.constant(1, bits), bitvectors.constant(0, bits))


def resized(term: Term, bits: int, keep_sign: bool) -> Term:
    """Truncated or extended to a width."""
    width = bitvectors.width(term)
    if bits < width:
        return bitvectors.extract(bits - 1, 0, term)
    return bitvectors.extend(term, bits - width, keep_sign)
