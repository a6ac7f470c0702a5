"""Guesses about contents come from conditions and stores, and tests refute wrong ones."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.contents import cell_candidates, content_candidates, neighbour_candidates
from pincer.engines.cutpoints.view import view_of
from pincer.logic import ranges, terms
from pincer.logic.bitvectors import binary, compare, constant, extend, load
from pincer.runtime.run import Run
from tests.engines.cutpoints.cut_runs import FILL, viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

A, N, AT = register("main::a", 64), register("main::n"), register("main::i")
FIRST, WIDE_I, WIDE_N = constant(0, 64), extend(AT, 32, False), extend(N, 32, False)


def test_what_a_loop_stores_is_guessed_of_the_cells_behind_it(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL))
    cell = load(binary("bvadd", A, binary("bvmul", constant(4, 64), ranges.index(64))), 4)
    seven = terms.equal(cell, constant(7, 32))
    guessed = set(content_candidates(view, head))
    assert ranges.every(FIRST, WIDE_I, seven) in guessed
    assert ranges.every(FIRST, WIDE_N, seven) not in guessed
    assert ranges.every(WIDE_I, WIDE_N, seven) not in guessed


def test_a_zero_byte_ahead_is_guessed(tmp_path: Path) -> None:
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    char *a = calloc(n, 1);
    if (!a) return 0;
    unsigned i = 0;
    while (a[i]) i++;
    return i < n;
}"""
    view, head = viewed(loaded(tmp_path, text))
    cell = load(binary("bvadd", A, ranges.index(64)), 1)
    assert ranges.some(WIDE_I, WIDE_N, terms.equal(cell, constant(0, 8))) in set(content_candidates(view, head))


def test_nothing_is_guessed_of_cells_that_no_test_has_written(tmp_path: Path) -> None:
    text = FILL.replace("a[i] = 7;", "a[i] = 0;").replace("a[k] == 7", "a[k] == 0")
    view, head = viewed(loaded(tmp_path, text))
    cell = load(binary("bvadd", A, binary("bvmul", constant(4, 64), ranges.index(64))), 4)
    zero = terms.equal(cell, constant(0, 32))
    assert ranges.every(FIRST, WIDE_I, zero) in set(content_candidates(view, head))
    assert ranges.every(WIDE_I, WIDE_N, zero) not in set(content_candidates(view, head))
    guessed = set(cell_candidates(view, head))
    before = terms.substitute(zero, {ranges.index(64): binary("bvsub", WIDE_I, constant(1, 64))})
    assert terms.disjunction(terms.equal(WIDE_I, FIRST), before) in guessed
    assert terms.substitute(zero, {ranges.index(64): WIDE_I}) not in guessed


INSERTION = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    unsigned *a = malloc(n * sizeof *a);
    if (!a) return 0;
    for (unsigned length = 0; length < n; length++) {
        unsigned value = __VERIFIER_nondet_uint(), at = length;
        while (at > 0 && a[at - 1] > value) { a[at] = a[at - 1]; at--; }
        a[at] = value;
    }
    unsigned k = __VERIFIER_nondet_uint();
    if (k < n - 1) assert(a[k] <= a[k + 1]);
}"""


def test_cells_are_in_order_up_to_the_place_where_one_moves(tmp_path: Path) -> None:
    program = loaded(tmp_path, INSERTION)
    main = program.procedures["main"]
    head = max(main.loop_heads)
    view = view_of(program, main, frozenset((main.entry, *main.loop_heads)), {}, Run())
    cell = load(binary("bvadd", A, binary("bvmul", constant(4, 64), ranges.index(64))), 4)
    previous = terms.substitute(cell, {ranges.index(64): binary("bvsub", ranges.index(64), constant(1, 64))})
    length, value, at = (register(f"main::{name}") for name in ("length", "value", "at"))
    guessed = set(neighbour_candidates(view, head))
    assert ranges.every(constant(1, 64), extend(length, 32, False), compare("bvule", previous, cell)) in guessed
    ahead = terms.substitute(cell, {ranges.index(64): extend(at, 32, False)})
    moved = terms.disjunction(compare("bvule", length, at), terms.negate(compare("bvule", ahead, value)))
    assert moved in guessed
