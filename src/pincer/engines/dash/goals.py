"""The graph a search works on: the program's edges by target, with extra edges into a target location.

Straight stretches of assignments and conditions are one edge of the graph, so that regions are kept only where control
flow branches or joins, at calls, and where memory or inputs come in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from pincer.logic.terms import FALSE, TRUE, Term, conjunction, conjuncts, disjunction, negate, substitute
from pincer.program.control_flow import (
    Assign,
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Label,
    Procedure,
    Skip,
)
from pincer.program.labels import NOT_FOLLOWED
from pincer.program.property import PropertyKind

TARGET = -1


class EnterCall(Struct, frozen=True):
    """The step from a call into the callee, without the return: how errors inside a callee are reached."""

    call: Call
    callee: Procedure


class Straight(Struct, frozen=True):
    """Conditions and simultaneous assignments, all over the state before: one or more edges of the program at once.

    `checks` are conditions as well, for the property `assertions`: an execution ends where behaviour is undefined."""

    condition: Term
    checks: Term
    values: Mapping[Term, Term]


HopLabel: TypeAlias = Label | EnterCall | Straight


class Hop(Struct, frozen=True, eq=False):
    """An edge of the graph: the program's edges it stands for, and what they do together."""

    source: int
    target: int
    label: HopLabel
    edges: tuple[Edge, ...]

    @property
    def conditions(self) -> tuple[Term, ...]:
        """What must hold before, checks apart; nothing when the hop is always possible."""
        return conjuncts(self.label.condition) if isinstance(self.label, Assume | Check | Straight) else ()

    @property
    def checks(self) -> tuple[Term, ...]:
        """The conditions whose violation is undefined behaviour."""
        return conjuncts(self.label.checks) if isinstance(self.label, Straight) else ()


class Graph(Struct, frozen=True, eq=False):
    """Hops by target location. `arriving` finds the hop that ends with a program edge."""

    incoming: Mapping[int, tuple[Hop, ...]]

    @property
    def hops(self) -> Iterable[Hop]:
        return (hop for hops in self.incoming.values() for hop in hops)

    def arriving(self) -> dict[Edge, Hop]:
        return {
            hop.edges[-1]: hop for hop in self.hops if hop.target != TARGET and not isinstance(hop.label, EnterCall)
        }

    def entering(self) -> dict[Edge, Hop]:
        """The hops into callees, by the program's call edges."""
        return {hop.edges[-1]: hop for hop in self.hops if isinstance(hop.label, EnterCall)}

    def locations(self) -> frozenset[int]:
        return frozenset(place for hop in self.hops for place in (hop.source, hop.target))


def whole_program(
    program: ControlFlowProgram,
    kind: PropertyKind,
    errors: Iterable[Hop],
    without: Container[Edge] = (),
    entered: tuple[str, Edge] | None = None,
) -> Graph:
    """All procedures with their calls entered; the target is any of some errors.

    Some edges may be left out; with `entered`, a procedure is entered by one call only."""
    hops = list(errors)
    kept = {procedure.entry for procedure in program.procedures.values()}
    for procedure in program.procedures.values():
        kept |= {procedure.exit, *procedure.loop_heads}
        for edge in procedure.edges:
            if not isinstance(edge.label, Call):
                continue
            callee = program.procedures[edge.label.procedure]
            if entered is None or callee.name != entered[0] or edge is entered[1]:
                hops.append(Hop(edge.source, callee.entry, EnterCall(edge.label, callee), (edge,)))
    return _graph(hops, program.edges(), kept, kind, without)


def one_procedure(procedure: Procedure, at_exit: Term, kind: PropertyKind) -> Graph:
    """A procedure by itself; the target is its exit in some states."""
    arrival = Edge(procedure.exit, TARGET, Assume(at_exit), procedure.position)
    kept = {procedure.entry, procedure.exit, *procedure.loop_heads}
    return _graph([Hop(procedure.exit, TARGET, arrival.label, (arrival,))], procedure.edges, kept, kind)


def _graph(
    hops: list[Hop], edges: Iterable[Edge], kept: set[int], kind: PropertyKind, without: Container[Edge] = ()
) -> Graph:
    """Hops for the edges that go on, straight stretches joined."""
    going = [edge for edge in edges if not _ends(edge.label)]
    leaving = Counter(edge.source for edge in going) + Counter(hop.source for hop in hops)
    coming = Counter(edge.target for edge in going) + Counter(hop.target for hop in hops)
    simple = {edge for edge in going if isinstance(edge.label, Assign | Assume | Skip | Check)}
    last = {edge.target: edge for edge in simple}
    following = {edge.source: edge for edge in simple}
    inner = {
        place for place in last if leaving[place] == coming[place] == 1 and place in following and place not in kept
    }
    incoming: dict[int, list[Hop]] = {}
    for hop in hops:
        incoming.setdefault(hop.target, []).append(hop)
    for edge in going:
        if edge.source in inner or edge in without:
            continue
        stretch = [edge]
        if edge in simple:
            while stretch[-1].target in inner:
                stretch.append(following[stretch[-1].target])
        joined = _joined(tuple(stretch), kind)
        incoming.setdefault(joined.target, []).append(joined)
    return Graph({place: tuple(found) for place, found in incoming.items()})


def _ends(label: Label) -> bool:
    """Whether no execution goes on after a label."""
    if isinstance(label, Assume):
        return label.condition is FALSE
    return isinstance(label, NOT_FOLLOWED)


def _joined(edges: tuple[Edge, ...], kind: PropertyKind) -> Hop:
    first = edges[0].label
    if len(edges) == 1 and not (isinstance(first, Check) and kind == "assertions"):
        return Hop(edges[0].source, edges[0].target, first, edges)
    values: dict[Term, Term] = {}
    condition = checks = TRUE
    for edge in edges:
        match edge.label:
            case Assign(register, value):
                values[register] = substitute(value, values)
            case Assume(required):
                condition = conjunction(condition, substitute(required, values))
            case Check(_, required) if kind == "assertions":
                checks = conjunction(checks, substitute(required, values))
            case Check(_, required):
                condition = conjunction(condition, substitute(required, values))
    return Hop(edges[0].source, edges[-1].target, Straight(condition, checks, values), edges)


def invariants_inside(hop: Hop, after: Term) -> dict[int, Term]:
    """What holds at the locations inside a hop so that `after` holds at its end."""
    found = {}
    for edge in reversed(hop.edges[1:]):
        if isinstance(edge.label, Assign):
            after = substitute(after, {edge.label.register: edge.label.value})
        elif isinstance(edge.label, Assume | Check):
            after = disjunction(negate(edge.label.condition), after)
        found[edge.source] = after
    return found
