"""What `pincer check` asks its workers, prints and returns, with workers that answer from a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

import pincer.checking.worker
import pincer.cli.jobs
from pincer.checking.messages import Decided, Event, MistakeMade
from pincer.checking.result import Result
from pincer.cli.main import main
from pincer.errors import Mistake
from pincer.runtime.reasons import Reason
from tests.checking.scripted_worker import SAFE, UNKNOWN, UNSAFE, decided, fake_worker, program_read, said

Say = Callable[..., list[str]]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("p.gcl").write_text("program p;", encoding="utf-8")
    return "p.gcl"


@pytest.mark.parametrize(
    ("findings", "status"),
    [
        ([SAFE], 0),
        ([SAFE, UNSAFE], 1),
        ([SAFE, UNKNOWN], 3),
        ([UNKNOWN, UNSAFE], 1),
    ],
)
def test_exit_status_follows_the_verdicts(findings: list[Result], status: int, program: str, worker_says: Say) -> None:
    worker_says([program_read(*(f.name for f in findings)), *decided(*findings)])
    assert main(["check", program]) == status


ERROR = Mistake("error", "unknown name 'y'", "p.gcl")
UNSUPPORTED = Mistake("unsupported", "a construct that is not known", "p.gcl")


@pytest.mark.parametrize(
    ("events", "status"),
    [
        ([MistakeMade(UNSUPPORTED)], 3),
        ([program_read("order"), Decided(UNSAFE), MistakeMade(UNSUPPORTED)], 1),
        ([program_read("order"), Decided(UNSAFE), MistakeMade(ERROR)], 2),
        ([program_read("mutex"), Decided(SAFE), MistakeMade(UNSUPPORTED)], 3),
    ],
)
def test_wrong_input_outweighs_a_violation_and_that_an_open_question(
    events: list[Event], status: int, program: str, worker_says: Say
) -> None:
    worker_says(events)
    assert main(["check", "--quiet", program]) == status


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_an_interrupt_leaves_all_open_whatever_was_found(
    number: str, program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [program_read("order", "live"), Decided(UNSAFE)]
    worker_says(found, f"os.kill(os.getppid(), signal.{number}); time.sleep(60)")
    assert main(["check", "--quiet", program]) == 3
    out = capsys.readouterr().out
    assert "VIOLATED   p.gcl: order" in out
    assert "UNDECIDED  p.gcl: live: interrupted" in out


NOTES_JOBS = "open(request['task']['source']['file'] + '.jobs', 'w').write(str(request['task']['options']['jobs']))\n"


@pytest.mark.parametrize(
    ("files", "arguments", "each"),
    [(1, [], "None"), (1, ["--jobs", "3"], "3"), (2, ["--jobs", "1"], "1"), (2, ["--jobs", "5"], "2")],
)
def test_processes_are_shared_out_among_the_programs(
    files: int, arguments: list[str], each: str, program: str, worker_says: Say
) -> None:
    names = ["p.gcl", "q.gcl"][:files]
    for name in names:
        Path(name).write_text("program p;", encoding="utf-8")
    worker_says([program_read("mutex"), Decided(SAFE)], NOTES_JOBS + "emit('Done')")
    assert main(["check", "--quiet", *arguments, *names]) == 0
    assert [Path(f"{name}.jobs").read_text(encoding="utf-8") for name in names] == [each] * files


def test_no_more_programs_are_checked_at_once_than_are_allowed(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"{letter}.gcl" for letter in "abcde"]
    for name in names:
        Path(name).write_text("program p;", encoding="utf-8")
    counts = (
        "mark = 'running.' + str(os.getpid())\nopen(mark, 'w').close()\ntime.sleep(0.1)\n"
        "count = sum(name.startswith('running.') for name in os.listdir())\n"
        "open('count.' + str(os.getpid()), 'w').write(str(count))\nos.remove(mark)\nemit('Done')"
    )
    worker_says([program_read("mutex"), Decided(SAFE)], counts)
    assert main(["check", "--quiet", "--jobs", "2", *names]) == 0
    counted = [int(each.read_text(encoding="utf-8")) for each in Path().glob("count.*")]
    assert len(counted) == len(names) and max(counted) <= 2
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()[:-1]] == [f"{name}:" for name in names]


@pytest.mark.parametrize(("arguments", "status"), [([], 0), (["--report", "out.html"], 1)])
def test_a_report_needs_the_worker_that_can_draw(
    arguments: list[str], status: int, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = fake_worker([program_read("mutex"), Decided(SAFE)])
    explaining = fake_worker([program_read("order"), Decided(UNSAFE)])
    monkeypatch.setattr(pincer.checking.worker, "worker_command", lambda: plain)
    monkeypatch.setattr(pincer.cli.jobs, "worker_command", lambda: explaining)
    assert main(["check", "--quiet", *arguments, program]) == status
    assert Path("out.html").exists() == bool(arguments)


def test_a_bound_for_loops_is_accepted_and_said_to_be_needless(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    worker_says([program_read("mutex"), Decided(SAFE)])
    assert main(["check", "--unwind", "7", program]) == 0
    assert "no loop is unwound" in capsys.readouterr().err


def test_libraries_are_named_with_a_function_to_begin_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("a/main.c", "int main(void) { return 0; }"),
        ("b/part.c", "int twice(int x) { return 2 * x; }"),
    ):
        Path(name).parent.mkdir()
        Path(name).write_text(text, encoding="utf-8")
    worker_says([program_read("mutex"), Decided(SAFE)])
    assert main(["check", "a", "b"]) == 0
    assert "not checked: no entry in b/part.c; try --entry twice" in " ".join(capsys.readouterr().out.split())


def test_verdicts_come_in_the_order_of_the_properties(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    worker_says([program_read("mutex", "order"), Decided(UNSAFE), Decided(SAFE)])
    main(["check", "--quiet", program])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["HOLDS      p.gcl: mutex", "VIOLATED   p.gcl: order"]


def test_a_property_without_answer_is_undecided(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    worker_says([program_read("mutex", "live"), Decided(SAFE)], "time.sleep(60)")
    assert main(["check", "--quiet", "--timeout", "0.8", program]) == 3
    out = capsys.readouterr().out
    assert "HOLDS      p.gcl: mutex" in out
    assert "UNDECIDED  p.gcl: live: time limit of 0.8 s reached" in out


def test_json_is_one_object_per_file(program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]) -> None:
    Path("q.gcl").write_text("program q;", encoding="utf-8")
    worker_says([program_read("mutex", "order"), Decided(SAFE), Decided(UNSAFE)])
    assert main(["check", "--format", "json", "p.gcl", "q.gcl"]) == 1
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [result["file"] for result in results] == ["p.gcl", "q.gcl"]
    assert results[0]["tool"] == "pincer"
    first, second = results[0]["properties"]
    assert {"name", "verdict", "engine", "reason", "time_s", "statistics", "trace", "certificate"} <= set(first)
    assert (first["verdict"], second["verdict"]) == ("safe", "unsafe")
    assert second["trace"] == UNSAFE.trace


def test_a_mistake_in_one_file_does_not_hide_the_others(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    mistake = MistakeMade(Mistake("error", "unknown name 'y'", "a.gcl", 3, 5, "var y"))
    Path("a.gcl").write_text("", encoding="utf-8")
    bad, good = said(mistake), said(program_read("mutex"), Decided(SAFE))
    file = "request['task']['source']['file']"
    worker_says(behaviour=f"say({good!r} if {file} == 'p.gcl' else {bad!r})\nemit('Done')")
    assert main(["check", "--quiet", "a.gcl", program]) == 2
    captured = capsys.readouterr()
    assert captured.err.splitlines() == ["a.gcl:3:5: error: unknown name 'y'", "    var y", "        ^"]
    assert "HOLDS      p.gcl: mutex" in captured.out


def test_a_crashed_worker_is_an_internal_error_and_leaves_the_property_open(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    worker_says([program_read("mutex")], "os.kill(os.getpid(), signal.SIGSEGV)")
    assert main(["check", program]) == 3
    captured = capsys.readouterr()
    assert "internal error" in captured.err
    assert "UNDECIDED  p.gcl: mutex" in captured.out


def test_a_traceback_is_shown_only_when_asked_for(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    mistake = Mistake("internal", "KeyError: 1", program, traceback="Traceback (most recent...)\n")
    worker_says([program_read("mutex"), MistakeMade(mistake)])
    assert main(["check", program]) == 3
    assert "Traceback" not in capsys.readouterr().err
    assert main(["check", "--verbose", program]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_output_is_plain_and_fits_in_eighty_columns(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    reason = Reason("no predicate separates the states " * 8)
    wordy = replace(UNKNOWN, reason=reason, warnings=("vacuous " * 20,))
    worker_says([program_read("mutex", "order", "live"), *decided(SAFE, UNSAFE, wordy)])
    main(["check", program])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_folder_means_all_programs_below_it(
    program: str, worker_says: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("sub/deep").mkdir(parents=True)
    for name in ("sub/deep/z.gcl", "sub/a.gcl", "sub/notes.txt"):
        Path(name).write_text("", encoding="utf-8")
    worker_says([program_read("mutex"), Decided(SAFE)])
    assert main(["check", "--quiet", "sub"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["HOLDS      sub/a.gcl: mutex", "HOLDS      sub/deep/z.gcl: mutex"]
    assert lines[2].startswith("2 properties in 2 files: 2 hold, 0 violated, 0 undecided")


def test_one_output_file_cannot_hold_the_evidence_of_two_programs(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("q.gcl").write_text("", encoding="utf-8")
    assert main(["check", "p.gcl", "q.gcl", "--witness", "w.json"]) == 2
    assert "exactly one program" in capsys.readouterr().err


def test_a_folder_without_programs_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert "no .gcl, .m, .c or .i file" in capsys.readouterr().err
