"""Loops are found where the source has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.inlining import inlined
from pincer.frontends.c.load import load
from pincer.program.loops import loop_position, seen_position

LOOPS = """extern int g(int);
int a[4];
int main(void) {
    int x = 0;
    while (1) {
        x = g(x);
        if (x == 9) break;
    }
    while (g(a[x & 3]) > 3 &&
           x < 7)
        x++;
    do {
        x++;
        if (x == 2) continue;
        x = g(3);
    } while (x < 4);
again:
    x++;
    if (x < 20) goto again;
    for (int i = 0; ; i++) {
        int k = g(i);
        if (k) return 0;
    }
}
"""


def test_loops_are_at_their_keywords_and_others_at_their_decisions(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text(LOOPS)
    program = load(file)
    main = program.procedures["main"]
    found = sorted(loop_position(program, main, head) for head in main.loop_heads)
    assert [(place.line, place.column) for place in found] == [(5, 5), (9, 5), (12, 5), (19, 5), (20, 5)]


@pytest.mark.parametrize(("text", "line"), [("{\n while (1)\n ;\n}", 2), ("{ int x = 0;\n for (;;)\n x++; }", 2)])
def test_loops_without_a_decision_are_at_their_keywords(tmp_path: Path, text: str, line: int) -> None:
    file = tmp_path / "p.c"
    file.write_text(f"int main(void) {text}")
    program = load(file)
    main = program.procedures["main"]
    [head] = main.loop_heads
    assert loop_position(program, main, head).line == line
    assert seen_position(main, head).line >= line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("do {\n while (g(1)) g(2);\n } while (g(3));", 2),
        ("for (;;)\n while (g(1)) g(2);", 2),
        ("while (1)\n do { g(1); } while (0);", 1),
        ("while (0) g(1);\n while (1) g(2);", 2),
        ("int x = g(0);\n while (x < x) g(1);\n while (1)\n ;", 3),
    ],
)
def test_of_several_loops_with_one_head_the_innermost_is_it_whose_rounds_are_all(
    tmp_path: Path, text: str, line: int
) -> None:
    file = tmp_path / "p.c"
    file.write_text(f"extern int g(int); int main(void) {{ {text} }}")
    program = load(file)
    main = program.procedures["main"]
    [head] = main.loop_heads
    assert loop_position(program, main, head).line == line


def test_loops_of_bodies_that_were_put_in_place_are_where_they_were(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int f(int n) {\n while (1) {\n n--;\n if (n < 3) return n; } }\nint main(void) { return f(7); }")
    program = load(file)
    flat = inlined(program)
    assert flat is not None
    main = flat.program.procedures["main"]
    assert [loop_position(flat.program, main, head).line for head in main.loop_heads] == [2]
