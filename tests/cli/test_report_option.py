"""`pincer check --report`: one document about all files, from every engine, and no work for it otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincer.checking.messages import Check, Decided, Event, Explored, Working
from pincer.checking.task import Options, Source, Task
from pincer.cli.jobs import job_of
from pincer.cli.main import main
from pincer.runtime.run import Progress, Run
from tests.checking.scripted_worker import SAFE, UNSAFE, program_read

Say = Callable[..., list[str]]

COUNTER = """program counter;
var x : int = 0;
trans up: x < 3 -> x := x + 1;
safety ok: x <= 3;
safety low: x < 3;
"""
BRANCH = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1234)
        reach_error();
    return 0;
}
"""
MSVL = """</ define p: x<2; alw(p) />
frame(x) and (int x and x<==0 and skip; x:=1; x:=2)
"""
DEADLOCK = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(*arguments: str) -> list[dict[str, Any]]:
    """The files of the report about a call."""
    main(["check", "--quiet", "--report", "out.json", *arguments])
    data = json.loads(Path("out.json").read_text(encoding="utf-8"))
    files = data["files"]
    assert isinstance(files, list)
    return files


@pytest.mark.parametrize(
    ("name", "text", "options", "verdict", "kinds"),
    [
        ("p.gcl", COUNTER, ["--property", "ok"], "safe", {"abstract", "tree"}),
        ("p.gcl", COUNTER, ["--engine", "ur", "--property", "low"], "unsafe", {"abstract", "tree"}),
        ("p.c", BRANCH, ["--property", "assertions"], "unsafe", {"cfg"}),
        ("p.c", DEADLOCK, ["--property", "deadlock"], "unsafe", {"threads", "cfg"}),
        ("p.m", MSVL, [], "unsafe", {"tree", "lnfg"}),
    ],
)
def test_every_engine_has_something_to_show(
    here: Path, name: str, text: str, options: list[str], verdict: str, kinds: set[str]
) -> None:
    Path(name).write_text(text, encoding="utf-8")
    [file] = report(name, *options)
    assert file["source"] == text
    [data] = file["properties"]
    assert data["verdict"] == verdict
    assert kinds <= {graph["kind"] for graph in data["graphs"]}
    assert ("timeline" in data) == (verdict == "unsafe")
    assert data["history"]


def test_one_report_holds_all_files_with_their_mistakes(here: Path) -> None:
    Path("a.gcl").write_text(COUNTER, encoding="utf-8")
    Path("b.gcl").write_text("program b; var x : int = y;", encoding="utf-8")
    first, second = report("a.gcl", "b.gcl")
    assert [data["word"] for data in first["properties"]] == ["HOLDS", "VIOLATED"]
    assert second["error"]["line"] == 1
    assert second["properties"] == []


def test_the_page_is_one_html_document(here: Path) -> None:
    Path("p.gcl").write_text(COUNTER, encoding="utf-8")
    assert main(["check", "--quiet", "--report", "out.html", "p.gcl"]) == 1
    assert Path("out.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")


def test_a_place_without_folder_is_refused_before_any_work(
    here: Path, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("p.gcl").write_text(COUNTER, encoding="utf-8")
    worker_says([program_read("mutex"), Decided(SAFE)])
    assert main(["check", "--report", "nowhere/out.html", "p.gcl"]) == 2
    captured = capsys.readouterr()
    assert "there is no folder" in captured.err
    assert captured.out == ""


def test_without_details_the_report_still_has_verdicts_and_progress(here: Path, worker_says: Say) -> None:
    Path("p.gcl").write_text(COUNTER, encoding="utf-8")
    progress = Working(Progress("ase", "exploring", {"states": 4}), 9.0)
    events = [program_read("mutex", "order"), progress, Decided(SAFE), Decided(UNSAFE)]
    worker_says(events, "time.sleep(0.3); emit('Done')")
    [file] = report("p.gcl")
    mutex, order = file["properties"]
    assert (mutex["word"], order["word"]) == ("HOLDS", "VIOLATED")
    assert mutex["history"][0]["numbers"] == {"states": 4}
    assert order["timeline"]["steps"][1]["text"] == "take[1]"


@pytest.mark.parametrize("asked", [True, False])
def test_details_are_collected_only_when_asked_for(here: Path, asked: bool) -> None:
    Path("p.gcl").write_text(COUNTER, encoding="utf-8")
    events: list[Event] = []
    run = Run(timeout=20)
    request = Check(Task(Source("p.gcl"), options=Options(certify=False, explain=asked)))
    job_of(request)(request, run, events.append)
    assert sum(isinstance(event, Decided) for event in events) == 2
    assert sum(isinstance(event, Explored) for event in events) == (2 if asked else 0)
    assert (run.on_progress is not None) == asked
