"""Operations that take a lock made of an atomic object, with the rounds in which a thread waits for it.

A *take* is an atomic section that acquires, finds 0 and leaves another number, always the same. If it finds that
number, it leaves it, and the thread comes back to it without having done anything that others could see or that it
remembers: it may have looked at the object in between (which may also be the first thing it does), counted in registers
that nobody reads later, and let others go on. So all that is left of rounds in vain when they are left out is the last
one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from pincer.analysis.live_registers import Registers, live, live_before
from pincer.analysis.own_memory import (
    Base,
    Known,
    OwnMemory,
    behind,
    constants_of,
    evaluated,
    of_activation,
    without_object,
)
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    End,
    Input,
    Procedure,
    Skip,
    Store,
)
from pincer.program.graphs import reachable
from pincer.program.labels import read_registers, read_terms, written_register
from pincer.program.thread_labels import AtomicBegin, AtomicEnd, Yield

MOST_STATES = 2000
"""Rounds that count to more than this before they try again are not followed."""


class NotSilent(Exception):
    """A thread that waits does something that matters, or something that is not followed."""


class LockObject(Struct, frozen=True, order=True):
    """The bytes of an object at a fixed address."""

    address: int
    size: int

    def word(self, bits: int) -> Term:
        """What the object holds, as a term."""
        return bitvectors.load(bitvectors.constant(self.address, bits), self.size)


class Take(Struct, frozen=True):
    """An object is taken: it holds `taken` then, and the thread is at `done`. `edges` are those of the section and of
    the rounds in vain."""

    object: LockObject
    taken: int
    done: int
    edges: frozenset[Edge]


class _State(Struct, frozen=True):
    """Where a thread is in a round, what it knows, and whether it is inside an atomic section."""

    location: int
    known: frozenset[tuple[Term, Term]]
    inside: bool


class Activations(Struct, frozen=True, eq=False, dict=True):
    """What is the same for all activations of all procedures."""

    program: ControlFlowProgram
    own: OwnMemory

    def is_quiet(self, name: str, above: frozenset[str] = frozenset()) -> bool:
        """Whether a procedure only computes, in registers of its own."""
        procedure = self.program.procedures[name]
        if name in above or procedure.marks:
            return False
        for edge in procedure.edges:
            match edge.label:
                case Call(callee):
                    if not self.is_quiet(callee, above | {name}):
                        return False
                case Assign(register) | Input(register):
                    if not of_activation(register):
                        return False
                case Assume() | Yield():
                    pass
                case _ if type(edge.label) is not Skip:
                    return False
            if any(not of_activation(register) for register in read_registers(edge.label)):
                return False
            if any(bitvectors.state_reads(term) for term in read_terms(edge.label)):
                return False
        return True


class Rounds:
    """The takes of one procedure, in activations whose parameters have known constants."""

    def __init__(self, activations: Activations, procedure: Procedure, given: Known) -> None:
        self.program = activations.program
        self.activations = activations
        self.own = activations.own
        self.procedure = procedure
        self.known: Mapping[int, Known] = constants_of(procedure, given, self.own)
        self._live = live(procedure)
        checks = [mark.check for marks in procedure.marks.values() for mark in marks]
        self._marked = frozenset(register for check in checks for register in check.condition.variables)
        self._takes: dict[Edge, Take | None] = {}

    def object_at(self, begin: Edge) -> LockObject | None:
        """The one object that a section is about, if it is at a fixed address."""
        known = self.known.get(begin.source)
        if known is None:
            return None
        found: set[LockObject | None] = set()
        for edge in self.section(begin):
            found.update(self.shared(edge, known))
            found.update([] if _is_followed(edge) else [None])
        return found.pop() if len(found) == 1 else None

    def section(self, begin: Edge) -> Iterator[Edge]:
        """The edges from one on until the section ends."""

        def following(location: int) -> list[int]:
            return [e.target for e in self.procedure.outgoing.get(location, ()) if not isinstance(e.label, AtomicEnd)]

        for location in sorted(reachable({begin.target}, following)):
            yield from self.procedure.outgoing.get(location, ())

    def shared(self, edge: Edge, known: Known) -> Iterator[LockObject | None]:
        """What an edge reads and writes beside own memory: None is at no fixed address."""
        for term in read_terms(edge.label):
            for part in bitvectors.state_reads(term):
                if part.op == "load" and self.own.own(part.args[0]) is None:
                    yield _fixed(evaluated(part.args[0], known), int(part.args[1]))
        if isinstance(edge.label, Store) and self.own.own(edge.label.address) is None:
            size = bitvectors.width(edge.label.value) // 8
            yield _fixed(evaluated(edge.label.address, known), size)

    def take(self, begin: Edge) -> Take | None:
        """What the section behind an edge takes, or what a look before a take is for, if it is one of these."""
        if begin not in self._takes:
            self._takes[begin] = self._found(begin)
        return self._takes[begin]

    def _found(self, begin: Edge) -> Take | None:
        wanted = self.object_at(begin)
        if wanted is None:
            return None
        try:
            finder = _Finder(self, wanted)
            return finder.found(begin)
        except NotSilent:
            return None

    def reads_from(self, address: Term) -> bool:
        """Whether the procedure reads anything from the object of its own at an address."""
        place = self.own.own(address)
        return place is None or place.base in self._read

    @cached_property
    def _read(self) -> frozenset[Base]:
        reads = (r for e in self.procedure.edges for term in read_terms(e.label) for r in bitvectors.state_reads(term))
        places = (self.own.place(read.args[0]) for read in reads if read.op == "load")
        return frozenset(place.base for place in places if place is not None)

    def lasting(self, location: int) -> Registers:
        """The registers that may be read from a location on, by checks of arithmetic as well."""
        return self._live.get(location, frozenset()) | self._marked


def _is_followed(edge: Edge) -> bool:
    """Whether an edge is of a kind that operations on one object consist of."""
    written = written_register(edge.label)
    registers = read_registers(edge.label) | ({written} if written is not None else set())
    simple = isinstance(edge.label, Assign | Assume | Store | Check | AtomicEnd) or type(edge.label) is Skip
    return simple and all(map(of_activation, registers))


def _fixed(address: Term, size: int) -> LockObject | None:
    number = bitvectors.constant_value(address)
    return None if number is None else LockObject(number, size)


class _Finder:
    """Whether one section takes an object, and all ways back to it are silent."""

    def __init__(self, rounds: Rounds, wanted: LockObject) -> None:
        self.rounds = rounds
        self.wanted = wanted
        self.word = wanted.word(rounds.program.layout.pointer_bits)
        self.edges: set[Edge] = set()
        self.changed: set[Term] = set()
        self.ended: set[Base] = set()

    def found(self, begin: Edge) -> Take:
        """The take that begins here, or that a thread comes to from here when it has seen that the object is free."""
        taking = begin
        if not self._stores(begin):
            arrivals = self._arrivals(begin, 0)
            if len(arrivals) != 1 or begin in arrivals:
                raise NotSilent
            (taking,) = arrivals
        taken, path = self._success(taking)
        looks = ({begin} | self._arrivals(taking, taken)) - {taking}
        checked: set[Edge] = set()
        while looks - checked:
            look = min(looks - checked, key=lambda edge: edge.source)
            checked.add(look)
            if self._stores(look) or self._arrivals(look, 0) != {taking}:
                raise NotSilent
            looks |= self._arrivals(look, taken) - {taking}
        self._forget(taking, path)
        return Take(self.wanted, taken, path[-1].target, frozenset(self.edges | set(path)))

    def _stores(self, begin: Edge) -> bool:
        """Whether a section may write what it is about."""
        stores = (edge.label for edge in self.rounds.section(begin) if isinstance(edge.label, Store))
        return any(self.rounds.own.own(store.address) is None for store in stores)

    def _success(self, taking: Edge) -> tuple[int, list[Edge]]:
        """What the object holds when it has been found free, and the way on until something is not decided."""
        label = taking.label
        if not isinstance(label, AtomicBegin) or not label.order.acquires:
            raise NotSilent
        state, path, taken = self._started(taking, 0), [taking], 0
        while True:
            following = self.rounds.procedure.outgoing.get(state.location, ())
            if not state.inside and not all(isinstance(edge.label, Assume) for edge in following):
                break
            steps = list(self._steps(state, silent=False))
            if not state.inside and len(steps) != 1:
                break
            if len(steps) != 1 or steps[0][0] in path:
                raise NotSilent
            edge, state = steps[0]
            path.append(edge)
            if state.inside:
                held = dict(state.known).get(self.word)
                if held is None:
                    raise NotSilent
                taken = held.args[0]
        if taken == 0:
            raise NotSilent
        return taken, path

    def _started(self, begin: Edge, holds: int) -> _State:
        known = dict(self.rounds.known[begin.source])
        known[self.word] = bitvectors.constant(holds, 8 * self.wanted.size)
        return _State(begin.target, frozenset(known.items()), True)

    def _arrivals(self, begin: Edge, holds: int) -> set[Edge]:
        """The sections at which a thread arrives next if it has found the object to hold a number."""
        found: set[Edge] = set()
        waiting, seen = [self._started(begin, holds)], set[_State]()
        while waiting:
            state = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            if len(seen) > MOST_STATES:
                raise NotSilent
            if not state.inside and not self.rounds.procedure.outgoing.get(state.location):
                raise NotSilent
            for edge, after in self._steps(state, silent=True):
                if isinstance(edge.label, AtomicBegin):
                    found.add(edge)
                else:
                    waiting.append(after)
        return found

    def _steps(self, state: _State, silent: bool) -> Iterator[tuple[Edge, _State]]:
        """The steps that are possible. Those that are to be `silent` change nothing that others can see."""
        known = dict(state.known)
        for edge in self.rounds.procedure.outgoing.get(state.location, ()):
            label, inside = edge.label, state.inside
            if isinstance(label, AtomicEnd):
                inside = False
                after: Known | None = {term: value for term, value in known.items() if term is not self.word}
            elif isinstance(label, AtomicBegin):
                if inside or self.rounds.object_at(edge) != self.wanted:
                    raise NotSilent
                after = known
            elif isinstance(label, Store) and self.rounds.own.own(label.address) is None:
                after = self._put(label, known, inside, silent)
            else:
                after = behind(edge, known, self.rounds.own)
                if after is None and not isinstance(label, Assume):
                    raise NotSilent
            if after is None:
                continue
            if silent:
                self._note(edge, known, inside)
            yield edge, _State(edge.target, frozenset(after.items()), inside)

    def _put(self, label: Store, known: Known, inside: bool, silent: bool) -> Known:
        held = known.get(self.word)
        value = evaluated(label.value, known)
        here = _fixed(evaluated(label.address, known), bitvectors.width(label.value) // 8)
        if not inside or here != self.wanted or value.op != "bvconst" or (silent and value is not held):
            raise NotSilent
        return {**known, self.word: value}

    def _note(self, edge: Edge, known: Known, inside: bool) -> None:
        """What a round in vain changes, if that is all it does."""
        self.edges.add(edge)
        label = edge.label
        match label:
            case Assign(register) | Input(register):
                self._change(register)
            case Assume() | AtomicBegin() | AtomicEnd() | Check() | Yield():
                pass
            case Store(address, value):
                if self.rounds.own.own(address) is not None:
                    self.changed.add(bitvectors.load(address, bitvectors.width(value) // 8))
            case Begin(address):
                self._end(bitvectors.constant(address, self.rounds.program.layout.pointer_bits))
            case End(address):
                self._end(address)
            case Call(name, _, result):
                if not self.rounds.activations.is_quiet(name):
                    raise NotSilent
                if result is not None:
                    self._change(result)
            case _ if type(label) is not Skip:
                raise NotSilent
        if any(not of_activation(register) for register in read_registers(label)):
            raise NotSilent
        for each in self.rounds.shared(edge, known):
            if not inside or each != self.wanted:
                raise NotSilent

    def _change(self, register: Term) -> None:
        if not of_activation(register):
            raise NotSilent
        self.changed.add(register)

    def _end(self, address: Term) -> None:
        place = self.rounds.own.own(address)
        if place is None:
            raise NotSilent
        self.ended.add(place.base)

    def _forget(self, taking: Edge, path: list[Edge]) -> None:
        """Whether nothing that rounds in vain change is remembered: it has the same value whenever they begin again, or
        is not read any more."""
        for edge in self.edges:
            checks = [m.check for m in self.rounds.procedure.marks.get(edge.source, ())]
            checks += [edge.label] if isinstance(edge.label, Check) else []
            if any(not self.changed.isdisjoint(check.condition.variables) for check in checks):
                raise NotSilent
        remembered = self.rounds.lasting(path[-1].target)
        for edge in reversed(path):
            remembered = live_before(edge, remembered)
        known = self.rounds.known[taking.source]
        for term in self.changed - known.keys():
            if term in remembered if term.op == "var" else self.rounds.reads_from(term.args[0]):
                raise NotSilent
        for base in self.ended:
            if without_object(known, base, self.rounds.own) == known:
                raise NotSilent
