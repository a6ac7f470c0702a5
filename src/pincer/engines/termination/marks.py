"""Which steps between cut points count: those in which an automaton may accept, or on which it reads nothing.

A run violates a formula when its automaton passes accepting nodes again and again. A way without observations is none
that an automaton could judge, so runs must not take such ways for ever either.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pincer.engines.cutpoints.blocks import Blocks
from pincer.engines.cutpoints.unfolding import Unfolded
from pincer.logic.terms import TRUE, Term, conjunction
from pincer.program.control_flow import Edge
from pincer.program.graphs import cycles


class Marks(Struct, frozen=True):
    """Pairs of cut points, each with the next one: those between which every way counts or nothing is read on some way,
    and those between which some way accepts."""

    always: frozenset[tuple[int, int]]
    sometimes: frozenset[tuple[int, int]]


def marks_of(blocks: Blocks, product: Unfolded) -> Marks:
    kinds: dict[tuple[int, int], set[tuple[bool, bool]]] = {}
    for source in blocks.cuts:
        seen: set[tuple[int, bool, bool]] = set()
        waiting = [(source, False, False)]
        while waiting:
            place, accepts, read = waiting.pop()
            accepts |= product.accepts(place)
            for edge in blocks.procedure.outgoing.get(place, ()):
                after = (edge.target, accepts, read or edge in product.moves)
                if edge.target in blocks.cuts:
                    kinds.setdefault((source, edge.target), set()).add(after[1:])
                elif after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return Marks(
        frozenset(pair for pair, ways in kinds.items() if all(a for a, _ in ways) or not all(r for _, r in ways)),
        frozenset(pair for pair, ways in kinds.items() if any(a for a, _ in ways)),
    )


def before_accepting(blocks: Blocks, product: Unfolded, cut: int, formula: Term) -> dict[int, Term]:
    """What must hold at each cut point for a formula to hold at the next one, if that is `cut` and the way accepts."""
    found: dict[tuple[int, bool], Term] = {}
    for place in blocks.order:
        for before in (False, True):
            accepts = before or product.accepts(place)
            needed = []
            for edge in blocks.procedure.outgoing.get(place, ()) if place != blocks.procedure.exit else ():
                if edge.target in blocks.cuts:
                    after = formula if edge.target == cut and accepts else TRUE
                else:
                    after = found.get((edge.target, accepts), TRUE)
                needed.append(blocks.before_edge(edge.label, after))
            found[place, before] = conjunction(*needed)
    return {place: found[place, False] for place in blocks.cuts if (place, False) in found}


def always_accepts(product: Unfolded, edges: Iterable[Edge], places: Iterable[int]) -> bool:
    """Whether every cycle of some edges, from places on, passes an accepting node and an observation."""
    leaving: dict[int, list[Edge]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    reached = _reached(leaving, places)
    quiet = {place: [e.target for e in leaving.get(place, ()) if e not in product.moves] for place in reached}
    idle = {
        place: [e.target for e in leaving.get(place, ()) if not product.accepts(e.target)]
        for place in reached
        if not product.accepts(place)
    }
    return not _has_cycle(quiet) and not _has_cycle(idle)


def _reached(leaving: dict[int, list[Edge]], places: Iterable[int]) -> set[int]:
    found = set(places)
    waiting = list(found)
    while waiting:
        for edge in leaving.get(waiting.pop(), ()):
            if edge.target not in found:
                found.add(edge.target)
                waiting.append(edge.target)
    return found


def _has_cycle(following: dict[int, list[int]]) -> bool:
    return any(True for _ in cycles(following, lambda place: following.get(place, ())))
