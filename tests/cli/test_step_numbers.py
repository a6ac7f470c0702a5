"""Whoever shows a run, a step has one number: terminal, page, SARIF, JUnit and editor agree in each language."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pincer
from pincer.cli.editing.remarks import remarks_on
from pincer.cli.main import main
from pincer.evidence.violating_run import ViolatingRun

GCL = """program turns;
var x : int = 0;
process P { up: x < 2 -> x := x + 1; }
process Q { jump: x = 2 -> x := 5; }
safety low: x < 5;
"""
CALLS = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int inner(int a) {
    int b = a + 1;
    return b;
}
int outer(int a) {
    int c = inner(a);
    c = c * 2;
    return c;
}
int count(int n) {
    int r = 1;
    if (n > 1) {
        r = count(n - 1);
        r = r * n;
    }
    return r;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != 4) return 0;
    int y = outer(x);
    y = y + count(2);
    assert(y != 12);
    return 0;
}
"""
THREADS = """#include <assert.h>
#include <pthread.h>
int n;
void *worker(void *unused) { n = n + 1; return 0; }
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, worker, 0);
    n = 5;
    pthread_join(one, 0);
    assert(n == 6);
    return 0;
}
"""
MSVL = """</ define p: x<2; alw(p) />
frame(x) and (int x and x<==0 and skip; x:=1; x:=2)
"""
PROGRAMS = {"turns.gcl": GCL, "calls.c": CALLS, "threads.c": THREADS, "states.m": MSVL}


@dataclass(frozen=True, slots=True)
class Shown:
    """What each reader is told about one run."""

    answer: pincer.Answer
    result: pincer.Result
    sarif: dict[str, Any]
    junit: str
    timeline: dict[str, Any]
    json: dict[str, Any]

    @property
    def run(self) -> ViolatingRun:
        assert self.answer.violation is not None
        return self.answer.violation


@pytest.fixture(params=list(PROGRAMS))
def shown(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shown:
    monkeypatch.chdir(tmp_path)
    Path(request.param).write_text(PROGRAMS[request.param], encoding="utf-8")
    asked = "assertions" if request.param.endswith(".c") else None
    words = [] if asked is None else ["--property", asked]
    result = pincer.check(request.param) if asked is None else pincer.check(request.param, property=asked)
    [answer] = [answer for answer in result.properties if answer.verdict == "unsafe"]
    main(["check", request.param, *words, "--format", "sarif", "--report", "out.json"])
    [log] = json.loads(capsys.readouterr().out)["runs"]
    main(["check", request.param, *words, "--format", "json"])
    [told] = [found["run"] for found in json.loads(capsys.readouterr().out)["properties"] if found["run"]]
    main(["check", request.param, *words, "--format", "junit"])
    [failure] = ET.fromstring(capsys.readouterr().out).iter("failure")
    [file] = json.loads(Path("out.json").read_text(encoding="utf-8"))["files"]
    [page] = [found["timeline"] for found in file["properties"] if "timeline" in found]
    [violated] = [found for found in log["results"] if found["kind"] == "fail"]
    return Shown(answer, result, violated, failure.text or "", page, told)


def test_every_reader_is_told_the_same_numbers(shown: Shown) -> None:
    steps = {step.number: step for step in shown.run.steps}
    assert [step["number"] for step in shown.timeline["steps"]] == list(steps)
    assert [step["text"] for step in shown.timeline["steps"]] == [step.text for step in steps.values()]
    assert [(step["number"], step["text"]) for step in shown.json["steps"]] == [
        (n, step.text) for n, step in steps.items()
    ]
    flows = shown.sarif["codeFlows"][0]["threadFlows"]
    ordered = {place["executionOrder"]: place["location"] for flow in flows for place in flow["locations"]}
    assert {number: place["message"]["text"] for number, place in ordered.items()} == {
        number: str(step) for number, step in steps.items()
    }
    told = [re.search(r": step (\d+): ", line) for line in shown.junit.splitlines()]
    assert [int(found[1]) for found in told if found] == list(steps)


def test_the_editor_puts_the_same_numbers_on_the_same_lines(shown: Shown) -> None:
    remarks = remarks_on(shown.result, "file:///p").values
    told = {
        (int(found[1]), line + 1)
        for line, texts in remarks.items()
        for text in texts
        if (found := re.search(r", step (\d+): ", text))
    }
    assert told == {(step.number, step.line) for step in shown.run.steps if step.line is not None}


def test_the_terminal_shows_the_steps_in_this_order(shown: Shown) -> None:
    lines = shown.answer.text.splitlines()
    match shown.run.form:
        case "transitions":
            numbers = [int(line.split()[0]) for line in lines if re.match(r" +\d+  ", line)]
            assert numbers == [step.number for step in shown.run.steps]
        case "states":
            [heads] = [line.split() for line in lines if line.split()[:1] == ["s0"]]
            assert heads == [f"s{step.number}" for step in shown.run.steps]
        case _:
            places = [line.split()[0] for line in lines if re.match(r" +\w+\.c:\d+  ", line)]
            assert places == [step.place for step in shown.run.steps]


@pytest.mark.parametrize("shown", ["calls.c"], indirect=True)
def test_lines_after_a_return_have_the_depth_of_the_caller(shown: Shown) -> None:
    assert [(step.line, step.depth) for step in shown.run.steps] == [
        (21, 0),
        (22, 0),
        (23, 0),
        (8, 1),
        (4, 2),
        (5, 2),
        (8, 1),
        (9, 1),
        (10, 1),
        (23, 0),
        (24, 0),
        (13, 1),
        (14, 1),
        (15, 1),
        (13, 2),
        (14, 2),
        (18, 2),
        (15, 1),
        (16, 1),
        (18, 1),
        (24, 0),
        (25, 0),
    ]
    assert re.search("\n  calls.c:8     int c = inner\\(a\\); +c = 5\n", shown.answer.text)
    assert re.search("\n  calls.c:23  int y = outer\\(x\\); +y = 10\n", shown.answer.text)
