"""One program of several files, for commands that are about one."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from pincer.cli.inputs import one_program
from pincer.cli.main import _parser
from pincer.errors import PincerError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text("int f(void);\nint main(void) { return f(); }\n", encoding="utf-8")
    Path("b.c").write_text("int f(void) { return 0; }\n", encoding="utf-8")


def arguments(*files: str) -> Namespace:
    words = ["test", *files]
    return _parser(words).parse_args(words)


def test_files_that_need_each_other_are_one_program() -> None:
    files = ["b.c", "a.c"]
    source = one_program(files, arguments(*files))
    assert source.file == "a.c"
    assert [other.path for other in source.others] == ["b.c"]


def test_files_without_a_main_or_in_other_languages_are_no_program() -> None:
    with pytest.raises(PincerError, match="all of them are C"):
        one_program(["a.c", "m.gcl"], arguments("a.c", "m.gcl"))
    Path("c.c").write_text("int g(void) { return 1; }\n", encoding="utf-8")
    with pytest.raises(PincerError, match="'main'"):
        one_program(["b.c", "c.c"], arguments("b.c", "c.c"))
