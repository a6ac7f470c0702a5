"""Threads whose moves may come first: what the others can do before, they can do as well after them.

Where all that others may do before one of some threads moves has nothing to do with the next moves of these threads, a
run that moves one of them later can be changed into one that does so at once: the moves between are exchanged with it,
one by one (*persistent sets*). Others that wait for one of these threads do nothing before. A run in which none of
these threads ever moves treats them unfairly, since nobody else can keep them from it; without fairness it can have
such a move put in front. So the moves of these threads are all that has to be looked at in a state, if formulas do not
see them, and if no run goes round for ever without the moves of others: who uses this looks at all moves in some state
of every round.

Whether a thread waits depends on one object at a time, and what happens to one object happens in the same order in the
changed run. So a thread that waits again and again in one of the two runs does so in the other one: runs that are fair
stay fair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pincer.evidence.thread_proof.exploration.futures import Uses
from pincer.evidence.thread_proof.exploration.library import Blocked
from pincer.evidence.thread_proof.exploration.moves import Moved
from pincer.evidence.thread_proof.exploration.states import State, StepAccess
from pincer.evidence.thread_proof.exploration.steps import Steps


class FirstMoves:
    """Finds such threads, as few as possible."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def of(
        self, state: State, moved: Mapping[int, list[Moved]], waiting: Mapping[int, Blocked], owing: frozenset[int]
    ) -> frozenset[int]:
        """Threads whose moves are enough; all that can move if there are no fewer."""
        best = frozenset(moved)
        able = {thread for thread in owing if self._is_simple(state, thread, moved[thread])}
        for seed in sorted(able):
            found = self._around(state, seed, able, moved, waiting)
            if found is not None and len(found) < len(best):
                best = found
        return best

    def _around(
        self,
        state: State,
        seed: int,
        able: set[int],
        moved: Mapping[int, list[Moved]],
        waiting: Mapping[int, Blocked],
    ) -> frozenset[int] | None:
        """A thread with all those whose moves it takes."""
        members = {seed}
        while True:
            others = [thread for thread in state.live() if thread not in members]
            kept = (t for t in others if t in waiting and not members.isdisjoint(waiting[t].holders))
            free = set(others).difference(kept)
            meeting = {thread for thread in free if self._may_meet(state, members, moved, thread)}
            if not meeting:
                return frozenset(members)
            if not meeting <= able:
                return None
            members |= meeting

    def _may_meet(self, state: State, members: set[int], moved: Mapping[int, list[Moved]], other: int) -> bool:
        """Whether another thread may ever do what has to do with the next moves of some."""
        uses = self._steps.future(state.threads[other])
        for thread in members:
            for move in moved[thread]:
                after = state.threads if move.after is None else move.after.threads
                ends, starts = after[thread].ended, len(after) > len(state.threads)
                if (ends and uses.joins) or (starts and uses.starts):
                    return True
                if any(self._touches(uses, access) for access in move.touched):
                    return True
        return False

    def _touches(self, uses: Uses, access: StepAccess) -> bool:
        if access.register:
            return access.start in uses.writes or (access.write and access.start in uses.reads)
        return uses.anything or self._steps.base(access.start) in uses.objects

    def _is_simple(self, state: State, thread: int, moves: list[Moved]) -> bool:
        """Whether moves change no other thread, are not the end of the program, meet no assumption that fails, are not
        seen by formulas, and change no object of the library that they do not touch."""
        return state.threads[thread].phase is None and all(
            move.after is not None
            and not move.seen
            and not move.after.threads[thread].stuck
            and move.after.threads[thread].phase is None
            and all(
                now == before
                for number, (now, before) in enumerate(zip(move.after.threads, state.threads, strict=False))
                if number != thread
            )
            and self._library_changed(state, move.after) <= {self._steps.base(access.start) for access in move.touched}
            for move in moves
        )

    def _library_changed(self, before: State, after: State) -> set[int]:
        return {self._steps.base(address) for address in _differences(before.library, after.library)}


def _differences(before: Mapping[int, object], after: Mapping[int, object]) -> Iterator[int]:
    for address in {*before, *after}:
        if before.get(address) != after.get(address):
            yield address
