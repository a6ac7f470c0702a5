"""Which file an `#include` means."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.preprocessing.preprocess import preprocess
from pincer.frontends.c.syntax.parse import parse
from pincer.program.c_file import CFlags
from tests.frontends.c.preprocessing.preprocessed import FILE, words


def test_includes_are_found_beside_the_file_and_in_the_folders_given(tmp_path: Path) -> None:
    (tmp_path / "beside.h").write_text("int beside;\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "given.h").write_text('#include "deeper.h"\nint given;\n')
    (tmp_path / "folder" / "deeper.h").write_text("int deeper;\n")
    program = tmp_path / "main.c"
    program.write_text('#include "beside.h"\n#include <given.h>\nint own;\n')
    names = [item.name for item in parse(program, flags=CFlags((str(tmp_path / "folder"),))).ast.ext]
    assert names == ["beside", "deeper", "given", "own"]


def test_declarations_of_our_headers_are_placed_in_angle_brackets() -> None:
    declaration = parse(FILE, "#include <ctype.h>\nint main(void) { return isdigit(3); }\n").ast.ext[0]
    assert declaration.coord.file == "<ctype.h>"


def test_a_missing_header_is_an_error_with_place_and_advice() -> None:
    with pytest.raises(PincerError, match=r"program\.c:3:1: the header missing\.h is not found; .*-I") as caught:
        preprocess("int x;\n\n#include <missing.h>\n", FILE)
    assert caught.value.position is not None
    assert caught.value.position.line == 3


def test_macros_may_spell_the_name_of_a_header(tmp_path: Path) -> None:
    (tmp_path / "a-b.h").write_text("int a;\n")
    text = "#define HEADER(name) <name.h>\n#define THIS HEADER(a-b)\n#include THIS\n"
    assert words(preprocess(text, FILE, flags=CFlags((str(tmp_path),)))) == "int a;"


def test_include_next_goes_on_behind_the_folder_of_the_header(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "one" / "a.h").write_text("int one;\n#include_next <a.h>\n")
    (tmp_path / "two" / "a.h").write_text("int two = __INCLUDE_LEVEL__;\n")
    expanded = preprocess("#include <a.h>\n", FILE, flags=CFlags((str(tmp_path / "one"), str(tmp_path / "two"))))
    assert words(expanded) == "int one; int two = 2;"


def test_a_missing_header_that_lies_nearby_is_named_with_its_folder(tmp_path: Path) -> None:
    for folder in ("project/include/lib", "project/test/unit", "project/.hidden/lib"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("include", ".hidden"):
        (tmp_path / "project" / folder / "lib" / "a.h").write_text("int a;\n")
    for text in ("#include <lib/a.h>\n", '#include "lib/a.h"\n'):
        with pytest.raises(PincerError, match=r"the header lib/a\.h is not found; -I .*project/include has one"):
            preprocess(text, tmp_path / "project" / "test" / "unit" / "test.c")
    with pytest.raises(PincerError, match=r"the header a\.h is not found; -I .*project/include/lib has one"):
        preprocess("#include <a.h>\n", tmp_path / "project" / "test" / "unit" / "test.c")
