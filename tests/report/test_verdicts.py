"""Verdicts as they are shown."""

from __future__ import annotations

import shlex

import pytest
from msgspec.structs import replace

from pincer.checking.result import Evidence, Safe, Unknown, Unsafe
from pincer.errors import Position
from pincer.evidence.violating_run import RunForm, RunInput, RunStep, ValueChange, ViolatingRun
from pincer.program.property import Assumption
from pincer.report.file_report import Context, FileReport, Finding, finding_of
from pincer.report.terminal import Look
from pincer.report.verdicts import (
    closing_lines,
    headline,
    is_alike,
    joined,
    next_command,
    repeated_lines,
    summary_line,
    verdict_lines,
)
from pincer.runtime.reasons import Cause, time_is_up

STEP = RunStep(0, "p.gcl", text="initial state", changes=(ValueChange("x", "0"),))


def test_a_violation_is_shown_with_its_run() -> None:
    run = ViolatingRun(RunForm.TRANSITIONS, (STEP,), STEP)
    result = Unsafe(
        name="ok", engine="ase", statistics={"states": 3}, run=run, trace=[{"step": 0}], evidence=Evidence("replay")
    )
    finding = finding_of(result)
    assert (finding.verdict, finding.run, finding.trace, finding.evidence) == (
        "unsafe",
        run,
        [{"step": 0}],
        Evidence("replay"),
    )


def test_an_open_property_is_shown_with_its_reason_and_cause() -> None:
    finding = finding_of(Unknown(name="ok", engine="ase", reason=time_is_up(2.0)))
    assert (finding.verdict, finding.reason, finding.cause) == ("unknown", "time limit of 2 s reached", Cause.TIME)


def test_a_property_that_holds_is_shown_with_what_it_rests_on() -> None:
    result = Safe(name="ok", engine="ase", check="paths", proof={"a": 1}, assumptions=(Assumption("so it is"),))
    finding = finding_of(result)
    assert (finding.verdict, finding.check, finding.certificate) == ("safe", "paths", {"a": 1})
    assert finding.assumptions == ("so it is",)


def test_json_has_the_documented_members() -> None:
    assert list(Finding("ok", "safe", "ase").to_json()) == [
        "name",
        "verdict",
        "engine",
        "reason",
        "check",
        "up_to_undefined_behaviour",
        "time_s",
        "statistics",
        "warnings",
        "assumptions",
        "clauses",
        "evidence",
        "run",
        "trace",
        "certificate",
        "from_store",
    ]


SAFE = Finding("mutex", "safe", "ase", check="safe-fragment", evidence=Evidence("proof", "cvc5", 1, 0.5))
STEPS = (RunStep(0, "a b.gcl", text="initial state"), RunStep(1, "a b.gcl", 12, text="take[1]"))
RUN = ViolatingRun(RunForm.TRANSITIONS, STEPS, STEPS[1], "it is false after 1 step")
UNSAFE = Finding(
    "mutex",
    "unsafe",
    "ase",
    evidence=Evidence("replay"),
    run=RUN,
)
UNKNOWN = Finding("mutex", "unknown", "ase", reason="time limit of 5 s reached", cause=Cause.TIME)
CONTEXT = Context("a b.gcl", ("-D", "N=3"), timeout=5.0, memory_mb=100)


@pytest.mark.parametrize(("finding", "word"), [(SAFE, "HOLDS"), (UNSAFE, "VIOLATED"), (UNKNOWN, "UNDECIDED")])
def test_the_verdict_is_the_first_word(finding: Finding, word: str) -> None:
    assert verdict_lines(finding, CONTEXT, Look())[0].split() == [word, "a", "b.gcl:", "mutex"]


def test_a_proof_names_its_argument_and_its_checker() -> None:
    text = " ".join(" ".join(verdict_lines(SAFE, CONTEXT, Look())).split())
    assert "safe-fragment" in text
    assert "accepted by the checker (cvc5, 1 obligation, 0.50 s)" in text


def test_an_unchecked_proof_is_called_that() -> None:
    unchecked = replace(SAFE, evidence=Evidence("unchecked proof"))
    assert "not checked (--no-certify)" in "\n".join(verdict_lines(unchecked, CONTEXT, Look()))


@pytest.mark.parametrize(
    ("finding", "command"),
    [
        (
            replace(SAFE, certificate={"format": 1}),
            "pincer check 'a b.gcl' -D N=3 --certificate proof.json",
        ),
        (replace(SAFE, saved="p.json"), "pincer certify p.json --solver both"),
        (UNSAFE, "pincer check 'a b.gcl' -D N=3 --witness bug.json"),
        (replace(UNSAFE, saved="w.json"), "pincer replay w.json"),
        (UNKNOWN, "pincer check 'a b.gcl' -D N=3 --timeout 50"),
        (
            replace(UNKNOWN, reason="memory limit of 100 MB reached", cause=Cause.MEMORY),
            "pincer check 'a b.gcl' -D N=3 --memory 200",
        ),
        (
            replace(UNKNOWN, engine="ur", reason="nondet", cause=Cause.UNSUPPORTED),
            "pincer check 'a b.gcl' -D N=3 --engine ase",
        ),
        (replace(UNKNOWN, reason="interrupted", cause=Cause.INTERRUPT), None),
    ],
)
def test_the_suggested_command_fits_the_situation(finding: Finding, command: str | None) -> None:
    assert next_command(finding, CONTEXT) == command


def test_a_suggestion_keeps_the_chosen_engine() -> None:
    context = Context("p.gcl", engine="ur", timeout=1.0)
    assert next_command(UNKNOWN, context) == "pincer check p.gcl --engine ur --timeout 10"
    refused = replace(UNKNOWN, engine="ur", reason="nondet", cause=Cause.UNSUPPORTED)
    assert next_command(refused, context) == "pincer check p.gcl --engine ase"


def test_warnings_are_shown_with_the_verdict() -> None:
    vacuous = replace(SAFE, warnings=("no initial state: the property holds vacuously",))
    assert "  warning   no initial state: the property holds vacuously" in verdict_lines(vacuous, CONTEXT, Look())


def test_the_summary_counts_every_verdict() -> None:
    line = summary_line([SAFE, SAFE, UNSAFE, UNKNOWN], files=2, seconds=1.5)
    assert line == "4 properties in 2 files: 2 hold, 1 violated, 1 undecided (1.50 s)"


def test_effort_does_not_count_what_did_not_happen() -> None:
    finding = replace(SAFE, time_s=1.5, statistics={"iterations": 1, "predicates": 0, "tests": 4})
    assert "  effort    1.50 s, ase, 1 iteration, 4 tests" in verdict_lines(finding, CONTEXT, Look())


def test_all_figures_have_units_that_people_write() -> None:
    finding = replace(SAFE, statistics={"solver_time_s": 0.123456, "memory_mb": 28, "ratio": 0.3333333, "paths": 0})
    text = " ".join(" ".join(verdict_lines(finding, replace(CONTEXT, verbose=True), Look())).split())
    assert "solver time 0.12 s, memory 28 MB, ratio 0.3333, paths 0" in text


def test_a_long_command_can_be_copied_line_by_line() -> None:
    context = Context("a rather long folder/with a program.c", options=("--property", "deadlock", "--property", "race"))
    lines = verdict_lines(UNSAFE, context, Look(width=60))
    start = next(i for i, line in enumerate(lines) if line.startswith("  next"))
    assert all(len(line) <= 60 for line in lines[start + 1 :])
    joined = "\n".join(lines[start:]).replace("\\\n", "")
    assert shlex.split(joined)[1:] == shlex.split(next_command(UNSAFE, context) or "")


def test_inputs_are_not_torn_apart() -> None:
    inputs = tuple(RunInput("__VERIFIER_nondet_int()", str(number), f"program.c:{number}") for number in range(4))
    finding = replace(UNSAFE, run=replace(RUN, form=RunForm.LINES, inputs=inputs))
    lines = verdict_lines(finding, CONTEXT, Look())
    assert all(sum(str(item) in line for line in lines) == 1 for item in inputs)


def test_what_holds_up_to_undefined_behaviour_is_not_told_without_a_word() -> None:
    found = Finding("assertions", "safe", "dash", undefined=Position("p.c", 12, 3))
    assert headline(found, "p.c", Look()) == "HOLDS      p.c: assertions (up to undefined behaviour at p.c:12)"
    assert found.to_json()["up_to_undefined_behaviour"] == {"file": "p.c", "line": 12, "column": 3}


def test_undefined_behaviour_is_followed_by_the_call_that_asks_about_it() -> None:
    finding = Finding("assertions", "safe", "dash", undefined=Position("a.c", 6, 1), certificate={"a": 1})
    alone = Context("a.c", options=("--property", "assertions", "--32"))
    assert next_command(finding, alone) == "pincer check a.c --32"
    assert next_command(finding, Context("a.c", options=("--32",))) is None
    open_question = Finding("assertions", "unknown", "dash", cause=Cause.UNDEFINED)
    assert next_command(open_question, alone) == "pincer check a.c --32"


def test_properties_of_one_proof_are_one_block() -> None:
    names = ("assertions", "memory")
    found = [Finding(name, "safe", "dash", together=names) for name in names]
    assert [finding.name for finding in joined([*found, Finding("overflow", "unknown", "dash")])] == [
        "assertions, memory",
        "overflow",
    ]


def test_what_does_not_hold_is_listed_again_with_violations_first() -> None:
    first = FileReport(Context("a.gcl", one_of_many=True), findings={"p": SAFE, "q": UNKNOWN})
    second = FileReport(Context("b.gcl", one_of_many=True), findings={"p": UNSAFE})
    assert closing_lines([first, second], Look()) == [
        "",
        "VIOLATED   b.gcl: mutex",
        "  next      pincer check b.gcl --witness bug.json",
        "UNDECIDED  a.gcl: mutex: time limit of 5 s reached",
    ]
    holds = FileReport(Context("a.gcl"), findings={"p": SAFE})
    assert closing_lines([holds, holds], Look()) == []


def test_what_reads_the_same_is_not_told_twice() -> None:
    def proved(name: str, obligations: int) -> Finding:
        evidence = Evidence("proof", solver="z3", obligations=obligations, time_s=0.5)
        assumed = ("nothing fails",)
        return Finding(name, "safe", "dash", check="schedules", time_s=1.0, evidence=evidence, assumptions=assumed)

    first, second = proved("assertions", 2), proved("memory", 5)
    assert is_alike(first, second) and not is_alike(first, replace(second, assumptions=()))
    assert not is_alike(Finding("race", "unsafe", "dash"), Finding("memory", "unsafe", "dash"))
    assert repeated_lines(second, first, Context("a.c"), Look()) == [
        "HOLDS      a.c: memory",
        "  why       as for assertions",
        "  evidence  proof accepted by the checker (z3, 5 obligations, 0.50 s)",
        "  effort    1.00 s, dash",
    ]
