"""Blocks between cut points: their weakest preconditions, and more cut points where there are many ways."""

from __future__ import annotations

from pathlib import Path

from pincer.logic import terms
from pincer.logic.bitvectors import compare, constant
from pincer.logic.terms import FALSE, TRUE
from tests.engines.cutpoints.cut_runs import blocks_in
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

COUNT = "int main(void) { unsigned i = 0; while (i < 9) { if (i == 4) i++; i++; } assert(i > 8); }"
NUMBER = register("main::i")


def test_entry_and_loop_heads_are_cut_points(tmp_path: Path) -> None:
    main = loaded(tmp_path, COUNT).procedures["main"]
    blocks = blocks_in(loaded(tmp_path, COUNT))
    [head] = main.loop_heads
    assert blocks.cuts == {main.entry, head}
    assert blocks.sources[head] == tuple(sorted(blocks.cuts))


def test_what_must_hold_before_a_block(tmp_path: Path) -> None:
    blocks = blocks_in(loaded(tmp_path, COUNT))
    [head] = blocks.procedure.loop_heads
    before = blocks.before(head, compare("bvule", NUMBER, constant(3, 32)))
    assert before[blocks.procedure.entry] is TRUE
    for value, expected in ((2, 1), (3, 0), (4, 0), (9, 1)):
        assert terms.substitute(before[head], {NUMBER: constant(value, 32)}) is terms.boolean(bool(expected))


def test_errors_are_those_of_the_property(tmp_path: Path) -> None:
    program = loaded(tmp_path, COUNT)
    [head] = program.procedures["main"].loop_heads
    [harmless] = [formula for cut, formula in blocks_in(program, "assertions").harmless() if cut == head]
    assert terms.substitute(harmless, {NUMBER: constant(9, 32)}) is TRUE
    assert not list(blocks_in(program, "memory").harmless())


def test_every_error_has_a_formula_of_its_own_that_takes_the_checks_before_for_granted(tmp_path: Path) -> None:
    text = """
int a[9];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    while (__VERIFIER_nondet_uchar()) { a[i] = 1; a[i + 1] = 2; }
}"""
    program = loaded(tmp_path, text)
    [head] = program.procedures["main"].loop_heads
    formulas = [formula for cut, formula in blocks_in(program).harmless() if cut == head]
    expected = {7: [True, True], 8: [True, False], 9: [False, True]}
    for value, fine in expected.items():
        assert [terms.substitute(formula, {NUMBER: constant(value, 32)}) is TRUE for formula in formulas] == fine


def test_what_cannot_be_followed_must_not_be_reached(tmp_path: Path) -> None:
    text = 'int main(void) { unsigned i = 0, x; while (i < 9) { if (i == 4) __asm__("cpuid" : "=a"(x)); i++; } }'
    blocks = blocks_in(loaded(tmp_path, text))
    [head] = blocks.procedure.loop_heads
    [harmless] = [formula for cut, formula in blocks.harmless() if cut == head]
    assert terms.substitute(harmless, {NUMBER: constant(4, 32)}) is FALSE


def test_joins_become_cut_points_where_there_are_many_ways(tmp_path: Path) -> None:
    steps = "".join(f"if (x == {i}) y += {i};" for i in range(12))
    text = f"int main(void) {{ unsigned x = __VERIFIER_nondet_uint(), y = 0; while (x) {{ {steps} x /= 2; }} }}"
    blocks = blocks_in(loaded(tmp_path, text), most_paths=50)
    assert len(blocks.cuts) > 2
    assert blocks.cuts <= set(blocks.procedure.locations)
