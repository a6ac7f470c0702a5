"""From facts at places of a program whose calls were put in place to a proof about the program as it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pincer.engines.dash.inlining import Inlined, Instance
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof, OpenCall
from pincer.logic.terms import Term, equal, substitute


class Context(Struct, frozen=True):
    """The calls that are open, and which parameters have the values of callers' terms that stand for them."""

    calls: tuple[OpenCall, ...] = ()
    passed: tuple[Term, ...] = ()


def cut_point_proof(facts: Mapping[int, Iterable[Term]], entry: str, flat: Inlined | None) -> CutPointProof:
    """The proof that says these facts; places are those of the flat program, or of the program itself."""
    if flat is None:
        return CutPointProof(tuple(CutPoint((), place, tuple(known)) for place, known in sorted(facts.items())))
    where: dict[int, tuple[Context, int]] = {}
    names: dict[Term, Term] = {}
    for context, instance in _instances(flat.instances[entry], Context()):
        where |= {moved: (context, place) for place, moved in instance.places.items()}
        names |= {moved: register for register, moved in instance.registers.items()}
    points = []
    for place, known in sorted(facts.items()):
        context, location = where[place]
        points.append(
            CutPoint(context.calls, location, tuple(substitute(fact, names) for fact in (*context.passed, *known)))
        )
    return CutPointProof(tuple(points))


def _instances(instance: Instance, context: Context) -> Iterator[tuple[Context, Instance]]:
    """All bodies that were put in place, each with the calls that are open while it is executed."""
    same = (equal(parameter, term) for parameter, term in instance.passed.items())
    context = Context(context.calls, (*context.passed, *same))
    yield context, instance
    for index, other in instance.inside.items():
        yield from _instances(other, Context((*context.calls, (instance.procedure.name, index)), context.passed))
