"""`pincer bench scale` prints its rows, and what cannot be measured with the reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.bench import scale
from pincer.bench.scale import ScaleRow
from pincer.cli.main import main
from pincer.errors import PincerError


def test_rows_are_printed_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scale, "two_workers", lambda folder: ScaleRow("workers here", 0.6, 0.5))
    monkeypatch.setattr(scale, "from_store", lambda folder: ScaleRow("store here", 0.2, 0.3))
    monkeypatch.setattr(scale, "two_cores", lambda folder: iter([ScaleRow("hard here", 0.65, None, "not measured")]))
    out = tmp_path / "out.json"
    assert main(["bench", "scale", "--rows", "workers,store,hard", "--json", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "met" in shown
    assert "not met" in shown
    assert "not measured" in shown
    assert [row["ratio"] for row in json.loads(out.read_text(encoding="utf-8"))] == [0.5, 0.3, None]


def test_a_row_is_kept_when_a_later_one_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(folder: Path) -> ScaleRow:
        raise PincerError("no room")

    monkeypatch.setattr(scale, "two_workers", lambda folder: ScaleRow("workers here", 0.6, 0.5))
    monkeypatch.setattr(scale, "from_store", broken)
    out = tmp_path / "out.json"
    assert main(["bench", "scale", "--rows", "workers,store", "--json", str(out)]) == 0
    shown = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert shown == [["target", "ratio"], ["workers", "here", "0.6", "0.50", "met"], ["store", "no", "room"]]
    assert [row["ratio"] for row in json.loads(out.read_text(encoding="utf-8"))] == [0.5, None]


def test_verdicts_that_differ_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "two_workers", lambda folder: ScaleRow("w", 0.6, 0.5, unlike=2))
    assert main(["bench", "scale", "--rows", "workers"]) == 1


def test_an_unknown_row_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "scale", "--rows", "speed"]) == 2
    assert "there is no row 'speed'" in capsys.readouterr().err
