"""Where a proof that a program ends rests on signed arithmetic that wraps around.

Signed arithmetic wraps around in proofs of termination. A compiler may assume that it never does, and a loop that only
a wrap-around ends may then go on for ever. So those who have a proof are told where an operation on a cyclic way, on a
register that a rank speaks of, may leave its type in the states that the facts of the proof allow. This changes no
verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec import Struct, field

from pincer.errors import Position
from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.cut_points import CutPointChecker, Place, Way, denied, place_of
from pincer.evidence.c_proof.path_state import PathState
from pincer.evidence.c_proof.paths import PathChecker
from pincer.evidence.c_proof.temporal import TemporalChecker
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.c_proof.termination import TerminationChecker
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Edge, Mark, Procedure

_MOST_PLACES = 1_000
Node = TypeVar("Node")


class _Arrival(Struct, frozen=True):
    """A way from a cut point to the next."""

    cut: CutPoint
    way: Way


class _Arrivals(CutPointChecker):
    """Notes the ways between cut points, and asks nothing about them."""

    def ways(self) -> list[_Arrival]:
        self._noted: list[_Arrival] = []
        self.check(_MOST_PLACES)
        return self._noted

    def _no_error(self, cut: CutPoint | None, way: Way, edge: Edge) -> None:
        """What a proof rests on has been checked before."""

    def _arrived(self, cut: CutPoint | None, way: Way) -> None:
        if cut is not None:
            self._noted.append(_Arrival(cut, way))

    def wraps(self) -> tuple[Position, ...]:
        """Where operations on cyclic ways may wrap around."""
        arrivals = self.ways()
        after: dict[Place, set[Place]] = {}
        for arrival in arrivals:
            after.setdefault(place_of(arrival.cut), set()).add(arrival.way.place)
        found: dict[Position, None] = {}
        cyclic = [one for one in arrivals if place_of(one.cut) in _reached(after, one.way.place)]
        falling = (word for cut in self.cuts for word in (*cut.ranks, *cut.words))
        spoken = frozenset(variable for word in falling for variable in variables(word))
        ranked = _flowing(cyclic, spoken)
        for arrival in cyclic:
            self._look(arrival, ranked, found)
        return tuple(found)

    def _look(self, arrival: _Arrival, ranked: frozenset[Term], found: dict[Position, None]) -> None:
        """Go the way again, and ask about the marks where it passes."""
        way: Way | None = self._begin(arrival.cut, self._coarse)
        for edge in arrival.way.edges:
            assert way is not None
            marks = self._procedure(way.place.calls).marks.get(way.place.location, ())
            for mark in marks if _matters(edge, ranked) else ():
                if mark.position not in found and self._may_wrap(arrival.cut, way, mark):
                    found[mark.position] = None
            way = self._after(way, edge, self._coarse)

    def _may_wrap(self, cut: CutPoint, way: Way, mark: Mark) -> bool:
        if mark.check.kind != "overflow":
            return False
        before = len(self.refused)
        self._claim(cut, way, None, mark.check.message, denied(mark.check.condition))
        return len(self.refused) > before


class TerminationWraps(_Arrivals, TerminationChecker):
    """The ways of a proof that a program ends."""


class TemporalWraps(_Arrivals, TemporalChecker, kw_only=True):
    """The ways of a proof of a formula."""


class PathWraps(PathChecker):
    """The paths of a program that is known to end because all of them do."""

    found: dict[Position, None] = field(default_factory=dict)
    around: dict[str, frozenset[int]] = field(default_factory=dict)

    def wraps(self) -> tuple[Position, ...]:
        """Where operations in loops and calls may wrap around."""
        self.check()
        return tuple(self.found)

    def _is_straight(self, most: int) -> bool:
        return False

    def _advance(self, state: PathState) -> Iterator[PathState]:
        marks = state.procedure.marks.get(state.location, ())
        for mark in marks if state.stack or state.location in self._circles(state.procedure) else ():
            wraps = self.script.negation(state.value(mark.check.condition))
            asked = mark.check.kind == "overflow" and mark.position not in self.found
            if asked and self._possible(state, wraps):
                self.found[mark.position] = None
        yield from super()._advance(state)

    def _circles(self, procedure: Procedure) -> frozenset[int]:
        """The places with marks that may be come back to."""
        known = self.around.get(procedure.name)
        if known is None:
            after = {place: {edge.target for edge in edges} for place, edges in procedure.outgoing.items()}
            known = self.around[procedure.name] = frozenset(
                place for place in procedure.marks if any(place in _reached(after, one) for one in after.get(place, ()))
            )
        return known


def _matters(edge: Edge, ranked: frozenset[Term]) -> bool:
    """Whether what an edge computes may be what a rank speaks of."""
    label = edge.label
    return not isinstance(label, Assign) or label.register in ranked


def _flowing(arrivals: Iterable[_Arrival], ranked: frozenset[Term]) -> frozenset[Term]:
    """The registers whose values get into some others on the ways."""
    assigned = {edge.label for one in arrivals for edge in one.way.edges if isinstance(edge.label, Assign)}
    while True:
        more = ranked.union(*(variables(label.value) for label in assigned if label.register in ranked))
        if more == ranked:
            return ranked
        ranked = more


def _reached(after: Mapping[Node, set[Node]], start: Node) -> set[Node]:
    found, waiting = {start}, [start]
    while waiting:
        for place in after.get(waiting.pop(), ()):
            if place not in found:
                found.add(place)
                waiting.append(place)
    return found
