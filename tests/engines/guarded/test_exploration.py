"""What exploration is made of: successors as the program defines them, paths, cuts, and what is reachable from them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from pincer.engines.guarded.exploration import AbstractExploration, Explorer, Node
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.runtime.run import Run
from tests.abstraction.random_systems import box, random_abstraction, steps
from tests.engines.guarded.explored import CHOICES, explored, random_explorations, reachable


@pytest.mark.parametrize("block", range(4))
def test_successors_of_concrete_states_are_the_steps_of_the_program(block: int) -> None:
    rng = Random(block)
    for _ in range(5):
        abstraction = random_abstraction(rng, choices=False)
        system = abstraction.system
        explorer, exploration = Explorer(system, Run()), AbstractExploration(abstraction)
        for state in rng.sample(list(box(system, 2)), 20):
            node = Node(state, abstraction.alpha(state), None, -1)
            found = {(t, alpha, target) for t, alpha, target in explorer.successors(exploration, node)}
            expected = {
                (i, abstraction.alpha(target), target)
                for i in range(len(system.transitions))
                for target in steps(system, state, i, CHOICES)
            }
            assert found == expected


@pytest.mark.parametrize("few", [1, 8])
def test_symbolic_successors_hold_every_chosen_state_in_its_abstract_state(few: int) -> None:
    rng = Random(few)
    for _ in range(10):
        abstraction = random_abstraction(rng)
        system = abstraction.system
        explorer, exploration = Explorer(system, Run(), few), AbstractExploration(abstraction)
        state = rng.choice(list(box(system, 2)))
        found = list(explorer.successors(exploration, Node(state, abstraction.alpha(state), None, -1)))
        for i in range(len(system.transitions)):
            for target in steps(system, state, i, CHOICES):
                holders = [held for t, alpha, held in found if t == i and alpha == abstraction.alpha(target)]
                assert holders, (state, i, target)
                assert any(held == target or not isinstance(held, tuple) for held in holders)


def test_explored_abstract_states_hold_all_that_can_be_reached() -> None:
    for exploration in random_explorations(3, 12):
        if not exploration.cut:
            alphas = {exploration.abstraction.alpha(state) for state in reachable(exploration.abstraction.system, 2)}
            assert alphas <= exploration.edges.keys()


def test_paths_lead_from_an_initial_state_step_by_step() -> None:
    for exploration in random_explorations(5, 6, choices=False):
        system = exploration.abstraction.system
        for node in exploration.nodes[:50]:
            path = node.path()
            assert path[0].parent is None and path[-1] is node
            assert all(node.repeats(before.alpha) for before in path)
            assert not node.repeats(-1)
            for before, after in pairwise(path):
                if isinstance(before.state, tuple) and isinstance(after.state, tuple):
                    assert after.state in steps(system, before.state, after.transition, CHOICES)


def test_the_fragment_is_closed_under_explored_edges_and_holds_nothing_else() -> None:
    for exploration in random_explorations(9, 10):
        fragment = set(exploration.fragment())
        expected = set(exploration.cut)
        while True:
            more = {b for a in expected for targets in exploration.edges[a].values() for b in targets} - expected
            if not more:
                break
            expected |= more
        assert fragment == expected
        assert exploration.state_count >= len(exploration.expanded)


def test_work_beyond_the_matched_states_expands_more_and_cuts_elsewhere() -> None:
    abstraction = random_abstraction(Random(1))
    short, long = explored(abstraction), explored(abstraction, beyond=500)
    assert short.expanded.keys() <= long.expanded.keys()
    assert set(short.edges) <= set(long.edges)


def test_initial_states_are_split_by_the_predicates() -> None:
    abstraction = random_abstraction(Random(8))
    system = abstraction.system
    explorer = Explorer(system, Run())
    found = {alpha for alpha, _ in explorer.initial(AbstractExploration(abstraction))}
    for state in box(system, 3):
        values = dict(zip(system.variables, state, strict=True))
        if evaluate(system.initial, values):
            assert abstraction.alpha(state) in found
    assert all(terms.FALSE not in abstraction.literals(alpha) for alpha in found)
