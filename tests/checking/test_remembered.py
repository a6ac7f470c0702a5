"""What was kept becomes a claim only if it is about the question that is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.checking.confirm_c import Viewed
from pincer.checking.decide import decide
from pincer.checking.load import CSource, load
from pincer.checking.memory import RunMemory
from pincer.checking.properties import CProperty
from pincer.checking.remembered import (
    Recollection,
    guarded_claim,
    scheduled_claim,
    sequential_claim,
    temporal_claim,
)
from pincer.checking.result import Safe, Unsafe
from pincer.checking.store import StoreSettings
from pincer.checking.task import Asked, Source, Task
from pincer.engines.task import Proved, Refuted
from pincer.errors import PincerError
from pincer.evidence.c.trace import CTest
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

SUM = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) { int n = __VERIFIER_nondet_int(); assert(n WRONG 7); return 0; }
"""
MODEL = "program m;\nvar x : int = 0;\ntrans t: x < 10 -> x := x + 1;\nsafety good : x < 11;\nsafety bad : x < 4;\n"
COOLER = "frame(x) and (int x <== 1 and skip; x := 2; x := 3)\n</ define p: x < 3; alw(p) />\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def known(text: str, file: str, *properties: str) -> tuple[Any, dict[str, Recollection]]:
    """A program that was decided, and what was kept about it."""
    Path(file).write_text(text, encoding="utf-8")
    task = Task(Source(file), Asked(properties), store=StoreSettings("kept"))
    run = Run(timeout=60)
    source = load(task, run)
    results = [one.result for one in decide(source, task, run)]
    memory = RunMemory(source, task)
    found = {result.name: memory.recall(result.name) for result in results}
    return source, {name: one for name, one in found.items() if one is not None}


def violated() -> tuple[CSource, Recollection]:
    source, found = known(SUM.replace("WRONG", "!="), "p.c", "assertions")
    return source, found["assertions"]


def viewed(source: CSource, kind: PropertyKind | None = None) -> Viewed:
    [wanted] = source.properties
    asked: CProperty = wanted if kind is None else replace(wanted, kind=kind)
    return Viewed(source.program(wanted), asked)


def test_a_test_becomes_the_claim_that_it_came_from() -> None:
    source, recalled = violated()
    claim = sequential_claim(recalled, viewed(source), source)
    assert isinstance(claim, Refuted) and isinstance(claim.run, CTest)
    result = recalled.kept.result
    assert (claim.name, claim.engine, claim.summary) == (result.name, result.engine, result.summary)
    assert claim.warnings == recalled.kept.warnings and claim.tests == recalled.kept.tests


def test_a_test_is_one_of_the_program_as_it_is_now() -> None:
    source, recalled = violated()
    moved = replace(source, data_model="ILP32", entry="other")
    claim = sequential_claim(recalled, viewed(source), moved)
    assert isinstance(claim, Refuted) and isinstance(claim.run, CTest)
    assert (claim.run.data_model, claim.run.entry) == ("ILP32", "other")
    assert claim.run.file == viewed(source).program.file


@pytest.mark.parametrize("kind", ["memory", "overflow", "leaks", "uninitialised"])
def test_a_failed_assertion_is_about_no_other_property(kind: PropertyKind) -> None:
    source, recalled = violated()
    with pytest.raises(PincerError, match="another property"):
        sequential_claim(recalled, viewed(source, kind), source)


def test_a_failure_of_another_kind_is_about_another_property() -> None:
    source, recalled = violated()
    result = recalled.kept.result
    assert isinstance(result, Unsafe) and isinstance(result.trace, dict)
    fits = {
        "assertion": "assertions", "error function": "assertions", "dereference": "memory", "bounds": "memory",
        "division": "overflow", "overflow": "overflow", "leak": "leaks", "uninitialised": "uninitialised",
    }  # fmt: skip
    kinds: tuple[PropertyKind, ...] = ("assertions", "memory", "overflow", "leaks", "uninitialised")
    for failure, only in fits.items():
        trace = {**result.trace, "failure": {**result.trace["failure"], "kind": failure}}
        forged = replace(recalled, kept=replace(recalled.kept, result=replace(result, trace=trace)))
        for kind in kinds:
            if kind == only:
                assert isinstance(sequential_claim(forged, viewed(source, kind), source), Refuted)
            else:
                with pytest.raises(PincerError, match="another property"):
                    sequential_claim(forged, viewed(source, kind), source)


def test_an_endless_run_is_about_termination_only() -> None:
    text = "int main(void) { unsigned i = 1; while (i) { i += 2; } return 0; }\n"
    source, found = known(text, "p.c", "termination")
    recalled = found["termination"]
    assert isinstance(sequential_claim(recalled, viewed(source), source), Refuted)
    for kind in ("assertions", "memory"):
        with pytest.raises(PincerError, match="another property"):
            sequential_claim(recalled, viewed(source, kind), source)


def test_a_proof_becomes_the_claim_that_it_came_from() -> None:
    source, found = known(SUM.replace("n WRONG 7", "n == n"), "p.c", "assertions")
    claim = sequential_claim(found["assertions"], viewed(source), source)
    result = found["assertions"].kept.result
    assert isinstance(claim, Proved) and isinstance(result, Safe)
    assert claim.proof is not None and claim.check == result.check
    assert claim.assumptions == viewed(source).program.assumptions


@pytest.mark.parametrize("proof", [None, [], {}, {"format": "pincer-c-proof-1"}, "proof"])
def test_what_is_no_proof_is_refused(proof: Any) -> None:
    source, found = known(SUM.replace("n WRONG 7", "n == n"), "p.c", "assertions")
    recalled = found["assertions"]
    forged = replace(recalled, kept=replace(recalled.kept, result=replace(recalled.kept.result, proof=proof)))
    with pytest.raises(PincerError):
        sequential_claim(forged, viewed(source), source)


def test_evidence_without_schedules_is_none_about_threads() -> None:
    source, recalled = violated()
    with pytest.raises(PincerError, match="another property"):
        scheduled_claim(recalled, viewed(source), source)
    good, found = known(SUM.replace("n WRONG 7", "n == n"), "p.c", "assertions")
    with pytest.raises(PincerError, match="another property"):
        scheduled_claim(found["assertions"], viewed(good), good)


def test_models_have_claims_of_both_kinds() -> None:
    source, found = known(MODEL, "m.gcl")
    assert isinstance(guarded_claim(found["good"], source.program), Proved)
    assert isinstance(guarded_claim(found["bad"], source.program), Refuted)


@pytest.mark.parametrize("trace", [None, [], {}, {"format": "nothing"}])
def test_what_is_no_run_of_a_model_is_refused(trace: Any) -> None:
    source, found = known(MODEL, "m.gcl")
    kept = found["bad"].kept
    with pytest.raises(PincerError):
        guarded_claim(
            replace(found["bad"], kept=replace(kept, result=replace(kept.result, trace=trace))), source.program
        )


def test_a_temporal_run_is_about_its_formula_and_its_numbers() -> None:
    source, found = known(COOLER, "p.m")
    [(_, recalled)] = found.items()
    [wanted] = source.properties
    assert isinstance(temporal_claim(recalled, wanted, source.int32), Refuted)
    with pytest.raises(PincerError, match="another property"):
        temporal_claim(recalled, wanted, not source.int32)
    with pytest.raises(PincerError, match="another property"):
        temporal_claim(recalled, replace(wanted, text="alw(q)"), source.int32)
    with pytest.raises(PincerError, match="another property"):
        temporal_claim(recalled, replace(wanted, defines=()), source.int32)


def test_a_proof_of_a_temporal_program_is_about_its_property() -> None:
    _, found = known(SUM.replace("n WRONG 7", "n == n"), "p.c", "assertions")
    source, _ = known(COOLER, "p.m")
    with pytest.raises(PincerError, match="not a certificate"):
        temporal_claim(found["assertions"], source.properties[0], source.int32)
    counting = "</ define p: x>=0; alw(p) />frame(x) and (int x<==0 and skip; while(true){x:=x+1})"
    source, proved = known(counting, "q.m")
    [wanted] = source.properties
    assert isinstance(temporal_claim(proved["property"], wanted, False), Proved)
    for other, int32 in ((replace(wanted, text="som(p)"), False), (replace(wanted, defines=()), False), (wanted, True)):
        with pytest.raises(PincerError, match="another property"):
            temporal_claim(proved["property"], other, int32)
