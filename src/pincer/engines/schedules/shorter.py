"""Schedules made shorter, and with fewer switches between threads, as long as they go wrong in the same way.

What may be left out is tried: whole threads, then ever smaller pieces; then pieces of one thread are moved together.
Choices that cannot be taken any more are left out as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from pincer.engines.schedules.findings import Race, Violation, counts, shown, violation
from pincer.execution.stepping import Stop
from pincer.execution.threads.deadlocks import ThreadDeadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ThreadChoice
from pincer.runtime.run import Run

Choices = Sequence[ThreadChoice]

EACH_SIZE = 12
"""Up to so many choices in a row, each number is tried: rounds of short loops have any length."""


def shortened(found: Violation, interleaver: Interleaver, run: Run, most: int) -> Violation:
    """A violation of the same kind by a schedule that is no longer; `most` transitions are spent on it."""
    shortening = _Shortening(found, interleaver, run, most)
    before = None
    while shortening.left > 0 and before is not shortening.best:
        before = shortening.best
        shortening.leave_out()
        shortening.put_together()
    return shortening.best


class _Shortening:
    """The best schedule so far, and how many transitions may still be spent."""

    def __init__(self, found: Violation, interleaver: Interleaver, run: Run, most: int) -> None:
        self.best, self.left = found, most
        self._interleaver, self._run = interleaver, run
        self._cost = _cost(found.schedule.choices)

    def tries(self, choices: Choices) -> bool:
        """Whether choices lead to a violation of the kind, and are better than the best."""
        if self.left <= 0:
            return False
        found = self._led_to(choices)
        if found is None or _cost(found.schedule.choices) >= self._cost:
            return False
        self.best, self._cost = found, _cost(found.schedule.choices)
        return True

    def leave_out(self) -> None:
        """Some choices in a row, of one thread or of all: many at first, in the end rounds of short loops."""
        size = len(self.best.schedule.choices)
        while size:
            threads = sorted({choice.thread for choice in self.best.schedule.choices}, reverse=True)
            for thread in (None, *threads):
                self._leave_out(thread, size)
            size = size // 2 if size > EACH_SIZE else size - 1

    def _leave_out(self, thread: int | None, size: int) -> None:
        end = len(self._own(thread))
        while end > 0 and self.left > 0:
            if not self.tries(self._without(thread, end - size, end)):
                end -= max(1, size // 2)
            end = min(end, len(self._own(thread)))

    def put_together(self) -> None:
        """A piece comes right behind the one that its thread had before, or that one right before it."""
        is_better = True
        while is_better and self.left > 0:
            is_better = any(self.tries(choices) for choices in self._with_pieces_together())

    def _own(self, thread: int | None) -> list[int]:
        """Where the choices of a thread are, or those of all."""
        return [i for i, choice in enumerate(self.best.schedule.choices) if thread in (None, choice.thread)]

    def _without(self, thread: int | None, start: int, end: int) -> Choices:
        left_out = set(self._own(thread)[max(0, start) : end])
        return [choice for i, choice in enumerate(self.best.schedule.choices) if i not in left_out]

    def _with_pieces_together(self) -> Iterator[Choices]:
        pieces = [list(group) for _, group in groupby(self.best.schedule.choices, key=lambda choice: choice.thread)]
        latest: dict[int, int] = {}
        for i, piece in enumerate(pieces):
            before = latest.get(piece[0].thread)
            latest[piece[0].thread] = i
            if before is None:
                continue
            first, between, rest = pieces[before], pieces[before + 1 : i], pieces[i + 1 :]
            for middle in ([first, piece, *between], [*between, first, piece]):
                yield list(chain.from_iterable([*pieces[:before], *middle, *rest]))

    def _led_to(self, choices: Choices) -> Violation | None:
        """What choices lead to, of which those are taken that can be."""
        name, interleaver = self.best.name, self._interleaver
        threads, taken = interleaver.initial(self.best.schedule.inputs), list[ThreadChoice]()
        for choice in choices:
            self._run.poll()
            self.left -= 1
            thread = threads.threads.get(choice.thread)
            if thread is None or not thread.live or interleaver.pending(threads, choice.thread).waiting is not None:
                continue
            pick = min(choice.pick, interleaver.picks(threads, choice.thread) - 1)
            transition = interleaver.take(threads, choice.thread, pick)
            taken.append(ThreadChoice(choice.thread, pick))
            threads = transition.threads
            if transition.stop is not None:
                same = counts(name, transition.stop) and _kind(transition.stop) == _kind(self.best.what)
                return violation(name, transition.stop, taken, threads.state.values) if same else None
        what = shown(interleaver, name, threads)
        same = what is not None and _kind(what) == _kind(self.best.what)
        return violation(name, what, taken, threads.state.values) if what is not None and same else None


def _kind(what: Stop | ThreadDeadlock | Race) -> object:
    """What has to stay the same: the place that fails, or that it is a race or a deadlock."""
    return what.edge if isinstance(what, Stop) else type(what)


def _cost(choices: Choices) -> int:
    """Switches count more than choices: they are what is hard to follow."""
    return len(choices) + 3 * sum(1 for _ in groupby(choices, key=lambda choice: choice.thread))
