"""What is said of MSVL programs has been run again, or checked."""

from __future__ import annotations

import pytest

from pincer.checking import confirm_msvl
from pincer.checking.result import Unknown
from pincer.checking.task import Source, Task
from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import EngineTask
from pincer.evidence.msvl.replay import Judgement
from pincer.frontends.msvl import parse_program
from pincer.runtime.reasons import Cause
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties


def test_a_temporal_counterexample_that_does_not_replay_is_no_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse_program("frame(x) and (int x and x<==0 and skip; x:=1)", "p.m")
    asked = parse_properties("</ define p: x=0; alw(p) />", "p.m")
    [claim] = check(EngineTask(program, asked, CheckOptions()), Run(timeout=30))
    confirmation = confirm_msvl.TemporalConfirmation(program, Task(Source("p.m")), Run())
    assert confirmation.result(claim).svcomp == "false"
    monkeypatch.setattr(confirm_msvl, "replay", lambda *_: Judgement(False, "it differs"))
    result = confirmation.result(claim)
    assert isinstance(result, Unknown)
    assert (result.svcomp, result.reason.cause) == ("unknown", Cause.INTERNAL)
