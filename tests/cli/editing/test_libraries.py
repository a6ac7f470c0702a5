"""What an editor makes of C files that belong together."""

from __future__ import annotations

from pathlib import Path

from pincer.cli.editing.libraries import EditedFile, edited_file

MAIN = "int area(int, int);\nint main(void) { return area(2, 3) == 6 ? 0 : 1; }\n"
LIBRARY = "int area(int w, int h) { return w * h; }\n"


def written(folder: Path, **texts: str) -> dict[str, Path]:
    files = {name: folder / f"{name}.c" for name in texts}
    for name, text in texts.items():
        files[name].write_text(text, encoding="utf-8")
    return files


def test_a_program_has_the_files_beside_it_that_it_needs(tmp_path: Path) -> None:
    files = written(tmp_path, main=MAIN, lib=LIBRARY, other="int unused(void) { return 1; }\n")
    assert edited_file(files["main"]) == EditedFile((str(files["lib"]),))


def test_a_library_names_the_program_that_uses_it(tmp_path: Path) -> None:
    files = written(tmp_path, main=MAIN, lib=LIBRARY)
    assert edited_file(files["lib"]).note.endswith("the program that uses it (main.c)")


def test_a_library_alone_says_how_it_can_be_checked(tmp_path: Path) -> None:
    files = written(tmp_path, lib=LIBRARY)
    assert "`pincer check lib.c --entry area`" in edited_file(files["lib"]).note
    assert edited_file(files["lib"], "area") == EditedFile()


def test_other_languages_and_files_that_are_gone_are_left_to_the_check(tmp_path: Path) -> None:
    (tmp_path / "a.gcl").write_text("program a;", encoding="utf-8")
    assert edited_file(tmp_path / "a.gcl") == edited_file(tmp_path / "gone.c") == EditedFile()
