"""Conditions on inputs: which of them a state may satisfy, and which it need not remember."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd

from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof.exploration.refusals import Unexplored
from pincer.evidence.thread_proof.exploration.states import Value, WorkingState

MOST_CASES = 64
"""Values of one address that are told apart."""


class ConditionQuestions:
    """Asks about conditions. `refuted` says whether a solver shows that a formula has no model."""

    def __init__(self, script: Script, refuted: Callable[[Node], bool], slot: int) -> None:
        self._script = script
        self._refuted = refuted
        self._slot = slot
        self.claims = 0

    def negated(self, condition: Value) -> Value:
        return int(not condition) if isinstance(condition, int) else self._script.negation(condition)

    def is_possible(self, state: WorkingState, condition: Value) -> bool:
        """Whether a condition may hold in a state: False only where a solver refutes it."""
        return self.are_possible(state.conditions, condition)

    def are_possible(self, known: Iterable[Node], condition: Value) -> bool:
        if isinstance(condition, int):
            return bool(condition)
        if condition.value is not None:
            return condition.is_true
        self.claims += 1
        parts = sorted(connected(known, condition.variables), key=_text)
        return not self._refuted(self._script.conjunction([*parts, condition]))

    def are_possible_together(self, conditions: Iterable[Node]) -> bool:
        """Whether inputs may satisfy all of some conditions."""
        self.claims += 1
        return not self._refuted(self._script.conjunction(sorted(conditions, key=_text)))

    def passes(self, state: WorkingState, condition: Value) -> bool:
        """Whether a condition may hold in a state, which is then one in which it does."""
        if not self.is_possible(state, condition):
            return False
        if isinstance(condition, Node) and condition.value is None:
            state.conditions |= {condition}
        return True

    def cases(self, state: WorkingState, node: Node) -> list[WorkingState]:
        """The state with each of the values that a node may have: those of elements of an object."""
        script, found = self._script, list[WorkingState]()
        others: list[Node] = []
        for value in self._candidates(state, node):
            here = script.equal(node, script.constant(value, node.width))
            others.append(script.negation(here))
            if self.is_possible(state, here):
                case = state.copy()
                self.passes(case, here)
                case.fixed[node] = value
                found.append(case)
        if self.is_possible(state, script.conjunction(others)):
            raise Unexplored("an address, a size or an operand depends on inputs in a way that is not followed")
        return found

    def _candidates(self, state: WorkingState, node: Node) -> list[int]:
        """What an address may be: an object and a multiple of a step; what a small number may be."""
        if node.width <= 8:
            return list(range(1 << node.width))
        base, offset = node.base or node, node.offset
        start = offset - offset % self._slot
        thing = state.memory.get(start)
        if thing is None or not start:
            return list(range(MOST_CASES))
        step = gcd(self._slot, *(factor for _, factor in base.summands or ((base, 1),)))
        first = offset % self._slot % step
        values = [start + at for at in range(first, thing.size + 1, step)]
        return values[:MOST_CASES]

    def forget(self, state: WorkingState) -> None:
        """Conditions on inputs that nothing in the state depends on any more say nothing about it."""
        if state.conditions:
            kept = connected(state.conditions, frozenset(state.variables()))
            state.conditions = frozenset(kept)


def _text(node: Node) -> str:
    return node.text


def connected(conditions: Iterable[Node], about: frozenset[str]) -> list[Node]:
    """The conditions that share variables with others, directly or through each other."""
    waiting, found, known = list(conditions), list[Node](), set(about)
    changed = True
    while changed:
        changed, rest = False, []
        for condition in waiting:
            if condition.variables.isdisjoint(known):
                rest.append(condition)
            else:
                known |= condition.variables
                found.append(condition)
                changed = True
        waiting = rest
    return found
