"""Registers that decide whether a failure is reached, the nearest first."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from pincer.analysis.relevance import relevant_registers
from pincer.program.control_flow import Fail
from tests.analysis.threaded_programs import analysed

TEXT = """
int near, far, copied, never;
void fails(void) { if (near == 1) reach_error(); }
int main(void) {
  never = __VERIFIER_nondet_int();
  if (far > 2) near = copied;
  fails();
  return 0;
}
"""


def test_conditions_and_their_sources_come_first(tmp_path: Path) -> None:
    program = analysed(tmp_path, TEXT).program
    failing = [edge for edge in program.edges() if isinstance(edge.label, Fail)]
    sets = [{str(register) for register in found} for found in relevant_registers(program, failing)]
    assert sets[0] >= {"near", "copied"} and "far" not in sets[0]
    assert "far" in sets[-1]
    assert all("never" not in found for found in sets)
    assert all(one < other for one, other in pairwise(sets))


def test_nothing_decides_what_no_condition_controls(tmp_path: Path) -> None:
    program = analysed(tmp_path, "int main(void) { reach_error(); return 0; }\n").program
    failing = [edge for edge in program.edges() if isinstance(edge.label, Fail)]
    assert list(relevant_registers(program, failing)) == []
