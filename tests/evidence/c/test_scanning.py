"""Numbers that a program reads by a format are delivered to compiled code as they were recorded, where that can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c.execution import Confirmation, confirm
from pincer.evidence.c.trace import InputValue
from tests.evidence.c.recorded_tests import failing, needs_compiler, recorded, value, written

HEADS = "#include <stdio.h>\nextern void reach_error(void);\nint main(void) {\n"
CONVERSIONS = (
    ("%d", "int", -5, 32),
    ("%u", "unsigned", 4000000000, 32),
    ("%x", "unsigned", 255, 32),
    ("%ld", "long", -(1 << 40), 64),
    ("%lu", "unsigned long", 1 << 63, 64),
    ("%lld", "long long", -(1 << 50), 64),
    ("%zu", "unsigned long", 1 << 33, 64),
    ("%hd", "short", -300, 16),
    ("%hhd", "signed char", -3, 8),
    ("%3hhu", "unsigned char", 200, 8),
    ("%c", "char", 65, 8),
)


def read_by(function: str, count: int, *numbers: int, width: int = 32) -> tuple[InputValue, ...]:
    """One call: what it returns, then what it stores."""
    source = f"number read by {function}"
    return (value(function, count, "external"), *(value(source, number, "external", width=width) for number in numbers))


def confirmed(folder: Path, body: str, *inputs: InputValue) -> Confirmation:
    text = HEADS + body + "}\n"
    return confirm(failing(recorded(*inputs), text), written(folder, text))


@needs_compiler
@pytest.mark.parametrize(("format", "type_", "number", "width"), CONVERSIONS)
def test_a_number_is_stored_as_its_conversion_says(
    format: str, type_: str, number: int, width: int, tmp_path: Path
) -> None:
    suffix = "ul" if number >= 1 << 63 else "l"
    body = f"""
    {type_} cells[3] = {{1, 2, 3}};
    if (scanf(" {format}", &cells[1]) == 1 && cells[0] == 1 && cells[1] == {number}{suffix} && cells[2] == 3)
        reach_error();
    """
    assert confirmed(tmp_path, body, *read_by("scanf", 1, number, width=width)).status == "confirmed"


@needs_compiler
def test_texts_and_numbers_with_a_point_are_delivered(tmp_path: Path) -> None:
    body = """
    char s[4], t[9]; float f; double d;
    if (scanf("%3s %f %8s %lf", s, &f, t, &d) == 4 && s[2] == 'c' && s[3] == 0 && t[0] == 'x' && t[1] == 0
        && f == 2.5f && d == -0.5)
        reach_error();
    """
    end, single, double = 0xFFFFFFFF, 0x40200000, 0xBFE0000000000000
    first = read_by("scanf", 4, *b"abc", single, *b"x", end)
    assert confirmed(tmp_path, body, *first, *read_by("scanf", 0, double, width=64)[1:]).status == "confirmed"


@needs_compiler
def test_only_as_many_numbers_are_stored_as_were_read(tmp_path: Path) -> None:
    body = """
    int a = 1, b = 2, c = 3;
    if (fscanf(stdin, "%d%*d 100%% %d %d", &a, &b, &c) == 2 && a == 7 && b == 8 && c == 3) reach_error();
    """
    assert confirmed(tmp_path, body, *read_by("fscanf", 2, 7, 8)).status == "confirmed"


@needs_compiler
def test_the_librarys_own_name_is_replaced_too(tmp_path: Path) -> None:
    text = """
    extern int __isoc99_scanf(const char *, ...);
    extern void reach_error(void);
    int main(void) { int x; if (__isoc99_scanf("%d", &x) == 1 && x == 9) reach_error(); }
    """
    test = failing(recorded(*read_by("__isoc99_scanf", 1, 9)), text)
    assert confirm(test, written(tmp_path, text)).status == "confirmed"


@needs_compiler
@pytest.mark.parametrize(
    ("second", "status"), [("%d", "not confirmed"), ("%c", "confirmed")], ids=["a number", "the character"]
)
def test_after_a_failed_read_only_the_character_it_failed_at_can_be_read(
    second: str, status: str, tmp_path: Path
) -> None:
    body = f"""
    int x = 0; char c;
    if (scanf("%d", &x) == 0 && scanf("{second}", {"&x" if second == "%d" else "&c"}) == 1) reach_error();
    """
    answer = confirmed(tmp_path, body, value("scanf", 0, "external"), *read_by("scanf", 1, 9))
    assert answer.status == status, answer.detail


@needs_compiler
def test_what_a_text_holds_is_read_from_the_text(tmp_path: Path) -> None:
    body = 'int x; if (sscanf("7", "%d", &x) == 1 && x == {}) reach_error();'
    recorded_as = read_by("sscanf", 1, 8)
    assert confirmed(tmp_path, body.format(8), *recorded_as).status == "not confirmed"
    assert confirmed(tmp_path, body.format(7), *recorded_as).status == "confirmed"


@needs_compiler
def test_objects_of_other_files_hold_what_was_recorded(tmp_path: Path) -> None:
    text = "extern int limit; extern short low;\nextern void reach_error(void);\nint main(void) {\n"
    text += "  if (limit == 77 && low == -4) reach_error();\n}\n"
    inputs = (value("limit", 77, "external"), value("low", -4, "external", width=16))
    assert confirm(recorded(*inputs, line=4), written(tmp_path, text)).status == "confirmed"
