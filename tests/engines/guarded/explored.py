"""Random small programs explored by ASE, and what can really be reached in them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pincer.abstraction.predicates import PredicateAbstraction
from pincer.engines.guarded.ase import symbolic_exec
from pincer.engines.guarded.exploration import AbstractExploration, Explorer
from pincer.logic.evaluation import evaluate
from pincer.program.transition_system import State, TransitionSystem
from pincer.runtime.run import Run
from tests.abstraction.random_systems import box, model_of, random_abstraction, steps

CHOICES = range(-3, 4)


def explored(abstraction: PredicateAbstraction, beyond: int = 0) -> AbstractExploration:
    """All that symbolic execution sees, no violation ending it early."""
    exploration = AbstractExploration(abstraction)
    symbolic_exec(Explorer(abstraction.system, Run()), exploration, {-1}, beyond)
    return exploration


def random_explorations(seed: int, count: int, choices: bool = True) -> Iterator[AbstractExploration]:
    rng = Random(seed)
    for _ in range(count):
        yield explored(random_abstraction(rng, choices))


def reachable(system: TransitionSystem, radius: int, most: int = 400) -> list[State]:
    """States that can be reached from initial ones in a box, by a few choices; not all of them."""
    found = [state for state in box(system, radius) if evaluate(system.initial, model_of(system, state))][:most]
    seen = dict.fromkeys(found)
    for state in found:
        for transition in range(len(system.transitions)):
            for target in steps(system, state, transition, CHOICES):
                if target not in seen and len(found) < most:
                    seen[target] = None
                    found.append(target)
    return found
