"""Does an automaton accept all models of a formula? Engines' automata do, damaged ones do not."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pincer.evidence.pptl.automaton import CheckedAutomaton
from pincer.evidence.pptl.formula import not_
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.simulation import BuiltPlayer, GivenPlayer, accepts_finite, accepts_infinite
from pincer.program.automaton import Automaton
from pincer.temporal import formula as core
from pincer.temporal.buchi import buchi
from pincer.temporal.lasso import Lasso
from pincer.temporal.parser import parse_formula
from tests.fuzz.temporal.automata import accepts
from tests.fuzz.temporal.trees import Shape, random_letters, random_tree, text
from tests.temporal.test_buchi import accepts_lasso, accepts_word


def _negated(formula: str) -> tuple[Automaton, CheckedAutomaton]:
    return buchi(core.not_(parse_formula(formula).formula)), CheckedAutomaton(not_(read_formula(formula)))


@pytest.mark.parametrize(
    "formula",
    [
        "[](p -> <>q)",
        "<>empty",
        "[]p",
        "[]<>p -> []<>q",
        "(keep(p) ; []q)",
        "halt(p)",
        "[](p && (.)q)",
        "[](!([]q) && p)",
        "(p ; q) prj <>p",
        "p U (q U p)",
    ],
)
def test_the_engines_automaton_accepts_what_the_checkers_does(formula: str) -> None:
    given, built = _negated(formula)
    assert accepts_finite(given, not_(read_formula(formula)))
    assert accepts_infinite(GivenPlayer(given), BuiltPlayer(built))


def _damaged(automaton: Automaton, random: Random) -> Automaton:
    """Without an edge, an accepting node, an end or an initial node."""
    match random.randrange(4):
        case 0 if automaton.edges:
            gone = random.randrange(len(automaton.edges))
            return replace(automaton, edges=automaton.edges[:gone] + automaton.edges[gone + 1 :])
        case 1:
            return replace(automaton, accepting=tuple(a and random.random() < 0.5 for a in automaton.accepting))
        case 2:
            return replace(automaton, ends=tuple(e if random.random() < 0.5 else () for e in automaton.ends))
    return replace(automaton, initial=automaton.initial[1:])


def test_a_damaged_automaton_is_accepted_only_if_it_misses_nothing() -> None:
    """Whatever word the damaged automaton misses, none is found when it passes."""
    random = Random(5)
    refused = 0
    for _ in range(120):
        formula = text(random_tree(random, Shape(5)))
        given, built = _negated(formula)
        damaged = _damaged(given, random)
        negated = not_(read_formula(formula))
        finite = accepts_finite(damaged, negated)
        infinite = accepts_infinite(GivenPlayer(damaged), BuiltPlayer(built))
        refused += not (finite and infinite)
        for _ in range(15):
            word = random_letters(random, random.randint(1, 4))
            assert not finite or accepts_word(damaged, word) or not accepts_word(given, word)
            prefix, loop = random_letters(random, random.randint(0, 2)), random_letters(random, random.randint(1, 3))
            if infinite and accepts(built, prefix, loop):
                assert accepts_lasso(damaged, Lasso(prefix, loop))
    assert refused > 30
