"""Whether two files mean the same by a name: types of different files are compared by what they are made of."""

from __future__ import annotations

from enum import IntEnum

from pincer.frontends.c.semantics.types import (
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Void,
)


class Agreement(IntEnum):
    """How well two declarations agree. What is only `SIMILAR` has the same size and is passed in the same way."""

    CONFLICTING = 0
    SIMILAR = 1
    SAME = 2


Seen = frozenset[tuple[int, int]]


def agreement(one: CType, other: CType, seen: Seen = frozenset()) -> Agreement:
    """How well the types of two declarations agree; records that are being compared already count as the same."""
    match one, other:
        case Integer(), Integer():
            return _integers(one, other)
        case Floating(), Floating():
            return Agreement.SAME if one.size == other.size else Agreement.CONFLICTING
        case Pointer(), Pointer():
            return max(Agreement.SIMILAR, agreement(one.target, other.target, seen))
        case Array(), Array():
            known = isinstance(one.length, int) and isinstance(other.length, int)
            if known and one.length != other.length:
                return Agreement.CONFLICTING
            return agreement(one.element, other.element, seen)
        case Record(), Record():
            return _records(one, other, seen)
        case Function(), Function():
            return _functions(one, other, seen)
        case Void(), Void():
            return Agreement.SAME
    return Agreement.CONFLICTING


def _integers(one: Integer, other: Integer) -> Agreement:
    if (one.bits, one.boolean, one.atomic) != (other.bits, other.boolean, other.atomic):
        return Agreement.CONFLICTING
    enumeration = one.is_enumeration or other.is_enumeration
    return Agreement.SAME if one.signed == other.signed or enumeration else Agreement.SIMILAR


def _records(one: Record, other: Record, seen: Seen) -> Agreement:
    if one is other or (id(one), id(other)) in seen:
        return Agreement.SAME
    if one.size is None or other.size is None:
        return Agreement.SAME if (one.kind, one.tag) == (other.kind, other.tag) else Agreement.SIMILAR
    if one.kind != other.kind or one.size != other.size:
        return Agreement.CONFLICTING
    layouts = ([(member.name, member.offset, member.bits) for member in record.members] for record in (one, other))
    if one.tag != other.tag or next(layouts) != next(layouts):
        return Agreement.SIMILAR
    inside = seen | {(id(one), id(other))}
    pairs = zip(one.members, other.members, strict=True)
    same = all(agreement(a.type, b.type, inside) is Agreement.SAME for a, b in pairs)
    return Agreement.SAME if same else Agreement.SIMILAR


def _functions(one: Function, other: Function, seen: Seen) -> Agreement:
    """How well a declaration agrees with a definition: a result that is not looked at does no harm."""
    found = agreement(one.result, other.result, seen)
    if one.result == VOID and not isinstance(other.result, Record):
        found = max(Agreement.SIMILAR, found)
    if not (one.prototyped and other.prototyped):
        return found
    if len(one.parameters) != len(other.parameters) or one.variadic != other.variadic:
        return Agreement.CONFLICTING
    pairs = zip(one.parameters, other.parameters, strict=True)
    return min(found, *(agreement(a, b, seen) for a, b in pairs)) if one.parameters else found


def is_alike(one: CType, other: CType) -> bool:
    """Whether values of a record can be taken for those of another; two files have a record each."""
    return one is other or (
        isinstance(one, Record) and isinstance(other, Record) and agreement(one, other) is not Agreement.CONFLICTING
    )
