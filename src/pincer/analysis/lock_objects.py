"""Atomic objects that are used as locks, whose weaker memory orders make no difference.

An object is one where every operation on it is a *take* (`waiting_rounds`), which acquires, or stores 0, which
releases, by a thread that has taken it since it last did so; other accesses come before all other threads. Then, in
every execution that C allows, and not only in those that interleave:

- A take in vain can be left out with the round around it: it leaves the value it finds, nothing else is done, and
  nothing is remembered. Looks at the object may be old, but only tell when to try.
- What is left are takes that found 0 and stores of 0. A read-modify-write reads what was written immediately before it,
  so each of these takes is preceded by a store of 0 (or the beginning); each store is preceded by the take of its own
  thread. So takes and stores alternate, each store belongs to the take before it, and hands over to the take behind it.
- So their order agrees with what happens before, as that of a mutex does. No other operation reads what a take writes,
  which hands over nothing.

So such objects order what a mutex orders, any number of them. What hands over to a thread that failed to take, or by a
store of a thread that has taken nothing, is not of this kind: a thread may see that another one has the lock, but not
what that one has written before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from pincer.analysis.accesses import accesses
from pincer.analysis.own_memory import Known, OwnMemory, behind, evaluated
from pincer.analysis.waiting_rounds import Activations, LockObject, Rounds, Take
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Call, Check, ControlFlowProgram, Edge, StaticObject, Store
from pincer.program.graphs import reachable
from pincer.program.labels import read_terms
from pincer.program.memory_regions import MemoryRegion
from pincer.program.points_to import PointsTo, points_to
from pincer.program.thread_labels import AtomicBegin, AtomicEnd, Start, Unmodelled

MOST_ACTIVATIONS = 2000
"""Programs in which procedures are called with more different constants, locks in hand and so on are not followed."""


class Unclear(Exception):
    """Nothing is found out about this program."""


class _Hands(Struct, frozen=True):
    """The locks that a thread has taken, whether it has been the only one so far, and is in an atomic section."""

    held: frozenset[LockObject] = frozenset()
    alone: bool = True
    inside: bool = False


class _Touch(Struct, frozen=True):
    """An access beside the operations of locks: when there is only one thread, a number that is stored may be known."""

    alone: bool
    object: LockObject | None = None
    stored: int | None = None


_Given: TypeAlias = frozenset[tuple[Term, Term]]


def sections_of_locks(program: ControlFlowProgram) -> frozenset[Edge]:
    """The edges with which operations begin that only take and give up objects that are used as locks."""
    walk = _Walk(program)
    try:
        walk.run()
    except Unclear:
        return frozenset()
    locks = {found for found in walk.taken if _is_lock(program, walk, found)}
    return frozenset(begin for begin, found in walk.sections.items() if found <= locks)


def _is_lock(program: ControlFlowProgram, walk: _Walk, wanted: LockObject) -> bool:
    """Whether an object has only the values of a lock, and nothing else is done to it."""
    static = next((each for each in program.objects if _lies_in(wanted, each, program)), None)
    if static is None or static.read_only or len(walk.taken[wanted]) != 1:
        return False
    if any(other != wanted and _overlap(other, wanted) for other in walk.taken):
        return False
    at = wanted.address - static.address
    values = {int.from_bytes(static.contents[at : at + wanted.size], "little")}
    pointers = walk.pointers
    mine = pointers.regions(bitvectors.constant(wanted.address, program.layout.pointer_bits), wanted.size)
    for edge in program.edges():
        for touch in walk.touches.get(edge, () if edge in walk.followed else (_Touch(False),)):
            if touch.alone and touch.object == wanted and touch.stored is not None:
                values.add(touch.stored)
            elif _meets(edge, touch, wanted, mine, pointers):
                return False
    return values <= {0, *walk.taken[wanted]}


def _lies_in(wanted: LockObject, static: StaticObject, program: ControlFlowProgram) -> bool:
    return static.address <= wanted.address and wanted.address + wanted.size <= static.address + static.size


def _overlap(one: LockObject, other: LockObject) -> bool:
    return other.address < one.address + one.size and one.address < other.address + other.size


def _meets(edge: Edge, touch: _Touch, wanted: LockObject, mine: Collection[MemoryRegion], pointers: PointsTo) -> bool:
    """Whether an access may concern an object; only writes matter while there is one thread."""
    if touch.object is not None:
        return _overlap(touch.object, wanted)
    if edge.source not in pointers.reached:
        return False
    found = (access for access in accesses(edge, pointers) if access.write or not touch.alone)
    return any(one.overlaps(other) for access in found for one in access.regions for other in mine)


class _Walk:
    """All activations that the program's threads go through, from the main thread on."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self.program = program
        self.pointers = points_to(program)
        self.activations = Activations(program, OwnMemory(program))
        self.sections: dict[Edge, set[LockObject | None]] = {}
        self.touches: dict[Edge, set[_Touch]] = {}
        self.followed: set[Edge] = set()
        self.taken: dict[LockObject, set[int]] = {}
        self._rounds: dict[tuple[str, _Given], Rounds] = {}
        self._ends: dict[tuple[str, _Given, _Hands], frozenset[_Hands] | None] = {}
        self._starts: dict[tuple[str, _Given], None] = {}
        self._named = {address: name for name, address in program.functions.items()}
        self._concerned = _concerned(program)

    def run(self) -> None:
        self._through(self.program.entry, frozenset(), _Hands())
        done: set[tuple[str, _Given]] = set()
        while left := [start for start in self._starts if start not in done]:
            done.add(left[0])
            self._through(*left[0], _Hands(alone=False))

    def _through(self, name: str, given: _Given, hands: _Hands) -> frozenset[_Hands]:
        """What a thread has in hand at the end of a procedure."""
        if name not in self._concerned:
            self._pass(name, hands.alone)
            return frozenset((hands,))
        key = (name, given, hands)
        if key in self._ends:
            found = self._ends[key]
            if found is None:
                raise Unclear
            return found
        if len(self._ends) > MOST_ACTIVATIONS:
            raise Unclear
        self._ends[key] = None
        result = self._ends[key] = frozenset(self._walked(name, given, hands))
        return result

    def _pass(self, name: str, alone: bool) -> None:
        """A procedure, with all it calls, that takes nothing and starts nobody."""
        for each in reachable((name,), self.program.callees):
            for edge in self.program.procedures[each].edges:
                self.touches.setdefault(edge, set()).add(_Touch(alone))

    def _walked(self, name: str, given: _Given, hands: _Hands) -> Iterator[_Hands]:
        procedure = self.program.procedures[name]
        rounds = self._rounds.get((name, given))
        if rounds is None:
            rounds = self._rounds[name, given] = Rounds(self.activations, procedure, dict(given))
        waiting, seen = [(procedure.entry, hands)], set[tuple[int, _Hands]]()
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            location, now = here
            if location == procedure.exit:
                yield now
            for edge in procedure.outgoing.get(location, ()):
                waiting += self._behind(rounds, edge, now)

    def _behind(self, rounds: Rounds, edge: Edge, now: _Hands) -> Iterator[tuple[int, _Hands]]:
        known = rounds.known.get(edge.source)
        if known is None or behind(edge, known, rounds.own) is None:
            self.touches.setdefault(edge, set())
            return
        match edge.label:
            case AtomicBegin():
                yield self._section(rounds, edge, now)
            case AtomicEnd():
                self.touches.setdefault(edge, set())
                yield edge.target, _Hands(now.held, now.alone)
            case Call(name, arguments):
                self._touch(rounds, edge, known, now)
                parameters = self.program.procedures[name].parameters
                for end in self._through(name, _constants(parameters, arguments, known), now):
                    yield edge.target, end
            case Start(routine=routine, argument=argument):
                self._touch(rounds, edge, known, now)
                self._start(evaluated(routine, known), argument, known)
                yield edge.target, _Hands(now.held, False, now.inside)
            case Unmodelled():
                raise Unclear
            case _:
                self._touch(rounds, edge, known, now)
                yield edge.target, now

    def _start(self, routine: Term, argument: Term, known: Known) -> None:
        name = self._named.get(bitvectors.constant_value(routine) or 0)
        if name is None or name not in self.program.procedures:
            raise Unclear
        parameters = self.program.procedures[name].parameters
        self._starts[name, _constants(parameters[:1], (argument,), known)] = None

    def _section(self, rounds: Rounds, begin: Edge, now: _Hands) -> tuple[int, _Hands]:
        if now.inside:
            raise Unclear
        wanted = rounds.object_at(begin)
        take = rounds.take(begin)
        if take is not None:
            return self._taken(begin, take, now)
        end = None if wanted is None else _give(rounds, begin)
        if wanted is not None and end is not None and (now.alone or wanted in now.held):
            self.followed.update((begin, *rounds.section(begin)))
            self.sections.setdefault(begin, set()).add(wanted)
            return end, _Hands(now.held - {wanted}, now.alone)
        self.sections.setdefault(begin, set()).add(None)
        return begin.target, _Hands(now.held, now.alone, True)

    def _taken(self, begin: Edge, take: Take, now: _Hands) -> tuple[int, _Hands]:
        self.followed.update(take.edges | {begin})
        for edge in take.edges | {begin}:
            if isinstance(edge.label, AtomicBegin):
                self.sections.setdefault(edge, set()).add(take.object)
        self.taken.setdefault(take.object, set()).add(take.taken)
        return take.done, _Hands(now.held | {take.object}, now.alone)

    def _touch(self, rounds: Rounds, edge: Edge, known: Known, now: _Hands) -> None:
        """An access beside the operations of locks, with what is known of its address."""
        touches = self.touches.setdefault(edge, set())
        label = edge.label
        places = list(rounds.shared(edge, known))
        if isinstance(label, Store) and places and None not in places:
            stored = bitvectors.constant_value(evaluated(label.value, known))
            touches.update(_Touch(now.alone, place) for place in places[:-1])
            touches.add(_Touch(now.alone, places[-1], stored))
        elif isinstance(label, Assign | Assume | Check) and places and None not in places:
            touches.update(_Touch(now.alone, place) for place in places)
        else:
            touches.add(_Touch(now.alone))


def _give(rounds: Rounds, begin: Edge) -> int | None:
    """Where a section ends that does nothing but store 0 and release; None if it is another one."""
    label, known = begin.label, rounds.known[begin.source]
    if not isinstance(label, AtomicBegin) or not label.order.releases:
        return None
    stores, ends = 0, set()
    for edge in rounds.section(begin):
        match edge.label:
            case Store(_, value):
                stores += bitvectors.constant_value(evaluated(value, known)) == 0
                if bitvectors.constant_value(evaluated(value, known)) != 0:
                    return None
            case AtomicEnd():
                ends.add(edge.target)
        if len(rounds.procedure.outgoing[edge.source]) != 1 or any(_loads(edge)):
            return None
    return ends.pop() if stores == 1 and len(ends) == 1 else None


def _loads(edge: Edge) -> Iterator[Term]:
    return (part for term in read_terms(edge.label) for part in bitvectors.state_reads(term) if part.op == "load")


def _constants(parameters: Iterable[Term], arguments: Iterable[Term], known: Known) -> _Given:
    """The parameters that a procedure begins with as constants."""
    values = ((parameter, evaluated(each, known)) for parameter, each in zip(parameters, arguments, strict=False))
    return frozenset(pair for pair in values if pair[1].op == "bvconst" and pair[0].sort == pair[1].sort)


def _concerned(program: ControlFlowProgram) -> frozenset[str]:
    """The procedures that may take a lock or start a thread, or call one that may."""
    wanted = {
        name
        for name, procedure in program.procedures.items()
        if any(isinstance(edge.label, AtomicBegin | Start | Unmodelled) for edge in procedure.edges)
    }
    return frozenset(reachable(wanted, lambda name: program.callers.get(name, ())))
