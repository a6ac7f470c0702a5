"""The numeric analysis: bounds and differences at loop heads that no execution contradicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.numbers import Numbers, numbers_at, offset_of
from pincer.engines.cutpoints.view import View
from pincer.logic.bitvectors import compare, constant, room
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate
from tests.engines.cutpoints.cut_runs import viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

N, AT, P = register("main::n"), register("main::i"), register("main::p", 64)


def known_at_head(folder: Path, text: str, signed: bool = False, *more: Term) -> tuple[set[Term], View, int]:
    program = loaded(folder, text)
    view, head = viewed(program)
    numbers = Numbers(program.layout, {term: x for x, term in enumerate((N, AT, *more), 1)}, signed)
    zone = numbers_at(view.procedure, numbers)[head]
    return set(numbers.facts(zone)), view, head


UP = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; if (n > 50) return 0; while (i < n) i++; }"
DOWN = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = n; while (i > 0) i--; return n; }"
SIGNED = (
    "int main(void) { int n = __VERIFIER_nondet_int(), i = -3; if (n > 50) return 0; while (i < n) i++; return n; }"
)
WRAPPING = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 5; while (n != i) i += 3; return i; }"
BRANCHING = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 7;
    while (__VERIFIER_nondet_bool()) { if (n < 9 || n == 20) i = n; else if (i != 7) i = 0; }
    return i + n;
}"""


def test_bounds_and_orders_are_found_and_narrowed(tmp_path: Path) -> None:
    facts, _, _ = known_at_head(tmp_path, UP)
    assert {
        compare("bvule", N, constant(50, 32)),
        compare("bvule", AT, N),
        compare("bvule", AT, constant(50, 32)),
    } <= facts


def test_counting_down_stays_below_the_start(tmp_path: Path) -> None:
    facts, _, _ = known_at_head(tmp_path, DOWN)
    assert compare("bvule", AT, N) in facts


def test_signed_numbers_have_signed_bounds(tmp_path: Path) -> None:
    facts, _, _ = known_at_head(tmp_path, SIGNED, True)
    assert compare("bvsle", constant(-3, 32), AT) in facts
    assert compare("bvsle", AT, constant(50, 32)) in facts


@pytest.mark.parametrize("text", [UP, DOWN, SIGNED, WRAPPING, BRANCHING])
@pytest.mark.parametrize("signed", [False, True])
def test_no_execution_contradicts_what_is_found(tmp_path: Path, text: str, signed: bool) -> None:
    facts, view, head = known_at_head(tmp_path, text, signed)
    assert len(view.states[head]) > 5
    assert all(view.holds(fact, head) for fact in facts)


def test_wrapping_around_leaves_no_bound(tmp_path: Path) -> None:
    facts, _, _ = known_at_head(tmp_path, WRAPPING)
    assert not any(AT in fact.variables for fact in facts)


def test_offsets_and_sizes_of_buffers_are_numbers(tmp_path: Path) -> None:
    text = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    if (n == 0 || n > 50) return 0;
    char *p = malloc(n);
    if (!p) return 0;
    while (i < n) p[i++] = 0;
    return *p;
}"""
    program = loaded(tmp_path, text)
    made = [edge.label.register for edge in program.procedures["main"].edges if isinstance(edge.label, Allocate)]
    offset, size = offset_of(P, program.layout), room(P)
    others = [term for pointer in made for term in (offset_of(pointer, program.layout), room(pointer))]
    facts, view, head = known_at_head(tmp_path, text, False, offset, size, *others)
    assert compare("bvule", offset, constant(0, 32)) in facts
    assert compare("bvule", size, constant(50, 64)) in facts
    assert all(view.holds(fact, head) for fact in facts if fact.variables <= view.live[head])
