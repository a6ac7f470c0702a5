"""What comes with a range fact in a formula: a counterexample if it is false, instances at cells that are read."""

from __future__ import annotations

from pathlib import Path

from pincer.evidence.c_proof.encoding import Encoder, State
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.range_facts import cells_read, range_facts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.solvers import open_session
from pincer.logic import ranges, terms
from pincer.logic.bitvectors import binary, compare, constant, load
from pincer.logic.terms import Term
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

A, N, K = register("main::a", 64), register("main::n", 64), register("main::k", 64)
PROGRAM = "int main(void) { long k = 0, n = 0; int *a = 0; a[n] = 1; return a[k]; }"


def cell(at: Term) -> Term:
    return load(binary("bvadd", A, binary("bvmul", constant(4, 64), at)), 4)


def below(limit: int, upper: Term = N) -> Term:
    return ranges.every(constant(0, 64), upper, compare("bvule", cell(ranges.index(64)), constant(limit, 32)))


def verdict(folder: Path, formulas: list[Term], extra: bool = True) -> str:
    """What a solver says of all formulas together, with the meaning of the range facts in them."""
    encoder = Encoder(ProgramFacts(loaded(folder, PROGRAM), "memory"), Script(), coarse=True)
    state: State = encoder.before
    nodes = [encoder.encode(formula, state) for formula in formulas]
    whole: Node = encoder.script.conjunction(nodes)
    cells = [read for formula in formulas for read in cells_read(encoder, formula, state)]
    if extra:
        whole = encoder.script.conjunction((whole, *range_facts(encoder, whole, cells)))
    session = open_session("z3", "QF_UFBV", None)
    assert session is not None
    session.define(encoder.script.lines_after(0)[0])
    return session.verdict(whole.text, 20)


def test_an_assumed_range_holds_at_the_cell_that_is_read(tmp_path: Path) -> None:
    read = [compare("bvult", K, N), compare("bvult", constant(7, 32), cell(K))]
    assert verdict(tmp_path, [below(7), *read]) == "unsat"
    assert verdict(tmp_path, [below(7), *read], extra=False) == "sat"
    assert verdict(tmp_path, [below(8), *read]) == "sat"


def test_nothing_is_said_of_cells_outside_the_range(tmp_path: Path) -> None:
    read = [compare("bvule", K, N), compare("bvult", constant(7, 32), cell(K))]
    assert verdict(tmp_path, [below(7), *read]) == "sat"


def test_a_denied_range_has_a_counterexample(tmp_path: Path) -> None:
    assert verdict(tmp_path, [below(7), terms.negate(below(8))]) == "unsat"
    assert verdict(tmp_path, [below(8), terms.negate(below(7))]) == "sat"
    smaller = below(7, binary("bvsub", N, constant(1, 64)))
    assert verdict(tmp_path, [below(7), terms.negate(smaller), compare("bvult", constant(0, 64), N)]) == "unsat"


def test_bounds_that_wrap_around_are_large(tmp_path: Path) -> None:
    smaller = below(7, binary("bvsub", N, constant(1, 64)))
    assert verdict(tmp_path, [below(7), terms.negate(smaller)]) == "sat"


def test_a_range_that_begins_after_its_end_says_nothing(tmp_path: Path) -> None:
    none = ranges.every(constant(9, 64), constant(3, 64), compare("bvult", cell(ranges.index(64)), constant(0, 32)))
    assert verdict(tmp_path, [terms.negate(none)]) == "unsat"


def test_cells_in_ranges_are_not_read_outside(tmp_path: Path) -> None:
    encoder = Encoder(ProgramFacts(loaded(tmp_path, PROGRAM), "memory"), Script(), coarse=True)
    assert cells_read(encoder, below(7), encoder.before) == []
    assert [size for _, size in cells_read(encoder, terms.equal(cell(K), constant(0, 32)), encoder.before)] == [4]
