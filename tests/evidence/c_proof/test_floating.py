"""The checker's floating point: its own arithmetic, and what it tells solvers, against the engines' reading."""

from __future__ import annotations

from random import Random

import pytest

from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.term_data import children, combined
from pincer.evidence.solvers import open_session
from pincer.logic import bitvectors as bv
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term, postorder
from tests.logic.random_numbers import NumberMaker


def encoded(script: Script, term: Term, known: dict[Term, int] | None) -> Node:
    """The node of a term over variables, or over their values."""
    nodes: dict[Term, Node] = {}
    for part in postorder(term):
        if part.op == "var":
            bits = bv.width(part)
            nodes[part] = script.variable(str(part), bits) if known is None else script.constant(known[part], bits)
        else:
            nodes[part] = combined(script, part, [nodes[child] for child in children(part)])
    return nodes[term]


def test_known_patterns_are_computed() -> None:
    rng = Random(3)
    maker = NumberMaker(rng, (32, 64, 80))
    for _ in range(300):
        bits = rng.choice((32, 64, 80))
        term = maker.number(bits, 2) if rng.random() < 0.7 else maker.formula(bits, 2)
        values = maker.values(term)
        assert encoded(Script(), term, values).value == evaluate(term, values), (term, values)


@pytest.mark.parametrize("solver", ["cvc5", "z3"])
def test_solvers_are_told_the_same(solver: str) -> None:
    rng = Random(4)
    maker = NumberMaker(rng)
    for _ in range(12):
        bits = rng.choice((32, 32, 64))
        term = maker.number(bits, rng.randint(1, 2))
        values = maker.values(term)
        script = Script()
        result = encoded(script, term, None)
        given = [
            script.equal(script.variable(str(v), bv.width(v)), script.constant(n, bv.width(v)))
            for v, n in values.items()
        ]
        same = script.equal(result, script.constant(evaluate(term, values), bits))
        wrong = script.question(script.conjunction([*given, script.negation(same)]))
        right = script.question(script.conjunction([*given, same]))
        session = open_session(solver, "QF_UFBVFP", None)
        assert session is not None
        session.define(script.lines_after(0)[0] or "(declare-const unused Bool)")
        assert session.verdict(wrong, 20) == "unsat", (term, values)
        assert session.verdict(right, 20) == "sat"
