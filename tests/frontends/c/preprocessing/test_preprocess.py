"""Preprocessing: what is expanded, where files are found, and what a mistake is told as."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from pycparser import c_ast

from pincer.errors import PincerError
from pincer.frontends.c.preprocessing.preprocess import HEADERS, preprocess
from pincer.frontends.c.preprocessing.source import read_source
from pincer.frontends.c.syntax.parse import parse

FILE = Path("program.c")
ALL_HEADERS = sorted(str(header.relative_to(HEADERS)) for header in HEADERS.rglob("*.h"))


def words(text: str) -> str:
    """The text without line directives and spacing."""
    return " ".join(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


def test_text_without_directives_stays_as_it_is() -> None:
    text = "/* a comment */ int x;\n#pragma pack(1)\n#line 7\nint y; // end\n"
    assert preprocess(text, FILE) is text


def test_preprocessed_text_stays_as_it_is_even_if_it_spells_predefined_macros() -> None:
    text = '# 1 "a.c"\nint x = __LINE__;\n'
    assert preprocess(text, Path("a.i")) is text


def test_directives_in_comments_and_strings_are_none() -> None:
    text = '/*\n#define A 1\n*/ char *s = "\\\n#define B"; // #if\n'.replace("\\\n", "")
    assert preprocess(text, Path("a.i")) is text


def test_a_directive_may_follow_a_comment() -> None:
    assert words(preprocess("/*\n*/ # /**/ define A 1\nA\n", FILE)) == "1"


def test_macros_are_expanded() -> None:
    text = "#define TWICE(x) ((x) + (x))\n#define N 3\nint a = TWICE(N);\n"
    assert words(preprocess(text, FILE)) == "int a = ((3) + (3));"


def test_a_macro_call_may_span_lines() -> None:
    text = "#define ADD(a, b) a + b\nint x = ADD(1,\n            2);\nint y;\n"
    assert words(preprocess(text, FILE)) == "int x = 1 + 2 ; int y;"
    assert [item.coord.line for item in parse(FILE, text).ast.ext] == [2, 4]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("#define N -1\nint x = -N;\n", "int x = - -1;"),
        ("#define NEG(x) -x\nint y = NEG(-z);\n", "int y = - -z;"),
        ("#define P *p\nint z = 8/P;\n", "int z = 8/ *p;"),
        ("#define A &b\nint w = c&A;\n", "int w = c& &b;"),
    ],
)
def test_tokens_of_an_expansion_do_not_merge_with_their_neighbours(text: str, expected: str) -> None:
    assert words(preprocess(text, FILE)) == expected


def test_long_texts_are_expanded_like_short_ones() -> None:
    lines = [f"int v{number} = F({number}, (N));" for number in range(3000)]
    expanded = words(preprocess("#define N 1\n#define F(a, b) (a + b)\n" + "\n".join(lines), FILE))
    assert expanded == " ".join(f"int v{number} = ({number} + (1));" for number in range(3000))


def test_trigraphs_are_not_replaced() -> None:
    unit = parse(FILE, '#define A 1\nchar *s = "what??!";\n')
    assert unit.ast.ext[0].init.value in ('"what??!"', '"what?\\?!"')


@pytest.mark.parametrize("bits, size, long_max", [(64, "8", "0x7fffffffffffffffL"), (32, "4", "0x7fffffffL")])
def test_predefined_macros_follow_the_data_model(bits: Literal[32, 64], size: str, long_max: str) -> None:
    text = "int p = __SIZEOF_POINTER__; long m = __LONG_MAX__; int line = __LINE__;"
    assert words(preprocess(text, FILE, bits)) == f"int p = {size}; long m = {long_max}; int line = 1;"


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("header", ALL_HEADERS)
def test_every_header_of_ours_parses_twice_over(header: str, bits: Literal[32, 64]) -> None:
    parse(FILE, f"#include <{header}>\n#include <{header}>\nint x;\n", bits)


def test_all_headers_of_ours_go_together() -> None:
    text = "".join(f"#include <{header}>\n" for header in ALL_HEADERS if header != "iso646.h")
    parse(FILE, text)


def test_assert_calls_the_builtin_with_a_truth_value() -> None:
    text = "#include <assert.h>\nvoid f(char *p) { assert(p); }\n"
    assert words(preprocess(text, FILE)).endswith("{ __pincer_assert((p) != 0); }")


def test_assert_obeys_the_ndebug_of_its_inclusion() -> None:
    text = (
        "#define NDEBUG\n#include <assert.h>\nvoid f(int x) { assert(x); }\n"
        "#undef NDEBUG\n#include <assert.h>\nvoid g(int x) { assert(x); }\n"
    )
    expanded = words(preprocess(text, FILE))
    assert "void f(int x) { ((void)0); }" in expanded
    assert "void g(int x) { __pincer_assert((x) != 0); }" in expanded


@pytest.mark.parametrize("call", ["__goblint_check(x > 0)", "__goblint_assert(x > 0)"])
def test_goblint_checks_are_assertions(call: str) -> None:
    text = f"#include <goblint.h>\nvoid f(int x) {{ {call}; }}\n"
    assert words(preprocess(text, FILE)).endswith("{ __pincer_assert((x > 0) != 0); }")


def test_includes_are_found_beside_the_file_and_in_the_folders_given(tmp_path: Path) -> None:
    (tmp_path / "beside.h").write_text("int beside;\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "given.h").write_text('#include "deeper.h"\nint given;\n')
    (tmp_path / "folder" / "deeper.h").write_text("int deeper;\n")
    program = tmp_path / "main.c"
    program.write_text('#include "beside.h"\n#include <given.h>\nint own;\n')
    names = [item.name for item in parse(program, include=[tmp_path / "folder"]).ast.ext]
    assert names == ["beside", "deeper", "given", "own"]


def test_positions_name_the_files_as_the_user_does(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("\nint a;\n")
    program = tmp_path / "main.c"
    program.write_text('#include "a.h"\n\n#include <stdbool.h>\n#define N 2\n\n\nbool b = N;\n')
    places = [(Path(item.coord.file).name, item.coord.line) for item in parse(program).ast.ext]
    assert places == [("a.h", 2), ("main.c", 7)]
    assert parse(program).ast.ext[1].coord.file == str(program)


def test_declarations_of_our_headers_are_placed_in_angle_brackets() -> None:
    declaration = parse(FILE, "#include <ctype.h>\n").ast.ext[0]
    assert declaration.coord.file == "<ctype.h>"


def test_a_missing_header_is_an_error_with_place_and_advice() -> None:
    with pytest.raises(PincerError, match=r"program\.c:3:1: the header missing\.h is not found; .*-I") as caught:
        preprocess("int x;\n\n#include <missing.h>\n", FILE)
    assert caught.value.position is not None
    assert caught.value.position.line == 3


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


def test_expansions_without_measure_are_an_error() -> None:
    doubling = "".join(f"#define A{number} A{number + 1} A{number + 1}\n" for number in range(40))
    with pytest.raises(PincerError, match=r"program\.c:41:1: .* too long"):
        preprocess(f"{doubling}A0\n", FILE)


def test_calls_of_macros_may_be_nested_deeply() -> None:
    text = "#define F(x) x\n" + "F(" * 2000 + "1" + ")" * 2000 + "\n"
    assert words(preprocess(text, FILE)) == "1"


@pytest.mark.parametrize("guard", ["#pragma once\n", "#ifndef H\n#define H\n"])
def test_guarded_headers_are_read_once(tmp_path: Path, guard: str) -> None:
    (tmp_path / "a.h").write_text(guard + "int a;\n" + ("#endif\n" if "ifndef" in guard else ""))
    text = '#include "a.h"\n#include "./a.h"\n#define B "a.h"\n#include B\nint b;\n'
    assert words(preprocess(text, tmp_path / "main.c")) == "int a; int b;"


def test_macros_may_spell_the_name_of_a_header(tmp_path: Path) -> None:
    (tmp_path / "a-b.h").write_text("int a;\n")
    text = "#define HEADER(name) <name.h>\n#define THIS HEADER(a-b)\n#include THIS\n"
    assert words(preprocess(text, FILE, include=[tmp_path])) == "int a;"


def test_include_next_goes_on_behind_the_folder_of_the_header(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    (tmp_path / "one" / "a.h").write_text("int one;\n#include_next <a.h>\n")
    (tmp_path / "two" / "a.h").write_text("int two = __INCLUDE_LEVEL__;\n")
    expanded = preprocess("#include <a.h>\n", FILE, include=[tmp_path / "one", tmp_path / "two"])
    assert words(expanded) == "int one; int two = 2;"


def test_line_directives_say_where_the_text_is() -> None:
    text = '#define L __LINE__\n#line 100 "other.c"\nint a = L; char *f = __FILE__ __BASE_FILE__;\n\nint b = L;\n'
    assert words(preprocess(text, FILE)) == 'int a = 100; char *f = "other.c" "program.c"; int b = 102;'
    places = [(item.coord.file, item.coord.line) for item in parse(FILE, text).ast.ext]
    assert places == [("other.c", 100), ("other.c", 100), ("other.c", 102)]


def test_lines_are_counted_through_joined_lines_and_calls() -> None:
    text = "#define F(x) x __LINE__\n__LINE__ \\\n __LINE__\nF(\n__LINE__\n) __LINE__\n"
    assert words(preprocess(text, FILE)) == "2 3 5 4 6"


def test_pragmas_go_through_and_may_save_macros() -> None:
    text = '#define A 1\n#pragma push_macro("A")\n#define A 2\nA\n#pragma pop_macro("A")\n#pragma pack(1)\nA\n'
    expanded = preprocess(text, FILE)
    assert words(expanded) == "2 1"
    assert "\n#pragma pack(1)\n" in expanded


def test_skipped_text_may_be_anything_but_an_open_comment() -> None:
    text = "#if 0\nit's \"not C /*\n#bogus\n#if\n#else 'x\n#endif\n/*\n#endif\n*/\n#else\nint a;\n#endif\n"
    assert words(preprocess(text, FILE)) == "int a;"


@pytest.mark.parametrize(
    "text", ["int x = __ATOMIC_SEQ_CST;\n", "int x = __COUNTER__ + 5;\n", "%:define A 5\nint x = A;\n"]
)
def test_macros_are_seen_whether_or_not_there_are_directives(text: str) -> None:
    assert "5;" in preprocess(text, FILE)


def test_unknown_names_in_conditions_are_zero() -> None:
    text = "#if UNKNOWN || defined(OTHER)\nint a;\n#elif !NONE\nint b;\n#else\nint c;\n#endif\n"
    assert words(preprocess(text, FILE)) == "int b;"


def test_files_that_are_not_utf_8_are_read_byte_by_byte(tmp_path: Path) -> None:
    latin, unicode = tmp_path / "latin.c", tmp_path / "unicode.c"
    latin.write_bytes(b'char *s = "caf\xe9";\r\n')
    unicode.write_bytes('\ufeffchar *s = "café";\n'.encode())
    assert read_source(latin) == ('char *s = "café";\n', "latin-1")
    assert read_source(unicode) == ('char *s = "café";\n', "utf-8")
    constants = [parse(file).ast.ext[0].init for file in (latin, unicode)]
    assert all(isinstance(constant, c_ast.Constant) and constant.value == '"café"' for constant in constants)
    assert [parse(file).encoding for file in (latin, unicode)] == ["latin-1", "utf-8"]


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(PincerError, match=r"cannot read nowhere\.c"):
        parse(Path("nowhere.c"))
