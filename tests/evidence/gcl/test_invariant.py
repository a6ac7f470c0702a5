"""The invariant that a certificate states."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.invariant import GuardedInvariant, control_text
from pincer.evidence.gcl.literals import Vocabulary
from pincer.frontends.gcl import parse_program
from pincer.runtime.run import Run

PROGRAM = parse_program(
    "program p;\nvar x : int = 0;  control pc : {run, stop} = run;  control k : 0..2 = 0;\n"
    "trans t: pc = run -> x := x + 1;\nsafety s: x >= 0;\n",
    "p.gcl",
)


def invariant(*regions: Region, predicates: tuple[str, ...] = ()) -> GuardedInvariant:
    certificate = Certificate("p.gcl", "0", {}, ("s",), "ase", "", ("pc", "k"), predicates, regions)
    return GuardedInvariant(certificate, Vocabulary(PROGRAM), Run())


def test_valuations_that_no_region_lists_are_excluded() -> None:
    found = invariant(Region(((0, 0), (1, 2)), (), ("x >= 0",)))
    assert found.unions.keys() == {(0, 0), (1, 2)}
    assert found.at((1, 1)) is found.never
    listed, missing = found.completions((range(1), range(3)))
    assert (listed, missing) == ([(0, 0)], (0, 1))
    assert found.completions((range(1, 2), range(2, 3))) == ([(1, 2)], None)


def test_predicates_are_read_with_the_finite_values_of_their_place() -> None:
    found = invariant(Region(((0, 0), (0, 1)), ("1",)), predicates=("x >= k",))
    assert found.at((0, 0)) is not found.at((0, 1))
    assert invariant(Region(((0, 0),), ("1",)), predicates=("k = 1",)).unions == {}


@pytest.mark.parametrize(
    ("region", "reason"),
    [
        (Region(((0,),), (), ("true",)), "do not match"),
        (Region(((0, 3),), (), ("true",)), "within their types"),
        (Region(((0, 0),), ("11",), ()), "not a string of 1 characters"),
        (Region(((0, 0),), ("x",), ()), "not a string of 1 characters"),
        (Region(((0, 0),), (), ("x >",)), "cannot be read"),
        (Region(((0, 0),), (), ("z = 1",)), "cannot be read"),
    ],
)
def test_what_is_no_invariant_is_refused(region: Region, reason: str) -> None:
    with pytest.raises(PincerError, match=reason):
        invariant(region, predicates=("x >= 0",))


def test_valuations_are_shown_as_the_user_writes_them() -> None:
    assert control_text(PROGRAM, (1, 2)) == "pc = stop, k = 2"
