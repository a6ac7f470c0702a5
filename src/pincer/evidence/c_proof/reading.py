"""Automata that read the states of C programs while their ways are followed.

An observation is a decision of the automaton: each of its edges is one way on, where its guard holds. The automaton is
one that a claim brings along; who checks a claim shows first that it fits the formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.cut_points import CutPointChecker, Refusal, Way
from pincer.evidence.c_proof.encoding import Encoder
from pincer.evidence.pptl.formula import Formula
from pincer.evidence.pptl.reading import read_formula
from pincer.logic.terms import Term, conjunction, disjunction, negate
from pincer.program.automaton import Automaton, Guard
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge, Observe


def condition(guard: Guard, observation: Observe) -> Term:
    """What a guard says about the state at an observation."""
    meaning = dict(observation.letters)
    if not all(name in meaning for cube in guard for name, _ in cube):
        raise Refusal("the automaton speaks of propositions that are not observed")
    return disjunction(
        *(conjunction(*(meaning[name] if value else negate(meaning[name]) for name, value in cube)) for cube in guard)
    )


def well_formed(automaton: Automaton, nodes: Sequence[int] = ()) -> None:
    """Raises Refusal when a node does not exist."""
    size = automaton.size
    used = [*nodes, *automaton.initial, *(node for edge in automaton.edges for node in (edge.source, edge.target))]
    if len(automaton.ends) != size or not all(0 <= node < size for node in used):
        raise Refusal("the automaton is not well formed")


def formula_of(program: ControlFlowProgram) -> Formula:
    """The formula that the observations of a program are made for, as the checkers read it."""
    if not program.formula:
        raise PincerError("the program has no formula")
    return read_formula(program.formula)


class ReadingChecker(CutPointChecker):
    """Follows ways with an automaton. On ways only `moves` are made, if there are any."""

    def read_by(self) -> Automaton:
        raise NotImplementedError

    def kept_moves(self) -> frozenset[tuple[int, int]] | None:
        """The only moves that the automaton makes; None for all."""
        return None

    @cached_property
    def _made(self) -> dict[tuple[Edge, int], tuple[Edge, ...]]:
        return {}

    @cached_property
    def _targets(self) -> dict[Edge, int]:
        return {}

    def _leaving(self, way: Way) -> tuple[Edge, ...]:
        found: list[Edge] = []
        inside = way.place.location != self._procedure(way.place.calls).exit
        for edge in super()._leaving(way):
            if inside and isinstance(edge.label, Observe) and not edge.label.last:
                found += self._decisions(edge, edge.label, way.place.node)
            else:
                found.append(edge)
        return tuple(found)

    def _decisions(self, edge: Edge, observation: Observe, node: int) -> tuple[Edge, ...]:
        known = self._made.get((edge, node))
        if known is None:
            moves = self.kept_moves()
            leaving = self.read_by().leaving(node)
            steps = [step for step in leaving if moves is None or (step.source, step.target) in moves]
            known = tuple(replace(edge, label=Assume(condition(step.guard, observation))) for step in steps)
            self._made[edge, node] = known
            self._targets |= {one: step.target for one, step in zip(known, steps, strict=True)}
        return known

    def _after(self, way: Way, edge: Edge, encoder: Encoder) -> Way | None:
        after = super()._after(way, edge, encoder)
        if after is None:
            return None
        node = self._targets.get(edge, way.place.node)
        return replace(after, place=replace(after.place, node=node))

    def passes_accepting(self, way: Way) -> bool:
        """Whether the automaton is in an accepting node on a way, before its end."""
        return any(self.read_by().accepting[place.node] for place in way.passed)

    def reads(self, way: Way) -> bool:
        """Whether the automaton makes a move on a way."""
        return any(edge in self._targets for edge in way.edges)
