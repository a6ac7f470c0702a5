"""Random tests before the analysis: shallow violations are found without a single question to the solver.

The paper leaves open where the first tests come from. These draw inputs from small numbers and from the constants the
program compares with. Those that go new ways are good first tests: many frontiers are crossed before the first
question is asked.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincer.engines.dash.goals import PropertyKind
from pincer.engines.dash.inputs import is_truth_value
from pincer.execution.machine import World
from pincer.execution.testing import Tester
from pincer.logic.bitvectors import width
from pincer.logic.terms import Term, children
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge, Input
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
    numbers = _compared_numbers(program)
    until = run.elapsed() + SECONDS
    covered: set[Edge] = set()
    for seed in range(MOST_TESTS):
        if run.elapsed() > until:
            break
        rng = random.Random(seed)
        world = World(program, lambda label, symbol, rng=rng: _input(rng, label, symbol, numbers))  # type: ignore[misc]
        passed: set[Edge] = set()
        tester = Tester(world, lambda node, passed=passed: passed.add(node.edge))  # type: ignore[misc]
        last, stop = tester.run(tester.root(), STEPS_PER_TEST, run.poll)
        if stop.kind == ("fail" if kind == "assertions" else "check"):
            return Catch(dict(last.state.values), covering)
        if not passed <= covered and len(covering) < MOST_KEPT:
            covering.append(dict(last.state.values))
            covered |= passed
    return Catch(None, covering)


def _input(rng: random.Random, label: Input, symbol: Term, numbers: Mapping[int, list[int]]) -> int:
    if is_truth_value(label):
        return rng.randint(0, 1)
    bits = width(symbol)
    known = numbers.get(bits)
    draw = rng.random()
    if known and draw < 0.5:
        return rng.choice(known)
    if draw < 0.8:
        return rng.randint(0, 3) & ((1 << bits) - 1)
    return rng.randint(0, 40) & ((1 << bits) - 1) if draw < 0.95 else rng.getrandbits(bits)


def _compared_numbers(program: ControlFlowProgram) -> dict[int, list[int]]:
    """The constants in conditions, by width, each with its neighbours."""
    found: dict[int, set[int]] = {}
    seen: set[Term] = set()
    stack = [edge.label.condition for edge in program.edges() if isinstance(edge.label, Assume)]
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op == "bvconst":
            bits = width(term)
            found.setdefault(bits, set()).update((term.args[0] + d) & ((1 << bits) - 1) for d in (-1, 0, 1))
        stack += children(term)
    return {bits: sorted(values) for bits, values in found.items()}
