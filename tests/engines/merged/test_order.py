"""Every step of a program leads to a later place, once the rounds of loops are counted."""

from __future__ import annotations

import random

from pincer.engines.merged.order import Order
from pincer.errors import Position
from pincer.program.control_flow import Edge, Procedure, Skip

HERE = Position("p.c", 1, 1)


def procedure(edges: list[tuple[int, int]], last: int) -> Procedure:
    made = tuple(Edge(source, target, Skip(), HERE) for source, target in edges)
    return Procedure("f", (), None, 0, last, made, HERE)


def assert_steps_lead_forward(made: Procedure) -> None:
    order = Order(made)
    rng = random.Random(1)
    for _ in range(60):
        location, rounds = 0, (0,) * len(order.places[0].loops)
        for _ in range(40):
            edges = made.outgoing.get(location, ())
            if not edges:
                break
            edge = rng.choice(edges)
            after = order.rounds_after(location, rounds, edge.target)
            assert order.places[edge.target].key(after) > order.places[location].key(rounds)
            location, rounds = edge.target, after


def test_nested_loops_with_exits() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 3), (4, 5), (5, 2), (3, 6), (5, 1), (2, 6), (1, 6)]
    made = procedure(edges, 6)
    assert_steps_lead_forward(made)
    assert Order(made).places[4].loops == (1, 2, 3)


def test_random_graphs_with_jumps_into_loops() -> None:
    rng = random.Random(7)
    for _ in range(80):
        size = rng.randrange(3, 10)
        edges = [(i, i + 1) for i in range(size)]
        edges += [(rng.randrange(size), rng.randrange(size + 1)) for _ in range(rng.randrange(1, 8))]
        assert_steps_lead_forward(procedure(edges, size))


def test_states_wait_where_ways_meet_and_at_heads() -> None:
    order = Order(procedure([(0, 1), (1, 0), (0, 2), (1, 2)], 2))
    assert order.meeting == frozenset((0, 2))
