"""What formulas about threads speak of: which steps may change it, and what it says about a state.

A step that may change what a formula speaks of is one that others notice, even if no thread does: a move ends before
it, so that no letter of a word is missed. Coming to a label that is asked about, and going on from there, are steps of
this kind, too. In atomic sections nobody looks.
"""

from __future__ import annotations

from collections.abc import Iterator

from pincer.evidence.c_proof.program_facts import assigned_register
from pincer.evidence.c_proof.term_data import children, variables
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.evidence.thread_proof.exploration.states import State, ThreadState, WorkingState
from pincer.evidence.thread_proof.exploration.values import TermValues
from pincer.logic import bitvectors
from pincer.logic.terms import Term, substitute
from pincer.program.control_flow import (
    Allocate,
    AtLabel,
    Begin,
    Call,
    Copy,
    End,
    Fill,
    Free,
    Label,
    Observe,
    Store,
    Watched,
)
from pincer.program.thread_labels import ThreadOperation


class Watching:
    """The propositions of a program's formula; without one nothing is watched."""

    def __init__(self, slots: RegisterSlots, values: TermValues) -> None:
        self._slots, self._values = slots, values
        program = slots.program
        self.watched = program.watched
        labels = {place.label for one in self.watched for _, place in one.places}
        self._moments = {f"{way} {label}" for label in labels for way in ("to", "at")}
        self._at = {
            edge.source: edge.label.moment.removeprefix("at ")
            for edge in program.edges()
            if isinstance(edge.label, Observe) and edge.label.moment.startswith("at ")
        }
        conditions = [one.condition for one in self.watched]
        given = {register for one in self.watched for register, _ in one.places}
        read = {register for condition in conditions for register in variables(condition)} - given
        self._registers = frozenset(slots.of(register).number for register in read)
        reads = [part for condition in conditions for part in _reads(condition)]
        loads = [part for part in reads if part.op == "load" and part.args[0].op == "bvconst"]
        self._spans = frozenset((part.args[0].args[0], part.args[1]) for part in loads)
        self._everywhere = any(part.args[0].op != "bvconst" for part in reads)
        lasting = {item.address for item in program.objects}
        places = {part.args[0].args[0] & -program.layout.slot for part in reads if part.args[0].op == "bvconst"}
        self._lives = self._everywhere or not places <= lasting
        self._known: dict[tuple[Watched, tuple[bool, ...]], Term] = {}

    def is_label(self, label: Label | ThreadOperation) -> bool:
        """Whether a step leads to a label, or on from it, that the formula asks about."""
        return isinstance(label, Observe) and label.moment in self._moments

    def may_change(self, state: WorkingState, label: Label | ThreadOperation) -> bool:
        """Whether a step may change what the formula speaks of. Raises OpenValue where an address is not known."""
        if not self.watched:
            return False
        assigned = label.result if isinstance(label, ThreadOperation) else assigned_register(label)
        if assigned is not None and not isinstance(label, Call) and self.is_register(assigned):
            return True
        number = self._values.number
        match label:
            case Observe():
                return self.is_label(label)
            case Store(address, value):
                return self._overlaps(number(address, state), (value.sort.width or 8) // 8)
            case Copy(target, _, size) | Fill(target, size):
                return self._overlaps(number(target, state), number(size, state))
            case Begin() | End() | Free() | Allocate():
                return self._lives
            case ThreadOperation():
                spans = label.stores(self._slots.program.layout.pointer_bits // 8)
                return any(self._overlaps(number(address, state), size) for address, size in spans)
        return False

    def is_register(self, register: Term) -> bool:
        """Whether the formula speaks of a register of the program."""
        if not self.watched:
            return False
        slot = self._slots.of(register)
        return slot.space == "all" and slot.number in self._registers

    def _overlaps(self, start: int, size: int) -> bool:
        if self._everywhere:
            return True
        return any(start < other + length and other < start + size for other, length in self._spans)

    def conditions(self, state: State) -> Iterator[tuple[str, Term]]:
        """Each proposition with its condition in a state, where threads are where they are."""
        for one in self.watched:
            places = tuple(self._is_at(state, place) for _, place in one.places)
            found = self._known.get((one, places))
            if found is None:
                given = {
                    register: bitvectors.constant(int(is_there), bitvectors.width(register))
                    for (register, _), is_there in zip(one.places, places, strict=True)
                }
                found = self._known[one, places] = substitute(one.condition, given)
            yield one.name, found

    def _is_at(self, state: State, place: AtLabel) -> bool:
        return any(
            not thread.ended
            and self._at.get(thread.location) == place.label
            and place.thread in ("", str(number), _routine(thread))
            for number, thread in enumerate(state.threads)
        )


def _routine(thread: ThreadState) -> str:
    """The function that a thread began with."""
    return thread.frames[0].procedure.name if thread.frames else thread.procedure.name


def _reads(term: Term) -> Iterator[Term]:
    for child in children(term):
        yield from _reads(child)
    if term.op in ("load", "room"):
        yield term
