"""Copies of a process: looking at one state of each kind says what looking at all of them says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations
from random import Random
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import EngineTask, Proved
from pincer.evidence.gcl import checker, copies
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.checker import CertificateReport, check_certificate
from pincer.evidence.gcl.copies import representatives
from pincer.evidence.gcl.invariant import GuardedInvariant, Valuation
from pincer.evidence.gcl.literals import Union, Vocabulary
from pincer.evidence.gcl.renaming import RenamingKeys
from pincer.evidence.gcl.smtlib import property_formula
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run
from tests.abstraction.test_symmetry import TICKET
from tests.engines.guarded.test_symmetric_exploration import random_program

MUTEX = TICKET[: TICKET.index("safety order")].replace("N = 3", "N = 4")


def checked(program: GuardedProgram, certificate: Certificate, *, one_of_each: bool) -> CertificateReport:
    with patch.object(copies, "ENOUGH_CUBES", 0):
        if one_of_each:
            return check_certificate(program, certificate, "z3")
        with patch.object(checker, "representatives", lambda *_: None):
            return check_certificate(program, certificate, "z3")


def chosen(program: GuardedProgram, certificate: Certificate) -> Mapping[Valuation, Union] | None:
    vocabulary = Vocabulary(program)
    invariant = GuardedInvariant(certificate, vocabulary, Run())
    properties = [property_formula(program, name) for name in certificate.properties]
    with patch.object(copies, "ENOUGH_CUBES", 0):
        return representatives(invariant, vocabulary, RenamingKeys(vocabulary), properties, certificate.local)


def proof(program: GuardedProgram) -> Certificate | None:
    claim = next(iter(verify(EngineTask(program, (), GuardedSettings(max_iterations=8)), Run())))
    return claim.proof if isinstance(claim, Proved) and isinstance(claim.proof, Certificate) else None


@cache
def ticket() -> tuple[GuardedProgram, Certificate]:
    program = parse_program(MUTEX, "ticket.gcl")
    found = proof(program)
    assert found is not None
    return program, found


def without(certificate: Certificate, rng: Random, *, orbit: bool) -> Certificate:
    """The certificate without one of its cubes or formulas, or without a valuation and all its images."""
    regions = list(certificate.regions)
    number = rng.randrange(len(regions))
    region = regions[number]
    if orbit:
        some = rng.choice(region.control)
        images = {tuple(some[place] for place in order) for order in permutations(range(len(some)))}
        kept = [replace(r, control=tuple(v for v in r.control if v not in images)) for r in regions]
        return replace(certificate, regions=tuple(kept))
    cubes, formulas = list(region.cubes), list(region.formulas)
    parts = cubes or formulas
    parts.pop(rng.randrange(len(parts)))
    regions[number] = replace(region, cubes=tuple(cubes), formulas=tuple(formulas))
    return replace(certificate, regions=tuple(regions))


def test_one_of_each_is_much_less() -> None:
    program, certificate = ticket()
    found = chosen(program, certificate)
    assert found is not None
    cubes = sum(len(union.cubes) for union in found.values())
    assert cubes * 10 <= sum(
        len(region.control) * (len(region.cubes) + len(region.formulas)) for region in certificate.regions
    )
    report = checked(program, certificate, one_of_each=True)
    assert report.ok and report.obligations < checked(program, certificate, one_of_each=False).obligations


@pytest.mark.parametrize("orbit", [True, False])
def test_what_is_missing_is_missed(orbit: bool) -> None:
    program, certificate = ticket()
    rng = Random(5)
    for _ in range(10):
        broken = without(certificate, rng, orbit=orbit)
        assert not checked(program, broken, one_of_each=True).ok


@pytest.mark.parametrize(
    ("changed", "into"),
    [
        ("safety", "trans odd: pc[1] = crit -> s := s + 2, pc[1] := idle;\nsafety"),
        ("safety", "init a[1] >= 0;\nsafety"),
    ],
)
def test_copies_that_are_told_apart_are_looked_at_one_by_one(changed: str, into: str) -> None:
    _, certificate = ticket()
    other = parse_program(MUTEX.replace(changed, into, 1), "ticket.gcl")
    assert chosen(other, replace(certificate, sha256=other.sha256)) is None


def test_an_invariant_that_tells_copies_apart_is_looked_at_in_full() -> None:
    program, certificate = ticket()
    assert chosen(program, without(certificate, Random(1), orbit=False)) is None


def test_groups_that_tell_copies_apart_are_looked_at_in_full() -> None:
    text = "control pc[1..3] : {a, b} = a; var x[1..3] : int = 0;\n"
    text += "process P[i in 1..3] { go: pc[i] = a -> x[i] := 1, pc[i] := b; }\nsafety s: exists i in 1..3 : x[i] <= 1;"
    program = parse_program(text, "copies.gcl")
    everything = (Region(tuple((i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)), (), ("true",)),)
    certificate = Certificate(
        "copies.gcl", program.sha256, {}, ("s",), "ase", "", ("pc[1]", "pc[2]", "pc[3]"), (), everything
    )
    places = [(f"pc[{i}]", 0) for i in (1, 2, 3)]
    assert chosen(program, certificate) is not None
    assert chosen(program, replace(certificate, local=(tuple(places),))) is not None
    assert chosen(program, replace(certificate, local=tuple((place,) for place in places))) is None


def random_invariant(rng: Random) -> tuple[Region, ...]:
    """Some states and their images, as cubes over single values."""
    found: dict[tuple[int, ...], set[str]] = {}
    for _ in range(rng.randint(1, 6)):
        control, values, g = (
            [rng.randrange(3) for _ in range(3)],
            [rng.randrange(2) for _ in range(3)],
            rng.randrange(3),
        )
        for order in permutations(range(3)):
            said = [f"x[{place + 1}] = {values[i]}" for place, i in enumerate(order)]
            found.setdefault(tuple(control[i] for i in order), set()).add(" && ".join([*said, f"g >= {g}"]))
    return tuple(Region((control,), (), tuple(sorted(texts))) for control, texts in found.items())


def test_both_ways_say_the_same_of_random_programs() -> None:
    rng, used, accepted, refused = Random(8), 0, 0, 0
    for number in range(120):
        program = random_program(rng)
        certificate = proof(program) if number % 2 else None
        if certificate is None:
            control = ("pc[1]", "pc[2]", "pc[3]")
            regions = random_invariant(rng)
            certificate = Certificate("random.gcl", program.sha256, {}, ("p",), "", "", control, (), regions)
        elif rng.random() < 0.5:
            certificate = without(certificate, rng, orbit=rng.random() < 0.7)
        used += chosen(program, certificate) is not None
        one, every = (checked(program, certificate, one_of_each=way).ok for way in (True, False))
        assert one == every
        accepted += one
        refused += not one
    assert used >= 40 and accepted >= 10 and refused >= 40
