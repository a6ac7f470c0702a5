"""Automata of formulas against the truth of formulas on words."""

from __future__ import annotations

from random import Random

import pytest

from pincer.errors import UnsupportedError
from pincer.program.automaton import Automaton, Letter, holds
from pincer.program.graphs import cycles
from pincer.temporal.buchi import buchi, exact_buchi
from pincer.temporal.derivative import satisfies
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.parser import parse_formula
from tests.fuzz.temporal.trees import Shape, random_letters, random_tree, text


def accepts_word(automaton: Automaton, word: tuple[Letter, ...]) -> bool:
    nodes = set(automaton.initial)
    for letter in word[:-1]:
        nodes = {e.target for node in nodes for e in automaton.leaving(node) if holds(e.guard, letter)}
    return any(holds(automaton.ends[node], word[-1]) for node in nodes)


def accepts_lasso(automaton: Automaton, lasso: Lasso) -> bool:
    letters, start = lasso.prefix + lasso.loop, len(lasso.prefix)

    def after(place: tuple[int, int]) -> list[tuple[int, int]]:
        node, at = place
        following = at + 1 if at + 1 < len(letters) else start
        return [(e.target, following) for e in automaton.leaving(node) if holds(e.guard, letters[at])]

    found = {(node, 0) for node in automaton.initial}
    pending = list(found)
    while pending:
        fresh = set(after(pending.pop())) - found
        found |= fresh
        pending += fresh
    return any(automaton.accepting[node] for members in cycles(found, after) for node, _ in members)


@pytest.mark.parametrize(
    ("formula", "size"),
    [("!([](p -> <>q))", 2), ("!(<>empty)", 1), ("!([]p)", 2), ("true", 1), ("false", 0), ("[]<>p", 2)],
)
def test_automata_are_small(formula: str, size: int) -> None:
    assert buchi(parse_formula(formula).formula).size == size


def test_automata_accept_the_models_of_random_formulas() -> None:
    random = Random(7)
    compared = 0
    for _ in range(150):
        formula = parse_formula(text(random_tree(random, Shape(6)))).formula
        automaton = buchi(formula)
        for _ in range(6):
            word = random_letters(random, random.randint(1, 5))
            assert accepts_word(automaton, word) is satisfies(formula, word)
            lasso = Lasso(random_letters(random, random.randint(0, 3)), random_letters(random, random.randint(1, 3)))
            wanted = holds_on_lasso(formula, lasso)
            if automaton.exact or wanted:
                assert accepts_lasso(automaton, lasso) is wanted
                compared += 1
    assert compared > 600


def test_under_negated_iterations_the_exact_automaton_is_exact() -> None:
    random = Random(3)
    for shown in ("!((p && len(2))*)", "!((p ; q)+)", "!(((p && skip) ; (q && skip))*) && []<>p"):
        formula = parse_formula(shown).formula
        assert not buchi(formula).exact
        exact = exact_buchi(formula)
        for _ in range(60):
            lasso = Lasso(random_letters(random, random.randint(0, 3)), random_letters(random, random.randint(1, 4)))
            assert accepts_lasso(exact, lasso) is holds_on_lasso(formula, lasso)


def test_too_many_predicates_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="11 different state predicates"):
        buchi(parse_formula(" && ".join(f"<>p{number}" for number in range(11))).formula)
