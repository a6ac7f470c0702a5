"""All executions are followed to their ends, in as many steps as there are places and not as there are paths."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pincer.engines.merged.asking import Model
from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.execution import MergedExecution
from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.state import GoalKind, State, Unmodelled
from pincer.evidence.c_proof.merged_claim import LoopRounds
from tests.engines.dash.dash_runs import loaded
from tests.engines.merged.executions import begun, ended


def diamonds(number: int) -> str:
    decisions = "".join("if (__VERIFIER_nondet_int()) n++; " for _ in range(number))
    return f"int main(void) {{ int n = 0; {decisions} assert(n <= {number}); }}"


def test_steps_grow_with_places_and_not_with_paths(tmp_path: Path) -> None:
    few, many = (ended(tmp_path, diamonds(number)).steps for number in (4, 16))
    assert many < 30 * few


def test_the_rounds_of_loops_and_the_depth_of_calls_are_counted(tmp_path: Path) -> None:
    text = """
        int twice(int x) { return 2 * x; }
        int main(void) {
            int n = 0;
            for (int i = 0; i < 5; i++) for (int k = 0; k < i; k++) n = twice(n);
            assert(n == 0);
        }"""
    proof = ended(tmp_path, text).proof()
    assert proof.depth == 1
    assert sorted(found.rounds for found in proof.rounds) == [4, 5]
    assert all(isinstance(found, LoopRounds) and found.procedure == "main" for found in proof.rounds)


def test_a_loop_that_is_said_to_be_over_is_not_entered_again(tmp_path: Path) -> None:
    text = "int main(void) { int n = 0; while (__VERIFIER_nondet_int()) n++; assert(n < 5); }"
    asked: list[int] = []

    def is_possible(guard: int, rounds: int) -> bool:
        asked.append(rounds)
        return len(asked) < 3

    execution = MergedExecution(loaded(tmp_path, text), Conditions(), is_possible)
    while not execution.is_done:
        execution.advance()
    assert [found.rounds for found in execution.proof().rounds] == [3]
    assert asked == [1, 2, 4]


def test_of_many_states_at_one_place_some_are_merged_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        int main(void) {
            unsigned char n = __VERIFIER_nondet_uchar(), i = 0, last = 0;
            while (i < n) last = ++i;
            assert(last == n);
        }"""
    execution = begun(tmp_path, text)
    merging, sizes = execution._merging, list[int]()
    merged = merging.merged

    def noted(states: Sequence[State], cells: frozenset[tuple[int, int]] = frozenset()) -> State:
        sizes.append(len(states))
        return merged(states, cells)

    monkeypatch.setattr(merging, "merged", noted)
    while not execution.is_done:
        execution.advance()
    assert max(sizes) == LIMITS.met_at_once
    assert sum(size - 1 for size in sizes) > 250 and execution.noting.goals == []


def test_an_error_is_noted_with_the_inputs_that_lead_there(tmp_path: Path) -> None:
    execution = ended(tmp_path, "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); assert(c != 77); }")
    [goal] = execution.noting.goals
    [read] = execution.stepping.inputs
    assert goal.kind is GoalKind.FAIL
    assert [Model(execution.conditions, {read.symbol: c}).satisfies(goal.guard) for c in (76, 77, 78)] == [
        False,
        True,
        False,
    ]


def test_an_execution_takes_the_first_edge_that_it_can(tmp_path: Path) -> None:
    execution = ended(tmp_path, "int main(void) { int x = 3; if (x > 2) x = 1; else x = 2; assert(x == 1); }")
    assert execution.noting.goals == []


def test_recursion_is_followed_to_its_end(tmp_path: Path) -> None:
    text = """
        int sum(int n) { return n ? n + sum(n - 1) : 0; }
        int main(void) { int n = __VERIFIER_nondet_uchar() & 3; assert(sum(n) == n * (n + 1) / 2); }"""
    execution = ended(tmp_path, text)
    assert execution.noting.goals == [] and execution.depth >= 4


def test_calls_that_lead_ever_deeper_are_given_up(tmp_path: Path) -> None:
    text = "int deep(int n) { return deep(n + 1); } int main(void) { return deep(0); }"
    with pytest.raises(Unmodelled, match="deeper"):
        ended(tmp_path, text, 10 * LIMITS.depth)
