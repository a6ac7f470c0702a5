"""Only programs that a change concerns are checked again."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pincer.checking.task import Source
from pincer.cli.changed import changed_files, concerned
from pincer.cli.main import main
from pincer.errors import PincerError
from pincer.program.c_file import CFile, CFlags

FILES = {
    "alone.c": "int main(void) { return 0; }\n",
    "using.c": '#include "near.h"\nint main(void) { return NEAR; }\n',
    "far.c": "#include <far.h>\nint main(void) { return FAR; }\n",
    "by_macro.c": '#define NAME "near.h"\n#include NAME\nint main(void) { return NEAR; }\n',
    "near.h": '#include "deep.h"\n#define NEAR DEEP\n',
    "deep.h": "#define DEEP 0\n",
    "include/far.h": "#define FAR 0\n",
    "forced.h": "\n",
    "model.gcl": "program p;\nvar x : int = 0;\ntrans t: x < 1 -> x := x + 1;\nsafety s : x <= 1;\n",
    "once.rule": "",
}
SOURCES = (
    Source("alone.c"),
    Source("using.c"),
    Source("far.c", flags=CFlags(include=("include",))),
    Source("by_macro.c"),
    Source("model.gcl"),
)


def git(*words: str) -> None:
    author = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    subprocess.run(["git", *author, *words], check=True, capture_output=True)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "all")


def names(*changes: str, sources: tuple[Source, ...] = SOURCES, also: tuple[str, ...] = ()) -> list[str]:
    for change in changes:
        with Path(change).open("a", encoding="utf-8") as file:
            file.write("\n")
    return [source.file for source in concerned(sources, changed_files("HEAD"), also)]


def test_nothing_has_changed() -> None:
    assert names() == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("alone.c", ["alone.c", "by_macro.c"]),
        ("near.h", ["using.c", "by_macro.c"]),
        ("deep.h", ["using.c", "by_macro.c"]),
        ("include/far.h", ["far.c", "by_macro.c"]),
        ("model.gcl", ["by_macro.c", "model.gcl"]),
    ],
)
def test_a_change_concerns_who_reads_the_file(change: str, expected: list[str]) -> None:
    assert names(change) == expected


def test_further_files_and_forced_headers_count() -> None:
    several = (Source("alone.c", others=(CFile("using.c"),)), Source("far.c", flags=CFlags(forced=("forced.h",))))
    assert names("deep.h", sources=several) == ["alone.c"]
    assert names("forced.h", sources=several) == ["alone.c", "far.c"]


def test_new_files_have_changed() -> None:
    Path("new.c").write_text(FILES["alone.c"], encoding="utf-8")
    assert names(sources=(Source("new.c"), Source("alone.c"))) == ["new.c"]


def test_what_is_checked_for_concerns_all() -> None:
    assert names("once.rule", also=("once.rule",)) == [source.file for source in SOURCES]


def test_changes_that_are_committed_count_from_their_beginning() -> None:
    Path("alone.c").write_text("int main(void) { return 1; }\n", encoding="utf-8")
    git("commit", "-q", "-a", "-m", "more")
    assert names(sources=(Source("alone.c"),)) == []
    assert [one.file for one in concerned((Source("alone.c"),), changed_files("HEAD~1"))] == ["alone.c"]


def test_from_a_folder_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("include")
    Path("new.c").write_text(FILES["alone.c"], encoding="utf-8")
    assert names(sources=(Source("new.c"), Source("../alone.c"))) == ["new.c"]


@pytest.mark.parametrize("reference", ["nothing", "--output=x", ""])
def test_what_is_no_commit_is_told(reference: str) -> None:
    with pytest.raises(PincerError, match="--changed-since"):
        changed_files(reference)
    assert not Path("x").exists()


def test_the_command_checks_only_those(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "-q", "--changed-since", "HEAD", "alone.c", "model.gcl"]) == 0
    assert capsys.readouterr().out == "nothing to check: no program has changed since HEAD\n"
    with Path("model.gcl").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert main(["check", "-q", "--changed-since", "HEAD", "alone.c", "model.gcl"]) == 0
    assert capsys.readouterr().out == "HOLDS      model.gcl: s\n"
