"""How operators combine."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.frontends.gcl import parse_formula, parse_program

PROGRAM = parse_program("var p, q, r, s : bool; var x, y, z : int; var a[0..2] : int;", "test.gcl")


@pytest.mark.parametrize(
    ("text", "explicit"),
    [
        ("p <=> q => r", "p <=> (q => r)"),
        ("p => q <=> r", "(p => q) <=> r"),
        ("p <=> q <=> r", "(p <=> q) <=> r"),
        ("p => q => r", "p => (q => r)"),
        ("p => q || r", "p => (q || r)"),
        ("p || q && r", "p || (q && r)"),
        ("p && q || r", "(p && q) || r"),
        ("!p && q", "(!p) && q"),
        ("!x = y", "!(x = y)"),
        ("!!x < y + 1 && p", "(!(!(x < (y + 1)))) && p"),
        ("x + y = z", "(x + y) = z"),
        ("x - y - z = 0", "((x - y) - z) = 0"),
        ("x - y + z = 0", "((x - y) + z) = 0"),
        ("x + 2 * y = 0", "(x + (2 * y)) = 0"),
        ("x * 2 div 3 mod 5 = 0", "(((x * 2) div 3) mod 5) = 0"),
        ("-x * 2 = 0", "((-x) * 2) = 0"),
        ("-x + y = 0", "((-x) + y) = 0"),
        ("x - -y = 0", "(x - (-y)) = 0"),
        ("x < y <=> y > x", "(x < y) <=> (y > x)"),
        ("p = !q && r", "(p = (!q)) && r"),
        ("forall i in 0..1 : a[i] = x && p => q", "forall i in 0..1 : ((a[i] = x && p) => q)"),
        ("p && exists i in 0..1 : a[i] = x || q", "p && (exists i in 0..1 : (a[i] = x || q))"),
        ("!forall i in 0..1 : a[i] = x && p", "!(forall i in 0..1 : (a[i] = x && p))"),
        ("x = if p then y else z + 1", "x = (if p then y else (z + 1))"),
        ("if p then q else r && s", "if p then q else (r && s)"),
        ("if p then if q then r else s else p", "if p then (if q then r else s) else p"),
        ("forall i in 1 + 1..2 * 1 : a[i] = x", "a[2] = x"),
    ],
)
def test_reads_as(text: str, explicit: str) -> None:
    assert parse_formula(text, PROGRAM) == parse_formula(explicit, PROGRAM)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("p => q => r", "(p => q) => r"),
        ("!p && q", "!(p && q)"),
        ("x - y - z = 0", "x - (y - z) = 0"),
        ("(p && q) && r", "p && q && r"),
    ],
)
def test_parentheses_matter(one: str, other: str) -> None:
    assert parse_formula(one, PROGRAM) != parse_formula(other, PROGRAM)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("x < y < z", 7, "comparisons do not chain"),
        ("p = q = r", 7, "comparisons do not chain"),
        ("p = !q = r", 5, "parentheses"),
        ("p = !!q = r", 6, "parentheses"),
    ],
)
def test_unclear_combinations_are_refused(text: str, column: int, message: str) -> None:
    with pytest.raises(PincerError, match=message) as caught:
        parse_formula(text, PROGRAM)
    assert caught.value.position is not None
    assert caught.value.position.column == column


def test_a_range_ends_before_the_initialiser() -> None:
    program = parse_program("control c : 1..3 = 1; init c = 1;", "test.gcl")
    assert len(program.variables) == 1
