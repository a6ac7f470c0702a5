"""The stretches of a procedure between its cut points, and what must hold before one for a formula to hold after it.

Every loop has a cut point, so from one cut point to the next there are finitely many ways, and one formula says what
all of them need: the weakest precondition over the acyclic graph between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from pincer.abstraction.weakest import Weakest
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, implies
from pincer.program.control_flow import Assume, Check, Edge, Fail, Halt, Label, Procedure
from pincer.program.graphs import postorder
from pincer.program.labels import NOT_FOLLOWED
from pincer.program.property import PropertyKind


class Blocks(Struct, frozen=True, dict=True):
    """A procedure without calls, its cut points (the entry among them), and the order of the places between them.

    `order` has every place after those that follow it up to the next cut points; `sources` says which cut points lead
    to one, `between` which places lie on the way to it."""

    procedure: Procedure
    kind: PropertyKind
    weakest: Weakest
    cuts: frozenset[int]
    order: tuple[int, ...]
    sources: Mapping[int, tuple[int, ...]]
    between: Mapping[int, frozenset[int]]

    def before(self, cut: int, formula: Term) -> dict[int, Term]:
        """What must hold at each cut point for a formula to hold at the next one, if that is `cut`."""
        return self._carried(self.between[cut], lambda place: formula if place == cut else TRUE)

    def harmless(self) -> dict[int, Term]:
        """What must hold at each cut point so that nothing goes wrong up to the next ones."""
        return self._carried(frozenset(self.order), lambda place: TRUE, errors=True)

    def _carried(self, places: frozenset[int], at_cut: Callable[[int], Term], errors: bool = False) -> dict[int, Term]:
        found: dict[int, Term] = {}
        for place in self.order:
            if place not in places:
                continue
            needed = []
            for edge in self.procedure.outgoing.get(place, ()) if place != self.procedure.exit else ():
                after = at_cut(edge.target) if edge.target in self.cuts else found.get(edge.target, TRUE)
                needed.append(self.before_edge(edge.label, after, errors))
            found[place] = conjunction(*needed)
        return {place: formula for place, formula in found.items() if place in self.cuts}

    def before_edge(self, label: Label, after: Term, errors: bool = False) -> Term:
        """What must hold before a step for a formula to hold after it."""
        match label:
            case Check(_, condition) if errors and self.kind == "memory":
                return conjunction(condition, after)
            case Assume(condition) | Check(_, condition):
                return implies(condition, after)
            case Fail():
                return FALSE if errors and self.kind == "assertions" else TRUE
            case Halt():
                return TRUE
            case _ if isinstance(label, NOT_FOLLOWED):
                return FALSE if errors else TRUE
        return after if after is TRUE else self.weakest(label, after)


def blocks_of(procedure: Procedure, kind: PropertyKind, weakest: Weakest, most_paths: int) -> Blocks | None:
    """The blocks between entry and loop heads, with more cut points at joins where there are too many ways.

    None when some loop has no head, or a block has too many ways all the same."""
    cuts = frozenset((procedure.entry, *procedure.loop_heads))
    order = _order(procedure, cuts)
    if order is None:
        return None
    while True:
        ways = _ways(procedure, cuts, order)
        crowded = [place for place in order if place in cuts and ways[place] > most_paths]
        if not crowded:
            break
        joins = [p for p in _within(procedure, cuts, crowded[0]) if len(procedure.incoming.get(p, ())) > 1]
        joins = [place for place in joins if ways[place] > 1 and place not in cuts]
        if not joins:
            return None
        cuts |= {min(joins, key=lambda place: abs(ways[place] ** 2 - ways[crowded[0]]))}
    between = {cut: _leading_to(procedure, cuts, cut) for cut in cuts}
    sources = {cut: tuple(sorted(places & cuts)) for cut, places in between.items()}
    return Blocks(procedure, kind, weakest, cuts, tuple(order), sources, between)


def _following(procedure: Procedure, cuts: frozenset[int], place: int) -> list[int]:
    return [target for target in procedure.following(place) if target not in cuts]


def _order(procedure: Procedure, cuts: frozenset[int]) -> list[int] | None:
    """Every place after those that follow it inside a block; None when there is a cycle without a cut point."""
    order: dict[int, None] = {}
    for cut in sorted(cuts):
        for place in postorder(cut, lambda place: _following(procedure, cuts, place)):
            order.setdefault(place)
    numbers = {place: i for i, place in enumerate(order)}
    for edge in procedure.edges:
        if edge.source in numbers and edge.target not in cuts and numbers[edge.target] >= numbers[edge.source]:
            return None
    return list(order)


def _ways(procedure: Procedure, cuts: frozenset[int], order: list[int]) -> dict[int, int]:
    """How many ways lead from a place to the next cut points or the end."""
    ways: dict[int, int] = {}
    for place in order:
        targets = procedure.following(place)
        ways[place] = sum(1 if target in cuts else ways.get(target, 1) for target in targets) or 1
    return ways


def _within(procedure: Procedure, cuts: frozenset[int], cut: int) -> list[int]:
    return postorder(cut, lambda place: _following(procedure, cuts, place))


def _leading_to(procedure: Procedure, cuts: frozenset[int], cut: int) -> frozenset[int]:
    """The places from which a cut point is the next one, cut points that lead to it among them."""
    found: set[int] = set()
    pending: list[Edge] = list(procedure.incoming.get(cut, ()))
    while pending:
        edge = pending.pop()
        if edge.source not in found and not isinstance(edge.label, NOT_FOLLOWED):
            found.add(edge.source)
            if edge.source not in cuts:
                pending += procedure.incoming.get(edge.source, ())
    return frozenset(found)
