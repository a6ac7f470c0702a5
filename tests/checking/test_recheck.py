"""Saved evidence about guarded commands, against programs that are the same and that are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.checking.messages import Certify, Replay
from pincer.checking.recheck import certified, replayed
from pincer.checking.task import Asked, Outputs, Source, Task
from pincer.errors import PincerError
from pincer.runtime.run import Run
from tests.checking.answers import answers

PROGRAM = "var x : int = 0; trans up: x < 3 -> x := x + 1; safety ok : x <= 3; safety low: x < 3;"


@pytest.fixture(autouse=True)
def evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof in proof.json and a counterexample in trace.json."""
    monkeypatch.chdir(tmp_path)
    Path("p.gcl").write_text(PROGRAM, encoding="utf-8")
    answers(Task(Source("p.gcl"), Asked(("ok",)), outputs=Outputs(certificate="proof.json")))
    answers(Task(Source("p.gcl"), Asked(("low",)), outputs=Outputs(witness="trace.json")))


def test_a_counterexample_is_executed_again() -> None:
    [answer] = replayed(Replay("trace.json"), Run(timeout=60))
    assert answer.ok and answer.run is not None
    assert (answer.program, answer.property) == ("p.gcl", "low")


def test_a_proof_is_checked_by_each_solver_that_is_asked_for() -> None:
    checked = list(certified(Certify("proof.json", solver="both"), Run(timeout=60)))
    assert [(answer.ok, answer.asked) for answer in checked] == [(True, "cvc5"), (True, "z3")]


def test_a_trace_that_does_not_fit_is_not_reproduced() -> None:
    trace = json.loads(Path("trace.json").read_text(encoding="utf-8"))
    del trace["trace"][2]
    Path("trace.json").write_text(json.dumps(trace), encoding="utf-8")
    [answer] = replayed(Replay("trace.json"), Run(timeout=60))
    assert not answer.ok and answer.reason


def test_a_proof_about_another_version_is_refused() -> None:
    Path("p.gcl").write_text(f"{PROGRAM} // edited", encoding="utf-8")
    with pytest.raises(PincerError, match="hash differs"):
        list(certified(Certify("proof.json"), Run(timeout=60)))


COUNTING = "frame(x) and (int x<==0 and skip; while(true){x:=x+1})"


def test_evidence_about_an_msvl_program_that_counts_for_ever() -> None:
    Path("q.m").write_text(COUNTING, encoding="utf-8")
    asked = Asked(("[]{x>=0}", "<>{x<0}"))
    holds, fails = answers(Task(Source("q.m"), asked, outputs=Outputs(certificate="q.json", witness="w.json"))).values()
    assert (holds.verdict, fails.verdict) == ("safe", "unsafe")
    assert [checked.ok for checked in certified(Certify("q.json", solver="both"), Run(timeout=60))] == [True, True]
    [again] = replayed(Replay("w.json"), Run(timeout=60))
    assert again.ok and again.run is not None and "go on for ever" in again.reason
    forged = json.loads(Path("w.json").read_text(encoding="utf-8"))
    forged["propositions"] = {"$1": "x>=0"}
    Path("w.json").write_text(json.dumps(forged), encoding="utf-8")
    assert not next(iter(replayed(Replay("w.json"), Run(timeout=60)))).ok
    Path("q.m").write_text(f"{COUNTING} // edited", encoding="utf-8")
    for evidence in (certified(Certify("q.json"), Run(timeout=60)), replayed(Replay("w.json"), Run(timeout=60))):
        with pytest.raises(PincerError, match="hash differs"):
            list(evidence)
