"""What strategies share: facts that add up, requests, and what stands in the way of a proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.board import StuckProcedure
from pincer.engines.invariants.sight import Sight
from pincer.engines.violation import violated
from pincer.logic.bitvectors import constant, variable
from pincer.logic.terms import Term, equal
from tests.engines.dash.dash_runs import board_of, loaded
from tests.execution.interpreted import interpret


def claim(number: int) -> Term:
    return equal(variable("x", 32), constant(number, 32))


def test_facts_add_up_and_are_said_once(tmp_path: Path) -> None:
    board = board_of(loaded(tmp_path, "int main(void) { return 0; }"))
    board.add_facts({1: (claim(1),), 2: (claim(2),)})
    board.add_facts({1: (claim(3), claim(1))})
    assert board.facts == {1: (claim(1), claim(3)), 2: (claim(2),)}


def test_a_later_request_for_the_same_procedure_takes_the_place_of_the_first(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { return 0; }")
    board = board_of(program)
    sights = [Sight(program.procedures["main"], {}, (claim(n),), program.layout) for n in (1, 2)]
    for sight in sights:
        board.ask_for_facts(StuckProcedure(sight, {}))
    assert board.requests == 2
    assert [stuck.sight for stuck in board.stuck.values()] == [sights[1]]


@pytest.mark.parametrize(
    ("statement", "objection"),
    [
        ("int z = 0; z = 1 / z; assert(z);", "cannot be told"),
        ("int z = 0; z = 1 / z;", None),
        ('int x; __asm__("cpuid" : "=a"(x));', "unsupported: "),
        ("int *p = 0; *p = 1;", None),
        ("", None),
    ],
)
def test_what_stands_in_the_way_of_a_proof(tmp_path: Path, statement: str, objection: str | None) -> None:
    program = loaded(tmp_path, f"int main(void) {{ {statement} return 0; }}")
    board = board_of(program)
    board.ended(interpret(program, {}).stop)
    said = board.objection()
    assert said is None if objection is None else objection in str(said)


def test_a_violation_is_repeated_from_the_start_or_it_is_none(tmp_path: Path) -> None:
    board = board_of(loaded(tmp_path, "int main(void) { assert(__VERIFIER_nondet_int() != 7); }"))
    [symbol] = [variable("input0", 32)]
    found = violated(board, {symbol: 7})
    assert found is not None and [value.value for value in found.test.inputs] == [7]
    assert violated(board, {symbol: 8}) is None
