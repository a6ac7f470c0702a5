"""Conditions under which signed arithmetic is defined, held against Python's integers for all small words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path

import pytest

from pincer.errors import Position
from pincer.frontends.c.load import load
from pincer.frontends.c.lowering import arithmetic_marks
from pincer.frontends.c.lowering.arithmetic_marks import quotient_fits
from pincer.frontends.c.semantics.types import Integer
from pincer.logic import bitvectors
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term
from pincer.program.control_flow import Check, Mark
from pincer.program.passes.overflow import ARITHMETIC

BITS = 4
A, B = bitvectors.variable("a", BITS), bitvectors.variable("b", BITS)
FITS: Mapping[str, tuple[Callable[[Term, Term], Term], Callable[[int, int], int]]] = {
    "+": (arithmetic_marks._sum_fits, lambda a, b: a + b),
    "-": (arithmetic_marks._difference_fits, lambda a, b: a - b),
    "*": (arithmetic_marks._product_fits, lambda a, b: a * b),
}


def words() -> Iterator[tuple[int, int]]:
    return product(range(1 << BITS), range(1 << BITS))


def signed(value: int) -> int:
    return bitvectors.signed(value, BITS)


def is_word(value: int) -> bool:
    return -(1 << BITS - 1) <= value < 1 << BITS - 1


@pytest.mark.parametrize("op", FITS)
def test_results_fit_exactly_where_python_says_so(op: str) -> None:
    fits, meant = FITS[op]
    condition = fits(A, B)
    for a, b in words():
        assert evaluate(condition, {A: a, B: b}) == is_word(meant(signed(a), signed(b))), (a, b)


@pytest.mark.parametrize("op", FITS)
def test_results_with_constants_fit_exactly_where_python_says_so(op: str) -> None:
    fits, meant = FITS[op]
    for a, b in words():
        right = bitvectors.constant(b, BITS)
        assert evaluate(fits(A, right), {A: a}) == is_word(meant(signed(a), signed(b)))
        assert evaluate(fits(right, A), {A: a}) == is_word(meant(signed(b), signed(a)))


def test_squares_fit_exactly_where_python_says_so() -> None:
    for a in range(1 << BITS):
        assert evaluate(arithmetic_marks._product_fits(A, A), {A: a}) == is_word(signed(a) ** 2)


def test_the_one_quotient_that_is_too_large() -> None:
    condition = quotient_fits(Integer("tiny", BITS, True, 1), A, B)
    wrong = [(signed(a), signed(b)) for a, b in words() if not evaluate(condition, {A: a, B: b})]
    assert wrong == [(-8, -1)]


def marks(folder: Path, text: str) -> list[Mark]:
    file = folder / "p.c"
    file.write_text(text, encoding="utf-8")
    found = [mark for p in load(file).procedures.values() for group in p.marks.values() for mark in group]
    return [mark for mark in found if mark.check.kind in ARITHMETIC]


def test_a_mark_is_where_its_operator_is(tmp_path: Path) -> None:
    (found,) = marks(tmp_path, "int g;\nint main(void) {\n    return 1 &&\n        g + 1;\n}\n")
    assert found.position == Position(str(tmp_path / "p.c"), 4, 9)


def test_functions_of_the_library_have_no_marks(tmp_path: Path) -> None:
    text = '#include <string.h>\nint main(int n, char **a) { return strcmp(a[0], "b") < 0; }\n'
    assert not marks(tmp_path, text)


@pytest.mark.parametrize(
    "change",
    [
        "x++;", "--x;", "x += n;", "x -= n;", "local += n;", "*pointer += n;",
        "__sync_fetch_and_add(&plain, n);", "__sync_sub_and_fetch(&plain, n);", "__atomic_fetch_sub(&plain, n, 5);",
        "atomic_fetch_add(&x, n);", "atomic_fetch_sub_explicit(&x, n, memory_order_relaxed);",
    ],
)  # fmt: skip
def test_sums_and_differences_of_atomic_objects_wrap_around(change: str, tmp_path: Path) -> None:
    declared = "#include <stdatomic.h>\n_Atomic int x; int plain, n;\n"
    assert not marks(
        tmp_path, f"{declared}int main(void) {{ _Atomic int local = n, *pointer = &x; {change} return 0; }}\n"
    )


@pytest.mark.parametrize("change", ["x = x + n;", "x *= n;", "plain += n;", "atomic_fetch_add(&x, n + n);"])
def test_other_arithmetic_beside_atomic_objects_is_marked(change: str, tmp_path: Path) -> None:
    declared = "#include <stdatomic.h>\n_Atomic int x; int plain, n;\n"
    assert len(marks(tmp_path, f"{declared}int main(void) {{ {change} return 0; }}\n")) == 1


def test_shifts_are_marked_twice(tmp_path: Path) -> None:
    found = marks(tmp_path, "int g;\nint main(void) { return g << 3; }\n")
    assert [mark.check.kind for mark in found] == ["shift", "overflow"]


def test_a_mark_is_no_check_of_the_program(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int g;\nint main(void) { int x = -g; return g / -1; }\n", encoding="utf-8")
    checks = [edge.label.kind for edge in load(file).edges() if isinstance(edge.label, Check)]
    assert checks == ["overflow"]
