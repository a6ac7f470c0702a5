"""What every solver session promises, asked of both: answers that agree, models that fit, cores that suffice."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.bitwuzla_solver import BitwuzlaSolver
from pincer.logic.evaluation import evaluate
from pincer.logic.solver import Solver, Status, Translator
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from tests.logic.random_words import WordMaker

SESSIONS: list[Callable[[], Solver]] = [BitwuzlaSolver, lambda: Z3Solver(logic="QF_BV")]


class Spelling(Translator[str]):
    """Translates terms into words, and remembers what it was asked to build."""

    def __init__(self) -> None:
        super().__init__()
        self.built: list[Term] = []

    def _build(self, term: Term) -> str:
        self.built.append(term)
        return f"{term.op}({','.join(self._handles[child] for child in terms.children(term))})"


def test_terms_are_translated_once_and_after_their_arguments() -> None:
    spelling = Spelling()
    x, y = bv.variable("x", 8), bv.variable("y", 8)
    product = bv.binary("bvmul", x, y)
    relation = bv.compare("bvule", product, x)
    assert spelling.translate(relation) == "bvule(bvmul(var(),var()),var())"
    assert spelling.translate(terms.conjunction(relation, terms.equal(product, y))).startswith("and(")
    assert len(spelling.built) == len(set(spelling.built)) == 6
    assert spelling.built.index(product) < spelling.built.index(relation)


def test_long_chains_are_translated_without_recursion() -> None:
    spelling, term = Spelling(), bv.variable("x", 32)
    for i in range(3000):
        term = bv.binary("bvxor", bv.binary("bvmul", term, bv.variable("y", 32)), bv.constant(i, 32))
    spelling._handles[term] = "known"
    assert spelling.translate(term) == "known"
    assert spelling.built == []
    del spelling._handles[term]
    # Handles of words this long would fill the memory: only the way is looked at.
    assert len(list(terms.unknown_first(term, spelling._handles))) > 6000


def test_the_solvers_agree_and_their_models_and_cores_hold() -> None:
    rng = Random(11)
    sessions = [make() for make in SESSIONS]
    answers = []
    for _ in range(60):
        maker = WordMaker(rng, variable_widths=(8, 64))
        formulas = list(dict.fromkeys(maker.formula(8, 2).term for _ in range(4)))
        found = []
        for session in sessions:
            session.push()
            session.add(formulas[0])
            status = session.check(formulas[1:])
            found.append(status)
            if status is Status.SAT:
                model = session.model(list(maker.variables))
                assert all(evaluate(formula, model) for formula in formulas)
            elif status is Status.UNSAT:
                core = session.core()
                assert set(core) <= set(formulas[1:])
                assert session.check(core) is Status.UNSAT
            session.pop()
        assert found[0] is found[1], formulas
        answers.append(found[0])
    assert {Status.SAT, Status.UNSAT} == set(answers)
