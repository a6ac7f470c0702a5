"""Files are opened once, and again when they have changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincer.runtime.files import content_of


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
