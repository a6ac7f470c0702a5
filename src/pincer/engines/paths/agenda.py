"""The ways that an exploration of paths has not taken yet, and which of them is next."""

from __future__ import annotations

import random
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec import Struct

from pincer.engines.paths.guide import Guide
from pincer.engines.paths.limits import LIMITS
from pincer.execution.machine import History
from pincer.execution.testing import Node
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge


class Turn(Struct, frozen=True):
    """Another way to go on from a state: its path's conditions up to there, and the one that makes the difference.

    It leads along `edge`, unless that is the one that cannot be taken then. An extra one is not needed in order to
    follow all paths."""

    edge: Edge
    node: Node
    path: History | None
    condition: Term
    is_barred: bool
    is_extra: bool


class _Bend(NamedTuple):
    """Turns that are as good as each other: the edge they take, how far from an error it leads, whether that may open a
    gate, and what the gates tell of their states."""

    edge: Edge
    distance: float = 0
    may_open: bool = False
    combination: tuple[int, ...] = ()


def _bend(turn: Turn, guide: Guide, distance: float | None) -> _Bend:
    state = turn.node.state
    if distance is None:
        distance = (
            LIMITS.farthest if turn.is_barred else min(guide.distance(turn.edge.target, turn.node), LIMITS.farthest)
        )
    may_open = distance < LIMITS.farthest and guide.gates.may_open(turn.condition, state)
    return _Bend(turn.edge, distance, may_open, guide.gates.combination(state))


class Agenda:
    """Turns by edge and distance: where few have been taken, and as often where an error is near, the next one is.

    `size` counts them, `due` those that are not extra."""

    def __init__(self, guide: Guide | None = None) -> None:
        self._guide = guide
        self._turns: dict[_Bend, list[Turn]] = {}
        self._seldom: list[tuple[float, int, _Bend]] = []
        self._near: list[tuple[float, int, _Bend]] = []
        self._taken: dict[Edge | _Bend, int] = {}
        self._order = 0
        self._random = random.Random(1)
        self.size = self.due = 0

    def guided(self, guide: Guide) -> Agenda:
        """The same turns in the order that a guide suggests."""
        agenda = Agenda(guide)
        agenda._taken, agenda._random = self._taken, self._random
        for bend, turns in self._turns.items():
            for turn in turns:
                agenda.add(turn, bend.distance if self._guide is guide else None)
        return agenda

    def add(self, turn: Turn, distance: float | None = None) -> None:
        """Add a turn. Its distance from an error never changes: if it is known it need not be looked for."""
        bend = _Bend(turn.edge) if self._guide is None else _bend(turn, self._guide, distance)
        turns = self._turns.setdefault(bend, [])
        turns.append(turn)
        self.size += 1
        self.due += not turn.is_extra
        if len(turns) == 1:
            self._enqueue(bend)

    def _enqueue(self, bend: _Bend) -> None:
        self._order += 1
        far = LIMITS.farthest if bend.distance == LIMITS.farthest else 0
        heappush(self._seldom, (self._taken.get(bend.edge, 0) + far, self._order, bend))
        if self._guide is not None:
            tried = self._taken.get(bend, 0) + self._guide.gates.closed_with(bend.combination)
            distance = bend.distance * LIMITS.opening if bend.may_open else bend.distance
            heappush(self._near, (LIMITS.again * tried + distance, self._order, bend))

    def next(self) -> Turn | None:
        """The latest turn at an edge, or any of them: deep and shallow ones alike lead on."""
        if self.due == 0:
            return None
        queue = self._near if self._near and self._random.random() < 0.5 else self._seldom
        bend = heappop(queue)[2]
        while not self._turns[bend]:
            bend = heappop(queue)[2]
        turns = self._turns[bend]
        for counted in (bend, bend.edge):
            self._taken[counted] = self._taken.get(counted, 0) + 1
        chosen = -1 if self._random.random() < 0.5 else self._random.randrange(len(turns))
        turns[chosen], turns[-1] = turns[-1], turns[chosen]
        turn = turns.pop()
        self.size -= 1
        self.due -= not turn.is_extra
        if turns:
            self._enqueue(bend)
        return turn
