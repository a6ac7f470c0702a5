"""Where a refinement stands: its first predicates, its limits, its numbers, and what a proof leaves out."""

from __future__ import annotations

from pincer.engines.guarded import ase, ur
from pincer.engines.guarded.analysis import RefinementLoop, edge_statistics, initial_refinement
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from pincer.runtime.run import Progress, Run
from tests.engines.guarded.explored import random_explorations

TEXT = """
var x : int = 0; var y : int = 3; control pc : {run, done} = run;
trans up: pc = run && x < y -> x := x + 1;
trans stop: x >= y -> pc := done;
safety low: x <= 3; safety never: pc = run; safety small: x < 2;
"""


def refinement_of(text: str, run: Run | None = None) -> RefinementLoop:
    system = lower(parse_program(text, "analysis.gcl"))
    return initial_refinement(system, system.properties, Queries(Z3Solver(), run or Run()))


def test_the_first_predicates_are_the_atoms_of_guards_and_properties_that_control_does_not_decide() -> None:
    refinement = refinement_of(TEXT)
    x, y = terms.variable("x"), terms.variable("y")
    assert set(refinement.predicates) == {
        terms.atoms(formula)[0]
        for formula in (terms.less(x, y), terms.at_most(x, terms.integer(3)), terms.less(x, terms.integer(2)))
    }
    assert refinement.predicate_count == 1, "the atoms of properties do not count"
    assert refinement.open_properties == {0, 1, 2}


def test_iterations_are_counted_and_limited() -> None:
    refinement = refinement_of(TEXT)
    assert not refinement.out_of_iterations(None) and not refinement.out_of_iterations(1)
    refinement.explore("ase")
    assert refinement.iterations == 1 and refinement.exploration is not None
    assert refinement.out_of_iterations(1)
    assert refinement.reason == "no answer after 1 iterations"


def test_violations_are_taken_over_once_and_close_their_properties() -> None:
    refinement = refinement_of(TEXT)
    for _ in ase.refine(refinement):
        pass
    assert set(refinement.violations) == {1, 2}
    assert refinement.open_properties == {0}
    assert refinement.proof is not None
    first = dict(refinement.violations)
    refinement.note_violations()
    assert refinement.violations == first


def test_statistics_count_what_was_explored_and_asked() -> None:
    refinement = refinement_of(TEXT)
    assert refinement.statistics()["states"] == 0
    for _ in ur.refine(refinement):
        pass
    statistics = refinement.statistics()
    exploration = refinement.exploration
    assert exploration is not None
    assert statistics["iterations"] == refinement.iterations >= 1
    assert statistics["abstract_states"] == len(exploration.edges)
    assert statistics["states"] == exploration.state_count
    assert statistics["solver_calls"] == sum(p["solver_calls"] for p in statistics["queries_by_purpose"].values())
    assert statistics["exact_edges"] <= statistics["fragment_edges"]


def test_closed_steps_and_exact_edges_are_counted_by_asking() -> None:
    for exploration in random_explorations(6, 8, choices=False):
        found = edge_statistics(exploration)
        fragment = exploration.fragment()
        edges = [(a, t, b) for a in fragment for t, targets in exploration.edges[a].items() for b in targets]
        single = sum(exploration.abstraction.successors(a, t) == (b,) for a, t, b in edges)
        assert (found["fragment_edges"], found["exact_edges"]) == (len(edges), single)
        assert found["closed_steps"] <= found["fragment_steps"]


def test_progress_shows_the_numbers_of_the_moment() -> None:
    told: list[Progress] = []
    refinement = refinement_of(TEXT, Run(on_progress=told.append))
    for _ in ase.refine(refinement):
        pass
    assert {(progress.engine, progress.phase) for progress in told} >= {("ase", "exploring"), ("ase", "checking")}
    assert told[-1].numbers["iteration"] == refinement.iterations
