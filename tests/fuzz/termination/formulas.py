"""Random LTL formulas about random small loops, decided by a tableau over all their states.

Formulas have no `X`: what they say does not change when a state is observed more than once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import cast

from tests.fuzz.live.models import Model
from tests.fuzz.live.streett import violated
from tests.fuzz.temporal.trees import Tree, ltl_text, random_ltl
from tests.fuzz.termination.small_loops import OPERATORS, Program, State, all_states, random_program

MOST_STATES = 500
_MOMENTS = ("next", "wnext")


@dataclass(frozen=True)
class _Step:
    process: int = 0


@dataclass
class LoopModel:
    """The states of a program as the tableau reads them. Where an assumption fails there is no run."""

    after: dict[State, list[State]]
    start: State
    tests: dict[str, tuple[int, str, int]]
    fairness: tuple[str, ...] = ()
    actions: tuple[_Step, ...] = field(default=(_Step(),))

    def initial_states(self) -> list[State]:
        return [self.start] if self.start in self.after else []

    def steps(self, state: State) -> Iterator[tuple[_Step, State]]:
        for following in self.after[state]:
            yield self.actions[0], following

    def letter(self, state: State) -> frozenset[str]:
        values = state[1]
        return frozenset(n for n, (at, sign, value) in self.tests.items() if OPERATORS[sign](values[at], value))


@dataclass(frozen=True)
class Case:
    """A program, a formula as Pincer reads it, and whether some run violates it."""

    program: Program
    formula: str
    violated: bool


def random_case(seed: int, program: Program | None = None) -> Case | None:
    """The case of a seed, perhaps with another program of the same form; None where there are too many states."""
    program = program or random_program(seed)
    program.helper = True
    known = all_states(program, MOST_STATES)
    if known is None:
        return None
    random = Random(f"formula {seed}")
    names = list(program.types)
    tests = {
        name: (random.randrange(len(names)), random.choice(tuple(OPERATORS)), random.choice((0, 0, 1, 2, 3, 5, 10)))
        for name in ("p", "q")
    }
    tree = _formula(random)
    text = f"ltl: {ltl_text(tree)}"
    for name, (at, sign, value) in tests.items():
        text = text.replace(name, f"{{{names[at]} {sign} {value}}}")
    model = LoopModel(_without_failed(known.after, known.failed), known.start, tests)
    return Case(program, text, violated(cast(Model, model), tree))


def _formula(random: Random) -> Tree:
    while True:
        tree = random_ltl(random, random.randint(2, 6))
        if not any(word in str(tree) for word in _MOMENTS):
            return tree


def _without_failed(after: dict[State, list[State]], failed: set[State]) -> dict[State, list[State]]:
    """The graph without states from which all ways lead to an assumption that fails."""
    gone = set(failed)
    while True:
        more = {
            state
            for state, following in after.items()
            if state not in gone and following and gone.issuperset(following)
        }
        if not more:
            break
        gone |= more
    return {s: [t for t in following if t not in gone] for s, following in after.items() if s not in gone}
