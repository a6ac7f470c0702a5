"""The checker's automaton of infinite models, against the truth of formulas on lassos."""

from __future__ import annotations

from random import Random

import pytest

from pincer.errors import PincerError
from pincer.evidence.pptl import automaton
from pincer.evidence.pptl.automaton import CheckedAutomaton, letters_over, negates_iteration, unsatisfiable
from pincer.evidence.pptl.formula import not_
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.truth import TruthJudge
from tests.fuzz.temporal.automata import accepts
from tests.fuzz.temporal.trees import Shape, random_letters, random_tree, text


def test_random_formulas_are_accepted_where_they_are_true() -> None:
    random = Random(11)
    judge = TruthJudge()
    exact = 0
    for _ in range(250):
        formula = not_(read_formula(text(random_tree(random, Shape(6)))))
        built = CheckedAutomaton(formula)
        for _ in range(4):
            prefix, loop = random_letters(random, random.randint(0, 3)), random_letters(random, random.randint(1, 3))
            wanted = judge.on_lasso(formula, prefix + loop, len(prefix))
            if wanted or not negates_iteration(formula):
                assert accepts(built, prefix, loop) is wanted
                exact += 1
    assert exact > 800


def test_nodes_that_accept_nothing_are_not_useful() -> None:
    assert not CheckedAutomaton(read_formula("<>empty")).useful
    assert CheckedAutomaton(read_formula("[]<>p")).useful


@pytest.mark.parametrize(
    ("formula", "nothing"),
    [
        ("[]<>p && <>[]!p", True),
        ("<>empty && []more", True),
        ("[]more", False),
        ("len(3)", False),
        ("(fin(skip)) prj ()q", True),
        ("!((p && skip)+) && []p && []more", False),
    ],
)
def test_what_no_word_satisfies(formula: str, nothing: bool) -> None:
    """The last one is satisfied by none, but an iteration is negated: that is not known."""
    assert unsatisfiable(read_formula(formula)) is nothing


def test_where_iterations_are_negated() -> None:
    assert negates_iteration(read_formula("!((p && skip)+)"))
    assert not negates_iteration(read_formula("!(!((p && skip)+))"))
    assert not negates_iteration(read_formula("(p && skip)+ ; q"))


def test_all_letters_over_some_propositions() -> None:
    assert len(letters_over(("p", "q", "r"))) == 8


def test_what_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "_MOST_NODES", 3)
    with pytest.raises(PincerError, match="too large"):
        CheckedAutomaton(read_formula("[]<>(p && ()q)"))
