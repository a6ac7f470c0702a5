"""Engines can be wrong: a verdict without evidence that stands is no verdict. Evidence goes where the user wants it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from msgspec.structs import replace

import pincer.evidence.gcl.checker
from pincer.checking.confirm import GuardedConfirmation, Saver
from pincer.checking.result import Result, Safe, Unknown, Unsafe
from pincer.checking.task import Options, Outputs, Source, Task
from pincer.engines.task import Claim, Exhaustion, Open, Proved, Refuted
from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.checker import CertificateReport
from pincer.evidence.gcl.trace import Step, Trace
from pincer.frontends.gcl import parse_program
from pincer.runtime.reasons import INTERRUPTED, Cause, Reason, time_is_up
from pincer.runtime.run import Run, Stopped


def refuse(path: Path) -> None:
    raise PincerError("it cannot be stated")


def test_nothing_is_written_when_nobody_wants_it() -> None:
    assert Saver().save(None, "a", refuse) is None


@pytest.mark.parametrize(("first", "names"), [(None, ["w.yml", "w.b.yml"]), ("b", ["w.a.yml", "w.yml"])])
def test_one_property_has_the_named_file_and_others_stand_beside_it(
    tmp_path: Path, first: str | None, names: list[str]
) -> None:
    saver = Saver(first)
    saved = [saver.save(str(tmp_path / "w.yml"), name, lambda path: path.touch()) for name in ("a", "b")]
    assert saved == [str(tmp_path / name) for name in names]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_what_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    saver = Saver()
    assert saver.save(str(tmp_path / "no" / "w.yml"), "a", lambda path: path.touch()) is None
    assert saver.save(str(tmp_path / "x.yml"), "a", refuse) is None
    assert [mistake.message for mistake in saver.told()] == [
        "cannot write it: No such file or directory",
        "it cannot be stated",
    ]
    assert saver.told() == ()


PROGRAM = parse_program(
    "var x : int = 0; trans up: x < 2 -> x := x + 1; safety low: x <= 1; safety high: x <= 9;", "p.gcl"
)
REAL = Trace("low", {"x": 0}, (Step("up", {"x": 1}), Step("up", {"x": 2})))
FORGED = Trace("low", {"x": 0}, (Step("up", {"x": 2}),))
PROOF = Certificate(
    file="p.gcl",
    sha256=PROGRAM.sha256,
    constants={},
    properties=("high",),
    engine="ase",
    check="inductive-invariant",
    control=(),
    predicates=("x <= 2",),
    regions=(Region(((),), ("1",)),),
)
WRONG_PROOF = replace(PROOF, predicates=("x <= 1",))
TASK = Task(Source("p.gcl"))
UNCHECKED = replace(TASK, options=Options(certify=False))


def confirmed(*claims: Claim, run: Run | None = None, task: Task = TASK) -> list[Result]:
    confirmation = GuardedConfirmation(PROGRAM, task, run or Run())
    return [confirmation.result(claim) for claim in claims]


def unsafe(trace: Trace, name: str = "low") -> Claim:
    return Refuted(name=name, engine="ase", run=trace)


def safe(proof: Certificate, name: str = "high") -> Claim:
    return Proved(name=name, engine="ase", check="inductive-invariant", proof=proof)


def test_a_folder_that_cannot_be_made_is_told_of_and_costs_nothing(tmp_path: Path) -> None:
    saver = Saver()
    assert saver.folder(tmp_path / "a" / "b") == tmp_path / "a" / "b" and not saver.told()
    (tmp_path / "file").write_text("")
    assert saver.folder(tmp_path / "file" / "b") is None
    assert ["cannot make this folder" in mistake.message for mistake in saver.told()] == [True]


def test_a_counterexample_that_replays_is_reported() -> None:
    [finding] = confirmed(unsafe(REAL))
    assert isinstance(finding, Unsafe)
    assert finding.run is not None
    assert [[str(change) for change in step.changes] for step in finding.run.steps] == [["x = 0"], ["x = 1"], ["x = 2"]]


def test_a_counterexample_that_does_not_replay_is_no_violation() -> None:
    [result] = confirmed(unsafe(FORGED))
    assert isinstance(result, Unknown)
    assert result.reason.cause is Cause.INTERNAL
    assert result.reason.text.startswith("internal: ")


@pytest.mark.parametrize("solver", ["cvc5", "z3"])
def test_a_proof_that_checks_is_reported_with_its_checker(solver: Literal["cvc5", "z3"]) -> None:
    [result] = confirmed(safe(PROOF), task=replace(TASK, options=Options(solver=solver)))
    assert isinstance(result, Safe)
    assert result.evidence is not None
    assert (result.evidence.kind, result.evidence.solver) == ("proof", solver)
    assert result.proof == PROOF.to_json()


def test_a_proof_that_does_not_check_proves_nothing() -> None:
    assert confirmed(safe(WRONG_PROOF))[0].verdict == "unknown"


def test_a_proof_of_something_else_proves_nothing() -> None:
    assert confirmed(safe(PROOF, "low"))[0].verdict == "unknown"


def test_evidence_of_another_kind_proves_nothing() -> None:
    claim = Proved(name="high", engine="ase", check="exhaustion", proof=Exhaustion())
    [result] = confirmed(claim)
    assert isinstance(result, Unknown) and result.reason.cause is Cause.INTERNAL


def test_an_unchecked_proof_is_marked() -> None:
    [result] = confirmed(safe(WRONG_PROOF), task=UNCHECKED)
    assert isinstance(result, Safe) and result.evidence is not None
    assert result.evidence.kind == "unchecked proof"


def test_a_joint_proof_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def accept(*_: Any, **__: Any) -> CertificateReport:
        calls.append(1)
        return CertificateReport(True, "")

    monkeypatch.setattr(pincer.evidence.gcl.checker, "check_certificate", accept)
    joint = replace(PROOF, properties=("low", "high"))
    assert [result.verdict for result in confirmed(safe(joint, "low"), safe(joint))] == ["safe", "safe"]
    assert len(calls) == 1


def test_a_check_that_runs_out_of_time_leaves_the_property_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any, **__: Any) -> CertificateReport:
        raise Stopped(time_is_up(1.0))

    monkeypatch.setattr(pincer.evidence.gcl.checker, "check_certificate", stop)
    [result] = confirmed(safe(PROOF))
    assert isinstance(result, Unknown)
    assert result.reason == Reason("time limit of 1 s reached while the proof was being checked", Cause.TIME)


def test_further_evidence_is_saved_beside_the_first(tmp_path: Path) -> None:
    joint = replace(PROOF, properties=("low", "high"))
    task = replace(UNCHECKED, outputs=Outputs(certificate=str(tmp_path / "p.json")))
    first, second = confirmed(safe(PROOF), safe(joint, "low"), task=task)
    assert isinstance(first, Safe) and isinstance(second, Safe)
    assert (first.saved, second.saved) == (str(tmp_path / "p.json"), str(tmp_path / "p.low.json"))
    assert Certificate.load(tmp_path / "p.json") == PROOF
    assert Certificate.load(tmp_path / "p.low.json") == joint


def test_a_verdict_survives_evidence_that_cannot_be_saved(tmp_path: Path) -> None:
    task = replace(TASK, outputs=Outputs(witness=str(tmp_path / "no" / "w.json")))
    confirmation = GuardedConfirmation(PROGRAM, task, Run())
    result = confirmation.result(unsafe(REAL))
    assert isinstance(result, Unsafe) and result.saved is None
    [mistake] = confirmation.saver.told()
    assert mistake.message.startswith("cannot write it: ")
    assert confirmation.saver.told() == ()


def test_an_unfinished_property_shows_the_last_numbers() -> None:
    run = Run()
    run.publish("ase", "exploring", iteration=4, states=100)
    [result] = confirmed(Open(name="low", engine="ase", reason=INTERRUPTED), run=run)
    assert result.statistics == {"iterations": 4, "states": 100}
