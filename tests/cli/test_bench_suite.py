"""What the suites of `pincer bench` share: the choice of tools, the order of jobs, what is written and returned."""

from __future__ import annotations

import io
import json
import shutil
from argparse import ArgumentParser, Namespace
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from pincer.bench.measurement import Job, Measurement
from pincer.bench.rows import GuardedQuestion, Row
from pincer.cli.bench_suite import chosen, command_arguments, command_tools, common_arguments, jobs_of, run_jobs, told
from pincer.errors import PincerError

MUTEX = GuardedQuestion("mutex", {})
LOCK = Row("lock", "small", Path("lock.gcl"), "safe", MUTEX, published={"ase": {"states": 80}})
RACE = Row("race", "small", Path("race.gcl"), "unsafe", MUTEX)


def console() -> Console:
    return Console(file=io.StringIO(), width=100)


def given(*words: str) -> Namespace:
    parser = ArgumentParser()
    common_arguments(parser)
    command_arguments(parser)
    return parser.parse_args(words)


def right(job: Job) -> Measurement:
    return Measurement(job.row.name, job.tool, job.row.expected or "unknown", job.row.expected)


def test_tools_are_chosen_by_name_in_the_order_given() -> None:
    assert chosen("ur,ase", ("ase", "ur", "spacer")) == ["ur", "ase"]
    with pytest.raises(PincerError, match="no tool 'asee'; choose from ase, ur"):
        chosen("ur,asee", ("ase", "ur"))


@pytest.mark.parametrize("installed", [True, False])
def test_a_tool_that_is_not_installed_is_left_out_unless_it_is_wanted(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if installed else None)
    assert command_tools(given()) == (["pincer", "cbmc"] if installed else ["pincer"])
    assert command_tools(given("--tools", "pincer")) == ["pincer"]
    if installed:
        assert command_tools(given("--tools", "cbmc")) == ["cbmc"]
    else:
        with pytest.raises(PincerError, match="cbmc is not on the PATH"):
            command_tools(given("--tools", "pincer,cbmc"))


@pytest.mark.parametrize("at_once", [1, 3])
def test_jobs_are_measured_row_by_row_and_wrong_answers_are_shouted(at_once: int) -> None:
    jobs = jobs_of([LOCK, RACE], ["ase", "ur"], Job)
    assert [(job.row.name, job.tool) for job in jobs] == [
        ("lock", "ase"), ("lock", "ur"), ("race", "ase"), ("race", "ur"),
    ]  # fmt: skip
    shown = console()
    measured = run_jobs(shown, jobs, lambda job: replace(right(job), status="safe"), at_once)
    assert [(each.row, each.tool) for each in measured] == [(job.row.name, job.tool) for job in jobs]
    assert isinstance(shown.file, io.StringIO)
    lines = [line for line in shown.file.getvalue().splitlines() if "WRONG" in line]
    assert sorted(lines) == ["WRONG: race, ase: safe", "WRONG: race, ur: safe"]


def test_only_a_wrong_answer_is_a_failure() -> None:
    unknown = Measurement("lock", "ase", "time", "safe")
    rejected = Measurement("lock", "ase", "safe", "safe", evidence="rejected")
    args = given()
    assert told(args, [LOCK], [right(Job(LOCK, "ase")), unknown], {}) == 0
    assert told(args, [LOCK], [unknown, Measurement("lock", "ase", "unsafe", "safe")], {}) == 1
    assert told(args, [LOCK], [rejected], {}) == 1


@pytest.mark.parametrize("paper", [True, False])
def test_all_measurements_are_written_with_what_was_published(tmp_path: Path, paper: bool) -> None:
    out = tmp_path / "all.json"
    counted = replace(LOCK, question=replace(MUTEX, expected_counts={"ase": {"states": 80, "predicates": 3}}))
    measured = Measurement("lock", "ase", "safe", "safe", 0.5, {"states": 81, "predicates": 3})
    assert told(given("--json", str(out)), [counted, RACE], [measured], {"suite": "ase", "paper_mode": paper}) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    assert (written["suite"], written["paper_mode"]) == ("ase", paper)
    [entry] = written["measurements"]
    assert (entry["row"], entry["status"], entry["time_s"], entry["wrong"]) == ("lock", "safe", 0.5, False)
    assert entry["published"] == {"states": 80}
    assert entry["count_differences"] == (["states 81 instead of 80"] if paper else None)


def test_a_place_that_cannot_be_written_is_a_mistake_of_the_user(tmp_path: Path) -> None:
    args = given("--json", str(tmp_path / "none" / "all.json"))
    with pytest.raises(PincerError, match=r"cannot write .*all\.json: No such file"):
        told(args, [LOCK], [right(Job(LOCK, "ase"))], {})
