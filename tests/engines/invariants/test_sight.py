"""What sources of invariants look at: values that matter, numbers with their neighbours, operations."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.invariants.sight import Sight, numbers_in
from pincer.logic import bitvectors
from pincer.logic.bitvectors import constant
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

LOOP = """
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, step = 3, unused = 5;
    while (i < n) i += step;
    unused++;
}"""


def sight(folder: Path) -> Sight:
    program = loaded(folder, LOOP)
    return Sight(program.procedures["main"], {}, (), program.layout)


def test_values_of_conditions_come_with_what_feeds_them(tmp_path: Path) -> None:
    names = [str(value.args[0]) for value in sight(tmp_path).values()]
    assert {"main::i", "main::n", "main::step"} <= set(names)
    assert "main::unused" not in names


def test_constants_have_their_neighbours(tmp_path: Path) -> None:
    constants = sight(tmp_path).constants(32)
    assert {0, 1, 2, 3, 4, (1 << 32) - 1} <= set(constants)
    assert constants == sorted(set(constants))


def test_operations_are_those_of_conditions_and_assignments(tmp_path: Path) -> None:
    used = sight(tmp_path).operations()
    assert "bvsle" in used and "bvule" not in used


def test_numbers_are_found_by_their_width() -> None:
    x = register("main::x")
    term = bitvectors.compare("bvule", bitvectors.binary("bvadd", x, constant(5, 32)), constant(9, 32))
    assert {5, 9} <= numbers_in(term, 32)
    assert 9 not in numbers_in(term, 16)
