"""Random tests before the analysis: shallow violations are found without a single question to the solver.

The paper leaves open where the first tests come from. These draw inputs from small numbers and from the constants the
program compares with. Those that go new ways are good first tests: many frontiers are crossed before the first
question is asked.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincer.engines.sampling.inputs import compared_numbers, drawn_input
from pincer.execution.machine import World
from pincer.execution.testing import Tester
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Input
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

MOST_TESTS = 60
MOST_KEPT = 12
STEPS_PER_TEST = 3_000
SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Catch:
    """The inputs of random tests: of one that violates the property if there is one, and of those that go new ways."""

    violating: Mapping[Term, int] | None
    covering: Sequence[Mapping[Term, int]]


def hunt(program: ControlFlowProgram, kind: PropertyKind, run: Run) -> Catch:
    """Some random tests."""
    covering: list[Mapping[Term, int]] = []
    if not any(isinstance(edge.label, Input) for edge in program.edges()):
        return Catch(None, covering)
    numbers = compared_numbers(program)
    until = run.elapsed() + SECONDS
    covered: set[Edge] = set()
    for seed in range(MOST_TESTS):
        if run.elapsed() > until:
            break
        rng = random.Random(seed)
        world = World(program, lambda label, symbol, rng=rng: drawn_input(rng, label, symbol, numbers))  # type: ignore[misc]
        passed: set[Edge] = set()
        tester = Tester(world, lambda node, passed=passed: passed.add(node.edge))  # type: ignore[misc]
        last, stop = tester.run(tester.root(), STEPS_PER_TEST, run.poll)
        if stop.kind == ("fail" if kind == "assertions" else "check"):
            return Catch(dict(last.state.values), covering)
        if not passed <= covered and len(covering) < MOST_KEPT:
            covering.append(dict(last.state.values))
            covered |= passed
    return Catch(None, covering)
