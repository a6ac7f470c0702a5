"""Regions: what a round keeps of the states of an execution, if it lets the execution go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.termination.endless_region import Region, going_on
from pincer.engines.termination.long_runs import Endings, long_runs
from pincer.logic.terms import FALSE, TRUE
from pincer.runtime.run import Run
from tests.engines.cutpoints.test_induction import done
from tests.engines.termination.loop_programs import ODD, cut_in, ending


def test_an_odd_number_stays_odd(tmp_path: Path) -> None:
    cut = cut_in(ending(tmp_path, ODD))
    found = next(long_runs(cut, Run(), Endings()))
    facts = done(Region(cut, found.visits(), found.chosen(), frozenset()).facts())
    assert facts is not None
    assert any("extract(0, 0, main::n)" in str(fact) for known in facts.values() for fact in known)


@pytest.mark.parametrize(
    ("body", "always"),
    [("n++;", True), ("if (n == 7) return 0; n++;", False), ("__VERIFIER_assume(n); n++;", False)],
)
def test_what_may_end_a_round_is_needed_not_to(tmp_path: Path, body: str, always: bool) -> None:
    text = f"int main(void) {{ int n = 0; while (1) {{ {body} }} }}"
    blocks = cut_in(ending(tmp_path, text)).induction.blocks
    [head] = blocks.procedure.loop_heads
    needed = going_on(blocks, frozenset({head}))[head]
    assert (needed is TRUE) is always
    assert going_on(blocks, frozenset())[head] is FALSE
