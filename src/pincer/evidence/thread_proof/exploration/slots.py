"""Where registers are kept: in an activation, with a thread, or shared by all; and which of them matter where."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct

from pincer.evidence.c_proof.program_facts import ProgramFacts, assigned_register, label_terms
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.thread_proof.exploration.refusals import Unexplored
from pincer.logic.terms import Term
from pincer.program.control_flow import Call, Procedure
from pincer.program.registers import THREAD, Role

Space: TypeAlias = Literal["own", "thread", "all"]
"""Registers of the present activation, of the thread, of the program."""


class Slot(Struct, frozen=True):
    """The number of a register among those of its space, and its width."""

    space: Space
    number: int
    width: int


class RegisterSlots:
    """The slots of all registers of a program."""

    def __init__(self, facts: ProgramFacts) -> None:
        self._facts = facts
        self.program = facts.program
        self._known: dict[str, Slot] = {}
        self.registers: list[Term] = []
        self._counts: dict[str | None, int] = {}
        self.top = self.of(self.program.top)
        for procedure in self.program.procedures.values():
            for register in _mentioned(procedure):
                self.of(register)
        for register in self.program.initial:
            self.of(register)
        for one in self.program.watched:
            given = {register for register, _ in one.places}
            for register in variables(one.condition):
                if register not in given:
                    self.of(register)

    def of(self, register: Term) -> Slot:
        """The slot of a register."""
        name = str(register.args[0])
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._made(register)
            self.registers.append(register)
        return known

    def _made(self, register: Term) -> Slot:
        name = register.args[0]
        if name.role is Role.JUMP:
            raise Unexplored("jumps between activations are not explored")
        owner = THREAD if name.role is Role.TOP else name.owner
        if owner is not None and owner != THREAD and owner not in self.program.procedures:
            raise Unexplored(f"{name} is a register of no procedure")
        number = self._counts.get(owner, 0)
        self._counts[owner] = number + 1
        space: Space = "all" if owner is None else "thread" if owner == THREAD else "own"
        return Slot(space, number, register.sort.width or 1)

    def count(self, owner: str | None) -> int:
        """How many registers a procedure has, threads (THREAD) or the program (None)."""
        return self._counts.get(owner, 0)

    @cached_property
    def written(self) -> frozenset[int]:
        """The numbers of the registers of the program that some step assigns: others are no matter of scheduling."""
        found = (assigned_register(edge.label) for edge in self.program.edges())
        slots = (self.of(register) for register in found if register is not None)
        return frozenset(slot.number for slot in slots if slot.space == "all")

    def shared(self, terms: Iterable[Term]) -> tuple[int, ...]:
        """The registers that terms read and threads share."""
        slots = (self.of(register) for term in terms for register in variables(term))
        return tuple(dict.fromkeys(s.number for s in slots if s.space == "all" and s.number in self.written))


def _mentioned(procedure: Procedure) -> Iterable[Term]:
    yield from procedure.parameters
    if procedure.result is not None:
        yield procedure.result
    for edge in procedure.edges:
        register = assigned_register(edge.label)
        if register is not None:
            yield register
        for term in label_terms(edge.label):
            yield from variables(term)


class Liveness:
    """Which registers of its activation a procedure may still read, by location: the others need not be kept.

    Nothing rests on this: a register that is read without a value has an arbitrary one."""

    def __init__(self, slots: RegisterSlots) -> None:
        self._slots = slots
        self._known: dict[str, dict[int, frozenset[int]]] = {}

    def at(self, procedure: Procedure, location: int) -> frozenset[int]:
        known = self._known.get(procedure.name)
        if known is None:
            known = self._known[procedure.name] = self._computed(procedure)
        return known.get(location, frozenset())

    def after_call(self, procedure: Procedure, call: Call, location: int) -> frozenset[int]:
        """What is still needed while a call is under way that leads to a location."""
        needed = self.at(procedure, location)
        return needed if call.result is None else needed - self._own([call.result])

    def _own(self, registers: Iterable[Term]) -> frozenset[int]:
        slots = (self._slots.of(register) for register in registers)
        return frozenset(slot.number for slot in slots if slot.space == "own")

    def _computed(self, procedure: Procedure) -> dict[int, frozenset[int]]:
        live: dict[int, frozenset[int]] = dict.fromkeys(procedure.locations, frozenset())
        if procedure.result is not None:
            live[procedure.exit] = self._own([procedure.result])
        effects = []
        for edge in reversed(procedure.edges):
            assigned = assigned_register(edge.label)
            read = self._own(variable for term in label_terms(edge.label) for variable in variables(term))
            effects.append((edge.source, edge.target, read, self._own([] if assigned is None else [assigned])))
        changed = True
        while changed:
            changed = False
            for source, target, read, assigned_ in effects:
                needed = live[source] | read | (live[target] - assigned_)
                if needed != live[source]:
                    live[source] = needed
                    changed = True
        return live
