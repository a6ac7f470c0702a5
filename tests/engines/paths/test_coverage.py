"""Directed testing takes every side of a decision that can be taken, and its inputs do so again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.paths.coverage import SideCoverage, cover
from pincer.evidence.c.trace import InputValue
from pincer.execution.machine import World
from pincer.execution.testing import Node
from pincer.execution.testing import Tester as Executor
from pincer.logic import bitvectors
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

PROGRAMS = {
    "decisions in a row": (
        """
        int main(void) {
            int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            if (x == 1234) y++;
            if (x > 5 && y < 3) x = 0;
            return x;
        }""",
        1.0,
    ),
    "one side is impossible": (
        "int main(void) { unsigned x = __VERIFIER_nondet_uchar(); if (x > 255) return 1; return 0; }",
        0.5,
    ),
    "loop": (
        """
        int main(void) {
            unsigned n = __VERIFIER_nondet_uint(), i = 0;
            while (i < n) { i++; if (i == 7) return 1; }
            return 0;
        }""",
        1.0,
    ),
    "a number behind a loop over its bits": (
        """
        int main(void) {
            int n = __VERIFIER_nondet_int(), c = 0;
            for (int i = 0; i < 10; i++) if (n & (1 << i)) c++;
            switch (n) { case 'a': c = 1; break; case 1000000: c = 2; }
            return c;
        }""",
        1.0,
    ),
    "calls": (
        """
        int sign(int x) { if (x < 0) return -1; if (x == 0) return 0; return 1; }
        int main(void) { return sign(__VERIFIER_nondet_int()); }""",
        1.0,
    ),
}


def sides_taken(program: ControlFlowProgram, vector: tuple[InputValue, ...]) -> set[Edge]:
    """The sides of decisions that an execution with these inputs takes."""
    seen: list[Node] = []
    tester = Executor(World(program), seen.append)
    planned = {bitvectors.variable(f"input{i}", each.width): each.value for i, each in enumerate(vector)}
    tester.run(tester.root(planned), 5_000)
    edges = [node.edge for node in seen if node.edge is not None]
    return {edge for edge in edges if isinstance(edge.label, Assume) and edge.label.branch is not None}


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_side_that_can_be_taken_is(tmp_path: Path, name: str) -> None:
    text, share = PROGRAMS[name]
    coverage = cover(loaded(tmp_path, text), Run(timeout=20))
    assert coverage.covered == share * coverage.sides > 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_inputs_of_the_tests_cover_the_same_sides_again(tmp_path: Path, name: str) -> None:
    program = loaded(tmp_path, PROGRAMS[name][0])
    coverage = cover(program, Run(timeout=20))
    taken = set[Edge]().union(*(sides_taken(program, vector) for vector in coverage.tests))
    assert len(taken) == coverage.covered


def test_a_test_is_kept_only_when_it_covers_something_new(tmp_path: Path) -> None:
    program = loaded(tmp_path, PROGRAMS["decisions in a row"][0])
    covered: set[Edge] = set()
    for vector in cover(program, Run(timeout=20)).tests:
        taken = sides_taken(program, vector)
        assert not taken <= covered
        covered |= taken


def test_a_program_without_decisions_gets_one_test(tmp_path: Path) -> None:
    coverage = cover(loaded(tmp_path, "int main(void) { return __VERIFIER_nondet_int(); }"), Run())
    assert (len(coverage.tests), coverage.sides) == (1, 0)
    (value,) = coverage.tests[0]
    assert (value.source, value.width) == ("__VERIFIER_nondet_int", 32)


def test_a_stopped_search_keeps_what_it_has(tmp_path: Path) -> None:
    run = Run()
    coverage = SideCoverage(loaded(tmp_path, PROGRAMS["loop"][0]), run)
    run.stop(Reason("enough"))
    coverage.search()
    assert coverage.tests == [] and coverage.reason == "enough"


@pytest.mark.parametrize(("name", "complete"), [("calls", True), ("one side is impossible", False)])
def test_a_search_that_leaves_sides_says_why_it_ended(tmp_path: Path, name: str, complete: bool) -> None:
    coverage = cover(loaded(tmp_path, PROGRAMS[name][0]), Run(timeout=20))
    assert (coverage.reason == "") == complete
