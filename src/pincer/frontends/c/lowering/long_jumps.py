"""`setjmp` and `longjmp`: a jump is a return that goes on returning until the function that it leads to.

Two global registers say where a jump that is under way leads to, and which value it delivers. Every call of a procedure
that may be left by a jump (`Usage.jumping`) is followed by a test of them; on the way out each activation ends its
objects. A `setjmp` is known by an object without a use of its own, which lives as long as its activation: its address
is what the buffer holds.

C leaves open what variables have that changed since the `setjmp`, unless they are volatile; those in registers become
undefined, those in memory keep what was written, which is an assumption.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pincer.frontends.c.lowering.conditions import decide, only_if, unwritten
from pincer.frontends.c.lowering.frame import Frame, Landing, leave
from pincer.frontends.c.lowering.unit import Storage, Unit
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import INT
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check, Input
from pincer.program.graphs import reachable
from pincer.program.labels import written_register
from pincer.program.property import Assumption
from pincer.program.registers import Role, has_role, register_of

MEMORY_IS_KEPT = Assumption(
    "variables in memory that were changed between setjmp and longjmp keep what was written (C leaves them open)"
)
_NO_PLACE = "longjmp to a function that has returned, or without a setjmp"


def _under_way(unit: Unit) -> Term:
    """The register that says where a jump leads to; zero while there is none."""
    register = register_of(None, "target", unit.layout.pointer_bits, Role.JUMP)
    unit.initial.setdefault(register, 0)
    return register


def _delivered(unit: Unit) -> Term:
    register = register_of(None, "value", INT.bits, Role.JUMP)
    unit.initial.setdefault(register, 0)
    return register


def _is_quiet(frame: Frame) -> Term:
    """No jump is under way."""
    return terms.equal(_under_way(frame.unit), frame.address(0))


def new_mark(frame: Frame) -> Term:
    """What tells a place that jumps lead to from all others: the address of an object of the activation."""
    return frame.new_object(frame.unique("$jump"), 1)


def landing(frame: Frame, mark: Term, buffer: Term, node: Written) -> Value:
    """The place with this mark is here; what `setjmp` gives now, and when a jump leads here."""
    again = frame.builder.here if buffer.op == "bvconst" or has_role(buffer, Role.ADDRESS) else None
    result = frame.temporary(INT.bits)
    frame.emit(Assign(result, bitvectors.constant(0, INT.bits)), node)
    here = frame.builder.location()
    frame.builder.jump(here, frame.position)
    frame.builder.at(here)
    frame.landings.append(Landing(mark, buffer, here, result, again))
    return Value(INT, result)


def jump(frame: Frame, mark: Term, delivered: Term, node: Written) -> None:
    """Leave for the place with this mark; zero is delivered as one."""
    live = terms.negate(terms.equal(bitvectors.room(mark), frame.address(0)))
    frame.emit(Check("jump", live, _NO_PLACE), node)
    zero, one = bitvectors.constant(0, INT.bits), bitvectors.constant(1, INT.bits)
    frame.emit(Assign(_delivered(frame.unit), terms.conditional(terms.equal(delivered, zero), one, delivered)), node)
    frame.emit(Assign(_under_way(frame.unit), mark), node)
    leave(frame, 0, _way_out(frame))


def _way_out(frame: Frame) -> int:
    """Where an activation goes that is left by a jump, or that the jump leads to."""
    if frame.way_out is None:
        frame.way_out = frame.builder.location()
    return frame.way_out


def pass_on(frame: Frame, procedure: str, node: Written) -> None:
    """After a call: if the procedure was left by a jump, this one is left, too."""
    if procedure not in frame.unit.program.usage.jumping:
        return
    goes_on, leaves = frame.builder.location(), frame.builder.location()
    decide(frame, _is_quiet(frame), unwritten(goes_on, leaves, frame.unit.position(node)))
    frame.builder.at(leaves)
    leave(frame, 0, _way_out(frame))
    frame.builder.at(goes_on)


def refuse_jump(frame: Frame) -> None:
    """Outside of all functions no jump may be under way: what a buffer held was no place in a running function."""
    frame.emit(Check("jump", _is_quiet(frame), _NO_PLACE))


def land(frame: Frame) -> None:
    """At the way out: go on where the jump leads to, if that is in this activation."""
    assert frame.way_out is not None
    _note_memory(frame)
    changes = [_changed_meanwhile(frame, place, frame.way_out) for place in frame.landings]
    for place, changed in zip(frame.landings, changes, strict=True):
        here = terms.equal(_under_way(frame.unit), place.mark)
        with only_if(frame, here, None, place.location):
            frame.emit(Assign(_under_way(frame.unit), frame.address(0)))
            for register, name in changed.items():
                frame.emit(Input(register, f"{name}, changed since setjmp", "undefined"))
            frame.emit(Assign(place.result, _delivered(frame.unit)))


def _changed_meanwhile(frame: Frame, place: Landing, way_out: int) -> dict[Term, str]:
    """The variables in registers that may be assigned between a landing and the way out, with their names."""
    edges = [edge for edge in frame.builder.edges if edge.source != place.again]
    after = _connected(place.location, [(edge.source, edge.target) for edge in edges])
    before = _connected(way_out, [(edge.target, edge.source) for edge in edges])
    assigned = {written_register(edge.label) for edge in edges if edge.source in after and edge.target in before}
    return {
        storage.register: variable.name
        for variable, storage in _changeable(frame)
        if storage.register is not None and storage.register in assigned
    }


def _note_memory(frame: Frame) -> None:
    in_memory = {storage.address for _, storage in _changeable(frame)} - {None}
    if frame.landings and in_memory - {place.buffer for place in frame.landings}:
        frame.unit.assume(MEMORY_IS_KEPT)


def _changeable(frame: Frame) -> Iterator[tuple[Variable, Storage]]:
    """The variables of the function that are not volatile."""
    for variable, storage in frame.unit.storage.items():
        if variable.owner == frame.name and not variable.volatile:
            yield variable, storage


def _connected(start: int, steps: Iterable[tuple[int, int]]) -> set[int]:
    following: dict[int, list[int]] = {}
    for source, target in steps:
        following.setdefault(source, []).append(target)
    return reachable((start,), lambda location: following.get(location, ()))
