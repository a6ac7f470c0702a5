"""The MSVL programs of `benchmarks/live` have the verdicts that they expect, with evidence that is confirmed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincer.checking.decide import decide
from pincer.checking.load import load
from pincer.checking.result import Safe, Unsafe
from pincer.checking.task import Asked, Source, Task
from pincer.runtime.run import Run

PROGRAMS = sorted((Path(__file__).parents[3] / "benchmarks" / "live").glob("*/*.m"))


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_verdicts_are_as_expected_and_confirmed(path: Path) -> None:
    stated = re.findall(r"^// (holds|violated): (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert stated
    task, run = Task(Source(str(path)), Asked(tuple(formula for _, formula in stated))), Run()
    found = [decision.result for decision in decide(load(task, run), task, run)]
    assert [("holds" if isinstance(one, Safe) else "violated") for one in found] == [verdict for verdict, _ in stated]
    for result in found:
        assert isinstance(result, Safe | Unsafe) and result.evidence is not None
        assert result.evidence.kind == "proof" if isinstance(result, Safe) else result.evidence.kind != "proof"
