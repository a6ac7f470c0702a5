"""Answers from run to run on the command line: where they are kept, and what is said about them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import pincer
from pincer.checking.store import FOLDER, FORMAT
from pincer.cli.main import main


def kept(folder: str = FOLDER) -> list[Path]:
    return list(Path(folder).glob(f"{FORMAT}/answers/*/*"))


def test_without_settings_nothing_is_kept(bounded: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-q", bounded]) == 1
    assert not Path(FOLDER).exists()


def test_a_project_has_a_store_beside_its_settings(bounded: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("pincer.toml").write_text("", encoding="utf-8")
    assert main(["check", bounded]) == 1
    assert "from the store" not in capsys.readouterr().out
    assert len(kept()) == 2
    assert main(["check", bounded]) == 1
    assert capsys.readouterr().out.count("known from the store; the evidence was checked again") == 2
    assert main(["check", "--no-store", bounded]) == 1
    assert "from the store" not in capsys.readouterr().out
    assert main(["check", "--trust-store", bounded]) == 1
    assert capsys.readouterr().out.count("nothing was checked again") == 2


@pytest.mark.parametrize(("setting", "folder"), [('store = "deep/answers"', "deep/answers"), ("store = false", None)])
def test_the_settings_say_where(
    bounded: str, setting: str, folder: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("pincer.toml").write_text(f"{setting}\n", encoding="utf-8")
    main(["check", "-q", bounded])
    assert not Path(FOLDER).exists()
    assert folder is None or len(kept(folder)) == 2


def test_json_says_where_an_answer_is_from(bounded: str, capsys: pytest.CaptureFixture[str]) -> None:
    seen = []
    for _ in range(2):
        main(["check", "--format", "json", "--store", "kept", bounded])
        seen.append([one["from_store"] for one in json.loads(capsys.readouterr().out)["properties"]])
    assert seen == [[None, None], ["checked", "checked"]]


def test_the_limit_holds(bounded: str, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(8):
        path = Path("kept") / FORMAT / "answers" / "00" / f"{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(200_000 * b"x")
    main(["check", "-q", "--store", "kept", "--store-limit", "1", bounded])
    assert sum(path.stat().st_size for path in kept("kept")) <= 1e6


def test_a_store_that_cannot_be_written_costs_a_warning(bounded: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("kept").write_text("no folder", encoding="utf-8")
    assert main(["check", "--store", "kept", bounded]) == 1
    out = capsys.readouterr().out
    assert out.count("the answer is not kept in kept") == 1
    assert "HOLDS" in out


def test_two_runs_share_a_store(bounded: str) -> None:
    command = [sys.executable, "-m", "pincer.cli", "check", "-q", "--store", "kept", bounded]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    seen = [process.communicate(timeout=120)[0] for process in running]
    assert {line.split(" (")[0] for text in seen for line in text.splitlines()} == {
        f"HOLDS      {bounded}: ok",
        f"VIOLATED   {bounded}: low",
        "2 properties: 1 hold, 1 violated, 0 undecided",
    }
    assert len(kept("kept")) == 2


def test_python_has_it_too(bounded: str) -> None:
    assert pincer.check(bounded, store="kept").verdict == "unsafe"
    again = pincer.check(bounded, store="kept", trust_store=True)
    assert again.verdict == "unsafe"
    assert "from the store" in str(again)
