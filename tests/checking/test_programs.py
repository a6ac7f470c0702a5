"""Which programs there are among files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.programs import LibraryFile, Programs, grouped, without_entry
from pincer.checking.task import Source
from pincer.program.c_file import CFile

MAIN = "int f(void), x(void);\nint main(void) { return f(); }\n"
FILES = {
    "a.c": MAIN,
    "b.c": "int g(void); int f(void) { return g(); }\n",
    "c.c": "int g(void) { return 1; }\n",
    "d.c": "#define main static_main\nstatic int main(void) { return 1; }\nint h(void) { return 2; }\n",
    "e.c": "int main(void) { return 0; }\n",
    "i.c": "#if A\n#endif\nint f(void) { return 1; }\n#ifdef TRY\nint main(void) {\n  return f();\n}\n#endif\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


def found(names: str, together: bool, like: Source | None = None) -> Programs:
    return grouped([CFile(f"{name}.c") for name in names], like or Source(""), together)


def shown(programs: Programs) -> list[str]:
    return [
        "".join(Path(path).stem for path in (source.file, *(other.path for other in source.others)))
        for source in programs.sources
    ]


@pytest.mark.parametrize(
    ("names", "together", "expected"),
    [
        ("abcd", True, ["abcd"]),
        ("dba", True, ["adb"]),
        ("ae", True, ["a", "e"]),
        ("abce", True, ["abc", "e"]),
        ("abcd", False, ["abc"]),
        ("abcde", False, ["abc", "e"]),
        ("bc", True, ["b", "c"]),
        ("ai", True, ["ai"]),
        ("ai", False, ["ai"]),
        ("bc", False, []),
        ("a", False, ["a"]),
    ],
)
def test_files_are_linked_to_the_entry_that_needs_them(names: str, together: bool, expected: list[str]) -> None:
    assert shown(found(names, together)) == expected


def test_a_file_that_nobody_needs_is_a_library() -> None:
    assert found("abcd", False).libraries == (LibraryFile("d.c", ("h",)),)
    assert "for example with --entry f" in without_entry(found("bc", False).libraries, "main")


def test_another_entry_makes_another_program() -> None:
    assert shown(found("abcd", False, Source("", entry="f"))) == ["bc"]


def test_a_file_that_cannot_be_read_is_checked_so_that_its_mistake_is_told() -> None:
    Path("broken.c").write_text("int f( {\n")
    programs = grouped([CFile("broken.c"), CFile("b.c"), CFile("gone.c")], Source(""), False)
    assert shown(programs) == ["broken", "gone"]
