"""Some forged proofs in every test run; `make fuzz-forged-live` offers thousands."""

from __future__ import annotations

import pytest

from pincer.evidence.live.regions import RegionNodes
from tests.fuzz.live.mutants import MutantFindings, forge


def test_no_forged_proof_is_accepted() -> None:
    findings = MutantFindings()
    for seed in range(1, 25):
        forge(seed, findings)
    assert findings.wrong == []
    assert findings.counts["forged"] > 20


def test_a_checker_that_does_not_look_at_steps_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for asking in ("_refute", "_settle"):
        monkeypatch.setattr(RegionNodes, asking, lambda *_: None)
    findings = MutantFindings()
    for seed in range(2, 80, 2):
        forge(seed, findings)
        if findings.wrong:
            return
    raise AssertionError("no forged proof was accepted by a checker that asks nothing")
