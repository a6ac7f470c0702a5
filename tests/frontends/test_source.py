"""Files that cannot be read are refused in words, texts know their lines."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random

import pytest

from pincer.errors import PincerError, Position, UnsupportedError
from pincer.frontends.source import SourceText, decoded, generous_limits, plain_lines, read_bytes
from tests.frontends.gcl.gcl_samples import failure


def test_missing_file(tmp_path: Path) -> None:
    assert "there is no such file" in failure(tmp_path / "absent.gcl").message


def test_directory(tmp_path: Path) -> None:
    assert "is a directory" in failure(tmp_path).message


def test_a_name_no_file_can_have() -> None:
    assert "cannot be read" in failure(Path("a\0b")).message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is readable to root")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.gcl"
    path.write_text("var x : int;")
    path.chmod(0)
    assert "cannot be read" in failure(path).message


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "latin.gcl"
    path.write_bytes(b"var x : int;\n// caf\xe9\n")
    caught = failure(path)
    assert "not a text file in UTF-8" in caught.message
    assert str(caught.position) == f"{path}:2:7"


def test_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "binary.gcl"
    path.write_bytes(b"var x\n\0\0 : int;")
    caught = failure(path)
    assert "NUL" in caught.message
    assert str(caught.position) == f"{path}:2:1"


@pytest.mark.parametrize("seed", range(20))
def test_positions_count_lines_and_columns_from_one(seed: int) -> None:
    rng = Random(seed)
    text = "".join(rng.choice("ab \t\n\n") for _ in range(rng.randint(0, 40)))
    source = SourceText("some.gcl", text)
    line, column = 1, 1
    for offset, character in enumerate(text + "$"):
        assert source.position(offset) == Position("some.gcl", line, column)
        assert source.line(line) == text.split("\n")[line - 1]
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)


def test_mistakes_show_their_line_and_are_of_the_kind_asked_for() -> None:
    source = SourceText("some.gcl", "first\n  second\nthird")
    mistake = source.error(8, "no such thing")
    assert type(mistake) is PincerError
    assert (str(mistake.position), mistake.excerpt) == ("some.gcl:2:3", "  second")
    assert isinstance(source.error(0, "not modelled", UnsupportedError), UnsupportedError)


def test_line_ends_and_byte_order_marks_of_all_systems_are_read_alike() -> None:
    assert plain_lines("\ufeffa\r\nb\rc\n") == "a\nb\nc\n"
    assert plain_lines("a\ufeff") == "a\ufeff"


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [(b"a\n\xc3\xa4 \xff", "x:2:3", "0xff"), (b"\xff", "x:1:1", "UTF-8"), (b"ab\n\0c", "x:2:1", "NUL")],
)
def test_bytes_that_are_no_text_are_named_with_their_place(data: bytes, place: str, words: str) -> None:
    with pytest.raises(PincerError, match=words) as caught:
        decoded(data, "x")
    assert str(caught.value.position) == place


@pytest.mark.parametrize("ending", [".gcl", ".m"])
def test_a_directory_is_refused_with_what_to_name_in_it(ending: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=f"name a {ending} file in it"):
        read_bytes(tmp_path, ending)


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.gcl")
    with pytest.raises(PincerError, match="not a regular file"):
        read_bytes(tmp_path / "pipe.gcl", ".gcl")


def test_limits_are_generous_inside_and_as_before_outside() -> None:
    depth, digits = sys.getrecursionlimit(), sys.get_int_max_str_digits()

    def nested(levels: int) -> int:
        return 0 if levels == 0 else 1 + nested(levels - 1)

    with generous_limits():
        assert nested(depth + 1000) == depth + 1000
        assert len(str(10**5000)) == 5001
    with pytest.raises(PincerError, match="nested too deeply"), generous_limits():
        nested(10**6)
    assert (sys.getrecursionlimit(), sys.get_int_max_str_digits()) == (depth, digits)
