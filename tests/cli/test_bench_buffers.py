"""`pincer bench buffers`: sizes grow, the broken variant is found, an earlier run stands beside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.bench import buffer_rows, measure_commands
from pincer.cli.bench_buffers import _next
from pincer.cli.main import main

HARNESS = """\
// Bytes are counted.
// @sizes 1 2
// @broken 2
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    int count = 0;
    for (int i = 0; i < N; i++)
        count += __VERIFIER_nondet_uchar() == 7;
#ifdef BROKEN
    assert(count < N);
#else
    assert(count <= N);
#endif
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "count.c").write_text(HARNESS, encoding="utf-8")
    monkeypatch.setattr(buffer_rows, "benchmarks_directory", lambda _: tmp_path)
    return tmp_path


def test_a_harness_grows_and_its_mistake_is_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output, before = folder / "out.json", folder / "before.json"
    before.write_text(json.dumps({"reached": {"count": {"pincer": 1}}, "measurements": []}), encoding="utf-8")
    words = ["bench", "buffers", "--tools", "pincer", "--json", str(output), "--before", str(before)]
    assert main(words) == 0
    data = json.loads(output.read_text(encoding="utf-8"))
    assert data["reached"] == {"count": {"pincer": 2}}
    assert [(entry["row"], entry["status"]) for entry in data["measurements"]] == [
        ("count(1)", "safe"),
        ("count(2)", "safe"),
        ("count broken", "unsafe"),
    ]
    printed = capsys.readouterr().out
    assert "broken variants found 1 of 1, with evidence that was checked 1" in printed
    assert "N twice that of the earlier run, or the greatest asked for, on 1 of 1 harnesses" in printed


def test_rows_are_chosen_among_right_and_broken_ones(folder: Path) -> None:
    output = folder / "out.json"
    assert main(["bench", "buffers", "--tools", "pincer", "--rows", "broken", "--json", str(output)]) == 0
    (entry,) = json.loads(output.read_text(encoding="utf-8"))["measurements"]
    assert (entry["row"], entry["evidence"]) == ("count broken", "confirmed")


def test_what_has_been_measured_is_not_run_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output, again = folder / "out.json", folder / "again.json"
    words = ["bench", "buffers", "--tools", "pincer", "--rows", "broken"]
    assert main([*words, "--json", str(output)]) == 0
    monkeypatch.setattr(measure_commands, "measure_command", None)
    monkeypatch.setattr(measure_commands, "startup", None)
    assert main([*words, "--measured", str(output), "--json", str(again)]) == 0
    first, second = (json.loads(path.read_text(encoding="utf-8"))["measurements"] for path in (output, again))
    assert first == second


@pytest.mark.parametrize(
    ("needed", "size", "guess"),
    [([], 4, 5), ([(1, 3)], 2, 4), ([(1, 3), (2, 5)], 4, 9), ([(4, 9), (8, 9)], 16, 9), ([(4, 9), (8, 1)], 16, 1)],
)
def test_unwindings_are_expected_to_grow_in_a_line(needed: list[tuple[int, int]], size: int, guess: int) -> None:
    assert _next(needed, size) == guess
