"""Copies of a process: when they may be exchanged, and what stands for all of an orbit."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from pincer.abstraction.predicates import PredicateAbstraction, guard_predicates
from pincer.abstraction.symmetry import Quotient, Symmetry, symmetry_of
from pincer.frontends.gcl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from pincer.program.transition_system import State, TransitionSystem

TICKET = """program ticket;
const N = 3;
var s, t : int = 0;
var a[1..N] : int = 0;
control pc[1..N] : {idle, wait, crit} = idle;
process P[i in 1..N] {
  think: pc[i] = idle              -> a[i] := t, t := t + 1, pc[i] := wait;
  enter: pc[i] = wait && a[i] <= s -> pc[i] := crit;
  leave: pc[i] = crit              -> s := s + 1, pc[i] := idle;
}
safety mutex: forall i in 1..N, j in 1..N : i < j => !(pc[i] = crit && pc[j] = crit);
safety order: forall i in 1..N, j in 1..N : a[i] <= a[j] + 5;
"""


def system(text: str = TICKET) -> TransitionSystem:
    return lower(parse_program(text, "ticket.gcl"))


def found(text: str = TICKET) -> Symmetry:
    lowered = system(text)
    symmetry = symmetry_of(lowered, lowered.properties)
    assert symmetry is not None
    return symmetry


def quotient() -> Quotient:
    symmetry = found()
    formulas = [
        *(t.guard for t in symmetry.system.transitions),
        *(item.formula for item in symmetry.system.properties),
    ]
    predicates = symmetry.closed(guard_predicates(symmetry.system, formulas))
    abstraction = PredicateAbstraction(symmetry.system, predicates, symmetry.system.properties, Queries(Z3Solver()))
    return Quotient(symmetry, abstraction)


def random_state(rng: Random, symmetry: Symmetry) -> State:
    control = [rng.randint(low, high) for low, high in symmetry.system.domains]
    return (*control, *(rng.randint(-3, 8) for _ in symmetry.system.data_variables))


def test_a_block_has_the_variables_of_one_instance() -> None:
    symmetry = found()
    names = [[str(symmetry.system.variables[i]) for i in block] for block in symmetry.blocks]
    assert names == [["pc[1]", "a[1]"], ["pc[2]", "a[2]"], ["pc[3]", "a[3]"]]


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ("forall i in 1..N, j in 1..N : a[i] <= a[j] + 5", "a[1] <= 5"),
        ("s := s + 1, pc[i]", "s := s + i, pc[i]"),
        ("pc[i] = wait && a[i] <= s", "pc[i] = wait && (a[i] <= s || i = 2)"),
        ("var a[1..N] : int = 0;", "var a[1..N] : int; init a[1] = 0 && a[2] = 1 && a[3] = 1;"),
        ("const N = 3", "const N = 2"),
    ],
)
def test_what_tells_instances_apart_leaves_no_symmetry(written: str, instead: str) -> None:
    lowered = system(TICKET.replace(written, instead))
    assert symmetry_of(lowered, lowered.properties) is None


def test_abstraction_and_reordering_commute() -> None:
    rng, shared = Random(1), quotient()
    symmetry, alpha = shared.symmetry, shared.abstraction.alpha
    for _ in range(100):
        state = random_state(rng, symmetry)
        for order in permutations(range(symmetry.size)):
            assert alpha(symmetry.arranged(state, order)) == shared.image(alpha(state), order)


def test_all_images_have_one_representative_which_is_an_image() -> None:
    rng, shared = Random(2), quotient()
    symmetry, alpha = shared.symmetry, shared.abstraction.alpha
    for _ in range(60):
        state = random_state(rng, symmetry)
        images = symmetry.orbit(state)
        assert set(images) == {symmetry.arranged(state, order) for order in permutations(range(symmetry.size))}
        representatives = {shared.turned(image, alpha) for image in images}
        assert len(representatives) == 1
        ((abstract, turned),) = representatives
        assert turned in images
        assert alpha(turned) == abstract
        assert set(shared.orbit(abstract)) == {alpha(image) for image in images}
        assert {shared.representative(alpha(image))[0] for image in images} == {abstract}


def test_predicates_are_closed_under_exchange() -> None:
    symmetry = found()
    lowered = symmetry.system
    one = next(atom for atom in guard_predicates(lowered, [t.guard for t in lowered.transitions]))
    closed = symmetry.closed([one])
    assert {str(atom) for atom in closed} == {"a[1] <= s", "a[2] <= s", "a[3] <= s"}
