"""The heads of loops are found in the text, and what is inserted there is executed once a round."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError, Position
from pincer.evidence.c.rounds import Round, WatchedRounds, watched


def woven(text: str, line: int, column: int) -> str:
    """The text with the call at a loop, in short."""
    [found] = watched([f'# 1 "p.c"\n{text}'], WatchedRounds((Round(Position("p.c", line, column), "x", 3),), 9))
    return found.split("\n", 1)[1].replace("__pincer_round(1, (x), 3ul, 9ul)", "R")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("void f(void) { while (x) y(); }", "void f(void) { while (R, x) y(); }"),
        ("void f(void) { for (;;) y(); }", "void f(void) { for (; R, 1;) y(); }"),
        ("void f(void) { for (i = 0; x; i++) y(); }", "void f(void) { for (i = 0; R,  x; i++) y(); }"),
        ("void f(void) { do { y(); } while (x); }", "void f(void) { do { R; y(); } while (x); }"),
    ],
)
def test_the_keyword_of_a_loop_tells_where_its_head_is(text: str, expected: str) -> None:
    assert woven(text, 1, text.index("{") + 3) == expected


def test_a_place_inside_of_a_loop_belongs_to_the_innermost_one() -> None:
    text = "void f(void) { while (a) { do { b(); } while (c); if (d) e(); else g(); } h(); }"
    assert "while (R, a)" in woven(text, 1, text.index("e()") + 1)
    assert "do { R; b();" in woven(text, 1, text.index("b()") + 1)
    plain = "void f(void) { while (a) if (b) c(); else d(); e(); }"
    assert "while (R, a)" in woven(plain, 1, plain.index("d()") + 1)
    with pytest.raises(PincerError, match="not found"):
        woven(plain, 1, plain.index("e()") + 1)


def test_a_label_is_the_head_of_a_loop_by_goto() -> None:
    text = "void f(void) { again: if (a) { goto again; } }"
    assert "again: R; if (a)" in woven(text, 1, text.index("if") + 1)


def test_a_loop_that_is_not_in_the_text_is_told() -> None:
    with pytest.raises(PincerError, match=r"p\.c:7:1"):
        woven("void f(void) { while (x); }", 7, 1)


def test_macros_move_columns() -> None:
    assert "while (R, x)" in woven("void f(void) { while (x); }", 1, 99)


def test_a_statement_and_the_end_are_watched() -> None:
    text = "void f(void) { if (a) x = 1; else { int y = 2; } }"

    def after(what: str) -> str:
        place = Round(Position("p.c", 1, text.index(what) + 1), "x", 0, "after")
        [found] = watched([f'# 1 "p.c"\n{text}'], WatchedRounds((place,), 0))
        return found.split("\n", 1)[1].replace("__pincer_round(1, (x), 0ul, 0ul)", "R")

    assert after("x = 1") == "void f(void) { if (a) { x = 1; R; } else { int y = 2; } }"
    assert after("int y") == "void f(void) { if (a) x = 1; else { int y = 2; R; } }"
    with pytest.raises(PincerError, match="not found"):
        after("if")
    text = "int main(void) { for (i = 0;;) i++; }"
    assert after("for") == "int main(void) { for (i = 0; R, 1;) i++; }"
    text = "int main(void) { for (; i < 3;) i++; }"
    with pytest.raises(PincerError, match="not found"):
        after("for")
    [ended] = watched([text], WatchedRounds((Round(Position("p.c", 1, 1), "x", 0, "end"),), 0))
    assert ended.startswith(text) and "__pincer_at_end" in ended
