"""C programs without threads: the same run on any machine, what the tables say, and how answers become results."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pincer.engines
from pincer.engines.board import Board
from pincer.engines.inlining import inlined
from pincer.engines.sequential import AS_IN_THE_PAPER, EVERYTHING, PAPER, REGIONS, SEQUENTIAL, Choice
from pincer.engines.task import Open
from pincer.runtime.reasons import Cause
from pincer.runtime.run import Run
from tests.engines.claims import reason_of
from tests.engines.dash.dash_runs import decided, judged, loaded

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "dash"
PROGRAMS = ("loops/skip-continue.c", "procedures/even-odd.c", "loops/ring-of-nodes.c", "loops/unsigned-difference.c")
SCRIPT = """
import random, sys, time

class Clock:
    "A machine that is stopped and goes on, and whose clock is set forward by up to an hour whenever it is looked at."
    def __init__(self, seed):
        self.random, self.now = random.Random(seed), 1000.0
    def __call__(self):
        self.now += self.random.choice((0.0, 0.0001, 0.3, 7.0, 3600.0))
        return self.now

seed, paper, *files = sys.argv[1:]
if seed != "0":
    for name in ("monotonic", "perf_counter", "process_time", "time"):
        setattr(time, name, Clock(int(seed)))

from pathlib import Path
from pincer.engines.sequential import AS_IN_THE_PAPER, EVERYTHING, SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.frontends.c.load import load
from pincer.runtime.run import Run
from msgspec.structs import replace

choice = replace(AS_IN_THE_PAPER if paper == "paper" else EVERYTHING, rounds=1)
for file in files:
    [result] = check(EngineTask(load(Path(file)), ("assertions",), SequentialSettings(choice=choice)), Run())
    timed = ("solver_s", "queries_by_purpose", "strategies")
    numbers = {k: v for k, v in result.statistics.items() if k not in timed}
    numbers["turns"] = {k: (v["turns"], v["steps"], v["outcome"]) for k, v in result.statistics["strategies"].items()}
    purposes = {k: v["solver_calls"] for k, v in result.statistics["queries_by_purpose"].items()}
    print(result.verdict, numbers, purposes, result.tests)
    print(replace(result, statistics={}, time_s=0.0))
"""


def told(hash_seed: str, clock: str, mode: str) -> str:
    files = [str(BENCHMARKS / name) for name in PROGRAMS]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", SCRIPT, clock, mode, *files]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


@pytest.mark.parametrize("mode", ["portfolio", "paper"])
def test_neither_the_clock_nor_hash_seeds_change_numbers_or_evidence(mode: str) -> None:
    quiet, jumping = told("1", "0", mode), told("4711", "5", mode)
    assert quiet.count("iterations") == len(PROGRAMS)
    assert quiet == jumping


@pytest.mark.parametrize("room", ["board.py", "portfolio.py", "dash", "paths", "merged", "invariants", "sampling"])
def test_strategies_do_not_look_at_the_clock(room: str) -> None:
    root = Path(str(pincer.engines.__file__)).parent / room
    for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert "time" not in names and getattr(node, "module", "") != "time", file
            assert getattr(node, "attr", "") not in ("elapsed", "remaining"), file


def test_tables_name_strategies_and_the_paper_has_one() -> None:
    known = {
        "straight",
        "hunting",
        "paths",
        "merged",
        "merged to the end",
        "merged by words",
        "walks",
        "simulation",
        "invariants",
        "regions",
        "cut points",
    }
    assert {share.strategy for share in SEQUENTIAL} == known
    assert {share.strategy for share in REGIONS} == {"regions", "invariants"}
    assert {share.strategy for share in PAPER} == {"regions"}
    assert all(any(s.later for s in SEQUENTIAL if s.strategy == name) for name in known - {"hunting"})


LOOP = "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, j = 0; while (i < n) { i++; j++; } assert(i == j); }"
CALLS = """
int twice(int x) { return x + x; }
int main(void) { int x = __VERIFIER_nondet_int(), s = 0, i = 0;
    while (i < 1000000 && __VERIFIER_nondet_bool()) { i++; s += twice(x) - 2 * x; }
    assert(s == 0); }"""


def test_with_the_paper_nothing_else_runs(tmp_path: Path) -> None:
    program = loaded(tmp_path, CALLS)
    assert inlined(program) is not None
    result = decided(program, choice=Choice(PAPER, plain=True, rounds=1))
    assert set(result.statistics["queries_by_purpose"]) <= {"driving tests", "excluding regions"}
    assert result.statistics["loop_facts"] == result.statistics["contexts"] == 0
    assert "paths" not in result.statistics
    assert Choice(PAPER, plain=True) == AS_IN_THE_PAPER


@pytest.mark.parametrize("text", [LOOP, CALLS])
def test_all_strategies_together_prove_what_the_checker_accepts(tmp_path: Path, text: str) -> None:
    program = loaded(tmp_path, text)
    result = decided(program, choice=EVERYTHING)
    assert result.verdict == "safe", reason_of(result)
    assert judged(program, result).accepted


def test_a_run_without_rounds_left_is_undecided_and_says_so(tmp_path: Path) -> None:
    program = loaded(tmp_path, LOOP)
    result = decided(program, choice=Choice(SEQUENTIAL[:1], rounds=1))
    assert (result.verdict, reason_of(result)) == ("unknown", "the budgets of all strategies are used up")


def test_any_division_that_a_test_fell_into_stands_in_the_way_of_a_proof(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int x = __VERIFIER_nondet_int(), a[2] = {0, 0}, z = 0;
        if (x == 77) z = 10 / z;
        if (x == 78) z = a[x];
        if (x == 79) assert(z == 0);
    }"""
    board = Board(loaded(tmp_path, text), "assertions", Run())
    assert board.objection() is None
    result = decided(loaded(tmp_path, text), choice=EVERYTHING)
    assert (result.verdict, reason_of(result)) == (
        "unknown",
        "what follows an operation without a defined result cannot be told",
    )
    assert isinstance(result, Open) and result.reason.cause is Cause.UNDEFINED


def test_undefined_operations_do_not_matter_where_nothing_is_asserted(tmp_path: Path) -> None:
    text = "int main(void) { int n = __VERIFIER_nondet_int(), s = 0; while (s < n) s++; return 7 / n; }"
    assert decided(loaded(tmp_path, text), choice=EVERYTHING).verdict == "safe"
