"""Certificates say what the proof says: accepted by the checker, true of reachable states, and refused when bent."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from pincer.engines.guarded import ase
from pincer.engines.guarded.analysis import initial_refinement
from pincer.engines.guarded.certificates import Proof, certificate, state_text
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.execution.symbolic import SymbolicState
from pincer.frontends.gcl import parse_formula, parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from pincer.program.transition_system import SafetyProperty, TransitionSystem
from tests.abstraction.random_systems import box, model_of
from tests.engines.guarded.explored import random_explorations

PROGRAMS = {
    "counter": "var x : int = 0; trans t: x < 4 -> x := x + 1; safety s: x <= 4;",
    "any start": "var x, y : int; init x = y; trans t: true -> x := x + 1, y := y + 1; safety s: x = y;",
    "choices": "var x : int = 0; control pc : {a, b} = a; trans t: pc = a -> x := nondet(0..5), pc := b;"
    "trans u: pc = b && x > 0 -> x := x - 1; safety s: 0 <= x && x <= 5;",
    "strengthened": "var x : int = 0; var y : int = 0; trans t: true -> x := x + 1, y := y + 2; safety s: y = 2 * x;",
}


def proved(text: str, paper: bool) -> tuple[TransitionSystem, Certificate]:
    system = lower(parse_program(text, "proved.gcl"))
    refinement = initial_refinement(system, system.properties, Queries(Z3Solver()))
    for _ in ase.refine(refinement, paper=paper, max_iterations=20):
        pass
    assert refinement.proof is not None
    return system, certificate(system, refinement.proof, ["s"], "ase")


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_proofs_become_certificates_that_are_accepted(name: str, paper: bool) -> None:
    if name == "strengthened" and paper:
        pytest.skip("the paper's checks alone do not find it")
    system, made = proved(PROGRAMS[name], paper)
    assert made.properties == ("s",) and made.engine == "ase"
    report = check_certificate(system.program, made)
    assert report.ok, report.reason
    assert made.sha256 == system.program.sha256


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_certificate_without_one_of_its_regions_is_refused(name: str) -> None:
    system, made = proved(PROGRAMS[name], False)
    for left_out in range(len(made.regions)):
        regions = made.regions[:left_out] + made.regions[left_out + 1 :]
        assert not check_certificate(system.program, replace(made, regions=regions)).ok


def test_the_text_of_a_state_holds_in_its_instances_and_nowhere_else() -> None:
    symbolic = 0
    for exploration in random_explorations(11, 10):
        system = exploration.abstraction.system
        for node in exploration.nodes[:8]:
            formula = parse_formula(state_text(system, node.state), system.program)
            program = replace(system.program, properties=())
            lowered = lower(replace(program, init=formula)).initial
            for state in box(system, 2):
                control = exploration.abstraction.decode(node.alpha)[0]
                if state[: len(system.domains)] == control:
                    assert evaluate(lowered, model_of(system, state)) == is_instance(system, node.state, state)
            symbolic += isinstance(node.state, SymbolicState)
    assert symbolic


def is_instance(system: TransitionSystem, explored: tuple[int, ...] | SymbolicState, state: tuple[int, ...]) -> bool:
    """Whether some values of the symbols make the explored state the given one; small values are tried."""
    if isinstance(explored, tuple):
        return explored == state
    data = state[len(system.domains) :]
    symbols = sorted({s for part in (*explored.values, *explored.condition) for s in part.variables}, key=str)
    for values in product(range(-9, 10), repeat=len(symbols)):
        known = dict(zip(symbols, values, strict=True))
        if all(evaluate(c, known) for c in explored.condition) and data == tuple(
            evaluate(value, known) for value in explored.values
        ):
            return True
    return False


def test_a_program_without_data_has_a_certificate_over_control_alone() -> None:
    system, made = proved("control c : 0..3 = 0; trans t: c < 2 -> c := c + 1; safety s: c < 3;", False)
    assert isinstance(system.properties[0], SafetyProperty)
    assert made.control == ("c",)
    assert check_certificate(system.program, made).ok


def test_a_proof_leaves_out_what_its_closed_states_may_not_cover() -> None:
    for exploration in random_explorations(7, 10):
        fragment = dict.fromkeys(exploration.fragment(), ())
        outside = Proof("safe-fragment", exploration, fragment).outside()
        assert {node.alpha for node in outside}.isdisjoint(fragment)
        assert len(outside) + sum(node.alpha in fragment for node in exploration.nodes) == len(exploration.nodes)
        strong = dict.fromkeys(exploration.edges, (terms.TRUE,))
        left = Proof("strengthening", exploration, strong).outside()
        assert left == [node for node in exploration.nodes if isinstance(node.state, SymbolicState)]
