"""The game for recurrences."""

from __future__ import annotations

from pincer.engines.task import Open, Refuted
from pincer.evidence.live.recurrence import check_recurrence
from pincer.evidence.live.trace import Recurrence
from tests.evidence.live.live_samples import decided


def test_the_data_choose_against_us() -> None:
    """Whether the counter is even is not ours to choose, but both ways go on."""
    text = """
    var x : int = 0;
    control y : 0..1 = 0;
    trans up: y = 0 -> x := x + 1, y := nondet(0..1);
    trans back: y = 1 -> x := x + 2, y := 0;
    temporal t: <>{x < 0};
    """
    program, claim = decided(text)
    assert isinstance(claim, Refuted)
    assert isinstance(claim.run, Recurrence)
    assert check_recurrence(program, program.temporal[0], claim.run).ok


def test_where_the_data_may_end_the_run_there_is_no_recurrence() -> None:
    """Every round may be the last one, and some round is: the rank is what was chosen at first."""
    text = "var n : int; trans down: n > 0 -> n := n - 1; temporal t: <>empty;"
    _, claim = decided(text)
    assert not isinstance(claim, Refuted | Open)


def test_the_run_must_be_reached() -> None:
    """The loop without end lies where no run comes."""
    text = """
    var x : int = 0;
    control at : {off, on} = off;
    trans stop: at = off && x < 0 -> at := on;
    trans go: at = on -> x := x + 1;
    trans down: at = off && x > 0 -> x := x - 1;
    temporal t: <>empty;
    """
    _, claim = decided(text)
    assert not isinstance(claim, Refuted)
