"""Names, strings, files and rules may hold anything: on a terminal they are text and steer nothing."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from pincer.checking.result import Evidence
from pincer.errors import Mistake
from pincer.evidence.violating_run import RunForm, RunInput, RunStep, ValueChange, ViolatingRun
from pincer.report.file_report import Context, FileReport, Finding
from pincer.report.mistakes import mistake_lines
from pincer.report.report_data import report_data
from pincer.report.terminal import Look, escape, progress_text
from pincer.report.verdicts import quiet_line, verdict_lines
from pincer.runtime.run import Progress

EVIL = "<script>alert(1)</script>\x1b[2J\x1b]0;owned\x07\r\u202e\x9b31m"
CONTEXT = Context(EVIL, (EVIL,), verbose=True)
STEP = RunStep(1, EVIL, 3, 1, EVIL, 1, 1, (ValueChange(EVIL, EVIL),), ((EVIL, EVIL),), None, (EVIL,), EVIL)
RUN = ViolatingRun(
    RunForm.TRANSITIONS,
    (replace(STEP, number=0), STEP),
    STEP,
    EVIL,
    (RunInput(EVIL, EVIL, EVIL),),
    (EVIL, EVIL),
    (STEP,),
    0,
    (EVIL,),
)
FINDING = Finding(
    EVIL,
    "unsafe",
    EVIL,
    reason=EVIL,
    check=EVIL,
    statistics={EVIL: EVIL},
    warnings=(EVIL,),
    assumptions=(EVIL,),
    evidence=Evidence("execution", EVIL, remark=EVIL, command=EVIL),
    run=RUN,
    saved=EVIL,
    witness=EVIL,
)
FINDINGS = [
    FINDING,
    replace(FINDING, verdict="safe", evidence=Evidence("proof", EVIL, remark=EVIL), certificate=[EVIL]),
    replace(FINDING, verdict="unknown", evidence=None),
    *(replace(FINDING, run=replace(RUN, form=form)) for form in RunForm),
    replace(FINDING, saved=None),
]


def is_plain(text: str) -> bool:
    return all(char.isprintable() for char in text)


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_verdict_block_steers_no_terminal(finding: Finding) -> None:
    lines = verdict_lines(finding, CONTEXT, Look())
    assert all(map(is_plain, lines))
    assert any("<script>alert(1)</script>\\x1b[2J" in line for line in lines)


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_quiet_line_steers_no_terminal(finding: Finding) -> None:
    assert is_plain(quiet_line(finding, EVIL, Look()))


@pytest.mark.parametrize("kind", ["error", "unsupported", "internal"])
def test_a_message_about_input_steers_no_terminal(kind: str) -> None:
    mistake = Mistake(kind, EVIL, EVIL, 1, 3, excerpt=EVIL)  # type: ignore[arg-type]
    assert all(map(is_plain, mistake_lines(mistake, Look())))


def test_the_live_line_steers_no_terminal() -> None:
    progress = Progress(EVIL, EVIL, {EVIL: 3})
    assert is_plain(progress_text(EVIL, progress, 1.0, 1.0, width=500))


def test_escaped_text_says_what_was_there() -> None:
    assert escape("a\x1b[1mb\u202e") == "a\\x1b[1mb\\u202e"


def test_the_data_of_the_report_keeps_text_as_it_is_and_is_plain_json() -> None:
    reported = FileReport(CONTEXT, {"file": "nowhere"}, mistakes=[Mistake("error", EVIL, EVIL)])
    reported.findings[FINDING.name] = replace(FINDING, trace=None)
    data = report_data(EVIL, [reported], 1.0)
    text = json.dumps(data)
    assert is_plain(text)
    again = json.loads(text)
    assert again["files"][0]["properties"][0]["name"] == EVIL
    assert again["files"][0]["properties"][0]["timeline"]["steps"][1]["changes"][0]["name"] == EVIL
