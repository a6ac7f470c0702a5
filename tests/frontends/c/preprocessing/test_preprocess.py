"""Preprocessing: what is expanded, where files are found, and what a mistake is told as."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.preprocessing.preprocess import HEADERS, preprocess
from pincer.frontends.c.syntax.parse import parse
from tests.frontends.c.preprocessing.preprocessed import FILE, words

ALL_HEADERS = sorted(str(header.relative_to(HEADERS)) for header in HEADERS.rglob("*.h"))


def test_text_without_directives_stays_as_it_is() -> None:
    text = "/* a comment */ int x;\n#pragma pack(1)\n#line 7\nint y; // end\n"
    assert preprocess(text, FILE) is text


def test_preprocessed_text_stays_as_it_is_even_if_it_spells_predefined_macros() -> None:
    text = '# 1 "a.c"\nint x = __LINE__;\n'
    assert preprocess(text, Path("a.i")) is text


def test_directives_in_comments_and_strings_are_none() -> None:
    text = '/*\n#define A 1\n*/ char *s = "\\\n#define B"; // #if\n'.replace("\\\n", "")
    assert preprocess(text, Path("a.i")) is text


def test_macros_are_expanded() -> None:
    text = "#define TWICE(x) ((x) + (x))\n#define N 3\nint a = TWICE(N);\n"
    assert words(preprocess(text, FILE)) == "int a = ((3) + (3));"


def test_long_texts_are_expanded_like_short_ones() -> None:
    lines = [f"int v{number} = F({number}, (N));" for number in range(3000)]
    expanded = words(preprocess("#define N 1\n#define F(a, b) (a + b)\n" + "\n".join(lines), FILE))
    assert expanded == " ".join(f"int v{number} = ({number} + (1));" for number in range(3000))


def test_trigraphs_are_not_replaced() -> None:
    unit = parse(FILE, '#define A 1\nchar *s = "what??!";\n')
    assert unit.ast.ext[0].init.value in ('"what??!"', '"what?\\?!"')


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


def test_expansions_without_measure_are_an_error() -> None:
    doubling = "".join(f"#define A{number} A{number + 1} A{number + 1}\n" for number in range(40))
    with pytest.raises(PincerError, match=r"program\.c:41:1: .* too long"):
        preprocess(f"{doubling}A0\n", FILE)


def test_calls_of_macros_may_be_nested_deeply() -> None:
    text = "#define F(x) x\n" + "F(" * 2000 + "1" + ")" * 2000 + "\n"
    assert words(preprocess(text, FILE)) == "1"


@pytest.mark.parametrize(
    "text", ["int x = __ATOMIC_SEQ_CST;\n", "int x = __COUNTER__ + 5;\n", "%:define A 5\nint x = A;\n"]
)
def test_macros_are_seen_whether_or_not_there_are_directives(text: str) -> None:
    assert "5;" in preprocess(text, FILE)
