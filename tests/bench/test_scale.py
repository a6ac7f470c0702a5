"""The programs of the scale table are what it says, and a row is met or not."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from pincer.bench import scale
from pincer.bench.scale import ScaleRow, Timed, changed_program, check, long_program, small_programs
from pincer.errors import PincerError


def test_small_programs_are_violated_or_hold(tmp_path: Path) -> None:
    names = small_programs(tmp_path, 2)
    found = check([*names, "--property", "assertions", "--jobs", "1"], tmp_path)
    assert found.verdicts == {"small0.c": (("assertions", "unsafe"),), "small1.c": (("assertions", "safe"),)}
    assert found.recalled == 0 and found.answers == 2
    assert found.worked > 0.05


@pytest.mark.parametrize("number", [0, 9])
def test_long_programs_have_their_length_and_one_line_changes(number: int) -> None:
    before, after = long_program(number).splitlines(), changed_program(number).splitlines()
    assert len(before) >= 300
    assert len(before) == len(after)
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


def test_a_call_that_says_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="says nothing"):
        check(["--no-such-option"], tmp_path)


def test_rows_without_a_ratio_are_not_met() -> None:
    assert ScaleRow("a", 0.5, 0.4).is_met
    assert not ScaleRow("a", 0.5, 0.6).is_met
    assert not ScaleRow("a", 0.5, None).is_met


def test_hard_programs_are_those_on_which_one_core_works_longest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def called(words: Sequence[str], folder: Path) -> Timed:
        files = [word for word in words if word.endswith(".c")]
        slow = 0.5 if words[words.index("--jobs") + 1] == "2" else 1.0
        times = {file: slow * (len(files) - number) for number, file in enumerate(files)}
        verdicts = {
            file: (("assertions", "unknown" if file == files[0] and len(files) > 1 else "safe"),) for file in files
        }
        from_store = "--store" in words and words[0] in kept_files
        worked = 0.1 if from_store else 1.0
        if "--store" in words:
            kept_files.add(words[0])
        return Timed(sum(times.values()), verdicts, int(from_store), times, worked)

    kept_files: set[str] = set()

    monkeypatch.setattr(scale, "check", called)
    hard = scale.hard_programs(60)
    assert len(hard) == 10 and len(set(hard)) == 10
    row, worst, kept = scale.two_cores(tmp_path)
    assert (row.name, row.ratio, row.remark) == ("10 hard rows, two cores / one", 0.5, "0.50 to 0.50")
    assert (worst.target, worst.ratio) == (1.2, 0.5)
    assert (kept.name, kept.target) == ("10 hard rows, from the store / first", 0.2)
    assert kept.ratio == pytest.approx(0.1)
    assert kept.remark == "10 of 10 known; by the clock 1.00"


def test_verdicts_that_contradict_each_other_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def called(words: Sequence[str], folder: Path) -> Timed:
        is_alone = words[-2:] == ["--jobs", "1"]
        a, b = ("safe", "unknown") if is_alone else ("unsafe", "safe")
        return Timed(1.0, {"a.c": (("memory", a), ("race", b)), "b.c": (("memory", "safe"),)})

    def nowhere() -> NoReturn:
        raise PincerError("this row needs Ray")

    monkeypatch.setattr(scale, "check", called)
    monkeypatch.setattr(scale, "local_cluster", nowhere)
    row = scale.same_verdicts(tmp_path, 10, ["a.c", "b.c"])
    assert row.ratio == 1.0 and not row.is_met
    assert row.remark == "3 properties in 5 ways, 1 decided in some only; this row needs Ray"
    assert row.shown_remark.endswith("1 VERDICTS DIFFER")


def test_the_programs_of_the_bench_are_many() -> None:
    names = scale.bench_programs()
    assert len(names) > 500 and all(Path(name).is_file() for name in names)
    assert {Path(name).suffix for name in names} == {".gcl", ".c", ".m"}


def test_programs_are_chosen_by_the_end_of_their_path() -> None:
    assert [Path(name).name for name in scale.bench_programs("ase/ticket_[ex].gcl")] == ["ticket_e.gcl", "ticket_x.gcl"]
    with pytest.raises(PincerError, match="no program of the benchmarks is called 'tickets'"):
        scale.bench_programs("tickets")


def test_a_parent_that_does_not_tell_its_memory_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(PincerError, match="does not tell its memory"):
        scale.parent_memory(tmp_path, 10)
