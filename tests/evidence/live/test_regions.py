"""Proofs whose nodes are regions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from pincer.evidence.live.checker import check_live
from pincer.evidence.live.prover import Prover
from pincer.evidence.live.regions import RegionNodes
from pincer.runtime.run import Run
from tests.evidence.live.live_samples import COUNTDOWN, proved


def _nodes() -> RegionNodes:
    program, certificate = proved(COUNTDOWN)
    wanted, automaton = program.temporal[0], certificate.automaton
    prover = Prover("cvc5", Run())
    return RegionNodes(program, wanted, automaton, certificate.regions, certificate.edges, prover)


def test_enabled_means_in_every_state_of_the_region() -> None:
    _, certificate = proved(COUNTDOWN)
    nodes = _nodes()
    able = {region.formula: nodes.enables(number, {0}) for number, region in enumerate(certificate.regions)}
    assert sorted(able.values()) == [False, True]


def test_ranks_are_compared_along_edges() -> None:
    nodes = _nodes()
    steps = nodes.steps()
    loop = next(edge for edge in steps if edge[0] == edge[2])
    both = {loop[0]}
    assert nodes.ranks(dict.fromkeys(both, "x")).decreases(loop)
    assert nodes.ranks(dict.fromkeys(both, "x - 2")).never_increases(loop)
    assert not nodes.ranks(dict.fromkeys(both, "x - 3")).decreases(loop), "it may be negative"
    assert not nodes.ranks(dict.fromkeys(both, "0 - x")).never_increases(loop)
    assert not nodes.ranks({}).never_increases(loop)


def test_control_values_must_be_complete() -> None:
    program, certificate = proved(COUNTDOWN)
    regions = tuple(replace(region, control=(1,)) for region in certificate.regions)
    assert "every finite variable" in check_live(program, replace(certificate, regions=regions)).reason


LOST_ONCE = """
control mode : {up, down} = up;
var x : int = 0;
trans grow: mode = up -> x := x + 1, mode := if x > 5 then down else up;
trans fall: mode = down && x > 0 -> x := x - 1, mode := if x > 1 then down else up;
temporal kept: []{x >= 0};
"""


def test_an_invariant_is_refused_when_a_step_leaves_it() -> None:
    program, certificate = proved(LOST_ONCE)
    assert certificate.regions and not certificate.argument
    assert check_live(program, certificate).ok
    for gone, region in enumerate(certificate.regions):
        edges = tuple(edge for edge in certificate.edges if gone not in (edge[0], edge[2]))
        reason = check_live(program, replace(certificate, edges=edges)).reason
        assert "leads out of the regions of the proof" in reason, region


@pytest.mark.parametrize(
    ("written", "accepted"),
    [
        ("({0}) || ({0})", True),
        ("(false) || ({0}) || (x < 0 && (x > 0))", True),
        ("({0}) && (true) || (false)", True),
        ("(false) => ({0})", False),
        ("({0}) && (x > 0 || x < 0) || (false)", False),
        ("(x < 0) || (x < 0)", False),
        ("({0}) || (x >= 0", False),
    ],
)
def test_regions_are_read_case_by_case(written: str, accepted: bool) -> None:
    program, certificate = proved(LOST_ONCE)
    regions = tuple(replace(region, formula=written.format(region.formula)) for region in certificate.regions)
    assert check_live(program, replace(certificate, regions=regions)).ok is accepted


def test_an_invariant_is_refused_when_the_formula_can_be_lost() -> None:
    program, certificate = proved(LOST_ONCE)
    wide = tuple(replace(region, formula="true") for region in certificate.regions)
    assert "a step leads out of the regions" in check_live(program, replace(certificate, regions=wide)).reason


MIXED = """
control mode : {up, down} = up;
var even : 0..1 = 1;
var pick : 0..1 = 0;
var x : int = 0;
trans grow: mode = up -> x := x + even + pick, even := 1 - even, pick := nondet(0..1);
trans turn: mode = up && x > 3 -> mode := down, even := x mod 2;
trans over: x < 0 -> even := even + 1;
temporal kept: []{x >= 0};
"""
"""Finite variables that become a number, are computed from others, chosen, read by others, leave their types."""


def test_steps_are_read_with_the_values_of_finite_variables_put_in() -> None:
    program, found = proved(MIXED)
    certificate = replace(found, regions=tuple(replace(region, formula="x >= 0") for region in found.regions))
    assert len({region.control for region in certificate.regions}) == len(certificate.regions) == 8
    report = check_live(program, certificate)
    assert report.ok, report.reason
    for node, region in enumerate(certificate.regions):
        regions = list(certificate.regions)
        _, even, _ = region.control
        regions[node] = replace(region, formula=f"x >= 0 && x != {8 + even}")
        reason = check_live(program, replace(certificate, regions=tuple(regions))).reason
        assert "leads out of the regions of the proof" in reason, region


def test_variables_keep_to_their_types_in_regions() -> None:
    program, found = proved(MIXED)
    odd = [replace(region, formula="x >= 0 || x < -5") for region in found.regions if region.control[1] == 1]
    even = [region for region in found.regions if region.control[1] == 0]
    reason = check_live(program, replace(found, regions=(*odd, *even), edges=())).reason
    assert "may leave the type of a variable" in reason


def test_what_is_owed_twice_is_asked_once() -> None:
    """Regions that differ in what nothing reads owe the same."""
    asked = []
    for most in (1, 9):
        text = f"var r : 0..{most} = 0; var x : int = 0;"
        text += "trans up: x < 9 -> x := x + 1, r := nondet; temporal kept: []{x >= 0};"
        program, certificate = proved(text)
        regions = tuple(replace(region, formula="x >= 0") for region in certificate.regions)
        prover = _Counted("cvc5", Run())
        wanted, automaton = program.temporal[0], certificate.automaton
        nodes = RegionNodes(program, wanted, automaton, regions, certificate.edges, prover)
        nodes.steps()
        asked.append((len(regions), nodes.obligations, prover.formulas))
    assert asked[0][0] < asked[1][0] and asked[0][1] < asked[1][1]
    assert asked[0][2] == asked[1][2]


class _Counted(Prover):
    """How many formulas are asked about."""

    formulas = 0

    def all_refuted(self, formulas: Sequence[str]) -> bool:
        self.formulas += len(formulas)
        return super().all_refuted(formulas)
