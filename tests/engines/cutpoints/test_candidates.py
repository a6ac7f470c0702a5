"""Guesses about numbers: the conditions, comparisons, bounds and equations that loops rest on are among them."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.candidates import (
    conditions,
    definitions,
    is_field,
    numeric_candidates,
    orders,
    pointers_of,
    sizes,
)
from pincer.logic import terms
from pincer.logic.bitvectors import binary, compare, constant, extend, variable
from tests.engines.cutpoints.cut_runs import FILL, viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

A, N, AT = register("main::a", 64), register("main::n"), register("main::i")


def test_bounds_and_orders_of_a_loop_are_guessed(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL))
    guessed = set(numeric_candidates(view, head))
    assert {compare("bvule", N, constant(1000, 32)), compare("bvule", AT, N)} <= guessed
    assert compare("bvule", N, constant(1000, 32)) in set(conditions(view, head))


def test_pointers_and_sizes_are_told_from_numbers(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL))
    assert pointers_of(view, head) == [A]
    assert binary("bvmul", constant(4, 64), extend(N, 32, False)) in sizes(view, head)


def test_only_orders_that_the_program_uses_are_guessed(tmp_path: Path) -> None:
    view, _ = viewed(loaded(tmp_path, FILL))
    assert orders(view) == ["bvule"]
    signed, _ = viewed(loaded(tmp_path, "int main(void) { int i = 0; while (i < 9) i++; }"))
    assert orders(signed) == ["bvule", "bvsle"]


def test_quotients_are_guessed_without_division(tmp_path: Path) -> None:
    text = """
int main(void) { unsigned n = __VERIFIER_nondet_uint(), half = n / 3, i = 0; while (i < half) i++; return n + half; }"""
    view, head = viewed(loaded(tmp_path, text))
    half = register("main::half")
    product = binary("bvmul", constant(3, 32), half)
    assert compare("bvule", product, N) in set(definitions(view, head))
    assert not any(part.op == "bvudiv" for claim in definitions(view, head) for part in terms.postorder(claim))


def test_fields_lie_at_fixed_distances() -> None:
    pointer, index = variable("p", 64), variable("i", 64)
    assert is_field(binary("bvadd", pointer, constant(8, 64)))
    assert is_field(constant(4096, 64))
    assert not is_field(binary("bvadd", pointer, index))
