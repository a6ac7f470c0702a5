"""Growing the automaton of one procedure, edge by edge, and tidying it up at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import Position
from pincer.frontends.c.lowering.values import reads_memory, reads_room
from pincer.logic.terms import FALSE, TRUE, Term, disjunction
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    Check,
    CheckKind,
    Edge,
    Input,
    Label,
    Skip,
    Store,
)
from pincer.program.graphs import reachable
from pincer.program.registers import is_local, is_temporary
from pincer.program.thread_labels import ThreadOperation

_SKIP = Skip()


class RawEdge(Struct, frozen=True):
    """An edge between provisional locations; one that is `beside` the program is a mark for a property."""

    source: int
    target: int
    label: Label
    position: Position
    beside: bool = False


class Held(Struct, frozen=True):
    """A check, or a mark `beside` the program, that waits until steps may be taken."""

    check: Check
    position: Position
    beside: bool = False


class NotQuiet(Exception):
    """A step was about to be taken where none is wanted."""


class Builder:
    """Emits edges from the current location `here`. Conditions already checked on the way are not checked again.

    A condition counts as checked for its kind only, and by marks for marks only: properties leave out some of them.
    `loops` are the statements that go back to a location.

    With `threaded`, what was checked may have changed since, and results of calls are not put into global registers
    directly: every access to what threads share is an edge of its own.
    """

    def __init__(self, threaded: bool = False) -> None:
        self.threaded = threaded
        self.edges: list[RawEdge] = []
        self.loops: dict[int, Position] = {}
        self._count = 0
        self._checked: set[tuple[CheckKind, Term, bool]] = set()
        self._last: int | None = None
        self.quiet = 0
        self.held: list[Held] | None = None
        self.noted: list[Held] = []
        self._skipped: Term = FALSE
        self.here = self.location()

    def location(self) -> int:
        """A new location without edges."""
        self._count += 1
        return self._count - 1

    def need_steps(self) -> None:
        """Give up where the caller wants a value that takes no step."""
        if self.quiet:
            raise NotQuiet

    def emit(self, label: Label, position: Position) -> None:
        """One step from here to a new location."""
        if isinstance(label, Check):
            self.put(Held(label, position))
            return
        self.need_steps()
        if self._checked:
            self._forget(label)
        self._step(label, position)

    def _step(self, label: Label, position: Position, beside: bool = False) -> None:
        target = self.location()
        self._last = len(self.edges)
        self.edges.append(RawEdge(self.here, target, label, position, beside))
        self.here = target

    def put(self, item: Held) -> None:
        """Check a condition here, unless that was done on the way; where no steps are wanted it is kept for later."""
        known = item.check.kind, item.check.condition, item.beside
        if item.check.condition is TRUE or known in self._checked:
            return
        if self.quiet and self.held is not None:
            self.held.append(item)
        elif self.quiet and item.beside:
            self.noted.append(item)
        else:
            self.need_steps()
            if not self.threaded:
                self._checked.add(known)
            self._step(item.check, item.position, item.beside)

    def note(self, check: Check, position: Position) -> None:
        """A mark beside the program: what is checked here for a property that asks about it. It takes no step."""
        self.put(Held(replace(check, condition=disjunction(self._skipped, check.condition)), position, True))

    @contextmanager
    def unless(self, skipped: Term) -> Iterator[None]:
        """What is noted meanwhile matters only where a condition does not hold."""
        outer, self._skipped = self._skipped, disjunction(self._skipped, skipped)
        try:
            yield
        finally:
            self._skipped = outer

    def branch(self, condition: Term, target: int, position: Position, side: bool | None) -> None:
        """From here to `target` where the condition holds; stays here for the other side."""
        self.need_steps()
        self.edges.append(RawEdge(self.here, target, Assume(condition, side), position))
        self._last = None

    def reserve(self, position: Position) -> int:
        """A step without effect, which `fill` may replace."""
        self.need_steps()
        target = self.location()
        self.edges.append(RawEdge(self.here, target, _SKIP, position))
        self.here, self._last = target, None
        return len(self.edges) - 1

    def fill(self, reserved: int, labels: Sequence[Label]) -> None:
        """Put steps in the place of a reserved one."""
        edge = self.edges[reserved]
        places = [edge.source, *(self.location() for _ in labels[1:]), edge.target]
        for number, label in enumerate(labels):
            step = RawEdge(places[number], places[number + 1], label, edge.position)
            if number == 0:
                self.edges[reserved] = step
            else:
                self.edges.append(step)

    def jump(self, target: int, position: Position) -> None:
        """Go on at `target`; what is emitted next cannot be reached unless `at` names a location first."""
        self.need_steps()
        self.edges.append(RawEdge(self.here, target, _SKIP, position))
        self.at(self.location())

    def end(self, label: Label, position: Position) -> None:
        """A step into a dead end."""
        self.emit(label, position)
        self.at(self.location())

    def at(self, location: int) -> None:
        """Go on building from a location that may be reached in several ways."""
        self.here = location
        self._checked.clear()
        self._last = None

    def retarget(self, temporary: Term, register: Term) -> bool:
        """Let the step just made deliver its result in `register` instead of a temporary, if it does deliver one."""
        if not is_temporary(temporary) or self.quiet or self._last is None or self._last != len(self.edges) - 1:
            return False
        if self.threaded and not is_local(register):
            return False
        edge = self.edges[-1]
        label = edge.label
        changed: Label
        if isinstance(label, Call | ThreadOperation) and label.result is temporary:
            changed = replace(label, result=register)
        elif isinstance(label, Input | Allocate) and label.register is temporary:
            changed = replace(label, register=register)
        else:
            return False
        self.edges[-1] = replace(edge, label=changed)
        self._keep(lambda known: register not in known.variables)
        return True

    def keep_result(self) -> None:
        """The step just made must deliver its result where it does, because that temporary is read again later."""
        self._last = None

    def _forget(self, label: Label) -> None:
        """Keep only the checked conditions that the step cannot change."""
        match label:
            case Assign(register=register) | Input(register=register):
                self._keep(lambda known: register not in known.variables)
            case Store():
                self._keep(lambda known: not reads_memory(known))
            case Allocate(register=register):
                self._keep(lambda known: register not in known.variables and not reads_room(known))
            case Assume():
                pass
            case _:
                self._checked.clear()

    def _keep(self, unchanged: Callable[[Term], bool]) -> None:
        self._checked = {known for known in self._checked if unchanged(known[1])}


def tidied(edges: Iterable[RawEdge], entry: int, exit: int) -> tuple[list[RawEdge], Mapping[int, int]]:
    """Without steps that do nothing and without what cannot be reached; also where locations are now that are gone.

    The exit keeps its number, reachable or not.
    """
    useful = [edge for edge in edges if not (isinstance(edge.label, Assume) and edge.label.condition.op == "false")]
    useful = [_without_empty_assume(edge) for edge in useful]
    forward = _forwarding(useful, exit)
    moved = [
        replace(edge, target=forward.get(edge.target, edge.target)) for edge in useful if edge.source not in forward
    ]
    reached = _reachable(moved, forward.get(entry, entry))
    return [edge for edge in moved if edge.source in reached], forward


def _without_empty_assume(edge: RawEdge) -> RawEdge:
    if isinstance(edge.label, Assume) and edge.label.condition is TRUE:
        return replace(edge, label=_SKIP)
    return edge


def _forwarding(edges: Sequence[RawEdge], exit: int) -> dict[int, int]:
    """Where each location that only skips on leads in the end; an endless skip keeps one location of its cycle."""
    outgoing: dict[int, list[RawEdge]] = {}
    for edge in edges:
        outgoing.setdefault(edge.source, []).append(edge)
    step = {
        source: group[0].target
        for source, group in outgoing.items()
        if len(group) == 1 and type(group[0].label) is Skip and source != exit
    }
    final: dict[int, int] = {}
    for start in step:
        path: dict[int, None] = {}
        at = start
        while at in step and at not in final and at not in path:
            path[at] = None
            at = step[at]
        end = final.get(at, at)
        final.update((location, end) for location in path)
    return {location: end for location, end in final.items() if location != end}


def _reachable(edges: Sequence[RawEdge], entry: int) -> set[int]:
    successors: dict[int, list[int]] = {}
    for edge in edges:
        successors.setdefault(edge.source, []).append(edge.target)
    return reachable((entry,), lambda location: successors.get(location, ()))


def without_marks(
    edges: Sequence[RawEdge], entry: int, exit: int
) -> tuple[list[RawEdge], Mapping[int, tuple[Held, ...]]]:
    """The edges of the program itself, and the marks beside it by their location.

    A mark is the only step from its location. Where nothing else leads to its target, the two are one location.
    """
    coming = Counter(edge.target for edge in edges)
    marks: dict[int, tuple[Held, ...]] = {}
    merged: dict[int, int] = {}
    kept: list[RawEdge] = []
    for edge in edges:
        if not edge.beside:
            kept.append(edge)
        elif coming[edge.target] > 1 or edge.target in (entry, exit):
            kept.append(replace(edge, label=_SKIP, beside=False))
        else:
            merged[edge.target] = edge.source
    for edge in edges:
        if edge.beside:
            assert isinstance(edge.label, Check)
            place = _last(merged, edge.source)
            marks[place] = (*marks.get(place, ()), Held(edge.label, edge.position, True))
    return [replace(edge, source=_last(merged, edge.source)) for edge in kept], marks


def _last(links: Mapping[int, int], place: int) -> int:
    while place in links:
        place = links[place]
    return place


def numbered(edges: Sequence[RawEdge], entry: int, exit: int, first: int) -> tuple[list[Edge], dict[int, int]]:
    """Locations renumbered from `first` in order of a walk from the entry, edges in that order too."""
    outgoing: dict[int, list[RawEdge]] = {}
    for edge in edges:
        outgoing.setdefault(edge.source, []).append(edge)
    names: dict[int, int] = {}
    pending = [entry]
    ordered: list[RawEdge] = []
    while pending:
        location = pending.pop()
        if location in names:
            continue
        names[location] = first + len(names)
        steps = outgoing.get(location, [])
        ordered.extend(steps)
        pending.extend(edge.target for edge in reversed(steps))
    names.setdefault(exit, first + len(names))
    return [Edge(names[edge.source], names[edge.target], edge.label, edge.position) for edge in ordered], names


def loop_heads(edges: Iterable[Edge | RawEdge], entry: int) -> frozenset[int]:
    """The targets of back edges in a depth-first walk from the entry."""
    successors: dict[int, list[int]] = {}
    for edge in edges:
        successors.setdefault(edge.source, []).append(edge.target)
    heads = set()
    state = {entry: 1}
    stack = [(entry, iter(successors.get(entry, ())))]
    while stack:
        location, rest = stack[-1]
        target = next(rest, None)
        if target is None:
            state[location] = 2
            stack.pop()
        elif target not in state:
            state[target] = 1
            stack.append((target, iter(successors.get(target, ()))))
        elif state[target] == 1:
            heads.add(target)
    return frozenset(heads)
