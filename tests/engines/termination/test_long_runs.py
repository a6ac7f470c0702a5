"""Executions that go on: inputs have one value for each place, and how the others ended is noted."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.termination.long_runs import Endings, calls_of, long_runs
from pincer.execution.machine import World
from pincer.execution.testing import Tester
from pincer.logic.bitvectors import constant
from pincer.program.control_flow import Call
from pincer.runtime.run import Run
from tests.engines.termination.loop_programs import CHOSEN, cut_in, ending


def test_a_long_run_repeats_its_inputs(tmp_path: Path) -> None:
    cut = cut_in(ending(tmp_path, CHOSEN))
    runs = list(long_runs(cut, Run(), Endings()))
    assert runs
    chosen = [found.chosen() for found in runs]
    assert all(len(values) == 1 for values in chosen)
    assert any(constant(0, 32) in values.values() for values in chosen)
    [head] = cut.view.procedure.loop_heads
    assert all(set(found.visits()) == {head} for found in runs)


def test_programs_that_end_have_no_long_run(tmp_path: Path) -> None:
    endings = Endings()
    text = "int main(void) { int n = __VERIFIER_nondet_int() & 7; while (n) n--; return 3 / n; }"
    assert list(long_runs(cut_in(ending(tmp_path, text)), Run(), endings)) == []
    assert len(endings.undefined) == 1


def test_open_calls_are_told_by_their_edges(tmp_path: Path) -> None:
    program = ending(tmp_path, "void g(void) {} void f(void) { g(); } int main(void) { f(); }")
    seen = []
    tester = Tester(World(program), lambda node: seen.append(calls_of(node)))
    tester.run(tester.root(), 20)
    deepest = max(seen, key=len)
    assert [name for name, _ in deepest] == ["main", "f"]
    assert all(isinstance(program.procedures[name].edges[index].label, Call) for name, index in deepest)
