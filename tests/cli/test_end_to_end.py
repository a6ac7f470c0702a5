"""The whole tool on small programs, as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincer.cli.main import main
from tests.cli.conftest import BOUNDED

Output = pytest.CaptureFixture[str]

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("1-mutex", 0),
        ("2-ticket", 0),
        ("3-ticket-bug", 1),
        ("4-parity", 1),
        ("5-deadlock", 1),
        ("6-any-start", 0),
        ("10-transfer", 1),
        ("11-cooler", 1),
    ],
)
def test_the_examples_say_what_their_comments_promise(name: str, status: int, capsys: Output) -> None:
    [example] = EXAMPLES.glob(f"{name}.*")
    assert main(["check", str(example)]) == status
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80 + len(str(EXAMPLES))


def test_a_json_result_is_evidence_too(bounded: str, capsys: Output) -> None:
    assert main(["check", bounded, "--format", "json"]) == 1
    Path("result.json").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["replay", "--quiet", "result.json"]) == 0
    assert main(["certify", "--quiet", "result.json"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "REPRODUCED  bounded.gcl: low is false after 3 steps",
        "ACCEPTED  bounded.gcl: ok (with N = 3)",
    ]


@pytest.mark.parametrize("command", ["replay", "certify"])
def test_evidence_about_another_version_is_refused(command: str, bounded: str, capsys: Output) -> None:
    main(["check", bounded, "--format", "json"])
    Path("result.json").write_text(capsys.readouterr().out, encoding="utf-8")
    Path(bounded).write_text(BOUNDED + "// edited\n", encoding="utf-8")
    assert main([command, "result.json"]) == 2
    assert "hash differs" in capsys.readouterr().err


def test_constants_are_defined_on_the_command_line_and_kept_in_evidence(bounded: str, capsys: Output) -> None:
    assert main(["check", bounded, "-D", "N=2", "--certificate", "c.json"]) == 0
    assert main(["certify", "c.json"]) == 0
    assert main(["check", bounded, "-D", "M=2"]) == 2
    assert "M" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "empty"),
        (b"var x : int = 0;", "nothing to check"),
        (b"var x : int = 0; safety ok: y > 0;", "bad.gcl:1:29: error:"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_bad_input_gives_a_message_and_status_two(text: bytes, words: str, tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "bad.gcl"
    path.write_bytes(text)
    assert main(["check", str(path)]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err
    assert "internal" not in err


def test_deep_nesting_is_no_obstacle(tmp_path: Path) -> None:
    path = tmp_path / "deep.gcl"
    path.write_text(f"safety ok: {'(' * 20_000}true{')' * 20_000};", encoding="utf-8")
    assert main(["check", "--quiet", str(path)]) == 0


def test_an_unknown_property_is_named_with_the_known_ones(bounded: str, capsys: Output) -> None:
    assert main(["check", bounded, "--property", "strange"]) == 2
    assert "'strange'" in (err := capsys.readouterr().err)
    assert "ok, low" in err


def test_an_engine_that_refuses_leaves_the_property_undecided(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "any.gcl"
    path.write_text("var x : int; trans t: x > 0 -> x := nondet; safety ok: x = x;", encoding="utf-8")
    assert main(["check", str(path), "--engine", "ur"]) == 3
    out = capsys.readouterr().out
    assert out.startswith("UNDECIDED")
    assert "--engine ase" in out


def test_numbers_of_any_size_are_printed(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "huge.gcl"
    path.write_text(f"var x : int = 1{'0' * 5000}; safety ok: x = 0;", encoding="utf-8")
    assert main(["check", str(path)]) == 1
    assert "1" + "0" * 5000 in capsys.readouterr().out


def test_a_file_name_cannot_steer_the_terminal(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "evil\x1b[2J\n.gcl"
    path.write_text(BOUNDED, encoding="utf-8")
    main(["check", str(path)])
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    assert "evil\\x1b[2J\\n.gcl" in captured.out


def test_the_time_limit_holds_on_a_program_that_never_ends(tmp_path: Path, capsys: Output) -> None:
    path = tmp_path / "hard.gcl"
    path.write_text("var x : int = 0; trans up: true -> x := x + 1; safety ok: x != -1;", encoding="utf-8")
    assert main(["check", str(path), "--engine", "ur", "--format", "json", "--timeout", "3"]) == 3
    [item] = json.loads(capsys.readouterr().out)["properties"]
    assert item["reason"] == "time limit of 3 s reached"
    assert item["statistics"]["states"] > 0
