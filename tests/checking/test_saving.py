"""Evidence goes where the user wants it, and mistakes are told once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.saving import Saver
from pincer.errors import PincerError


def refuse(path: Path) -> None:
    raise PincerError("it cannot be stated")


def test_nothing_is_written_when_nobody_wants_it() -> None:
    assert Saver().save(None, "a", refuse) is None


@pytest.mark.parametrize(("first", "names"), [(None, ["w.yml", "w.b.yml"]), ("b", ["w.a.yml", "w.yml"])])
def test_one_property_has_the_named_file_and_others_stand_beside_it(
    tmp_path: Path, first: str | None, names: list[str]
) -> None:
    saver = Saver(first)
    saved = [saver.save(str(tmp_path / "w.yml"), name, lambda path: path.touch()) for name in ("a", "b")]
    assert saved == [str(tmp_path / name) for name in names]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)


def test_what_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    saver = Saver()
    assert saver.save(str(tmp_path / "no" / "w.yml"), "a", lambda path: path.touch()) is None
    assert saver.save(str(tmp_path / "x.yml"), "a", refuse) is None
    assert [mistake.message for mistake in saver.told()] == [
        "cannot write it: No such file or directory",
        "it cannot be stated",
    ]
    assert saver.told() == ()
