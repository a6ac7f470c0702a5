"""Rounds that are found are fair, and one is found wherever there is one: against all sets of states."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any, cast

import pytest

from pincer.engines.threads.fair_rounds import FairRounds, Step, VisitedState
from pincer.execution.threads.schedules import ThreadChoice
from pincer.execution.threads.state import ThreadedState
from pincer.program.property import Fairness

NOWHERE = cast(ThreadedState, None)
Graph = list[VisitedState]
FAIRNESS: tuple[Fairness, ...] = ("none", "weak", "strong")


def state(*steps: tuple[int, int], owing: tuple[int, ...] = (), accepting: bool = True) -> VisitedState:
    """A state with steps: the thread, and the state that it leads to."""
    made = tuple(Step(ThreadChoice(thread), target) for thread, target in steps)
    return VisitedState(NOWHERE, None, frozenset(owing), made, accepting=accepting)


def found(graph: Graph, fairness: Fairness) -> tuple[int, tuple[Step, ...]] | None:
    return FairRounds(graph, fairness).round()


def visited(graph: Graph, start: int, steps: tuple[Step, ...]) -> list[int]:
    """The states that a round passes, each with the step that is taken there; the round must be one."""
    at, passed = start, []
    for step in steps:
        assert step in graph[at].steps
        passed.append(at)
        at = step.target
    assert at == start and passed
    return passed


def is_fair(graph: Graph, states: set[int], stepping: set[int], fairness: Fairness) -> bool:
    """By the definition: a run that passes just these states again and again, in which just these threads step."""
    if not any(graph[n].accepting for n in states):
        return False
    for thread in range(3):
        owed = [thread in graph[n].owing for n in states]
        starves = {"none": False, "weak": all(owed), "strong": any(owed)}[fairness]
        if starves and thread not in stepping:
            return False
    return True


def reached(graph: Graph, states: set[int], start: int) -> set[int]:
    """Where steps lead inside of some states."""
    known, waiting = set[int](), [start]
    while waiting:
        for step in graph[waiting.pop()].steps:
            if step.target in states and step.target not in known:
                known.add(step.target)
                waiting.append(step.target)
    return known


def has_round(graph: Graph, fairness: Fairness) -> bool:
    """Whether some set of states, in which all lead to all, is one in which a run can stay and be fair."""
    for size in range(1, len(graph) + 1):
        for chosen in combinations(range(len(graph)), size):
            states = set(chosen)
            if all(reached(graph, states, n) == states for n in states):
                stepping = {s.choice.thread for n in states for s in graph[n].steps if s.target in states}
                if is_fair(graph, states, stepping, fairness):
                    return True
    return False


def random_graph(random: Random) -> Graph:
    size = random.randint(1, 6)
    graph = []
    for _ in range(size):
        steps = [(random.randrange(3), random.randrange(size)) for _ in range(random.choice((0, 1, 1, 2, 3)))]
        owing = tuple(thread for thread in range(3) if random.random() < 0.4)
        graph.append(state(*steps, owing=owing, accepting=random.random() < 0.5))
    return graph


@pytest.mark.parametrize("fairness", FAIRNESS)
def test_rounds_are_fair_and_none_is_missed(fairness: Fairness) -> None:
    with_round = 0
    for seed in range(400):
        graph = random_graph(Random(f"round {seed}"))
        round_ = found(graph, fairness)
        assert (round_ is not None) is has_round(graph, fairness), seed
        if round_ is not None:
            with_round += 1
            passed = visited(graph, *round_)
            assert is_fair(graph, set(passed), {step.choice.thread for step in round_[1]}, fairness), seed
    assert 40 < with_round < 360


def test_a_state_that_comes_back_to_itself_is_a_round() -> None:
    graph = [state((0, 1)), state((1, 1))]
    assert found(graph, "strong") == (1, graph[1].steps)
    assert found([state()], "none") is None
    assert found([], "none") is None
    assert found([state((0, 1)), state()], "none") is None


def test_a_thread_that_could_always_step_and_never_does_makes_a_run_unfair() -> None:
    spins: Any = [state((0, 0), owing=(1,))]
    assert found(spins, "none") is not None
    assert found(spins, "weak") is None and found(spins, "strong") is None


def test_a_thread_that_cannot_step_at_times_is_only_a_matter_of_strong_fairness() -> None:
    graph = [state((0, 1), owing=(1,)), state((0, 0))]
    assert found(graph, "weak") is not None
    assert found(graph, "strong") is None


def test_a_fair_part_of_an_unfair_component_is_found() -> None:
    """Thread 1 starves where it owes a step; a run may keep away from there."""
    graph = [state((0, 1), (0, 2), owing=(1,)), state((0, 0)), state((0, 2), (0, 0))]
    round_ = found(graph, "strong")
    assert round_ is not None and round_[0] == 2 and visited(graph, *round_) == [2]


def test_rounds_pass_an_accepting_state() -> None:
    graph = [state((0, 0), (0, 1), accepting=False), state((0, 0))]
    round_ = found(graph, "none")
    assert round_ is not None and 1 in visited(graph, *round_)
    assert found([state((0, 0), accepting=False)], "none") is None


def test_every_thread_that_owes_a_step_takes_one() -> None:
    graph = [state((0, 0), (1, 0), (2, 0), owing=(0, 1, 2))]
    round_ = found(graph, "weak")
    assert round_ is not None and {step.choice.thread for step in round_[1]} == {0, 1, 2}
    free = found(graph, "none")
    assert free is not None and len(free[1]) == 1


def test_long_ways_round_are_walked() -> None:
    size = 3_000
    graph = [state((n % 2, (n + 1) % size), owing=(0, 1), accepting=n == size // 2) for n in range(size)]
    round_ = found(graph, "strong")
    assert round_ is not None and len(set(visited(graph, *round_))) == size
