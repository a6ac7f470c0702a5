"""Programs with infinitely many states."""

from __future__ import annotations

from pincer.engines.task import Open
from tests.evidence.live.live_samples import COUNTDOWN, PETERSON, PHASES, decided, fair, proved, refuted

LEAK = """
var x : int = 0;
trans up: x >= 0 -> x := x + 1;
temporal t: <>empty;
"""


def test_the_safety_part_finds_runs_that_end_wrongly() -> None:
    text = "var x : int; trans down: x > 0 -> x := x - 1; temporal t: <>{x = 7};"
    _, run = refuted(text, states=0)
    assert run.kind == "end"
    _, lost = refuted("var x : int = 0; trans up: x < 9 -> x := x + 1; temporal t: []{x < 5};", states=0)
    assert lost.kind == "prefix"
    assert lost.trace.states[-1] == {"x": 5}


def test_phases_are_found_by_refinement() -> None:
    _, certificate = proved(PHASES, states=0)
    assert len(certificate.regions) > 2


def test_fairness_and_ranks_together() -> None:
    _, certificate = proved(fair(PETERSON, "fairness weak P1, P2;"), states=0)
    kinds = {argument.kind for argument in certificate.argument}
    assert "weak" in kinds
    _, certificate = proved(COUNTDOWN, states=0)
    assert [argument.kind for argument in certificate.argument] == ["rank"]


def test_a_step_out_of_a_type_leaves_the_property_open() -> None:
    text = "var x : int = 0; var n : 0..3 = 0; trans up: true -> x := x + 1, n := n + 1; temporal t: <>{x = 9};"
    _, claim = decided(text, states=0)
    assert isinstance(claim, Open)
    assert "`range`" in claim.reason.text
