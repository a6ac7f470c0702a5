"""Expressions are written as the programmer wrote them, so that they mean the same when they are read again."""

from __future__ import annotations

import pytest
from pycparser import c_ast

from pincer.frontends.c.syntax.wording import source_text
from tests.frontends.c.syntax.parsed_c import body


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("x+1", "x + 1"),
        ("(x+1)*2", "(x + 1) * 2"),
        ("x*2+1 == *p", "x * 2 + 1 == *p"),
        ("!x || p && x", "!x || p && x"),
        ("x - (1 - x) - 2", "x - (1 - x) - 2"),
        ("(x && p) && !(x || p)", "x && p && !(x || p)"),
        ("(x & 1) == 0 | x << 2 + 1", "((x & 1) == 0) | (x << (2 + 1))"),
        ("(x < 1) == (x < 2)", "(x < 1) == (x < 2)"),
        ("-x * (int)x", "-x * (int)x"),
        ("p [ x ]", "p[x]"),
        ("- -x", "-(-x)"),
        ("!*p", "!*p"),
        ("x++", "x++"),
        ("x = *p", "x = *p"),
        ("f(x, (1, 2))", "f(x, 1, 2)"),
        ("x ? p : 0", "x ? p : 0"),
        ("x ?: 1", "x ?: 1"),
        ("(unsigned char *)p", "(unsigned char *)p"),
        ("(struct s *)p", "(struct s *)p"),
        ("sizeof(x)", "sizeof(x)"),
        ("q->a.b", "q->a.b"),
        ("({ x; })", "..."),
    ],
)
def test_wording(written: str, shown: str) -> None:
    (expression,) = body(f"{written};")
    assert source_text(expression) == shown


def test_what_is_long_is_cut() -> None:
    (expression,) = body(" + ".join(["x"] * 100) + ";")
    text = source_text(expression)
    assert len(text) == 120 and text.endswith(" ...")


def test_the_words_say_the_same_when_they_are_read_again() -> None:
    (first,) = body("x = -(x + 1) * ~(*p & (3 | x)) - (x - 2) % 3 / 2 * x == 1 || x && (x || 2) ? x-- : !(x < 2);")
    (second,) = body(source_text(first) + ";")

    def shape(node: c_ast.Node) -> object:
        return type(node), getattr(node, "op", ""), [shape(child) for child in node]

    assert shape(first) == shape(second)
