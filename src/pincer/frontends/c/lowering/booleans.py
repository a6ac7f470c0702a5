"""Unknown values of `_Bool`: 0 or 1, wherever they come from."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import Array, CType, Integer, Record, Target
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume

_MOST = 256


def assume_boolean(frame: Frame, type: CType, term: Term, node: Written | None) -> None:
    """An unknown scalar is a truth value if its type says so."""
    if isinstance(type, Integer) and type.boolean:
        frame.emit(Assume(bitvectors.compare("bvule", term, bitvectors.constant(1, bitvectors.width(term)))), node)


def assume_booleans(frame: Frame, type: CType, address: Term, node: Written | None) -> None:
    """So are the members and elements of an unknown object; what unions hold may be anything."""
    for number, (offset, part) in enumerate(_booleans(type, 0, frame.target)):
        if number == _MOST:
            frame.unsupported(f"an unknown object with more than {_MOST} truth values", node)
            return
        where = bitvectors.binary("bvadd", address, frame.address(offset))
        assume_boolean(frame, part, bitvectors.load(where, 1), node)


def _booleans(type: CType, offset: int, target: Target) -> Iterator[tuple[int, Integer]]:
    match type:
        case Integer() if type.boolean:
            yield offset, type
        case Record(kind="struct"):
            for member in type.members:
                if member.bits is None:
                    yield from _booleans(member.type, offset + member.offset, target)
        case Array(element=element, length=int(length)) if any(True for _ in _booleans(element, 0, target)):
            for index in range(length):
                yield from _booleans(element, offset + index * (target.size(element) or 0), target)
