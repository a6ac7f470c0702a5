"""Random programs in every test run: fixed seeds, our verdicts against the oracles.

`make fuzz CASES=20000` runs more of the same.
"""

from __future__ import annotations

import pytest

from .generator import generate
from .judge import Court, judge
from .spacer_child import SpacerChild

CHUNK = 25
QUICK = Court(timeout=5.0, spacer_every=0)
WITH_SPACER = Court(timeout=5.0, spacer_timeout=2.0)


def test_a_seed_determines_its_program() -> None:
    assert [generate(seed) for seed in range(50)] == [generate(seed) for seed in range(50)]
    assert len({generate(seed).split(";", 1)[1] for seed in range(50)}) == 50


@pytest.mark.parametrize("first", range(0, 400, CHUNK))
def test_verdicts_agree_with_explicit_search_and_evidence_holds(first: int) -> None:
    cases = [judge(seed, QUICK, None) for seed in range(first, first + CHUNK)]
    assert [(case.seed, case.crash or case.disagreements) for case in cases if case.crash or case.disagreements] == []
    verdicts = [answer.ours for case in cases for answer in case.answers]
    assert {"safe", "unsafe"} <= set(verdicts)
    assert verdicts.count("unknown") <= len(verdicts) // 5


@pytest.mark.parametrize("first", range(100_000, 100_080, CHUNK))
def test_verdicts_agree_with_spacer(first: int) -> None:
    with SpacerChild(WITH_SPACER.spacer_timeout) as spacer:
        cases = [judge(seed, WITH_SPACER, spacer) for seed in range(first, first + CHUNK)]
    assert [(case.seed, case.crash or case.disagreements) for case in cases if case.crash or case.disagreements] == []
    assert sum(answer.spacer in ("safe", "unsafe") for case in cases for answer in case.answers) >= CHUNK // 2
