"""Ranks beside the loops."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.task import Proved
from pincer.engines.termination.verify import RankedProgram
from pincer.report.details_ranks import rank_details
from tests.engines.termination.loop_programs import decided, ending


def test_what_gets_smaller_stands_at_its_line(tmp_path: Path) -> None:
    text = """
unsigned f(unsigned k) { return k ? f(k / 2) : 0; }
int main(void) {
  int n = 9;
  while (n > 0)
    n--;
  return f(n);
}
"""
    program = ending(tmp_path, text)
    claim = decided(program)
    assert isinstance(claim, Proved) and isinstance(claim.explored, RankedProgram)
    details = rank_details(program, claim.explored)
    said = {invariant.place: invariant.text for invariant in details.invariants}
    assert said["calls of f"] == "gets smaller: k"
    assert "gets smaller: n" in said.values()
    assert all(invariant.line in details.coverage.all for invariant in details.invariants)
