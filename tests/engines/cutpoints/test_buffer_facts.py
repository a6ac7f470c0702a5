"""Guesses about pointers: the object, its size, the distance to its end, and other objects."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.buffer_facts import buffer_candidates, cell_sizes, marks, nullable_candidates
from pincer.engines.portfolio import Ended
from pincer.logic import terms
from pincer.logic.bitvectors import binary, compare, constant, extend, extract, room
from tests.engines.cutpoints.cut_runs import FILL, is_proved, tried, viewed
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


def test_an_object_without_bytes_is_live_by_the_mark_behind_it(tmp_path: Path) -> None:
    text = FILL.replace("n == 0 || ", "").replace("if (k < n) assert(a[k] == 7);", "free(a);")
    view, head = viewed(loaded(tmp_path, text))
    behind = room(binary("bvadd", A, constant(view.layout.slot, 64)))
    [mark] = marks(view)
    empty = terms.equal(room(A), constant(0, 64))
    assert terms.disjunction(terms.negate(empty), terms.equal(behind, mark)) in set(buffer_candidates(view, head))
    assert is_proved(tmp_path, text)
    assert isinstance(tried(tmp_path, text.replace("free(a);", "free(a); free(a);")), Ended)


def test_programs_without_empty_objects_have_no_marks(tmp_path: Path) -> None:
    view, _ = viewed(loaded(tmp_path, FILL))
    assert marks(view) == []


def test_pointers_that_move_alike_are_equally_far_in_their_objects(tmp_path: Path) -> None:
    text = """
int main(void) {
    char *from = calloc(9, 1), *to = calloc(9, 1);
    if (!from || !to) return 0;
    while (__VERIFIER_nondet_uchar()) { *to = *from; to++; from++; }
}"""
    view, head = viewed(loaded(tmp_path, text))
    first, second = (view.layout.offset(register(f"main::{name}", 64)) for name in ("from", "to"))
    assert {terms.equal(first, second), terms.equal(second, first)} & set(buffer_candidates(view, head))


def test_numbers_are_zero_where_a_pointer_is_null_that_is_not_always(tmp_path: Path) -> None:
    text = """
int main(void) {
    char *p = 0;
    unsigned held = 0;
    while (__VERIFIER_nondet_int()) {
        if (!held) {
            p = malloc(8);
            if (!p) return 0;
            held = 8;
        }
        p[held - 1] = 1;
        held = 5;
    }
    free(p);
}"""
    view, head = viewed(loaded(tmp_path, text))
    pointer, held = register("main::p", 64), register("main::held")
    is_null, is_zero = terms.equal(pointer, constant(0, 64)), terms.equal(held, constant(0, 32))
    guessed = set(buffer_candidates(view, head))
    assert terms.disjunction(terms.negate(is_null), is_zero) in guessed
    assert terms.disjunction(is_null, terms.equal(room(pointer), constant(8, 64))) in guessed
    assert is_proved(tmp_path, text)
    assert isinstance(tried(tmp_path, text.replace("held = 5", "held = 9")), Ended)


def test_a_pointer_that_is_null_in_the_end_stays_in_its_object_before(tmp_path: Path) -> None:
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 1000) return 0;
    char *line = malloc(n);
    if (!line) return 0;
    char *rest = line;
    while (rest) {
        if (*rest == 0 || rest == line + (n - 1)) rest = 0;
        else rest++;
    }
    free(line);
}"""
    assert is_proved(tmp_path, text)
    assert isinstance(tried(tmp_path, text.replace("(n - 1)", "n")), Ended)
