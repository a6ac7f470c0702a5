"""All engines and modes against complete enumeration, on random programs with finitely many states."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from pincer.evidence.gcl import interpreter
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import RANGE_PROPERTY, GuardedProgram
from tests.engines.guarded.judged import Engine, judge

GUARDS = (
    "x < y",
    "pc = run",
    "pc = stop && k > 0",
    "x + k <= 3",
    "y div 2 = 1",
    "x = y => on",
    "!on",
    "x mod 2 = 0",
    "true",
)
UPDATES = {
    "x": ("(x + 1) mod 4", "y", "if on then x else 0", "3 - x", "(x + 2 * y) mod 4", "k"),
    "y": ("x", "(y + x) mod 4", "if x < y then 0 else y", "(y + k) div 2"),
    "pc": ("stop", "run", "if x = 1 then run else pc"),
    "k": ("x", "k + 1", "nondet", "nondet(0..1)", "0", "if on then k else y"),
    "on": ("!on", "nondet", "x < y", "true"),
}
CHOICES = {"x": ("nondet(0..2)",), "y": ("nondet(1..3)",)}
SAFETIES = ("!(x = 3 && k = 0)", "pc = stop => y > 0", "x + y + k < 9", "!deadlock", "on || x != 1", "x <= y + 2")


def random_program(rng: Random, deterministic: bool) -> GuardedProgram:
    """Integers stay within 0..3 on every step, so that enumeration is complete."""
    several = ("x = 0 && 0 <= y && y <= 1", "x = k && y = 2")
    init = "x = 0 && y = 1 && k = 0 && !on" if deterministic else rng.choice(several)
    lines = ["var x, y : int; control pc : {run, stop} = run; control k : 0..2; var on : bool;", f"init {init};"]
    for i in range(rng.randint(1, 4)):
        guard = " && ".join(f"({part})" for part in rng.sample(GUARDS, rng.randint(1, 2)))
        effect = []
        for name in rng.sample(sorted(UPDATES), rng.randint(1, 3)):
            options = UPDATES[name] + (() if deterministic else CHOICES.get(name, ()))
            effect.append(f"{name} := {rng.choice(options)}")
        lines.append(f"trans t{i}: {guard} -> {', '.join(effect)};")
    lines += [f"safety p{i}: {text};" for i, text in enumerate(rng.sample(SAFETIES, rng.randint(1, 3)))]
    return parse_program("\n".join(lines), "finite.gcl")


def reachable(program: GuardedProgram) -> Iterator[dict[str, int]]:
    names = [v.name for v in program.variables]
    ranges = (range(4), range(4), range(2), range(3), range(2))
    starts = [dict(zip(names, values, strict=True)) for values in product(*ranges)]
    pending = [state for state in starts if interpreter.is_initial(program, state)]
    seen = {tuple(state.values()) for state in pending}
    while pending:
        state = pending.pop()
        yield state
        for _, target in interpreter.successors(program, state):
            key = tuple(target[name] for name in names)
            assert all(0 <= target[name] <= 3 for name in names)
            if key not in seen:
                seen.add(key)
                pending.append({name: target[name] for name in names})


@pytest.mark.parametrize("mode", ["default", "paper", "ur"])
@pytest.mark.parametrize("block", [0, 2, 3])
def test_verdicts_are_those_of_enumeration(block: int, mode: str) -> None:
    rng = Random(f"{mode} {block}")
    decided = 0
    for _ in range(10):
        program = random_program(rng, deterministic=mode == "ur")
        violated = {
            name
            for state in reachable(program)
            for name in [*(p.name for p in program.properties), RANGE_PROPERTY]
            if interpreter.violates(program, name, state)
        }
        # cvc5 does not come to an end on some of the divisions in these invariants.
        engine: Engine = "ur" if mode == "ur" else "ase"
        results = judge(program, engine, paper=mode == "paper", max_iterations=3, solvers=["z3"])
        for name, result in results.items():
            if result.verdict != "unknown":
                decided += 1
                assert (result.verdict == "unsafe") == (name in violated), (name, program)
        if RANGE_PROPERTY in violated:
            assert RANGE_PROPERTY in results
    assert decided >= 10
