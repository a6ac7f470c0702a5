"""Must- and must-minus transitions against enumeration."""

from __future__ import annotations

from random import Random

import pytest

from pincer.abstraction.predicates import PredicateAbstraction
from pincer.abstraction.weak_reachability import is_must_minus, weakly_reachable
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from tests.abstraction.random_systems import box, by_abstract_state, random_abstraction, steps


@pytest.mark.parametrize("block", range(4))
def test_a_must_minus_transition_covers_every_state_of_its_target(block: int) -> None:
    rng = Random(block)
    seen = 0
    for _ in range(4):
        abstraction = random_abstraction(rng)
        system = abstraction.system
        wide = by_abstract_state(abstraction, box(system, 9))
        narrow = by_abstract_state(abstraction, box(system, 1))
        for source in rng.sample(sorted(wide), min(6, len(wide))):
            for transition in abstraction.enabled(source):
                for target in abstraction.successors(source, transition):
                    if target in narrow and is_must_minus(abstraction, source, transition, target):
                        seen += 1
                        reached = {t for s in wide[source] for t in steps(system, s, transition, range(-2, 3))}
                        assert set(narrow[target]) <= reached
    assert seen


def test_the_thesis_example_is_not_weakly_reachable() -> None:
    text = "var x : int = 5; control pc : 1..2 = 1; trans t: pc = 1 && x > 0 -> pc := 2, x := x - 1; safety s: true;"
    system = lower(parse_program(text, "thesis.gcl"))
    positive = terms.less(terms.integer(0), terms.variable("x"))
    abstraction = PredicateAbstraction(system, [terms.negate(positive)], system.properties, Queries(Z3Solver()))
    start = abstraction.alpha((1, 5))
    (transition,) = abstraction.enabled(start)
    assert len(abstraction.successors(start, transition)) == 2
    reachable = weakly_reachable(abstraction, [start])
    assert abstraction.alpha((2, 4)) in reachable
    assert abstraction.alpha((1, 0)) not in reachable
