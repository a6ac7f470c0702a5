"""Mistyped words and files."""

from __future__ import annotations

from pathlib import Path

from pincer.runtime.suggestions import did_you_mean, no_such_file


def test_only_a_similar_word_is_meant() -> None:
    assert did_you_mean("memry", ["assertions", "memory"]) == "; did you mean `memory`?"
    assert did_you_mean("x", ["assertions", "memory"]) == ""


def test_a_missing_file_is_compared_with_its_folder(tmp_path: Path) -> None:
    (tmp_path / "main.c").touch()
    assert no_such_file(tmp_path / "mian.c", "gone").endswith(f"gone; did you mean `{tmp_path / 'main.c'}`?")
    assert no_such_file(tmp_path / "zebra", "gone").endswith("gone; check the name")
    assert no_such_file(tmp_path / "none" / "main.c", "gone").endswith("gone; check the name")
    assert no_such_file(tmp_path / "main.c", "denied").endswith("denied; check the permissions")
