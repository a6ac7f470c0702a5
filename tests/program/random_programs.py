"""Random small programs, rich in what lowering has to split: conditionals, choices, finite variables from integers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from pincer.frontends.gcl import parse_program
from pincer.program.guarded import FiniteType, GuardedProgram
from pincer.program.transition_system import State, TransitionSystem

HEADER = """
var x, y : int; control pc : {idle, busy, done} = idle; control k : -1..2; var on : bool;
"""


class ProgramMaker:
    """Draws the parts of a program over two integers, an enumeration, a range and a Boolean."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def integer(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice(["x", "y", "k", str(rng.randint(-2, 3)), "x", "y"])
        inner = self.integer(depth - 1)
        kind = rng.random()
        if kind < 0.35:
            return f"({inner} {rng.choice('+-')} {self.integer(depth - 1)})"
        if kind < 0.5:
            return f"({rng.choice((-2, -1, 2, 3))} * {inner})"
        if kind < 0.65:
            return f"({inner} {rng.choice(('div', 'mod'))} {rng.randint(1, 3)})"
        return f"(if {self.formula(0)} then {inner} else {self.integer(depth - 1)})"

    def formula(self, depth: int) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice(
                [
                    f"{self.integer(1)} {rng.choice(('=', '!=', '<', '<=', '>', '>='))} {self.integer(0)}",
                    f"pc {rng.choice(('=', '!='))} {rng.choice(('idle', 'busy', 'done'))}",
                    "on",
                    "k < x",
                ]
            )
        left, right = self.formula(depth - 1), self.formula(depth - 1)
        return rng.choice([f"!({left})", *(f"({left} {op} {right})" for op in ("&&", "||", "=>", "<=>"))])

    def assignment(self, name: str) -> str:
        rng = self.rng
        if name == "pc":
            plain = ["idle", "busy", "done", "nondet", f"if {self.formula(0)} then busy else pc"]
            return f"pc := {rng.choice(plain)}"
        if name == "on":
            return f"on := {rng.choice(['true', '!on', 'nondet', f'({self.formula(1)})'])}"
        if name == "k":
            computed = [f"y + {self.integer(2)}", f"k - {self.integer(2)}"]
            return f"k := {rng.choice(['nondet', 'nondet(0..1)', '1', 'k + 1', 'x', *computed])}"
        return f"{name} := {rng.choice(['nondet', 'nondet(-1..1)', self.integer(1), self.integer(2), self.integer(2)])}"

    def transition(self) -> str:
        names = self.rng.sample(["x", "y", "pc", "k", "on"], self.rng.randint(1, 3))
        return f"{self.formula(2)} -> {', '.join(map(self.assignment, names))}"

    def safety(self) -> str:
        if self.rng.random() < 0.2:
            return f"deadlock {self.rng.choice(('=>', '||'))} {self.formula(1)}"
        return self.formula(2)

    def program(self) -> GuardedProgram:
        lines = [HEADER]
        if self.rng.random() < 0.7:
            lines.append(f"init {self.formula(2)};")
        lines += [f"trans t{i}: {self.transition()};" for i in range(self.rng.randint(1, 4))]
        lines += [f"safety p{i}: {self.safety()};" for i in range(self.rng.randint(1, 2))]
        return parse_program("\n".join(lines), "random.gcl")


def random_program(rng: Random) -> GuardedProgram:
    return ProgramMaker(rng).program()


def states(program: GuardedProgram, radius: int) -> Iterator[dict[str, int]]:
    """All states with integers between -radius and radius."""
    ranges = [
        range(v.type.low, v.type.high + 1) if isinstance(v.type, FiniteType) else range(-radius, radius + 1)
        for v in program.variables
    ]
    names = [v.name for v in program.variables]
    for values in product(*ranges):
        yield dict(zip(names, values, strict=True))


def flat(system: TransitionSystem, state: dict[str, int]) -> State:
    """A state in the order of the system's variables."""
    return tuple(state[str(v)] for v in system.variables)
