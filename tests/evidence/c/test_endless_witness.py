"""Witnesses of runs without an end: a beginning, and a loop that is passed for ever."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from pincer.errors import PincerError
from pincer.evidence.c.rounds import Round, WatchedRounds
from pincer.evidence.c.trace import CStep
from pincer.evidence.c.witness import endless_witness
from pincer.evidence.c.witness_check import problems
from tests.evidence.c.recorded_tests import recorded, value
from tests.evidence.c.witnessed_program import at, metadata

LOOPING = """int main(void) {
  int n = __VERIFIER_nondet_int();
  while (n != 0) {
    n -= 2;
    for (int i = 0; i < 3; i++) {
      n += 0;
    }
  }
}
"""


def last_of(*loops: Round) -> tuple[Any, ...]:
    """The last waypoint of a witness: its action, its type, where it is and what it says."""
    steps = (CStep(at(2, 3), "main", "input", (("n", "5"),), inputs=1), CStep(at(3, 3), "main", ""))
    test = recorded(value("__VERIFIER_nondet_int", 5), steps=steps)
    (entry,) = yaml.safe_load(endless_witness(test, 1, WatchedRounds(loops, 10), metadata(LOOPING)))
    assert entry["metadata"]["format_version"] == "2.1"
    found = entry["content"][-1]["segment"][0]["waypoint"]
    return found["action"], found["type"], found["location"]["line"], found["constraint"]["value"]


def test_a_run_without_an_end_passes_its_loop_for_ever() -> None:
    assert last_of(Round(at(3, 3), "(n != 0)", 0)) == ("cycle", "assumption", 4, "(n != 0)")
    assert last_of(Round(at(3, 3), "(unknown)", 0)) == ("cycle", "branching", 3, "true")


def test_of_several_loops_the_outermost_goes_on_for_ever() -> None:
    assert last_of(Round(at(5, 5), "1", 0), Round(at(3, 3), "1", 0)) == ("cycle", "branching", 3, "true")


@pytest.mark.parametrize("loop", [Round(at(2, 3), "1", 0), Round(at(3, 3), "1", 0, "entry", "main")])
def test_what_is_no_loop_of_the_file_is_not_stated(loop: Round) -> None:
    with pytest.raises(PincerError, match="not one loop"):
        last_of(loop)


def test_cycles_come_last_and_without_a_target() -> None:
    good = endless_witness(recorded(), 0, WatchedRounds((Round(at(3, 3), "1", 0),), 10), metadata(LOOPING))
    assert problems(good, LOOPING) == []
    assert any("before version 2.1" in text for text in problems(good.replace("'2.1'", "'2.0'"), LOOPING))
    assert any("nothing is followed" in text for text in problems(good.replace("cycle", "follow"), LOOPING))
