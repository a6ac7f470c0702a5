"""Every temporal property of `benchmarks/live` has the verdict that its program expects, with evidence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincer.engines.live.verify import LiveSettings, verify
from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.checker import check_live
from pincer.evidence.live.recurrence import check_recurrence
from pincer.evidence.live.replay import replay_run
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.frontends.gcl import load
from pincer.runtime.run import Run

PROGRAMS = sorted((Path(__file__).parents[3] / "benchmarks" / "live").glob("*.gcl"))


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_verdicts_are_as_expected_and_confirmed(path: Path) -> None:
    expected = dict(re.findall(r"([\w\[\]]+) (holds|violated)", re.findall(r"// expect: (.*)", path.read_text())[0]))
    program = load(path)
    assert {item.name for item in program.temporal} <= set(expected)
    claims = verify(EngineTask(program, program.temporal, LiveSettings()), Run())
    for wanted, claim in zip(program.temporal, claims, strict=True):
        match claim:
            case Proved(proof=LiveCertificate() as certificate):
                found, reason = "holds", check_live(program, certificate).reason
            case Refuted(run=LiveTrace() as run):
                found, reason = "violated", replay_run(program, wanted, run).reason
            case Refuted(run=Recurrence() as recurrence):
                found, reason = "violated", check_recurrence(program, wanted, recurrence).reason
            case _:
                found, reason = "undecided", claim.said
        assert (found, reason) == (expected[wanted.name], "")
