"""Directives are obeyed, and mistakes in them have a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.preprocessing.preprocess import preprocess
from pincer.frontends.c.syntax.parse import parse
from pincer.program.c_file import CFlags
from tests.frontends.c.preprocessing.preprocessed import FILE, words


@pytest.mark.parametrize(
    "text, message",
    [
        ("#error not for you\n", "#error not for you"),
        ("#ifdef A\nint x;\n", "Unterminated"),
        ("#endif\n", "Misplaced"),
        ("#if\nint x;\n#endif\n", "#if has no operand"),
        ("#frobnicate\n", "#frobnicate is no directive"),
        ("#define F(a) a\nint x = F(1;\n", "no closing `\\)`"),
        ("#define F(a, b) a\nint x = F(1);\n", "requires 2 arguments"),
        ("#include\n", "#include has no operand"),
        ("#define N x.h\n#include N\n", "#include is followed by x.h"),
        ("#if 1\n#else\n#elif 1\n#endif\n", "Misplaced #elif"),
        ("#define 3 x\n", "cannot be the name of a macro"),
        ("#define F(a, a) a\n", "`a` of a macro is there twice"),
        ("#define F(a b) a\n", "names with commas between them"),
        ("#define F(a) #b\n", "not followed by one of its parameters"),
        ("#define F(...) #__VA_OPT__(x)\n", "`#` stands before `__VA_OPT__`"),
        ("#define A ## x\n", "`##` stands at an end"),
        ("#define A + ## x\nA\n", "not one token"),
        ("#define F(a) a\nF(1\n#include <stdio.h>\n)\n", "#include stands among the arguments"),
        ("#line x\n#define A\n", "#line has no number"),
        ("#define A /* open\n", "a comment has no end"),
        ("#if 0\n/* open\n#endif\n", "a comment has no end"),
    ],
)
def test_mistakes_in_directives_are_errors_with_a_place(text: str, message: str) -> None:
    with pytest.raises(PincerError, match=message) as caught:
        preprocess(text, FILE)
    assert caught.value.position is not None
    assert caught.value.position.file == "program.c"


def test_a_header_that_includes_itself_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "self.h").write_text('#include "self.h"\n')
    with pytest.raises(PincerError, match="200 files include each other"):
        preprocess('#include "self.h"\n', tmp_path / "main.c")


@pytest.mark.parametrize("guard", ["#pragma once\n", "#ifndef H\n#define H\n"])
def test_guarded_headers_are_read_once(tmp_path: Path, guard: str) -> None:
    (tmp_path / "a.h").write_text(guard + "int a;\n" + ("#endif\n" if "ifndef" in guard else ""))
    text = '#include "a.h"\n#include "./a.h"\n#define B "a.h"\n#include B\nint b;\n'
    assert words(preprocess(text, tmp_path / "main.c")) == "int a; int b;"


def test_line_directives_say_where_the_text_is() -> None:
    text = '#define L __LINE__\n#line 100 "other.c"\nint a = L; char *f = __FILE__ __BASE_FILE__;\n\nint b = L;\n'
    assert words(preprocess(text, FILE)) == 'int a = 100; char *f = "other.c" "program.c"; int b = 102;'
    places = [(item.coord.file, item.coord.line) for item in parse(FILE, text).ast.ext]
    assert places == [("other.c", 100), ("other.c", 100), ("other.c", 102)]


def test_pragmas_go_through_and_may_save_macros() -> None:
    text = '#define A 1\n#pragma push_macro("A")\n#define A 2\nA\n#pragma pop_macro("A")\n#pragma pack(1)\nA\n'
    expanded = preprocess(text, FILE)
    assert words(expanded) == "2 1"
    assert "\n#pragma pack(1)\n" in expanded


def test_skipped_text_may_be_anything_but_an_open_comment() -> None:
    text = "#if 0\nit's \"not C /*\n#bogus\n#if\n#else 'x\n#endif\n/*\n#endif\n*/\n#else\nint a;\n#endif\n"
    assert words(preprocess(text, FILE)) == "int a;"


def test_unknown_names_in_conditions_are_zero() -> None:
    text = "#if UNKNOWN || defined(OTHER)\nint a;\n#elif !NONE\nint b;\n#else\nint c;\n#endif\n"
    assert words(preprocess(text, FILE)) == "int b;"


def test_a_directive_may_follow_a_comment() -> None:
    assert words(preprocess("/*\n*/ # /**/ define A 1\nA\n", FILE)) == "1"


def test_macros_of_the_call_are_defined_in_their_order() -> None:
    flags = CFlags(macros=(("N", "1"), ("N", None), ("M", "2"), ("F(x)", "x + M"), ("__linux__", None), ("E", "")))
    text = "#ifndef N\nint a = F(3)E;\n#endif\n#ifdef __linux__\nint b;\n#endif\n"
    assert words(preprocess(text, FILE, flags=flags)) == "int a = 3 + 2;"
    assert words(preprocess("int a = M;", FILE, flags=flags)) == "int a = 2;"


def test_what_is_preprocessed_already_keeps_its_names() -> None:
    assert preprocess("int M;", Path("a.i"), flags=CFlags(macros=(("M", "2"),))) == "int M;"


def test_files_of_the_call_are_read_first(tmp_path: Path) -> None:
    (tmp_path / "first.h").write_text("#define N 3\nint first;\n")
    flags = CFlags((str(tmp_path),), (), ("first.h", str(tmp_path / "first.h")))
    assert words(preprocess("int n = N;", FILE, flags=flags)) == "int first; int first; int n = 3;"
    with pytest.raises(PincerError, match=r"the file gone\.h of -include is not found"):
        preprocess("int n;", FILE, flags=CFlags(forced=("gone.h",)))


def test_a_macro_of_the_call_that_cannot_be_one_is_named() -> None:
    with pytest.raises(PincerError, match=r"-D F\(1\)=2 cannot be obeyed"):
        preprocess("int n;", FILE, flags=CFlags(macros=(("F(1)", "2"),)))
