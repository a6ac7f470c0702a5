"""Random programs whose steps can be undone within a small box, so that enumeration sees predecessors too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from pincer.frontends.gcl import parse_program
from pincer.program.guarded import FiniteType, GuardedProgram

INITIAL = (
    "x = 0 && y = 0",
    "x = y",
    "x <= y && y <= 2",
    "2 * x = y",
    "x mod 3 = 1 && y = x div 3",
    "x = 1 || y = 2",
    "x + 2 * y <= 1 && x >= -2 && pc != c",
    "(on => x > y) && (pc = b => x = 1)",
    "x != y && 0 <= x && x <= 2",
    "k = x && y >= k",
    "3 * x - 2 * y = 1",
)
GUARDS = (
    "x <= y",
    "x < y + 1 && on",
    "pc = a",
    "pc != b && x != 0",
    "x mod 2 = 0",
    "k <= x",
    "2 * x > y",
    "x = y || x = 1",
    "!on || y >= 0",
    "true",
)
UPDATES = {
    "x": ("x + 1", "y", "0", "nondet", "nondet(-1..1)", "if on then y else x - 1", "x + k", "y - 1", "-x"),
    "y": ("x", "y - 1", "x div 2", "nondet", "nondet(0..2)", "if x < y then x else 1", "2 * k", "x + y"),
    "pc": ("a", "b", "nondet", "if x <= 0 then a else c"),
    "k": ("nondet", "if k < 2 then k + 1 else 0", "x mod 3", "1"),
    "on": ("!on", "x < y", "nondet", "true"),
}


def random_program(rng: Random) -> GuardedProgram:
    lines = ["var x, y : int; control pc : {a, b, c}; control k : 0..2; var on : bool;"]
    if rng.random() < 0.8:
        lines.append("init pc = a && k = 0 && !on;")
    lines.append(f"init {rng.choice(INITIAL)};")
    for i in range(rng.randint(1, 4)):
        names = rng.sample(sorted(UPDATES), rng.randint(1, 3))
        effect = ", ".join(f"{name} := {rng.choice(UPDATES[name])}" for name in names)
        lines.append(f"trans t{i}: {rng.choice(GUARDS)} && ({rng.choice(GUARDS)}) -> {effect};")
    return parse_program("\n".join([*lines, f"safety p: {rng.choice(GUARDS)};"]), "steps.gcl")


def states(program: GuardedProgram, radius: int) -> Iterator[dict[str, int]]:
    """All states with integers between -radius and radius."""
    ranges = [
        range(v.type.low, v.type.high + 1) if isinstance(v.type, FiniteType) else range(-radius, radius + 1)
        for v in program.variables
    ]
    names = [v.name for v in program.variables]
    for values in product(*ranges):
        yield dict(zip(names, values, strict=True))
