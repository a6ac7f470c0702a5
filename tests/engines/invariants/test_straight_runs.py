"""Straight runs compute from entry values what executions compute; what they cannot follow is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.invariants.limits import LIMITS
from pincer.engines.invariants.straight_runs import backward, entry_value, reached, runs_through
from pincer.execution.machine import World
from pincer.logic.bitvectors import constant
from pincer.logic.terms import TRUE, substitute
from tests.engines.dash.dash_runs import loaded

TEXT = """
int f(int x, int y) { int r = 0; if (x < y) r = x + 1; else if (x == 9) r = y; return r; }
int main(void) { return f(1, 2); }
"""


@pytest.mark.parametrize(("x", "y"), [(1, 2), (9, 3), (8, 3), (9, 20)])
def test_exactly_one_run_to_the_exit_is_that_of_the_arguments_and_computes_the_result(
    tmp_path: Path, x: int, y: int
) -> None:
    program = loaded(tmp_path, TEXT)
    procedure = program.procedures["f"]
    runs = runs_through(program, procedure, {})
    assert runs is not None and procedure.result is not None
    values = {entry_value(p): n for p, n in zip(procedure.parameters, (x, y), strict=True)}
    taken = [
        run
        for run in runs[procedure.exit]
        if all(World.evaluate_symbols(condition, values) for condition in run.conditions)
    ]
    assert len(taken) == 1
    expected = x + 1 if x < y else y if x == 9 else 0
    assert World.evaluate_symbols(taken[0].values[procedure.result], values) == expected
    known = {register: constant(World.evaluate_symbols(term, values), 32) for register, term in taken[0].values.items()}
    known |= {variable: constant(n, 32) for variable, n in values.items()}
    assert substitute(reached(runs[procedure.exit]), known) is TRUE


def test_places_come_after_those_that_follow_them(tmp_path: Path) -> None:
    procedure = loaded(tmp_path, TEXT).procedures["f"]
    order = backward(procedure)
    assert order[-1] == procedure.entry
    assert all(order.index(edge.target) < order.index(edge.source) for edge in procedure.edges)


def test_stores_and_too_many_ways_are_not_followed(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int f(int *p) { *p = 1; return 0; } int main(void) { int x; return f(&x); }")
    assert runs_through(program, program.procedures["f"], {}) is None
    branches = "".join(f"if (x & {1 << n}) r += {n};" for n in range(LIMITS.runs.bit_length() + 1))
    program = loaded(tmp_path, f"int f(int x) {{ int r = 0; {branches} return r; }} int main(void) {{ return f(1); }}")
    assert runs_through(program, program.procedures["f"], {}) is None
