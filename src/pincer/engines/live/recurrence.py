"""Regions in which a run can go on for ever and violate the formula, found as a game on a closed abstraction.

In every abstract state one chooses a transition with an edge of the automaton; the data then decide which abstract
state follows. One wins by passing accepting nodes again and again, and by being fair to all groups: these duties are
taken up in turn. A strategy for that is a recurrence, wherever a real run comes into one of its states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from pincer.engines.live.abstract import AbstractGraph, AbstractProduct
from pincer.engines.live.certificates import region_of
from pincer.engines.live.lasso import run_of
from pincer.engines.live.states import StateGraph
from pincer.evidence.live.trace import Recurrence
from pincer.program.transition_system import State, TransitionSystem

Place: TypeAlias = tuple[int, int]
"""A node, and the duty that is taken up there: 0 is to accept, the others are the fair groups."""


class Choice(Struct, frozen=True):
    """A transition of the program, the nodes it may lead to, and the places then; whether all duties are done."""

    transition: int
    targets: frozenset[Place]
    done: bool


def recurrence(
    made: AbstractProduct, graph: AbstractGraph, examples: StateGraph, system: TransitionSystem
) -> Recurrence | None:
    """A recurrence that some visited state lies in; None where none is found."""
    if not made.question.automaton.exact:
        return None
    strategy = _Game(made, graph).strategy()
    numbers = {abstract: node for node, abstract in enumerate(graph.states)}
    finite = len(made.system.domains) - 1
    for number, (state, q) in enumerate(examples.nodes):
        node = numbers.get(graph.abstraction.alpha(_product_state(state, q, finite)))
        if node is not None and (node, 0) in strategy:
            stem = run_of(made.question, system, examples, "prefix", number, []).trace
            places = list(_reached((node, 0), strategy))
            order = {place: index for index, place in enumerate(places)}
            return Recurrence(
                stem,
                made.question.automaton,
                tuple(region_of(made.question, graph, place[0]) for place in places),
                tuple(strategy[place].transition for place in places),
                tuple(tuple(sorted(order[target] for target in strategy[place].targets)) for place in places),
            )
    return None


def _product_state(state: State, q: int, finite: int) -> State:
    return (*state[:finite], q, *state[finite:])


def _reached(start: Place, strategy: Mapping[Place, Choice]) -> Iterator[Place]:
    seen = {start}
    pending = [start]
    while pending:
        place = pending.pop(0)
        yield place
        fresh = sorted(strategy[place].targets - seen)
        seen.update(fresh)
        pending += fresh


class _Game:
    def __init__(self, made: AbstractProduct, graph: AbstractGraph) -> None:
        self.live = graph.live
        self.duties = 1 + len(self.live.groups)
        self._never = [
            not any(self.live.enables(group, node) for node in range(len(graph.states)))
            for group in range(len(self.live.groups))
        ]
        actions: dict[tuple[int, str], tuple[int, set[int]]] = {}
        for edge, cases in graph.cases.items():
            for case in cases:
                name = made.system.transitions[case].name
                actions.setdefault((edge.source, name), (edge.transition, set()))[1].add(edge.target)
        self._choices: dict[Place, list[Choice]] = {}
        for (node, _), (transition, targets) in actions.items():
            for duty in range(self.duties):
                self._choices.setdefault((node, duty), []).append(self._choice(node, duty, transition, targets))

    def _choice(self, node: int, duty: int, transition: int, targets: set[int]) -> Choice:
        is_done = self._is_done(node, duty, transition)
        following = (duty + 1) % self.duties if is_done else duty
        return Choice(transition, frozenset((target, following) for target in targets), is_done and following == 0)

    def _is_done(self, node: int, duty: int, transition: int) -> bool:
        if duty == 0:
            return self.live.accepting[node]
        group = duty - 1
        if transition in self.live.groups[group] or self._never[group]:
            return True
        return not self.live.strong[group] and not self.live.enables(group, node)

    def strategy(self) -> dict[Place, Choice]:
        """A winning choice in each place that has one (a Büchi game: all duties are done again and again)."""
        winning = set(self._choices)
        while True:
            found: dict[Place, Choice] = {}
            grown = True
            while grown:
                fresh = {
                    place: choice
                    for place, choices in self._choices.items()
                    if place not in found
                    for choice in choices
                    if choice.targets <= (winning if choice.done else found.keys())
                }
                grown = bool(fresh)
                found |= fresh
            if found.keys() == winning:
                return found
            winning = set(found)
