"""Atoms for invariants: the program's own, and what explored states have in common."""

from __future__ import annotations

from pincer.engines.guarded import ase
from pincer.engines.guarded.analysis import initial_refinement
from pincer.engines.guarded.atoms import candidate_atoms
from pincer.engines.guarded.exploration import Explorer
from pincer.engines.guarded.limits import LIMITS
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower

TEXT = """
var x : int = 0; var y : int = 0; control pc : {a, b} = a;
trans up:   pc = a && x < 5 -> x := x + 1, y := y + 2;
trans turn: pc = a          -> pc := b;
safety s: y <= 20;
"""


def atoms_of(text: str) -> tuple[list[Term], list[Term]]:
    """The predicates of the first iteration, and the atoms after it."""
    system = lower(parse_program(text, "atoms.gcl"))
    queries = Queries(Z3Solver())
    refinement = initial_refinement(system, system.properties, queries)
    exploration = refinement.explore("ase")
    ase.symbolic_exec(Explorer(system, queries.run), exploration, {-1}, 100)
    return refinement.predicates, candidate_atoms(exploration, refinement.predicates)


def test_equations_of_the_explored_states_are_atoms_and_so_are_their_halves() -> None:
    predicates, atoms = atoms_of(TEXT)
    x, y = terms.variable("x"), terms.variable("y")
    double = terms.scale(2, x)
    assert atoms[: len(predicates)] == predicates
    for wanted in (terms.equal(y, double), terms.at_most(y, double), terms.at_most(double, y), terms.at_most(x, y)):
        assert set(terms.atoms(wanted)) <= set(atoms)


def test_no_atom_is_about_finite_variables_alone_and_their_number_is_limited() -> None:
    many = ", ".join(f"v{i}" for i in range(30))
    updates = ", ".join(f"v{i} := v{i} + {i}" for i in range(30))
    text = (
        f"var {many} : int; control pc : {{a, b}} = a; init v0 = 0;\ntrans t: pc = a -> {updates};\nsafety s: v1 < 9;"
    )
    predicates, atoms = atoms_of(TEXT)
    assert all(atom.variables - {terms.variable("pc")} for atom in atoms)
    predicates, atoms = atoms_of(text)
    assert len(atoms) <= len(predicates) + LIMITS.clause_atoms
