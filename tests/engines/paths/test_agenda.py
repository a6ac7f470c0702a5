"""The agenda: no turn is lost or taken twice, edges share, and extra turns alone keep nobody busy."""

from __future__ import annotations

from collections import Counter

from pincer.engines.paths.agenda import Agenda, Turn
from pincer.execution.machine import World
from pincer.execution.testing import Tester as Executor
from pincer.logic.terms import TRUE
from pincer.program.control_flow import Edge, Skip
from tests.execution.straight_programs import edges_of, straight

NODE = Executor(World(straight([Skip()]))).root()
EDGES = edges_of([Skip()] * 3)


def turn(edge: Edge, is_extra: bool = False) -> Turn:
    return Turn(edge, NODE, None, TRUE, False, is_extra)


def taken(agenda: Agenda) -> list[Turn]:
    found = []
    while (turn := agenda.next()) is not None:
        found.append(turn)
    return found


def test_every_turn_is_taken_once() -> None:
    agenda = Agenda()
    turns = [turn(EDGES[n % 3]) for n in range(30)]
    for each in turns:
        agenda.add(each)
    assert (agenda.size, agenda.due) == (30, 30)
    found = taken(agenda)
    assert sorted(map(id, found)) == sorted(map(id, turns))
    assert (agenda.size, agenda.due) == (0, 0)


def test_edges_that_were_seldom_taken_come_first() -> None:
    agenda = Agenda()
    for edge, count in zip(EDGES, (20, 5, 5), strict=True):
        for _ in range(count):
            agenda.add(turn(edge))
    first = [agenda.next() for _ in range(15)]
    assert set(Counter(each.edge for each in first if each is not None).values()) == {5}


def test_extra_turns_alone_are_not_due() -> None:
    agenda = Agenda()
    agenda.add(turn(EDGES[0], is_extra=True))
    assert (agenda.size, agenda.due) == (1, 0)
    assert agenda.next() is None
    agenda.add(turn(EDGES[1]))
    assert agenda.next() is not None


def test_the_same_turns_come_in_the_same_order_again() -> None:
    orders = []
    for _ in range(2):
        agenda = Agenda()
        for n in range(20):
            agenda.add(turn(EDGES[n * n % 3]))
        orders.append([each.edge for each in taken(agenda)])
    assert orders[0] == orders[1]
