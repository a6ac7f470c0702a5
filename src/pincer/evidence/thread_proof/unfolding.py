"""A program with threads unfolded into places and moves, read off its edges alone.

Calls are followed, so a place knows its callers, and constants that it is given are put in place of its registers
(`constants.py`); procedures that call themselves are refused. A creation site is a
thread of its own for every place it has. Whoever cannot show that a site is passed at most once, because it lies on a
circle or its creator is one of several, counts its threads as several.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.evidence.thread_proof.constants import with_constants
from pincer.program.control_flow import (
    Begin,
    Call,
    ControlFlowProgram,
    Edge,
    Fail,
    Halt,
    Procedure,
    Unsupported,
)
from pincer.program.thread_labels import (
    AtomicBegin,
    AtomicEnd,
    Exit,
    SameThread,
    Self,
    Start,
    ThreadOperation,
    Wait,
    Yield,
)
from pincer.program.threaded_system import (
    Action,
    EndThread,
    Enter,
    Leave,
    Move,
    Perform,
    Place,
    ThreadedSystem,
    UnfoldedThread,
)


class UnfoldingLimits(Struct, frozen=True):
    """How large threads may be to be told apart place by place."""

    most_places: int = 20_000
    """Places of all threads together; beyond that there would be too many obligations anyway."""
    most_threads: int = 63
    """Threads that are told apart."""
    most_ways: int = 256
    """Ways through one atomic section."""


LIMITS = UnfoldingLimits()

_IN_SECTIONS = (Self, SameThread, Yield, AtomicEnd)
"""What operations may do inside an atomic section."""


class Unfoldable(PincerError):
    """Programs that are not unfolded, with the reason."""


def unfolded(program: ControlFlowProgram, spurious: bool) -> ThreadedSystem:
    """All threads of a program. Raises Unfoldable."""
    return _Unfolding(program, spurious).system()


class _Way(Struct, frozen=True):
    """What happens after a place, up to the next one."""

    actions: tuple[Action, ...]
    target: Place | None
    position: Position


class _Unfolding:
    def __init__(self, program: ControlFlowProgram, spurious: bool) -> None:
        self._program = program
        self._spurious = spurious
        edges = [(procedure, edge) for procedure in program.procedures.values() for edge in procedure.edges]
        self._edges = [edge for _, edge in edges]
        self._numbers = {edge: number for number, edge in enumerate(self._edges)}
        self._homes: dict[int, Procedure] = {}
        for procedure in program.procedures.values():
            self._homes.update(dict.fromkeys(procedure.locations, procedure))
            if procedure.outgoing.get(procedure.exit):
                raise Unfoldable(f"{procedure.name} goes on after its end", procedure.position)
        self._routines = {address: program.procedures.get(name) for name, address in program.functions.items()}
        self._count = 0

    def system(self) -> ThreadedSystem:
        threads = [with_constants(self._thread(0, self._program.procedures[self._program.entry]), None)]
        births: dict[tuple[int, int], int] = {}
        for thread in threads:
            cyclic = _on_circles(thread)
            for move in thread.moves:
                if not isinstance(move.label, Start):
                    continue
                if len(threads) > LIMITS.most_threads or self._is_descendant(threads, thread, move.label):
                    raise Unfoldable("threads that start threads like themselves, or too many", move.position)
                routine = self._routine(move.label, move.position)
                several = thread.several or move.source in cyclic
                births[thread.number, move.number] = len(threads)
                born = self._thread(len(threads), routine, (thread.number, move.source), several)
                threads.append(with_constants(born, move.label.argument))
        self._fixed_objects_are_single(threads)
        return ThreadedSystem(tuple(threads), births)

    def _routine(self, label: Start, position: Position) -> Procedure:
        routine = self._routines.get(label.routine.args[0]) if label.routine.op == "bvconst" else None
        if routine is None:
            raise Unfoldable("the start routine of a thread is not known", position)
        if len(routine.parameters) > 1:
            raise Unfoldable(f"the start routine {routine.name} with these parameters", position)
        return routine

    def _is_descendant(self, threads: list[UnfoldedThread], thread: UnfoldedThread, label: Start) -> bool:
        """Whether a thread, or one that led to it, runs the routine that it starts."""
        address, current = label.routine, thread
        while current.creator is not None:
            if address.op == "bvconst" and self._routines.get(address.args[0]) is current.routine:
                return True
            current = threads[current.creator]
        return False

    def _fixed_objects_are_single(self, threads: list[UnfoldedThread]) -> None:
        """An object with a fixed address must not be one that several threads begin."""
        owners: dict[int, set[int]] = {}
        for thread in threads:
            for move in thread.moves:
                for action in move.actions:
                    if isinstance(action, Perform) and isinstance(action.label, Begin):
                        owners.setdefault(action.label.address, set()).add(thread.number)
                        if thread.several or len(owners[action.label.address]) > 1:
                            raise Unfoldable("several threads have a local object with the same address", move.position)

    def _thread(
        self, number: int, routine: Procedure, origin: tuple[int, Place] | None = None, several: bool = False
    ) -> UnfoldedThread:
        """The thread that runs a routine; `origin` is who creates it, and where."""
        creator, site = origin or (None, None)
        entry = Place((), routine.entry)
        moves: list[Move] = []
        seen, waiting = {entry}, [entry]
        while waiting:
            place = waiting.pop(0)
            for way, atomic in self._ways(place, routine):
                moves.append(Move(len(moves), place, way.actions, way.target, way.position, atomic))
                if way.target is not None and way.target not in seen:
                    seen.add(way.target)
                    waiting.append(way.target)
        self._count += len(seen)
        if self._count > LIMITS.most_places:
            raise Unfoldable(f"more than {LIMITS.most_places} places of threads")
        return UnfoldedThread(number, routine, creator, site, several, entry, tuple(moves))

    def _ways(self, place: Place, routine: Procedure) -> Iterator[tuple[_Way, bool]]:
        home = self._homes[place.location]
        if place.location == home.exit:
            yield self._returned(place, routine), False
            return
        for edge in home.outgoing.get(place.location, ()):
            if isinstance(edge.label, AtomicBegin):
                inside = Place(place.calls, edge.target)
                ways = self._through(inside, (Perform(edge.label),), {inside}, edge.position)
                for number, way in enumerate(ways):
                    if number >= LIMITS.most_ways:
                        raise Unfoldable(f"more than {LIMITS.most_ways} ways through an atomic section", edge.position)
                    yield way, True
            else:
                for way in self._along(place, edge):
                    yield way, False

    def _returned(self, place: Place, routine: Procedure) -> _Way:
        """The end of a procedure: back to its caller, or the end of the thread."""
        home = self._homes[place.location]
        if not place.calls:
            return _Way((EndThread(),), None, routine.position)
        call = self._edges[place.calls[-1]]
        assert isinstance(call.label, Call)
        return _Way((Leave(home, call.label.result),), Place(place.calls[:-1], call.target), call.position)

    def _along(self, place: Place, edge: Edge) -> Iterator[_Way]:
        label, at = edge.label, edge.position
        here = Place(place.calls, edge.target)
        match label:
            case Call(name):
                yield _Way((self._entered(place, edge, name),), self._inside(place, edge, name), at)
            case Wait():
                halfway = Place(place.calls, place.location, "waiting")
                if not place.phase:
                    yield _Way((Perform(label, "release"),), halfway, at)
                else:
                    yield _Way((Perform(label, "resume"),), here, at)
                    if self._spurious or label.limit is not None:
                        yield _Way((Perform(label, "spurious"),), halfway, at)
            case Fail() | Halt() | Unsupported() | Exit():
                yield _Way((Perform(label),), None, at)
            case AtomicEnd():
                raise Unfoldable("an atomic section ends that has not begun here", at)
            case _:
                yield _Way((Perform(label),), here, at)

    def _entered(self, place: Place, edge: Edge, name: str) -> Enter:
        callee = self._program.procedures[name]
        under_way = {self._homes[self._edges[call].source].name for call in place.calls}
        if name in under_way or callee is self._homes[edge.source]:
            raise Unfoldable(f"{name} calls itself", edge.position)
        assert isinstance(edge.label, Call)
        return Enter(callee, edge.label.arguments)

    def _inside(self, place: Place, edge: Edge, name: str) -> Place:
        return Place((*place.calls, self._numbers[edge]), self._program.procedures[name].entry)

    def _through(self, place: Place, done: tuple[Action, ...], passed: set[Place], begun: Position) -> Iterator[_Way]:
        """All ways from a place inside an atomic section to its end."""
        home = self._homes[place.location]
        if place.location == home.exit:
            if not place.calls:
                raise Unfoldable("a thread ends inside an atomic section", begun)
            yield from self._further(self._returned(place, home), done, passed, begun)
            return
        for edge in home.outgoing.get(place.location, ()):
            label = edge.label
            if isinstance(label, ThreadOperation) and not isinstance(label, _IN_SECTIONS):
                raise Unfoldable(f"{label.function} inside an atomic section", edge.position)
            if isinstance(label, AtomicEnd):
                yield _Way((*done, Perform(label)), Place(place.calls, edge.target), begun)
                continue
            for way in self._along(place, edge):
                yield from self._further(way, done, passed, begun)

    def _further(self, way: _Way, done: tuple[Action, ...], passed: set[Place], begun: Position) -> Iterator[_Way]:
        actions = (*done, *way.actions)
        if way.target is None:
            yield _Way(actions, None, way.position)
        elif way.target in passed:
            raise Unfoldable("a loop inside an atomic section", way.position)
        else:
            yield from self._through(way.target, actions, passed | {way.target}, begun)


def _on_circles(thread: UnfoldedThread) -> set[Place]:
    """The places of a thread that it may come to again."""
    after: dict[Place, set[Place]] = {place: set() for place in thread.places}
    for move in thread.moves:
        if move.target is not None:
            after[move.source].add(move.target)
    return {start for start in _sites(thread) if start in _reachable(after, after[start])}


def _sites(thread: UnfoldedThread) -> Iterator[Place]:
    return (move.source for move in thread.moves if isinstance(move.label, Start))


def _reachable(after: dict[Place, set[Place]], start: set[Place]) -> set[Place]:
    seen, waiting = set(start), list(start)
    while waiting:
        for place in after[waiting.pop()] - seen:
            seen.add(place)
            waiting.append(place)
    return seen
