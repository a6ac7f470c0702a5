"""Regions: splits partition the states of a location and inherit what is known to be impossible."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pincer.engines.dash.goals import TARGET, Graph, Hop
from pincer.engines.dash.regions import Abstraction, Region
from pincer.errors import Position
from pincer.execution.machine import State, World
from pincer.execution.testing import ExecutionFrame, Node
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Layout, Procedure, Skip
from tests.engines.dash.dash_runs import finished, loaded
from tests.engines.dash.paper_figures import FIG4
from tests.program.named_registers import register

HERE = Position("made.c", 1, 1)
X, Y = (register(f"main::{name}", 8) for name in "xy")
MAIN = Procedure("main", (), None, 0, 9, (), HERE)
WORLD = World(ControlFlowProgram("made.c", Layout("LP64", 64, 32), {"main": MAIN}, "main", {}, (), (), 1 << 40))


def hop(source: int, target: int) -> Hop:
    edge = Edge(source, target, Skip(), HERE)
    return Hop(source, target, edge.label, (edge,))


def chain(*places: int) -> Graph:
    """Hops along the places and from the last one to the target."""
    hops = [hop(a, b) for a, b in zip(places, (*places[1:], TARGET), strict=True)]
    incoming: dict[int, tuple[Hop, ...]] = {}
    for each in hops:
        incoming[each.target] = (*incoming.get(each.target, ()), each)
    return Graph(incoming)


def state(x: int, y: int) -> State:
    return WORLD.initial_state().with_register(X, x, None).with_register(Y, y, None)


def node(location: int, x: int = 0, y: int = 0) -> Node:
    return Node(location, state(x, y), ExecutionFrame(MAIN), None, None, None)


def formula(rng: Random) -> Term:
    left, right = (rng.choice((X, Y, bitvectors.constant(rng.randrange(256), 8))) for _ in range(2))
    atom = bitvectors.compare(rng.choice(("bvule", "bvslt")), bitvectors.binary("bvadd", X, left), right)
    return atom if rng.random() < 0.5 else terms.disjunction(atom, terms.equal(X, Y))


def leaf_at(abstraction: Abstraction, location: int, x: int, y: int) -> Region:
    return abstraction.region_of(node(location, x, y))


@pytest.mark.parametrize("seed", range(30))
def test_every_state_lies_in_exactly_the_leaf_whose_literals_it_satisfies(seed: int) -> None:
    rng = Random(seed)
    abstraction = Abstraction(chain(0, 1))
    for _ in range(8):
        rho = formula(rng)
        if rho not in (terms.TRUE, terms.FALSE):
            abstraction.refine(rng.choice(abstraction.leaves(1)), rho)
    for _ in range(40):
        values = rng.randrange(256), rng.randrange(256)
        holding = [leaf for leaf in abstraction.leaves(1) if state(*values).value(leaf.predicate)]
        assert holding == [leaf_at(abstraction, 1, *values)]


@pytest.mark.parametrize("seed", range(30))
def test_the_formula_of_unsafe_regions_is_their_union(seed: int) -> None:
    rng = Random(seed)
    abstraction = Abstraction(chain(0, 1))
    (last,) = abstraction.graph.incoming[TARGET]
    for _ in range(6):
        rho = formula(rng)
        if rho not in (terms.TRUE, terms.FALSE):
            abstraction.refine(rng.choice(abstraction.leaves(1)), rho)
    for leaf in abstraction.leaves(1):
        if rng.random() < 0.5:
            abstraction.block(leaf, last, abstraction.target)
    unsafe = abstraction.unsafe().get(1, terms.FALSE)
    for _ in range(60):
        values = rng.randrange(256), rng.randrange(256)
        leaf = leaf_at(abstraction, 1, *values)
        assert bool(state(*values).value(unsafe)) == ((last, abstraction.target) not in leaf.blocked)


def test_both_sides_of_a_split_inherit_what_is_blocked() -> None:
    abstraction = Abstraction(chain(0, 1, 2))
    first, second = abstraction.graph.incoming[1][0], abstraction.graph.incoming[2][0]
    before, middle, after = (abstraction.root(place) for place in (0, 1, 2))
    abstraction.block(before, first, middle)
    abstraction.block(middle, second, after)
    sides = abstraction.refine(middle, terms.equal(X, Y))
    assert all((second, after) in side.blocked for side in sides)
    assert before.blocked == {(first, side) for side in sides}
    assert after.blocked_into == {(side, second) for side in sides}


def test_a_blocked_transition_from_a_region_to_itself_is_inherited_in_all_combinations() -> None:
    loop = hop(1, 1)
    abstraction = Abstraction(Graph({1: (loop,), TARGET: (hop(1, TARGET),)}))
    region = abstraction.root(1)
    abstraction.block(region, loop, region)
    inside, outside = abstraction.refine(region, terms.equal(X, Y))
    for source in (inside, outside):
        assert {(loop, inside), (loop, outside)} <= source.blocked


def test_a_dead_region_stays_dead_when_it_is_split() -> None:
    abstraction = Abstraction(chain(0, 1))
    region = abstraction.root(1)
    region.dead = True
    assert all(side.dead for side in abstraction.refine(region, terms.equal(X, Y)))


def test_tests_move_to_the_side_they_belong_to() -> None:
    abstraction = Abstraction(chain(0, 1))
    same, other = node(1, 4, 4), node(1, 4, 5)
    for each in (same, other, node(77)):
        abstraction.add(each)
    inside, outside = abstraction.refine(abstraction.root(1), terms.equal(X, Y))
    assert (inside.nodes, outside.nodes) == ([same], [other])
    assert abstraction.regions == sum(len(abstraction.leaves(place)) for place in abstraction.locations())
    abstraction.forget_nodes()
    assert (inside.nodes, outside.nodes) == ([], [])


def test_the_search_for_frontiers_stops_at_regions_with_tests() -> None:
    abstraction = Abstraction(chain(0, 1, 2))
    abstraction.add(node(1))
    found = [(before.location, after.location) for before, _, after in abstraction.backward(False)]
    assert found == [(2, TARGET), (1, 2)]
    everything = [(before.location, after.location) for before, _, after in abstraction.backward(True)]
    assert everything == [(2, TARGET), (1, 2), (0, 1)]


def test_blocked_transitions_and_dead_regions_are_not_followed() -> None:
    abstraction = Abstraction(chain(0, 1, 2))
    (second,) = abstraction.graph.incoming[2]
    abstraction.block(abstraction.root(1), second, abstraction.root(2))
    assert [before.location for before, _, _ in abstraction.backward(True)] == [2]
    abstraction.root(2).dead = True
    assert not list(abstraction.backward(True))
    assert abstraction.unsafe() == {}


def test_a_finished_analysis_leaves_no_way_from_the_entry_to_the_target(tmp_path: Path) -> None:
    dash = finished(loaded(tmp_path, FIG4))
    [search] = dash.main.values()
    unsafe = search.abstraction.unsafe()
    entry = dash.program.procedures["main"].entry
    assert not dash.forest.world.initial_state().value(unsafe.get(entry, terms.FALSE))
    for test in dash.forest.nodes():
        region = search.abstraction.region_of(test)
        assert test.state.value(region.predicate)
        assert not test.state.value(unsafe.get(region.location, terms.FALSE))
