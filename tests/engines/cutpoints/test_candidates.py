"""Guesses about numbers: the conditions, comparisons, bounds and equations that loops rest on are among them."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.candidates import (
    combined_candidates,
    conditions,
    definitions,
    is_field,
    numeric_candidates,
    orders,
    pointers_of,
    sizes,
)
from pincer.engines.cutpoints.view import View
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


def test_a_count_that_is_stepped_below_a_number_comes_just_to_it(tmp_path: Path) -> None:
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), k = 0, m = 0;
    while (n--) { if (k < 8) k++; if (m <= 20) m++; }
    return k + m;
}"""
    view, head = viewed(loaded(tmp_path, text))
    k, m = register("main::k"), register("main::m")
    expected = {compare("bvule", k, constant(8, 32)), compare("bvule", m, constant(21, 32))}
    assert expected <= set(conditions(view, head))


def test_what_nobody_assigns_is_what_it_was_though_no_test_comes_there(tmp_path: Path) -> None:
    program = loaded(tmp_path, "static int limit = 9; int main(void) { int i = 0; while (i < limit) i++; }")
    view, head = viewed(program)
    unseen = View(view.program, view.procedure, view.live, {})
    [(limit, value)] = [(held, value) for held, value in program.initial.items() if held in view.live[head]]
    assert terms.equal(limit, constant(value, 32)) in set(numeric_candidates(unseen, head))


def test_a_size_may_be_chosen_by_a_condition(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL.replace("n * sizeof *a", "n > 1 ? n * sizeof *a : 4")))
    assert any(size.op == "ite" for size in sizes(view, head))


def test_fields_lie_at_fixed_distances() -> None:
    pointer, index = variable("p", 64), variable("i", 64)
    assert is_field(binary("bvadd", pointer, constant(8, 64)))
    assert is_field(constant(4096, 64))
    assert not is_field(binary("bvadd", pointer, index))


def test_numbers_that_count_from_zero_are_no_pointers(tmp_path: Path) -> None:
    text = FILL.replace("unsigned i = 0; i < n", "unsigned long i = 0; i < n").replace("a[i] = 7", "((char *)a)[i] = 7")
    view, head = viewed(loaded(tmp_path, text))
    assert pointers_of(view, head) == [A]


def test_sizes_are_followed_back_to_what_is_still_read(tmp_path: Path) -> None:
    text = FILL.replace("n * sizeof *a", "size").replace("int *a =", "unsigned long size = 4 * n + 8ul; int *a =")
    view, head = viewed(loaded(tmp_path, text))
    gone = View(view.program, view.procedure, {head: view.live[head] - {register("main::size", 64)}}, view.states)
    size = binary("bvadd", extend(binary("bvmul", constant(4, 32), N), 32, False), constant(8, 64))
    assert sizes(view, head) == [register("main::size", 64)] and sizes(gone, head) == [size]


def test_a_value_may_be_twice_another_one_and_two_may_not_pass_a_third(tmp_path: Path) -> None:
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0, k = 0;
    while (i < n) { if (__VERIFIER_nondet_uchar() % 2) j++; else k++; i++; }
    return n + j + k;
}"""
    view, head = viewed(loaded(tmp_path, text))
    whole = binary("bvadd", register("main::j"), register("main::k"))
    assert compare("bvule", whole, register("main::i")) in set(combined_candidates(view, head))
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, at = 0;
    while (i < n) { at++; if (__VERIFIER_nondet_uchar() % 2) at++; i++; }
    return n + at;
}"""
    view, head = viewed(loaded(tmp_path, text))
    double = binary("bvmul", constant(2, 32), AT)
    guessed = set(combined_candidates(view, head))
    assert compare("bvule", register("main::at"), double) in guessed
    assert compare("bvule", register("main::at"), binary("bvmul", constant(3, 32), AT)) not in guessed
