"""Do regions fit the threads of a program, and each other?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincer.errors import PincerError
from pincer.evidence.thread_proof.regions.claim import ENDED, UNBORN, Region
from pincer.program.control_flow import Fail, Halt, Unsupported
from pincer.program.threaded_system import EndThread, Move, Perform, Place, ThreadedSystem


def place_of(system: ThreadedSystem, thread: int, text: str) -> Place | None:
    """The place of a thread that a region names; None if it has not begun or is over."""
    if text in (UNBORN, ENDED):
        return None
    found = next((place for place in system.threads[thread].places if str(place) == text), None)
    if found is None:
        raise PincerError(f"thread {thread} has no place {text}")
    return found


def live_places(system: ThreadedSystem, region: Region) -> dict[int, Place]:
    """Where each thread is that has begun and is not over."""
    found = ((thread, place_of(system, thread, text)) for thread, text in enumerate(region.at))
    return {thread: place for thread, place in found if place is not None}


def moves_of(system: ThreadedSystem, region: Region) -> Iterator[tuple[Move, int]]:
    """The moves of the threads that move, with their threads."""
    places = live_places(system, region)
    for thread in region.move:
        for move in system.threads[thread].outgoing[places[thread]]:
            yield move, thread


def ends_all(thread: int, move: Move) -> bool:
    """Whether nothing comes after a move: it fails, or the program is over."""
    last = move.actions[-1]
    if isinstance(last, EndThread):
        return thread == 0
    return isinstance(last, Perform) and isinstance(last.label, Fail | Halt | Unsupported)


def after(system: ThreadedSystem, region: Region, thread: int, move: Move) -> tuple[str, ...]:
    """Where threads are after a move from a region."""
    at = list(region.at)
    at[thread] = ENDED if move.target is None else str(move.target)
    born = system.births.get((thread, move.number))
    if born is not None:
        if at[born] != UNBORN:
            raise PincerError("a thread begins that has begun before")
        at[born] = str(system.threads[born].entry)
    return tuple(at)


def check_shape(system: ThreadedSystem, regions: Sequence[Region]) -> None:
    """Raises PincerError where regions do not fit."""
    if any(thread.several for thread in system.threads):
        raise PincerError("regions are about single threads, and the program has several of one kind")
    first = (str(system.threads[0].entry), *(UNBORN for _ in system.threads[1:]))
    if not regions or regions[0].at != first:
        raise PincerError("the first region is not where the program begins")
    for number, region in enumerate(regions):
        _check_region(system, regions, number, region)


def _check_region(system: ThreadedSystem, regions: Sequence[Region], number: int, region: Region) -> None:
    if len(region.at) != len(system.threads):
        raise PincerError(f"region {number} is about other threads than the program has")
    live = live_places(system, region)
    if len(set(region.move)) < len(region.move) or not live.keys() >= set(region.move):
        raise PincerError(f"in region {number} threads are to move that cannot")
    following = {(item.thread, item.move): item.region for item in region.then}
    for move, thread in moves_of(system, region):
        if ends_all(thread, move):
            continue
        target = following.get((thread, move.number))
        if target is None or target >= len(regions):
            raise PincerError(f"region {number} does not say where a move of thread {thread} leads to")
        if regions[target].at != after(system, region, thread, move):
            raise PincerError(f"region {number} says that a move of thread {thread} leads to where it does not")
    if any(thread >= len(system.threads) for _, thread in region.held):
        raise PincerError(f"region {number} speaks of a thread that there is not")
