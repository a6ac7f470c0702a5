"""Proofs whose nodes are regions."""

from __future__ import annotations

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


def test_an_invariant_is_refused_when_the_formula_can_be_lost() -> None:
    program, certificate = proved(LOST_ONCE)
    wide = tuple(replace(region, formula="true") for region in certificate.regions)
    assert "a step leads out of the regions" in check_live(program, replace(certificate, regions=wide)).reason
