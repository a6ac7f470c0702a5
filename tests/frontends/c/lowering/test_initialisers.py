"""Initialisers: braces and their elision, designators, strings, static contents and automatic stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.program.control_flow import ControlFlowProgram, Fill, Store, Unsupported
from tests.frontends.c.lowered_c import labels, lowered, result_of

DECLARATIONS = """
struct Inner { short a; char b[3]; }; struct Outer { int n; struct Inner in[2]; union { int i; char c[6]; } u; };
"""

CONTENTS = [
    ("int x[4] = {1, 2}", "01000000020000000000000000000000"),
    ("int x[] = {[2] = 5, 6, [0] = 1}", "01000000000000000500000006000000"),
    ("int x[6] = {[1 ... 3] = 7, 8}", "000000000700000007000000070000000800000000000000"),
    ('char x[] = "ab" "c"', "61626300"),
    ('char x[2] = "ab"', "6162"),
    ("char x[2][3] = {\"ab\", {'c'}}", "616200630000"),
    ('struct Inner x = {-1, "xy"}', "ffff78790000"),
    ("struct Outer x = {1, 2, 3, 4, 5, 6}", "01000000 0200 030405 00 0600 00000000 0000000000000000"),
    (
        'struct Outer x = {.in[1].b[1] = 9, 8, .u.c = "q", .n = 4}',
        "04000000 000000000000 0000 00 09 08 00 7100000000000000",
    ),
    ("struct Outer x[1] = {{1, {{2}, {3}}, {.c = {1, 2}}}}", "01000000 020000000000 030000000000 0102000000000000"),
    ("struct { unsigned a : 4, b : 12; int c : 3; } x = {.b = 0xabc, .c = -1}", "c0ab0700"),
    ("struct { int a; union { char c; short s; }; int z; } x = {1, {2}, .s = 0x304}", "010000000403000000000000"),
    ("int (x) = 3 + sizeof(int) * 2", "0b000000"),
    ("double x = 1.5", "000000000000f83f"),
    ("float x = -2", "000000c0"),
    ("unsigned char x[3] = {300, -1}", "2cff00"),
]


def image(program: ControlFlowProgram, name: str) -> bytes:
    found = next(item for item in program.objects if item.name == name)
    return found.contents.ljust(found.size, b"\0")


@pytest.mark.parametrize(("declaration", "contents"), CONTENTS)
def test_static_contents(declaration: str, contents: str, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{DECLARATIONS} {declaration}; int main(void) {{ void *p = &x; return p != 0; }}")
    assert image(program, "x") == bytes.fromhex(contents)


AUTOMATIC = [
    ("int x[4] = {1, 2}", "x[0] + x[1] * 10 + x[2] + x[3]", 21),
    ("int x[100] = {1, [99] = 5}", "x[0] + x[50] + x[99] * 10", 51),
    (
        "struct Outer x = {1, 2, 3, 4, 5, 6}",
        "x.n + x.in[0].a * 10 + x.in[0].b[2] * 100 + x.in[1].a * 1000 + x.u.i",
        6521,
    ),
    ('struct Inner y = {7, "ab"}; struct Outer x = {1, {y, y}}', "x.in[1].a * 10 + x.in[1].b[1] - 98", 70),
    ("int n = 3; int x[3] = {n, n * 2, n * 3}", "x[0] + x[1] + x[2]", 18),
    ("int *x = (int[]){4, 5, 6}", "x[0] * 10 + x[2]", 46),
    ("struct Inner x = (struct Inner){.b = {1, 2}}", "x.a + x.b[1]", 2),
    ("int x = {5}", "x", 5),
    ("union { int i; long long l; } x = {-1}", "x.l == 4294967295", 1),
]


@pytest.mark.parametrize(("declaration", "expression", "value"), AUTOMATIC)
def test_automatic_objects(declaration: str, expression: str, value: int, tmp_path: Path) -> None:
    body = f"{declaration}; result = {expression};"
    assert result_of(tmp_path, f"{DECLARATIONS} long long result; int main(void) {{ {body} return 0; }}") == value


@pytest.mark.parametrize("value", ["1 << 31", "2147483647 + 1", "-2147483647 - 2"])
def test_overflow_in_a_static_initialiser_is_computed_as_compilers_do(tmp_path: Path, value: str) -> None:
    assert result_of(tmp_path, f"static int x = {value}; long long result; int main(void) {{ result = x; }}") in (
        -(1 << 31),
        (1 << 31) - 1,
    )


def test_pointers_in_static_objects_hold_final_addresses(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """int a[3]; int f(void) { return 1; } struct { int *p; int (*g)(void); char *s; } x = {a + 2, f, "t"};
        int main(void) { return *x.p + x.g() + x.s[0]; }""",
    )
    objects = {item.name: item.address for item in program.objects}
    expected = [objects["a"] + 8, program.functions["f"], objects['"t"']]
    assert [int.from_bytes(image(program, "x")[i : i + 8], "little") for i in (0, 8, 16)] == expected


def test_small_objects_are_cleared_by_stores_and_large_ones_by_one_fill(tmp_path: Path) -> None:
    small = lowered(tmp_path, "int main(void) { int a[4] = {0}; return a[1]; }")
    large = lowered(tmp_path, "int main(void) { int a[400] = {0}; return a[1]; }")
    assert (len(labels(small, Store)), len(labels(small, Fill))) == (4, 0)
    assert (len(labels(large, Store)), len(labels(large, Fill))) == (1, 1)


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("int y; int x = y;", "must be constant"),
        ("struct { int a; } x = {.b = 1};", "no member `b`"),
        ("int x[2] = {[5] = 1};", "outside the object"),
    ],
)
def test_mistakes_are_named(declaration: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=message) as caught:
        lowered(tmp_path, f"{declaration} int main(void) {{ return &x != 0; }}")
    assert caught.value.position is not None


def test_an_initial_value_without_a_definition_is_left_open_only_where_it_is_used(tmp_path: Path) -> None:
    text = "int x = 1 << 40, cells[2] = {3, 1 << 33}; int main(void) { return %s; }"
    assert labels(lowered(tmp_path, text % "0"), Unsupported) == []
    for used, shift in (("x", "1 << 40"), ("cells[0]", "1 << 33")):
        (left_open,) = labels(lowered(tmp_path, text % used), Unsupported)
        assert "C does not define" in left_open.what and shift in left_open.what


_LOG = "long result; int t(int v) { result = 10 * result + v; return v; } struct pair { int a, b; }; "


@pytest.mark.parametrize(
    ("declaration", "order"),
    [
        ("struct pair p = {.b = t(1), .a = t(2)};", 21),
        ("int a[3] = {[2] = t(1), [0] = t(2), t(3)};", 231),
        ("struct { struct pair p; int c; } q = {.c = t(1), .p = {t(2), t(3)}};", 231),
        ("int a[4] = {[1 ... 3] = t(5)};", 5),
        ("struct pair p = {t(1), t(2)};", 12),
    ],
)
def test_initialisers_are_evaluated_in_the_order_of_what_they_initialise(
    tmp_path: Path, declaration: str, order: int
) -> None:
    assert result_of(tmp_path, f"{_LOG} int main(void) {{ {declaration} return 0; }}") == order


def test_elements_of_a_range_get_the_same_value(tmp_path: Path) -> None:
    text = "long result; int n; int main(void) { int a[3] = {[0 ... 2] = ++n}; result = 100*a[0] + 10*a[1] + a[2]; }"
    assert result_of(tmp_path, text) == 111


@pytest.mark.parametrize(
    "declaration",
    ["int a[2] = {t(1), [0] = t(2)};", "union { long l; char c; } u = {.l = -1, .c = 1};"],
)
def test_initialisers_that_compilers_need_not_evaluate_are_unsupported(tmp_path: Path, declaration: str) -> None:
    assert labels(lowered(tmp_path, f"{_LOG} int main(void) {{ {declaration} return 0; }}"), Unsupported)


def test_the_last_initialiser_of_a_place_counts(tmp_path: Path) -> None:
    text = "struct pair { int a, b; } s = {1, 2, .a = 3}; int main(void) { struct pair t = {.b = 4, .b = 6};"
    assert result_of(tmp_path, f"long result; {text} result = 100 * s.a + 10 * s.b + t.b; return 0; }}") == 326
