"""Files are opened once, and again when they have changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincer.runtime.files import content_of, did_you_mean, no_such_file


def test_an_unchanged_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.c"
    file.write_bytes(b"int x;")
    opened: list[Path] = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: opened.append(self) or read(self))  # type: ignore[func-returns-value]
    assert [content_of(file), content_of(file)] == [b"int x;"] * 2
    assert len(opened) == 1


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_bytes(b"int x;")
    assert content_of(file) == b"int x;"
    file.write_bytes(b"int y;")
    os.utime(file, ns=(1, 1))
    assert content_of(file) == b"int y;"


def test_a_missing_file_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        content_of(tmp_path / "none.c")


def test_only_a_similar_word_is_meant() -> None:
    assert did_you_mean("memry", ["assertions", "memory"]) == "; did you mean `memory`?"
    assert did_you_mean("x", ["assertions", "memory"]) == ""


def test_a_missing_file_is_compared_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / "main.c").touch()
    assert no_such_file(tmp_path / "mian.c", "gone").endswith(f"gone; did you mean `{tmp_path / 'main.c'}`?")
    assert no_such_file(tmp_path / "zebra", "gone").endswith("gone; check the name")
    assert no_such_file(tmp_path / "none" / "main.c", "gone").endswith("gone; check the name")
    assert no_such_file(tmp_path / "main.c", "denied").endswith("denied; check the permissions")
