"""Is an execution endless? The checker of violations of termination.

The beginning is followed with its inputs, up to the first point, whose facts must hold there. From every point, in all
states that satisfy its facts, the ways to the next points are followed: some edge can always be taken, no way comes to
an end of any kind, all checks hold, and the facts of the point that is reached follow. So the execution can go on for
ever. Inputs have the values that were chosen, which may depend on the state, or all.
"""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.cut_points import MOST_STEPS, CutPointChecker, Place, Refusal, Way, Wrong, place_of
from pincer.evidence.c_proof.encoding import Encoder, State
from pincer.evidence.c_proof.endless_claim import Choice, EndlessRun
from pincer.evidence.c_proof.range_facts import Cell, cells_read
from pincer.evidence.c_proof.smt import Node
from pincer.program.control_flow import (
    Allocate,
    Assume,
    Check,
    Edge,
    Fail,
    Halt,
    Input,
    Unsupported,
)
from pincer.program.thread_labels import ThreadOperation

LONGEST_STEM = 20_000
_ENDS = (Fail, Halt, Unsupported, ThreadOperation)


class EndlessChecker(CutPointChecker, kw_only=True):
    """Follows the beginning, and the ways from point to point."""

    endless: EndlessRun

    @cached_property
    def _chosen(self) -> dict[tuple[CutPoint, Place, Edge], Choice]:
        """The values of inputs on the ways from points, by the calls that are open and the edge."""
        found: dict[tuple[CutPoint, Place, Edge], Choice] = {}
        for choice in self.endless.choices:
            if choice.point >= len(self.cuts):
                raise Refusal(f"there is no point {choice.point}")
            point = self.cuts[choice.point]
            where = replace(point, calls=choice.calls) if choice.when_read else point
            self._speaks_of_open_calls(where, choice.value)
            procedure = self._procedure(choice.calls)
            edge = procedure.edges[choice.edge] if choice.edge < len(procedure.edges) else None
            if edge is None or not isinstance(edge.label, Input):
                raise Refusal(f"edge {choice.edge} of {procedure.name} is no input")
            if edge.label.kind not in ("nondet", "external") or choice.value.sort is not edge.label.register.sort:
                raise Refusal(f"the input at {edge.position} cannot have the value {choice.value}")
            found[point, Place(choice.calls, edge.source), edge] = choice
        return found

    def check(self, most_refused: int) -> None:
        if not self.cuts:
            raise Refusal("the run has no region to stay in")
        self._taken: list[int] | None = None
        super().check(most_refused)

    def _follow(self, cut: CutPoint | None) -> None:
        if cut is None:
            self._begun()
            return
        self._taken, self._point = None, cut
        waiting, steps = [self._begin(cut, self._coarse)], 0
        while waiting:
            way = waiting.pop()
            steps += 1
            if steps > MOST_STEPS:
                raise Refusal("there are too many ways between points")
            if steps % 64 == 0:
                self.poll()
            leaving = self._leaving(way)
            self._goes_on(cut, way, leaving)
            for edge in leaving:
                after = self._continued(cut, way, edge)
                if after is not None:
                    waiting.append(after)

    def _continued(self, cut: CutPoint, way: Way, edge: Edge) -> Way | None:
        """The way with one edge more, unless it comes to a point or cannot be gone."""
        after = self._after(way, edge, self._coarse)
        if after is None or any(condition.is_false for condition in after.conditions):
            return None
        if after.place in self._known:
            self._arrived(cut, after)
            return None
        if isinstance(edge.label, Assume) and self._is_impossible(self._coarse, after, None, always):
            return None
        if after.place in after.passed:
            self._claim(cut, after, edge, "a loop in the round has no point", always)
            return None
        return after

    def _goes_on(self, cut: CutPoint, way: Way, leaving: tuple[Edge, ...]) -> None:
        """Some edge can be taken, and none is an end."""
        guards = [edge.label for edge in leaving if isinstance(edge.label, Assume)]
        if len(guards) == len(leaving):
            self._claim(cut, way, leaving[0] if leaving else None, "the round may end here", _stuck(guards))
        for edge in leaving:
            if way.place.location == self._procedure(way.place.calls).exit:
                continue
            if isinstance(edge.label, _ENDS):
                self._claim(cut, way, edge, "the round may end here", always)
            elif isinstance(edge.label, Check):
                self._claim(cut, way, edge, edge.label.message, _fails(edge.label))

    def _begun(self) -> None:
        """Follow the beginning with its inputs; the facts of the first point hold where it ends."""
        self._taken = [value.value for value in self.endless.test.inputs]
        if self.endless.stem > LONGEST_STEM:
            raise Refusal("the beginning is too long to be followed")
        way = self._begin(None, self._exact)
        for _ in range(self.endless.stem):
            self.poll()
            way = self._only(way)
        first = self.cuts[0]
        if not self._at_first(way):
            raise Refusal("the beginning does not lead to the first point")
        for fact in first.facts:
            self.claims += 1
            bad = self.script.negation(self._exact.encode(fact, way.state))
            if not bad.is_false and not self._none(way, bad):
                self.refused.append(f"a fact of the first point does not hold after the beginning: {fact}")

    def _at_first(self, way: Way) -> bool:
        return way.place == place_of(self.cuts[0])

    def _only(self, way: Way) -> Way:
        """The one step that the beginning can take, and does: that no solver knows better is no reason to take it."""
        possible, leaving = [], self._leaving(way)
        guards = [edge.label for edge in leaving if isinstance(edge.label, Assume)]
        if len(guards) == len(leaving) and not self._none(way, _stuck(guards)(self._exact, way.state, None)[0]):
            raise Refusal(f"the beginning goes nowhere from {way.place}, or may not")
        for edge in leaving:
            if isinstance(edge.label, _ENDS):
                continue
            kept = self._taken
            after = self._after(way, edge, self._exact)
            following, self._taken = self._taken, kept
            if after is not None and not self._none(after, self.script.true):
                possible.append((edge, after, following))
        if len(possible) != 1:
            raise Refusal(f"the beginning goes {'nowhere' if not possible else 'several ways'} from {way.place}")
        [(edge, after, self._taken)] = possible
        if isinstance(edge.label, Check) and not self._none(way, _fails(edge.label)(self._exact, way.state, None)[0]):
            raise Refusal(f"{edge.position}: {edge.label.message}, on the way to the rounds")
        conditions = tuple(condition for condition in after.conditions if not condition.is_true)
        return Way(after.place, after.state, conditions, (), after.edges)

    def _none(self, way: Way, bad: Node) -> bool:
        """Whether no state at the end of a way is bad."""
        whole = self.script.conjunction((*way.conditions, bad))
        if whole.is_false:
            return True
        if whole.is_true:
            return False
        return self.refuted(self.script.conjunction((*self._exact.standing_facts(whole), whole)))

    def _after(self, way: Way, edge: Edge, encoder: Encoder) -> Way | None:
        inside = way.place.location != self._procedure(way.place.calls).exit
        if inside and isinstance(edge.label, Allocate) and self._taken is None:
            raise Refusal(f"{edge.position}: memory is allocated in every round, which the model cannot do for ever")
        value = self._input(way, edge, encoder) if inside and isinstance(edge.label, Input) else None
        if value is None or not isinstance(edge.label, Input):
            return super()._after(way, edge, encoder)
        name = str(edge.label.register.args[0])
        state = replace(way.state, changed={**way.state.changed, name: value}, memo={})
        return way.then(edge, Place(way.place.calls, edge.target), state)

    def _input(self, way: Way, edge: Edge, encoder: Encoder) -> Node | None:
        """The value of an input: the next one of the beginning, or the chosen one; None if it has all."""
        if self._taken is None:
            place = Place(way.place.calls, way.place.location)
            chosen = self._chosen.get((self._point, place, edge))
            if chosen is None:
                return None
            return encoder.encode(chosen.value, way.state if chosen.when_read else encoder.before)
        assert isinstance(edge.label, Input)
        if not self._taken:
            raise Refusal("the beginning takes more inputs than it has")
        value, self._taken = self._taken[0], self._taken[1:]
        if value >> (edge.label.register.sort.width or 1):
            raise Refusal(f"the input at {edge.position} cannot have the value {value}")
        return self.script.constant(value, edge.label.register.sort.width or 1)


def always(encoder: Encoder, _state: State, _edge: Edge | None) -> tuple[Node, list[Cell]]:
    return encoder.script.true, []


def _fails(check: Check) -> Wrong:
    def wrong(encoder: Encoder, state: State, _: Edge | None) -> tuple[Node, list[Cell]]:
        condition = check.condition
        return encoder.script.negation(encoder.encode(condition, state)), cells_read(encoder, condition, state)

    return wrong


def _stuck(guards: list[Assume]) -> Wrong:
    """None of the conditions holds."""

    def wrong(encoder: Encoder, state: State, _: Edge | None) -> tuple[Node, list[Cell]]:
        held = [encoder.encode(label.condition, state) for label in guards]
        cells = [cell for label in guards for cell in cells_read(encoder, label.condition, state)]
        return encoder.script.negation(encoder.script.disjunction(held)), cells

    return wrong
