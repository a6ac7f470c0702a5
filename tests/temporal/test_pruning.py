"""What automata can do without is given up, and nothing else."""

from __future__ import annotations

import random

import pytest

from pincer.program.automaton import Automaton, holds
from pincer.temporal.buchi import buchi
from pincer.temporal.formula import FALSE, TRUE, Formula, not_
from pincer.temporal.parser import parse_formula
from pincer.temporal.pruning import pruned, simulated

P = parse_formula("p").formula
LETTERS: tuple[frozenset[str], ...] = (frozenset(), frozenset({"p"}), frozenset({"q"}), frozenset({"p", "q"}))


def test_a_node_that_accepts_more_simulates_one_that_accepts_less() -> None:
    guards = {(0, 0): not_(P), (0, 1): P, (1, 0): not_(P), (1, 1): TRUE}
    assert simulated([True, False], [TRUE, TRUE], guards) == {(0, 0), (1, 1), (1, 0)}
    assert pruned([True, False], [TRUE, TRUE], guards) == {**guards, (1, 1): P}


def test_nothing_is_given_up_where_the_larger_node_ends_less_often() -> None:
    guards = {(0, 0): not_(P), (0, 1): P, (1, 0): not_(P), (1, 1): TRUE}
    assert pruned([True, False], [FALSE, TRUE], guards) == guards


def test_of_two_nodes_that_simulate_each_other_one_stays() -> None:
    guards: dict[tuple[int, int], Formula] = {(0, 1): TRUE, (0, 2): P, (1, 1): P, (2, 2): P}
    assert pruned([False, True, True], [TRUE] * 3, guards) == {(0, 1): TRUE, (1, 1): P, (2, 2): P}


def test_a_guess_that_is_right_sometimes_only_stays() -> None:
    automaton = buchi(not_(parse_formula("[]<>p").formula))
    assert {(edge.source, edge.target) for edge in automaton.edges} == {(0, 0), (0, 1), (1, 1)}
    assert automaton.leaving(0)[0].guard == ((),)


@pytest.mark.parametrize("text", ["<>[]p", "<>[]p and []<>q", "<>[](p or <>q)", "(<>[]p) or []<>q"])
def test_automata_of_what_never_stays_are_deterministic_from_then_on(text: str) -> None:
    automaton = buchi(not_(parse_formula(text).formula))
    for node in range(automaton.size):
        for letter in LETTERS:
            taken = [edge.target for edge in automaton.leaving(node) if holds(edge.guard, letter)]
            kept = [one for one in taken if not automaton.accepting[one]]
            assert len(taken) < 2 or len(kept) < len(taken)


def accepts(automaton: Automaton, stem: list[frozenset[str]], loop: list[frozenset[str]]) -> bool:
    """Whether some run on a lasso passes accepting nodes again and again, by looking at all of them."""
    word, start = [*stem, *loop], len(stem)
    states = {(node, 0) for node in automaton.initial}
    steps: dict[tuple[int, int], set[tuple[int, int]]] = {}
    waiting = list(states)
    while waiting:
        node, place = waiting.pop()
        after = place + 1 if place + 1 < len(word) else start
        targets = {(e.target, after) for e in automaton.leaving(node) if holds(e.guard, word[place])}
        steps[node, place] = targets
        waiting += [one for one in targets if one not in steps]
        states |= targets
    for state in states:
        seen, frontier = set(), list(steps.get(state, ()))
        while frontier:
            one = frontier.pop()
            if one not in seen:
                seen.add(one)
                frontier += steps.get(one, ())
        if automaton.accepting[state[0]] and state in seen:
            return True
    return False


@pytest.mark.parametrize(
    "text", ["<>[]p", "[](p -> <>q)", "<>[]p and []<>q", "[]<>p or <>[](q -> ()p)", "p U (q ; []p)"]
)
def test_pruning_loses_no_word(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    formula = not_(parse_formula(text).formula)
    less = buchi(formula)
    monkeypatch.setattr("pincer.temporal.buchi.pruned", lambda accepting, ends, guards: guards)
    whole = buchi(formula)
    rng = random.Random(text)
    for _ in range(300):
        stem = [rng.choice(LETTERS) for _ in range(rng.randrange(4))]
        loop = [rng.choice(LETTERS) for _ in range(rng.randrange(1, 5))]
        assert accepts(less, stem, loop) == accepts(whole, stem, loop)
