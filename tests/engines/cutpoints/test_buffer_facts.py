"""Guesses about pointers: the object, its size, the distance to its end, and other objects."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.buffer_facts import buffer_candidates, cell_sizes, nullable_candidates
from pincer.logic import terms
from pincer.logic.bitvectors import binary, compare, constant, extend, extract, room
from tests.engines.cutpoints.cut_runs import FILL, viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

A, N, AT = register("main::a", 64), register("main::n"), register("main::i")


def test_size_and_start_of_a_buffer_are_guessed(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, FILL))
    guessed = set(buffer_candidates(view, head))
    size = binary("bvmul", constant(4, 64), extend(N, 32, False))
    assert {terms.equal(room(A), size), terms.negate(terms.equal(A, constant(0, 64)))} <= guessed
    assert terms.equal(extract(31, 0, A), constant(0, 32)) in guessed
    assert terms.disjunction(terms.equal(A, constant(0, 64)), terms.equal(room(A), size)) in set(
        nullable_candidates(view, head)
    )


def test_sizes_of_cells_are_the_factors_of_indices(tmp_path: Path) -> None:
    view, _ = viewed(loaded(tmp_path, FILL))
    assert cell_sizes(view) == [4]


def test_what_is_left_of_a_buffer_behind_a_pointer_is_guessed(tmp_path: Path) -> None:
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    unsigned char *p = malloc(n + 1);
    if (!p) return 0;
    while (n > 0) { *p++ = 0; n--; }
    return *p;
}"""
    view, head = viewed(loaded(tmp_path, text))
    pointer = register("main::p", 64)
    left = binary("bvsub", room(pointer), view.layout.offset(pointer))
    assert compare("bvult", extend(N, 32, False), left) in set(buffer_candidates(view, head))
