"""What reports call the parts of objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.program.parts import (
    Elements,
    FieldPart,
    FloatingPart,
    IntegerPart,
    Members,
    fields_in,
    name_behind,
    name_in,
    number_at,
    part_name,
)

TEXT = """
#include <pthread.h>
struct account { int balance; struct { short low, high; }; pthread_mutex_t lock; } a[2];
union { int whole; char bytes[4]; } u;
int one;
void *run(void *u) { return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&a[1].lock); u.whole = one; return a[0].balance + *&one; }
"""


@pytest.mark.parametrize(
    ("variable", "offset", "name"),
    [("a", 0, "a[0].balance"), ("a", 52, "a[1].low"), ("a", 54, "a[1].high"), ("a", 56, "a[1].lock"),
     ("a", 60, "a[1].lock+4"), ("one", 0, "one")],
)  # fmt: skip
def test_bytes_of_variables_have_the_names_of_the_source(tmp_path: Path, variable: str, offset: int, name: str) -> None:
    file = tmp_path / "parts.c"
    file.write_text(TEXT)
    program = load(file)
    address = next(v.address.args[0] for v in program.variables if v.name == variable and v.address is not None)
    assert program.name_at(address + offset) == name


def test_no_variable_no_name(tmp_path: Path) -> None:
    file = tmp_path / "parts.c"
    file.write_text(TEXT)
    assert load(file).name_at(0) is None


def test_bytes_before_the_first_member_and_in_empty_elements_are_counted() -> None:
    assert part_name(Members(((4, "x", None),)), 2) == "+2"
    assert part_name(Elements(0, None), 3) == "+3"


def test_places_behind_a_pointer_have_names() -> None:
    node = Elements(16, Members(((0, "value", None), (8, "next", None))))
    assert [name_behind("p", node, at) for at in (0, 8, 24, 4)] == ["p->value", "p->next", "(p + 1)->next", None]
    assert [name_behind("p", Elements(4, None), at) for at in (0, 8, 2)] == ["*p", "*(p + 2)", None]


def test_a_part_of_an_element_behind_a_pointer_has_a_name() -> None:
    assert name_in("p", Elements(8, None), 16, ".low") == "(p + 2)->low"
    assert name_in("p", Elements(8, None), 0, "") == "*p"


def test_numbers_are_read_as_their_types_say() -> None:
    assert IntegerPart(8, True).text(255) == "-1"
    assert IntegerPart(8, False).text(255) == "255"
    assert IntegerPart(32, True, ((-1, "NONE"), (0, "SOME"))).text(0xFFFFFFFF) == "NONE"
    assert IntegerPart(32, True, ((-1, "NONE"),)).text(7) == "7"
    assert FloatingPart(32).text(0x3F000000) == "0.5"


def test_the_number_at_an_offset_is_found_in_arrays_and_structures() -> None:
    whole = Elements(8, Members(((0, "x", IntegerPart(32, True)), (4, "y", FloatingPart(32)))))
    assert number_at(whole, 8) == IntegerPart(32, True)
    assert number_at(whole, 12) == FloatingPart(32)
    assert number_at(whole, 13) is None
    assert number_at(None, 0) is None


def test_bit_fields_within_some_bytes_are_found_with_their_places() -> None:
    low, high = IntegerPart(3, False), IntegerPart(7, True)
    fields = Members(((0, "low", FieldPart(0, low)), (0, "high", FieldPart(3, high)), (4, "x", IntegerPart(32, True))))
    whole = Elements(16, Members(((0, "n", None), (8, "inner", fields))))
    assert list(fields_in(whole, 24, 2)) == [
        ("[1].inner.low", FieldPart(0, low)),
        ("[1].inner.high", FieldPart(3, high)),
    ]
    assert list(fields_in(whole, 24, 1)) == [("[1].inner.low", FieldPart(0, low))]
    assert list(fields_in(whole, 25, 1)) == []
    assert list(fields_in(whole, 28, 4)) == []
