"""From facts at places of a program whose calls were put in place to a proof about the program as it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec import Struct

from pincer.engines.cutpoints.unfolding import Unfolded
from pincer.engines.inlining import Inlined, Instance
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof, OpenCall, Since
from pincer.logic.terms import Term, equal, substitute


class Context(Struct, frozen=True):
    """The calls that are open, and which parameters have the values of callers' terms that stand for them."""

    calls: tuple[OpenCall, ...] = ()
    passed: tuple[Term, ...] = ()


Ranks = Mapping[int, tuple[Term, ...]]
"""The words that get smaller from cut point to cut point."""


Pair: TypeAlias = tuple[int, int]
"""A place that was visited, and a place."""


class Visits(Struct, frozen=True):
    """For places the words of which one is smaller at the later of two visits, and how states have to do with earlier
    visits."""

    words: Mapping[int, tuple[Term, ...]] = {}
    since: Mapping[Pair, Term] = {}


def cut_point_proof(
    facts: Mapping[int, Iterable[Term]],
    entry: str,
    flat: Inlined | None,
    ranks: Ranks | None = None,
    product: Unfolded | None = None,
    visits: Visits | None = None,
) -> CutPointProof:
    """The proof that says these facts; places are those of the product, of the flat program, or of the program."""
    ranks, visits = ranks or {}, visits or Visits()
    where = {} if flat is None else written_places(entry, flat)
    names = written_registers(entry, flat)

    def point(place: int, known: Iterable[Term]) -> CutPoint:
        inner, node = (place, 0) if product is None else product.origins[place]
        context, location = where.get(inner, (Context(), inner))
        pairs = ((visits.since.get((other, place)), number) for number, other in enumerate(sorted(facts)))
        return CutPoint(
            context.calls,
            location,
            tuple(substitute(fact, names) for fact in (*context.passed, *known)),
            tuple(substitute(rank, names) for rank in ranks.get(place, ())),
            node,
            tuple(substitute(word, names) for word in visits.words.get(place, ())),
            tuple(Since(number, substitute(since, names)) for since, number in pairs if since is not None),
        )

    points = tuple(point(place, known) for place, known in sorted(facts.items()))
    return CutPointProof(points, None if product is None else product.automaton)


def written_registers(entry: str, flat: Inlined | None) -> dict[Term, Term]:
    """What registers of a flat program are in the program as it is written."""
    instances = () if flat is None else flat.instances[entry].all()
    return {moved: register for instance in instances for register, moved in instance.registers.items()}


def written_places(entry: str, flat: Inlined) -> dict[int, tuple[Context, int]]:
    """Where places of a flat program are in the program as it is written."""
    return {
        moved: (context, place)
        for context, instance in _instances(flat.instances[entry], Context())
        for place, moved in instance.places.items()
    }


def _instances(instance: Instance, context: Context) -> Iterator[tuple[Context, Instance]]:
    """All bodies that were put in place, each with the calls that are open while it is executed."""
    same = (equal(parameter, term) for parameter, term in instance.passed.items())
    context = Context(context.calls, (*context.passed, *same))
    yield context, instance
    for index, other in instance.inside.items():
        yield from _instances(other, Context((*context.calls, (instance.procedure.name, index)), context.passed))
