"""`python -m tests.fuzz.temporal.speed`: how long many formulas, a long word, a long path and a long run take."""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path

from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import EngineTask
from pincer.execution.msvl import Options, execute
from pincer.frontends.msvl import load
from pincer.runtime.run import Run
from pincer.temporal.parser import parse_formula
from pincer.temporal.property import parse_properties
from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite

from .trees import Shape, random_tree, text

FORMULAS = 1_000
SIZE = 12
LOOP = "frame(x) and (int x<==0 and skip; while(x<{rounds}){{x:=x+1}})"


def main() -> None:
    started = time.monotonic()
    shape = Shape(size=SIZE, propositions=("p", "q", "r"))
    trees = [random_tree(random.Random(seed), shape) for seed in range(FORMULAS)]
    formulas = [parse_formula(text(tree)).formula for tree in trees]
    answers = [ask(formula).verdict for formula in formulas for ask in (satisfiable_finite, satisfiable_infinite)]
    undecided = answers.count("unknown")
    print(f"{FORMULAS} formulas of size up to {SIZE}: {time.monotonic() - started:.1f} s, {undecided} unknown")
    with tempfile.TemporaryDirectory() as folder:
        _programs(Path(folder))


def _programs(folder: Path) -> None:
    block = "</ define p: x<=20000; define q: x>=0; alw(p and q) and som(fin(p)) />\n"
    file = folder / "path.m"
    file.write_text(block + LOOP.format(rounds=9_990))
    program = load(file)
    started = time.monotonic()
    [result] = check(EngineTask(program, parse_properties(file.read_text(), str(file)), CheckOptions()), Run())
    print(f"check along a path of 9,992 states: {time.monotonic() - started:.1f} s, {result.verdict}")
    file.write_text(LOOP.format(rounds=100_000))
    program = load(file)
    started = time.monotonic()
    execution = execute(program, options=Options(max_states=200_000))
    print(f"a run of {len(execution.states)} states: {time.monotonic() - started:.1f} s, {execution.ending.kind}")


if __name__ == "__main__":
    main()
