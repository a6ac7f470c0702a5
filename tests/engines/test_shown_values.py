"""Traces show what pointers point to, and what is stored by the names of the places."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.board import Board, Violated
from pincer.engines.violation import violated
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import lowered

TEXT = """
#include <stdlib.h>
extern void reach_error(void);
struct pair { int x; int y[3]; };
void f(void) {}
int main(void) {
    struct pair s, *q = NULL;
    int a[4], *p = &a[2], *held[2];
    void (*g)(void) = f;
    *p = 5;
    s.y[1] = *p + 1;
    q = malloc(sizeof *q); q->y[1] = 7;
    int *r = &q->x + 1; *r = 8;
    held[1] = p;
    const char *t = "hello" + 1;
    int *w = (int[]){1, 2} + 1;
    struct { struct pair *other; char kind; signed char n; } none = { NULL, 'k', 'k' };
    char c = 'x';
    free(q);
    int *u = r, *before = a - 1;
    g();
    if (t && u && w && c && none.kind && held[1] && before) reach_error();
    return 0;
}
"""


def test_values_are_shown_as_what_they_are(tmp_path: Path) -> None:
    found = violated(Board(lowered(tmp_path, TEXT), "assertions", Run()), {})
    assert isinstance(found, Violated)
    changes = {f"{name} = {value}" for step in found.test.steps for name, value in step.changes}
    assert {
        "p = &a[2]",
        "q = NULL",
        "a[2] = 5",
        "s.y[1] = 6",
        "q = malloc'd at line 12",
        "r = malloc'd at line 12 + 4",
        "held[1] = &a[2]",
        "before = &a[0] - 4",
        "w = object of 8 bytes + 4",
        't = "hello" + 1',
        "u = malloc'd at line 12 + 4, gone",
        "g = f",
        "q->y[1] = 7",
        "*r = 8",
        "none.other = NULL",
        "none.kind = 107 'k'",
        "none.n = 107",
        "c = 120 'x'",
    } <= changes
    [freed] = [step for step in found.test.steps if step.text == "free of malloc'd at line 12"]
    assert freed.changes == ()


ENUMERATIONS = """
#include <stdlib.h>
extern void reach_error(void);
enum colour { RED, GREEN = 5, BLUE, FIRST = 0, DARK = -2 };
typedef enum { OFF, ON } power;
struct lamp { int sign : 1; unsigned low : 3; enum colour shade : 4; power on : 2; enum colour c; unsigned char u; };
struct lamp lamps[2];
int main(void) {
    enum colour now = BLUE, table[2] = { RED, DARK };
    enum colour odd = (enum colour)3;
    lamps[1].low = 5;
    lamps[1].on = ON;
    lamps[1].u = 200;
    struct lamp *p = malloc(sizeof *p);
    *p = lamps[1];
    p->sign = -1;
    p->shade = GREEN;
    p->c = now;
    unsigned int most = 0xffffffffu, *q = &most;
    *(char *)q = 0;
    if (*q && table[1] && odd) reach_error();
    return 0;
}
"""


def test_enumerators_bit_fields_and_unsigned_parts_are_shown_as_they_are_declared(tmp_path: Path) -> None:
    found = violated(Board(lowered(tmp_path, ENUMERATIONS), "assertions", Run()), {})
    assert isinstance(found, Violated)
    changes = [f"{name} = {value}" for step in found.test.steps for name, value in step.changes]
    for line in (
        "now = BLUE", "table[0] = RED", "table[1] = DARK", "odd = 3", "lamps[1].low = 5", "lamps[1].on = ON",
        "lamps[1].u = 200", "p->sign = -1", "p->shade = GREEN", "p->c = BLUE", "most = 4294967295",
        "most = 4294967040",
    ):  # fmt: skip
        assert line in changes
    assert not [line for line in changes if line.startswith(("lamps[1].sign", "lamps[1].shade"))]


def test_enumerations_of_one_name_that_differ_are_numbers(tmp_path: Path) -> None:
    text = """extern void reach_error(void);
int f(void) { enum e { A, B } x = B; return x; }
int g(void) { enum e { A, C } y = A, z = C; return y + z; }
int main(void) { f(); if (g()) reach_error(); return 0; }
"""
    found = violated(Board(lowered(tmp_path, text), "assertions", Run()), {})
    assert isinstance(found, Violated)
    changes = {f"{name} = {value}" for step in found.test.steps for name, value in step.changes}
    assert {"y = A", "z = 1"} <= changes


def test_what_another_file_makes_is_shown_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "make.h").write_text("static int *make(void) {\n  return malloc(4);\n}\n", encoding="utf-8")
    text = """#include <stdlib.h>
extern void reach_error(void);
#include "make.h"
int main(void) { int *p = make(); if (p) reach_error(); return 0; }
"""
    found = violated(Board(lowered(tmp_path, text), "assertions", Run()), {})
    assert isinstance(found, Violated)
    assert ("p", "malloc'd at make.h:2") in {change for step in found.test.steps for change in step.changes}


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        ("int *p = malloc(4); free(p); *p = 1;", "invalid access to *p (use after free: malloc'd at line 3)"),
        ("int *p; { int x = 1; p = &x; } *p = 1;", "invalid access to *p (use of an object after its end)"),
        ("int *p = 0; *p = 1;", "invalid access to *p"),
        (
            "int *p = malloc(4); free(p); free(p);",
            "p is no heap object that can be freed (freed a second time: malloc'd at line 3)",
        ),
        ("int *p = malloc(4); p[1] = 1;", "invalid access to p[1]"),
    ],
)
def test_accesses_after_the_end_are_called_so(tmp_path: Path, statements: str, message: str) -> None:
    text = f"\n#include <stdlib.h>\nint main(void) {{ {statements} return 0; }}\n"
    found = violated(Board(lowered(tmp_path, text), "memory", Run()), {})
    assert isinstance(found, Violated) and found.test.failure.message == message


COMMAND_LINE = """
extern void reach_error(void);
int main(int argc, char **argv) {
    char **next = argv + 1;
    if (argc < 2) return 0;
    char *text = *next, *behind = text + 2;
    if (behind && text) reach_error();
    return 0;
}
"""


def test_pointers_into_the_command_line_are_shown_as_its_arguments(tmp_path: Path) -> None:
    found = violated(Board(lowered(tmp_path, COMMAND_LINE), "assertions", Run()), {})
    assert isinstance(found, Violated)
    changes = {f"{name} = {value}" for step in found.test.steps for name, value in step.changes}
    assert {"argv = &argv[0]", "next = &argv[1]", "text = argv[1]", "behind = argv[1] + 2"} <= changes


COPIED = """
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    char word[8];
    int numbers[2] = { 2, 1 };
    strcpy(word, "ab");
    qsort(numbers, 2, sizeof *numbers, by_value);
    if (numbers[0] == 1) reach_error();
    return 0;
}
"""


def test_what_the_library_writes_byte_by_byte_is_told_as_what_it_is(tmp_path: Path) -> None:
    found = violated(Board(lowered(tmp_path, COPIED), "assertions", Run()), {})
    assert isinstance(found, Violated)
    added = [change for step in found.test.steps if step.position.is_added for change in step.changes]
    assert {("word[0]", "97 'a'"), ("word[1]", "98 'b'"), ("word[2]", "0")} <= set(added)
    assert dict(change for change in added if change[0].startswith("numbers")) == {"numbers[0]": "1", "numbers[1]": "2"}
