"""From facts at places of a program whose calls were put in place to a proof about the program as it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pincer.engines.cutpoints.unfolding import Unfolded
from pincer.engines.inlining import Inlined, Instance
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof, OpenCall
from pincer.logic.terms import Term, equal, substitute


class Context(Struct, frozen=True):
    """The calls that are open, and which parameters have the values of callers' terms that stand for them."""

    calls: tuple[OpenCall, ...] = ()
    passed: tuple[Term, ...] = ()


Ranks = Mapping[int, tuple[Term, ...]]
"""The words that get smaller from cut point to cut point."""


def cut_point_proof(
    facts: Mapping[int, Iterable[Term]],
    entry: str,
    flat: Inlined | None,
    ranks: Ranks | None = None,
    product: Unfolded | None = None,
) -> CutPointProof:
    """The proof that says these facts; places are those of the product, of the flat program, or of the program."""
    ranks = ranks or {}
    origins = {place: (place, 0) if product is None else product.origins[place] for place in facts}
    if flat is None:
        return CutPointProof(
            tuple(
                CutPoint((), origins[place][0], tuple(known), ranks.get(place, ()), origins[place][1])
                for place, known in sorted(facts.items())
            ),
            None if product is None else product.automaton,
        )
    where = written_places(entry, flat)
    names = written_registers(entry, flat)
    points = []
    for place, known in sorted(facts.items()):
        context, location = where[origins[place][0]]
        said = tuple(substitute(fact, names) for fact in (*context.passed, *known))
        words = tuple(substitute(rank, names) for rank in ranks.get(place, ()))
        points.append(CutPoint(context.calls, location, said, words, origins[place][1]))
    return CutPointProof(tuple(points), None if product is None else product.automaton)


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
