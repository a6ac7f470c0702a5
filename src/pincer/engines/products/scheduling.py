"""Which threads move where: regions under a schedule in which the threads' loops go side by side."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from msgspec import Struct

from pincer.engines.products.limits import LIMITS
from pincer.errors import PincerError
from pincer.evidence.thread_proof.regions.claim import ENDED, UNBORN, Region, Successor
from pincer.evidence.thread_proof.regions.frozen import Frozen
from pincer.evidence.thread_proof.regions.shape import after, ends_all, live_places
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.thread_labels import Join, Lock, Patience, SyncKind, Unlock, Wait
from pincer.program.threaded_system import Move, Perform, Place, ThreadedSystem, UnfoldedThread

Pace = Literal["every loop", "outer loops", "one after the other"]
"""What threads do side by side."""

FREE = -1
"""Nobody holds a lock."""
UNKNOWN = -2


class _Moment(Struct, frozen=True):
    """Where threads are, how many rounds they are ahead, and who holds which lock, as far as that is known."""

    at: tuple[str, ...]
    ahead: tuple[int, ...]
    owners: tuple[tuple[int, int], ...]


@dataclass
class Scheduler:
    """The schedules of one program."""

    program: ControlFlowProgram
    system: ThreadedSystem
    objects: SyncObjects
    frozen: Frozen
    pace: Pace

    def __post_init__(self) -> None:
        self._footprints = self.frozen.footprints
        self._heads = [_paced(self.program, thread, self.pace) for thread in self.system.threads]

    def regions(self) -> Generator[None, None, list[Region]]:
        """All regions; can be interrupted after each."""
        at = (str(self.system.threads[0].entry), *(UNBORN for _ in self.system.threads[1:]))
        locks = self.objects.of(SyncKind.MUTEX, SyncKind.SPIN_LOCK)
        first = _Moment(at, tuple(0 for _ in at), tuple((lock, FREE) for lock in locks))
        numbers, found = {first: 0}, list[Region]()
        moments = [first]
        for moment in moments:
            region = self._region(moment)
            places = live_places(self.system, region)
            successors: list[Successor] = []
            for thread in region.move:
                for move in self.system.threads[thread].outgoing[places[thread]]:
                    if ends_all(thread, move):
                        continue
                    following = self._after(moment, region, thread, move)
                    if following not in numbers:
                        numbers[following] = len(moments)
                        moments.append(following)
                    successors.append(Successor(thread, move.number, numbers[following]))
            found.append(Region(region.at, region.move, tuple(successors), region.held))
            if len(moments) > LIMITS.regions:
                raise PincerError(f"a schedule has more than {LIMITS.regions} regions")
            yield
        return found

    def _region(self, moment: _Moment) -> Region:
        """The region of a moment, with as few threads that move as is possible."""
        bare = Region(moment.at, (), ())
        places = live_places(self.system, bare)
        ready = [thread for thread in places if not self._is_blocked(moment, thread, places[thread])]
        order = sorted(ready, key=lambda thread: (moment.ahead[thread], thread))
        for some in self._choices(order, list(places)):
            region = self._with_claims(moment, some)
            if self.frozen.problem(region) is None:
                return region
        return self._with_claims(moment, tuple(places))

    def _choices(self, order: list[int], live: list[int]) -> Iterator[tuple[int, ...]]:
        yield from ((thread,) for thread in order if thread in live)
        for size in range(2, len(live)):
            yield from combinations([*order, *(thread for thread in live if thread not in order)], size)

    def _with_claims(self, moment: _Moment, some: tuple[int, ...]) -> Region:
        held = tuple((lock, thread) for lock, thread in moment.owners if thread in some)
        return Region(moment.at, some, (), held)

    def _is_blocked(self, moment: _Moment, thread: int, place: Place) -> bool:
        owners = dict(moment.owners)
        for move in self.system.threads[thread].outgoing[place]:
            match move.actions[0]:
                case Perform(label=Lock(kind=SyncKind.MUTEX | SyncKind.SPIN_LOCK, lock=lock, patience=patience)):
                    waits = patience is Patience.FOR_EVER and owners[self.objects.address(lock)] >= 0
                case Perform(label=Wait(lock=lock), half="resume"):
                    waits = owners[self.objects.address(lock)] >= 0
                case Perform(label=Join()):
                    joined = self._footprints.joined(thread, move)
                    waits = joined is not None and moment.at[joined] != ENDED
                case _:
                    waits = False
            if not waits:
                return False
        return True

    def _after(self, moment: _Moment, region: Region, thread: int, move: Move) -> _Moment:
        at = after(self.system, region, thread, move)
        ahead = list(moment.ahead)
        if move.target is None:
            ahead[thread] = 0
        elif move.target in self._heads[thread]:
            ahead[thread] += 1
        places = live_places(self.system, Region(at, (), ()))
        owners = self._owners(dict(moment.owners), thread, move)
        kept = _Moment(at, (), tuple(owners.items()))
        going = [other for other, place in places.items() if not self._is_blocked(kept, other, place)]
        least = min((ahead[other] for other in going), default=0)
        rounds = (max(0, min(number - least, LIMITS.ahead)) for number in ahead)
        return _Moment(at, tuple(rounds), kept.owners)

    def _owners(self, owners: dict[int, int], thread: int, move: Move) -> dict[int, int]:
        for action in move.actions:
            match action:
                case Perform(label=Lock(kind=SyncKind.MUTEX | SyncKind.SPIN_LOCK, lock=lock, patience=patience)):
                    owners[self.objects.address(lock)] = thread if patience is Patience.FOR_EVER else UNKNOWN
                case Perform(label=Unlock(kind=SyncKind.MUTEX | SyncKind.SPIN_LOCK, lock=lock)):
                    owners[self.objects.address(lock)] = FREE
                case Perform(label=Wait(lock=lock), half="release"):
                    owners[self.objects.address(lock)] = FREE
                case Perform(label=Wait(lock=lock), half="resume"):
                    owners[self.objects.address(lock)] = thread
        return owners


def _paced(program: ControlFlowProgram, thread: UnfoldedThread, pace: Pace) -> frozenset[Place]:
    """The places at which rounds of a thread are counted."""
    if pace == "one after the other":
        return frozenset()
    if pace == "every loop":
        heads = {head for procedure in program.procedures.values() for head in procedure.loop_heads}
        return frozenset(place for place in thread.places if place.location in heads)
    circle = _circles(thread)
    entered = {
        move.target
        for move in thread.moves
        if move.target is not None and move.target in circle and circle.get(move.source) != circle[move.target]
    }
    return frozenset(entered | ({thread.entry} & circle.keys()))


def _circles(thread: UnfoldedThread) -> dict[Place, int]:
    """The places that lie on circles, with a number for those that lie on a common one."""
    following: dict[Place, set[Place]] = {place: set() for place in thread.places}
    for move in thread.moves:
        if move.target is not None:
            following[move.source].add(move.target)
    reach = {place: _reached(following, place) for place in thread.places}
    found: dict[Place, int] = {}
    for number, place in enumerate(thread.places):
        if place in reach[place] and place not in found:
            found.update({other: number for other in reach[place] if place in reach[other]})
    return found


def _reached(following: Mapping[Place, set[Place]], start: Place) -> set[Place]:
    seen: set[Place] = set()
    waiting = list(following[start])
    while waiting:
        place = waiting.pop()
        if place not in seen:
            seen.add(place)
            waiting.extend(following[place])
    return seen
