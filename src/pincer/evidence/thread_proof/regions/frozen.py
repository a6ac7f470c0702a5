"""Is nothing lost when only some threads move in a region?

Consider all that the others can do while those stand still (`F`). Required is that every move of it is independent of
every next move of those that are chosen (P), and that none is an error (M). Then a run to an error has a move of a
chosen thread, whose first one can be made at the beginning as well: what is left of the run has one move less. A thread
at an inner place may move alone in any case: its next move can be made at the beginning of every run, and it comes soon
to a place that is not inner.
"""

from __future__ import annotations

from collections.abc import Iterator

from pincer.evidence.thread_proof.regions.claim import Region
from pincer.evidence.thread_proof.regions.footprints import Footprints
from pincer.evidence.thread_proof.regions.shape import live_places
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.program.control_flow import Allocate, Fail, Label, Unsupported
from pincer.program.thread_labels import Destroy, Initialise, Lock, Meet, Patience, SyncKind, Wait
from pincer.program.threaded_system import Move, Perform, Place, ThreadedSystem

Inner = tuple[frozenset[Place], ...]
"""The inner places of each thread."""


class Frozen:
    """What is left out in regions of one program."""

    def __init__(self, system: ThreadedSystem, objects: SyncObjects, footprints: Footprints, inner: Inner) -> None:
        self._system = system
        self._objects = objects
        self.footprints = footprints
        self._inner = inner

    def problem(self, region: Region) -> str | None:
        """Why other threads may have to move, too."""
        live = live_places(self._system, region)
        inside = [thread for thread in region.move if live[thread] in self._inner[thread]]
        if inside:
            return (
                None if len(region.move) == 1 else "a thread between two steps that others notice does not move alone"
            )
        return next(self._problems(region, live), None)

    def _problems(self, region: Region, live: dict[int, Place]) -> Iterator[str]:
        held = {address for address, thread in region.held if thread in region.move}
        others = list(self._others(region, live, held))
        for thread, move in others:
            yield from self._errors(thread, move)
            if self._changes(move) & held:
                yield f"thread {thread} may begin or end a lock that is held"
        for chosen in region.move:
            for step in self._system.threads[chosen].outgoing[live[chosen]]:
                for thread, move in others:
                    if not self.footprints.independent((chosen, step), (thread, move)):
                        yield f"the next step of thread {chosen} depends on what thread {thread} does: {move.position}"

    def _others(self, region: Region, live: dict[int, Place], held: set[int]) -> Iterator[tuple[int, Move]]:
        """All moves that the other threads, and those that they start, may make meanwhile: not those that need a lock
        which is held, or the end of a thread that stands still."""
        waiting = [(thread, place) for thread, place in live.items() if thread not in region.move]
        seen = set(waiting)
        while waiting:
            thread, place = waiting.pop()
            for move in self._system.threads[thread].outgoing[place]:
                if self._needs(move) in held or self.footprints.joined(thread, move) in region.move:
                    continue
                yield thread, move
                born = self._system.births.get((thread, move.number))
                following = [] if move.target is None else [(thread, move.target)]
                if born is not None:
                    following.append((born, self._system.threads[born].entry))
                for item in following:
                    if item not in seen:
                        seen.add(item)
                        waiting.append(item)

    def _needs(self, move: Move) -> int | None:
        """The lock without which a move cannot be made."""
        first = move.actions[0]
        match first:
            case Perform(label=Lock(kind=SyncKind.MUTEX | SyncKind.SPIN_LOCK, lock=lock, patience=Patience.FOR_EVER)):
                return self._objects.address(lock)
            case Perform(label=Wait(lock=lock), half="resume"):
                return self._objects.address(lock)
        return None

    def _changes(self, move: Move) -> set[int]:
        """The locks that begin or end by a move."""
        found: set[int] = set()
        for action in move.actions:
            if isinstance(action, Perform) and isinstance(action.label, Initialise | Destroy):
                found.add(self._objects.address(action.label.object))
        return found | self.footprints.reset(move)

    def _errors(self, thread: int, move: Move) -> Iterator[str]:
        for action in move.actions:
            if isinstance(action, Perform) and _may_err(action.label):
                yield f"thread {thread} may err at {move.position}, and does not move"


def _may_err(label: Label) -> bool:
    return isinstance(label, Fail | Unsupported | Allocate | Meet)
