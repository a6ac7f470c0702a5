"""The judge of words against the definition of the logic, and against known truths on infinite words."""

from __future__ import annotations

from random import Random

import pytest

from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.truth import TruthJudge
from tests.evidence.msvl.pptl_definition import holds, random_tree, random_word, text

NONE, P = frozenset[str](), frozenset({"p"})


@pytest.mark.parametrize("seed", range(0, 400, 100))
def test_finite_words_are_judged_as_the_definition_says(seed: int) -> None:
    for number in range(seed, seed + 100):
        random = Random(number)
        tree = random_tree(random, random.randint(2, 8))
        formula, judge = read_formula(text(tree)), TruthJudge()
        for _ in range(6):
            word = random_word(random, 5)
            assert judge.on_finite(formula, word) == holds(tree, word), (number, text(tree), word)


@pytest.mark.parametrize("number", range(40))
def test_an_infinite_word_is_what_remains_after_its_first_letter(number: int) -> None:
    random = Random(number)
    formula, judge = read_formula(text(random_tree(random, 7))), TruthJudge()
    prefix, loop = random_word(random, 3), random_word(random, 3)
    rest = judge.rest(formula, prefix[0])
    after = (*prefix[1:], *loop)
    assert judge.on_lasso(formula, prefix + loop, len(prefix)) == judge.on_lasso(rest, after, len(prefix) - 1)


LASSOS = [
    ("[]<>p", (NONE, NONE, P), 1, True),
    ("<>[]p", (NONE, NONE, P), 1, False),
    ("[]p", (NONE, NONE, P), 1, False),
    ("<>[]p", (NONE, P), 1, True),
    ("fin(p)", (NONE,), 0, True),
    ("[]more;p", (P,), 0, False),
    ("skip+", (NONE, P), 0, True),
    ("!(skip+) && []more", (NONE,), 0, False),
    ("(p && len(2))*", (P, NONE), 0, True),
    ("(p && len(2))*", (P, P, NONE), 0, False),
    ("p U !p", (P,), 0, False),
    ("(len(2), len(2)) prj []p", (P, NONE, P, NONE, P, P), 5, True),
    ("len(1000000)", (P,), 0, False),
    ("([]<>p U (p;q))+", (P, NONE), 0, False),
    ("([]<>p U (p;!p))+", (P, NONE), 0, True),
]


@pytest.mark.parametrize(("formula", "word", "start", "expected"), LASSOS)
def test_infinite_words_are_judged_exactly(
    formula: str, word: tuple[frozenset[str], ...], start: int, expected: bool
) -> None:
    assert TruthJudge().on_lasso(read_formula(formula), word, start) == expected


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("false", True),
        ("p && !p", True),
        ("len(2) && len(3)", True),
        ("next(p) && empty", True),
        ("alw(p) && p && ()!p", True),
        ("p", False),
        ("[]more", False),
        ("<>empty", False),
    ],
)
def test_what_no_word_satisfies_is_recognised(formula: str, expected: bool) -> None:
    assert TruthJudge().excluded(read_formula(formula)) == expected
