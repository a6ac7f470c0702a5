"""Loops that start or join threads a fixed number of times, opened: every thread has a creation site of its own then.

The steps of a procedure are followed with the values of those of its registers that decide how often such loops are
passed. Where a value is known, it takes the register's place; a branch that it excludes is left out. A location stands
once for every choice of known values, so the procedure does what it did before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pincer.evidence.c_proof.program_facts import assigned_register
from pincer.evidence.thread_proof.constants import valued
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, ControlFlowProgram, Edge, Label, Procedure
from pincer.program.registers import Register, Role
from pincer.program.thread_labels import Join, Start

MOST_COPIES = 1_500
"""Locations of a procedure that has been opened: beyond that there are too many threads for a proof anyway."""

_Known = frozenset[tuple[Term, Term]]
"""The values of some registers."""


def opened(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program with loops opened that start threads; the program itself where there is none, or none can be."""
    if not any(isinstance(edge.label, Start) for edge in program.edges()):
        return program
    free = 1 + max(location for procedure in program.procedures.values() for location in procedure.locations)
    procedures: dict[str, Procedure] = {}
    for name, procedure in program.procedures.items():
        counting = _counting(procedure)
        copy = _Opening(procedure, counting, free).procedure() if counting else None
        if copy is not None:
            procedures[name] = copy
            free = 1 + max(free, *copy.locations)
    return replace(program, procedures={**program.procedures, **procedures}) if procedures else program


def _counting(procedure: Procedure) -> frozenset[Term]:
    """The registers of a procedure that decide how often loops are passed that start or join threads."""
    if not any(isinstance(edge.label, Start) for edge in procedure.edges):
        return frozenset()
    found: set[Term] = set()
    starts = False
    for inside in _circles(procedure):
        labels = [e.label for e in procedure.edges if e.source in inside and e.target in inside]
        if any(isinstance(label, Start | Join) for label in labels):
            starts |= any(isinstance(label, Start) for label in labels)
            leaving = (e.label for e in procedure.edges if e.source in inside)
            found |= {r for label in leaving if isinstance(label, Assume) for r in label.condition.variables}
    feeding = [(e.label.register, e.label.value) for e in procedure.edges if isinstance(e.label, Assign)]
    known: set[Term] = set()
    while starts and found - known:
        known |= found
        found |= {r for register, value in feeding if register in known for r in value.variables}
    return frozenset(register for register in known if _is_own(register, procedure))


def _circles(procedure: Procedure) -> list[set[int]]:
    """The locations from which a procedure may come back to them, those together that lead to each other."""
    after = {location: _reached(procedure, location) for location in procedure.locations}
    found: list[set[int]] = []
    for location in procedure.locations:
        if location in after[location] and not any(location in circle for circle in found):
            found.append({other for other in after[location] if location in after[other]})
    return found


def _reached(procedure: Procedure, start: int) -> set[int]:
    """The locations after one step or more."""
    seen: set[int] = set()
    waiting = procedure.following(start)
    while waiting:
        location = waiting.pop()
        if location not in seen:
            seen.add(location)
            waiting += procedure.following(location)
    return seen


def _is_own(register: Term, procedure: Procedure) -> bool:
    name = register.args[0]
    return isinstance(name, Register) and name.owner == procedure.name and name.role is not Role.JUMP


class _Opening:
    """One procedure, with copies of its locations for the values of registers that count."""

    def __init__(self, procedure: Procedure, counting: frozenset[Term], free: int) -> None:
        self._procedure = procedure
        self._counting = counting
        self._numbers: dict[tuple[int, _Known], int] = {(procedure.entry, frozenset()): procedure.entry}
        self._waiting = [(procedure.entry, _Known())]
        self._free = free

    def procedure(self) -> Procedure | None:
        """The opened procedure; None where it has too many locations."""
        old, edges = self._procedure, list[Edge]()
        while self._waiting:
            location, known = self._waiting.pop(0)
            if location == old.exit:
                continue
            for label, edge, after in self._steps(location, known):
                source = self._numbers[location, known]
                edges.append(replace(edge, source=source, target=self._number(edge.target, after), label=label))
            if len(self._numbers) > MOST_COPIES:
                return None
        copies = {number: location for (location, _), number in self._numbers.items()}
        made = replace(
            old,
            edges=tuple(edges),
            marks={number: old.marks[at] for number, at in copies.items() if at in old.marks},
        )
        circles = set[int]().union(*_circles(made))
        heads = (number for number, at in copies.items() if at in old.loop_heads and number in circles)
        return replace(made, loop_heads=frozenset(heads))

    def _number(self, location: int, known: _Known) -> int:
        """The copy of a location; there is one exit only."""
        key = location, frozenset() if location == self._procedure.exit else known
        found = self._numbers.get(key)
        if found is None:
            if location == self._procedure.exit:
                found = location
            else:
                found, self._free = self._free, self._free + 1
            self._numbers[key] = found
            self._waiting.append(key)
        return found

    def _steps(self, location: int, known: _Known) -> Iterator[tuple[Label, Edge, _Known]]:
        values = dict(known)
        for edge in self._procedure.outgoing.get(location, ()):
            label = valued(edge.label, values)
            if isinstance(label, Assume) and label.condition is terms.FALSE:
                continue
            yield label, edge, frozenset(self._after(label, values).items())

    def _after(self, label: Label, values: Mapping[Term, Term]) -> dict[Term, Term]:
        register = assigned_register(label)
        after = {known: value for known, value in values.items() if known is not register}
        if isinstance(label, Assign) and register in self._counting and label.value.op == "bvconst":
            after[label.register] = label.value
        return after
