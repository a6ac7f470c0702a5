"""The stretches of a procedure between its cut points, and what must hold before one for a formula to hold after it.

Every loop has a cut point, so from one cut point to the next there are finitely many ways, and one formula says what
all of them need: the weakest precondition over the acyclic graph between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

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

    def harmless(self) -> Iterator[tuple[int, Term]]:
        """What must hold at cut points so that nothing goes wrong up to the next ones: a formula for each edge that may
        be an error, since a solver answers many small questions sooner than one large one."""
        for edge in self.procedure.edges:
            needed = self._no_error(edge.label) if edge.source in self._numbers else TRUE
            if needed is not TRUE:
                before = _up_to((edge.source,), self.procedure, self.cuts)
                yield from self._carried(before, lambda place: TRUE, (edge, needed)).items()

    @cached_property
    def _numbers(self) -> Mapping[int, int]:
        """Where in the order a place comes."""
        return {place: number for number, place in enumerate(self.order)}

    def _carried(
        self, places: frozenset[int], at_cut: Callable[[int], Term], error: tuple[Edge, Term] | None = None
    ) -> dict[int, Term]:
        found: dict[int, Term] = {}
        for place in sorted(places & self._numbers.keys(), key=self._numbers.__getitem__):
            needed = []
            for edge in self.procedure.outgoing.get(place, ()) if place != self.procedure.exit else ():
                after = at_cut(edge.target) if edge.target in self.cuts else found.get(edge.target, TRUE)
                here = error[1] if error is not None and edge is error[0] else TRUE
                needed.append(conjunction(here, self.before_edge(edge.label, after)))
            found[place] = conjunction(*needed)
        return {place: formula for place, formula in found.items() if place in self.cuts}

    def _no_error(self, label: Label) -> Term:
        """What must hold before a step so that it is no error."""
        match label:
            case Check(_, condition) if self.kind == "memory":
                return condition
            case Fail():
                return FALSE if self.kind == "assertions" else TRUE
            case Check() | Halt():
                return TRUE
        return FALSE if isinstance(label, NOT_FOLLOWED) else TRUE

    def before_edge(self, label: Label, after: Term) -> Term:
        """What must hold before a step for a formula to hold after it."""
        match label:
            case Assume(condition) | Check(_, condition):
                return implies(condition, after)
        if isinstance(label, NOT_FOLLOWED):
            return TRUE
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
    return _up_to(_before(procedure, cut), procedure, cuts)


def _up_to(last: Iterable[int], procedure: Procedure, cuts: frozenset[int]) -> frozenset[int]:
    """Some places of blocks, and those before them up to the last cut points, these among them."""
    found: set[int] = set()
    pending = list(last)
    while pending:
        place = pending.pop()
        if place not in found:
            found.add(place)
            if place not in cuts:
                pending += _before(procedure, place)
    return frozenset(found)


def _before(procedure: Procedure, place: int) -> Iterator[int]:
    for edge in procedure.incoming.get(place, ()):
        if not isinstance(edge.label, NOT_FOLLOWED):
            yield edge.source
