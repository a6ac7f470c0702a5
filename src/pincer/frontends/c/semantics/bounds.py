"""Which declared bound an index has to keep: that of the array that is named in the index expression.

This is what `-fsanitize=bounds` of gcc checks. An array at the end of a structure that is reached through a pointer may
be longer than it is declared, whatever its length: such structures are allocated with room for more elements.
"""

from __future__ import annotations

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.tree import Expression
from pincer.frontends.c.semantics.types import Array, Record


def indexed_array(node: tree.Element) -> Array | None:
    """The array that is indexed, if its length counts: it is not a pointer, and nothing else can lie behind it."""
    place = node.pointer.place if isinstance(node.pointer, tree.Read) else None
    if place is None or not isinstance(place.type, Array) or not place.type.length or _may_be_longer(place):
        return None
    return place.type


def array_member(node: Expression) -> Array | None:
    """The array that an expression names, if it is a member, and nothing else can lie behind it."""
    place = node.place if isinstance(node, tree.Read) else None
    if not isinstance(place, tree.MemberPlace) or not isinstance(place.type, Array):
        return None
    return None if not place.type.length or _may_be_longer(place) else place.type


def _may_be_longer(place: Expression) -> bool:
    """Whether the array is the last member of what lies behind a pointer."""
    if not isinstance(place, tree.MemberPlace) or not _is_behind_a_pointer(place):
        return False
    while isinstance(place, tree.MemberPlace):
        assert isinstance(place.whole.type, Record)
        if not _is_last(place.whole.type, place.member.name or ""):
            return False
        place = place.whole
    return True


def _is_behind_a_pointer(place: Expression) -> bool:
    while True:
        match place:
            case tree.MemberPlace(whole=whole):
                place = whole
            case tree.Element(pointer=tree.Read(place=array)) if isinstance(array.type, Array):
                place = array
            case _:
                return isinstance(place, tree.Dereference | tree.Element)


def _is_last(record: Record, name: str) -> bool:
    """Whether no member follows the one of this name, which may be a member of an unnamed one."""
    for number, member in enumerate(record.members):
        inner = member.type if member.name is None and isinstance(member.type, Record) else None
        if member.name == name or (inner is not None and name in inner.index):
            ends = record.kind == "union" or number == len(record.members) - 1
            return ends and (inner is None or _is_last(inner, name))
    return False
