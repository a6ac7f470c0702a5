"""Traces are taken up by threads, followed location by location, and given up when they cannot be followed."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.agse.followed_traces import Guides, TraceGuide
from pincer.engines.agse.guided_search import GuidedSearch
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.state import ThreadedState
from tests.engines.agse.agse_programs import FIGURE_2, line_of
from tests.engines.agse.guided_programs import COUNTER, CROSSED, guided, lowered


class Walk:
    """An execution under the eyes of guides."""

    def __init__(self, search: GuidedSearch) -> None:
        self.following = search.following
        self.interleaver = Interleaver(search.system.flow.facts.program, ExecutionLimits())
        self.threads: ThreadedState = self.interleaver.initial()
        self.guides: Guides = tuple(TraceGuide(trace) for trace in search.traces)
        self.missed = 0
        self.lost = False

    def go(self, *numbers: int) -> None:
        for number in numbers:
            transition = self.interleaver.take(self.threads, number)
            self.threads = transition.threads
            self.guides, missed = self.following.passed(self.guides, number, transition.edges)
            self.missed += len(missed)
            settled = self.following.settled(self.threads, self.guides)
            if isinstance(settled, int):
                self.lost = True
                return
            self.guides = settled


def test_a_trace_waits_for_its_thread_and_shrinks_as_that_goes_on(tmp_path: Path) -> None:
    walk = Walk(guided(lowered(tmp_path, FIGURE_2), "assertions"))
    whole = len(walk.guides[0].remaining)
    walk.go(0)
    assert walk.guides[0].thread is None and len(walk.guides[0].remaining) == whole
    while 1 not in walk.threads.threads:
        walk.go(0)
    assert walk.guides[0].thread == 1
    walk.go(1, 1)
    assert 1 < len(walk.guides[0].remaining) < whole


def test_a_trace_is_lost_when_its_branch_goes_wrong(tmp_path: Path) -> None:
    walk = Walk(guided(lowered(tmp_path, FIGURE_2), "assertions"))
    while 1 not in walk.threads.threads:
        walk.go(0)
    while not walk.lost and not walk.threads.threads[1].ended:
        walk.go(1)
    assert walk.lost and walk.missed == 1
    stuck = walk.following.flow.edges(walk.guides[0].remaining[0])[0]
    assert stuck.position.line == line_of(FIGURE_2, "BRANCH")


def test_two_traces_are_followed_by_two_threads(tmp_path: Path) -> None:
    walk = Walk(guided(lowered(tmp_path, CROSSED), "deadlock"))
    while 2 not in walk.threads.threads:
        walk.go(0)
    assert {guide.thread for guide in walk.guides} == {1, 2}


def test_a_loop_that_is_not_left_yet_does_not_lose_the_trace(tmp_path: Path) -> None:
    walk = Walk(guided(lowered(tmp_path, COUNTER.replace("LIMIT", "3")), "assertions"))
    while 2 not in walk.threads.threads:
        walk.go(0)
    assert not walk.lost and walk.guides[0].thread == 0
