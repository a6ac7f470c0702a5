"""Random formulas in every test run: fixed seeds, our answers against the direct evaluators.

`make fuzz-temporal CASES=20000` runs more of the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from pincer.temporal.parser import parse_formula
from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite, valid_finite, valid_infinite

from .compare import Findings, compare_automata, compare_decisions, compare_lassos, compare_ltl, compare_words
from .direct import satisfies_directly
from .ltl_direct import ltl_holds
from .trees import Letters, Shape, Tree, random_letters, random_ltl, random_tree, text

COMPARISONS: dict[str, Callable[[int, Findings], None]] = {
    "words": compare_words,
    "lassos": compare_lassos,
    "decisions": compare_decisions,
    "automata": compare_automata,
    "LTL": compare_ltl,
}


@pytest.mark.parametrize("what", COMPARISONS)
def test_answers_agree_with_the_direct_evaluators(what: str) -> None:
    findings = Findings()
    for seed in range(1_000_000, 1_000_200):
        COMPARISONS[what](seed, findings)
    assert findings.disagreements == []
    assert sum(findings.compared.values()) >= 400


P, Q = frozenset("p"), frozenset("q")
NONE: frozenset[str] = frozenset()
p: Tree = ("prop", "p")


@pytest.mark.parametrize(
    ("tree", "prefix", "loop", "expected"),
    [
        (("chop", ("skip",), p), (NONE, P), (), True),
        (("chop", ("skip",), p), (P, NONE), (), False),
        (("chop", p, ("empty",)), (P,), (P,), False),
        (("plus", ("skip",)), (NONE,), (), False),
        (("plus", ("skip",)), (), (NONE,), True),
        (("plus", ("and", p, ("len", 2))), (P, NONE, P, NONE, NONE), (), True),
        (("plus", ("and", p, ("len", 2))), (), (P, NONE), True),
        (("plus", ("and", p, ("len", 2))), (), (P, NONE, NONE), False),
        (("always", ("some", p)), (NONE,), (NONE, P), True),
        (("some", ("always", p)), (NONE,), (NONE, P), False),
        (("prj", (("len", 2), ("len", 2)), ("len", 2)), (NONE,) * 5, (), True),
        (("prj", (("len", 2), ("len", 2)), ("len", 1)), (NONE,) * 5, (), True),
        (("prj", (("len", 2), ("len", 2)), ("len", 1)), (NONE,) * 4, (), False),
        (("prj", (p, ("empty",)), ("empty",)), (), (P,), False),
        (("until", p, ("prop", "q")), (P, P, Q), (), True),
        (("until", p, ("prop", "q")), (), (P,), False),
    ],
)
def test_the_direct_evaluator_follows_the_definition(
    tree: Tree, prefix: Letters, loop: Letters, expected: bool
) -> None:
    assert satisfies_directly(tree, prefix, loop) == expected


def test_the_two_evaluators_agree_where_both_apply() -> None:
    random = Random(7)
    for _ in range(300):
        tree = random_ltl(random, random.randint(2, 6))
        if any(word in str(tree) for word in ("release", "weak_until")):
            continue
        prefix, loop = random_letters(random, random.randint(1, 3)), random_letters(random, random.randint(0, 2))
        assert ltl_holds(tree, prefix, loop) == satisfies_directly(tree, prefix, loop), (tree, prefix, loop)


def test_a_seed_determines_its_formula() -> None:
    trees = [random_tree(Random(seed), Shape(9)) for seed in range(100)]
    assert trees == [random_tree(Random(seed), Shape(9)) for seed in range(100)]
    assert len(set(trees)) > 60


def test_random_formulas_of_size_twelve_are_all_decided() -> None:
    for seed in range(300):
        formula = parse_formula(text(random_tree(Random(seed), Shape(12, ("p", "q", "r"))))).formula
        verdicts = (
            satisfiable_finite(formula).verdict,
            satisfiable_infinite(formula).verdict,
            valid_finite(formula).verdict,
            valid_infinite(formula).verdict,
        )
        assert "unknown" not in verdicts, seed
