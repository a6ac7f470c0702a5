"""Where no rank leaves an edge of a cycle out, one number or another gets smaller between any two visits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.engines.task import Proved
from pincer.evidence.live.certificate import FORMAT, Argument, LiveCertificate, VisitCubes
from pincer.evidence.live.checker import check_live
from pincer.frontends.gcl import parse_program
from tests.evidence.live.live_samples import decided, proved

CHOICE = """
var x, y : int;
init x > 0 && y > 0;
trans first : x > 0 && y > 0 -> x := x - 1, y := x;
trans second: x > 0 && y > 0 -> x := y - %d, y := x + 1;
temporal ends: <>empty;
"""


@pytest.fixture(scope="module")
def certificate() -> LiveCertificate:
    _, found = proved(CHOICE % 2, states=0)
    return found


def accepted(certificate: LiveCertificate, less: int = 2) -> bool:
    """What the checker says of a proof that was written down and read again, as one of a program of this form."""
    program = parse_program(CHOICE % less, "sample.gcl")
    return check_live(program, FORMAT.value(FORMAT.data(replace(certificate, sha256=program.sha256)))).ok


def argued(certificate: LiveCertificate, argument: Argument) -> LiveCertificate:
    return replace(certificate, argument=(argument,))


def test_the_proof_compares_visits_and_is_accepted(certificate: LiveCertificate) -> None:
    [argument] = certificate.argument
    assert argument.kind == "visits"
    assert set(argument.words) >= {"x", "y"}
    assert accepted(certificate)


def test_numbers_that_only_change_places_are_not_proved_to_get_smaller(certificate: LiveCertificate) -> None:
    _, claim = decided(CHOICE % 1, states=0)
    assert not isinstance(claim, Proved)
    [argument] = certificate.argument
    everything = tuple(replace(known, cubes=((None,) * len(argument.words) ** 2,)) for known in argument.since)
    for forged in (certificate, argued(certificate, replace(argument, since=everything))):
        assert not accepted(forged, 1)


def test_damaged_arguments_are_refused(certificate: LiveCertificate) -> None:
    [argument] = certificate.argument
    [known] = argument.since
    anything = ((None,) * len(argument.words) ** 2,)
    later = tuple(tuple(None if b is None else b + 3 for b in cube) for cube in known.cubes)
    for damaged in (
        replace(argument, since=()),
        replace(argument, words=()),
        replace(argument, words=argument.words[:-1]),
        replace(argument, words=("0",) * len(argument.words)),
        replace(argument, since=(VisitCubes(known.visited, known.node, anything),)),
        replace(argument, since=(VisitCubes(known.visited, known.node, later),)),
        replace(argument, since=(VisitCubes(known.visited, known.node, known.cubes[:1]),)),
        replace(argument, since=(VisitCubes(known.visited + 1, known.node, known.cubes),)),
    ):
        assert not accepted(argued(certificate, damaged))
