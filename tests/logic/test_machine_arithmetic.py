"""What operations mean on numbers, against Z3."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import z3

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.machine_arithmetic import BINARY, COMPARISON, binary_value, operation_value, signed
from tests.logic.random_words import WordMaker, draw_values
from tests.logic.word_definitions import ALL, COMPARISONS, meaning, pairs, to_signed

Z3_OPERATIONS: dict[str, Callable[[z3.BitVecRef, z3.BitVecRef], z3.ExprRef]] = {
    "bvadd": lambda a, b: a + b,
    "bvsub": lambda a, b: a - b,
    "bvmul": lambda a, b: a * b,
    "bvand": lambda a, b: a & b,
    "bvor": lambda a, b: a | b,
    "bvxor": lambda a, b: a ^ b,
    "bvshl": lambda a, b: a << b,
    "bvlshr": z3.LShR,
    "bvashr": lambda a, b: a >> b,
    "bvudiv": z3.UDiv,
    "bvurem": z3.URem,
    "bvsdiv": lambda a, b: a / b,
    "bvsrem": z3.SRem,
    "bvult": z3.ULT,
    "bvule": z3.ULE,
    "bvslt": lambda a, b: a < b,
    "bvsle": lambda a, b: a <= b,
}


@pytest.mark.parametrize("op", ALL)
def test_definitions_agree_with_z3(op: str) -> None:
    rng = Random(op + "z3")
    for bits in (1, 2, 5, 8):
        for a, b in rng.sample(pairs(bits, rng, 10), k=min(16, 4**bits)):
            applied = Z3_OPERATIONS[op](z3.BitVecVal(a, bits), z3.BitVecVal(b, bits))
            value = z3.simplify(applied)
            found = int(z3.is_true(value)) if op in COMPARISONS else value.as_long()
            assert found == meaning(op, a, b, bits), (bits, a, b)


@pytest.mark.parametrize("op", ALL)
def test_operations_on_numbers_follow_the_definitions(op: str) -> None:
    rng = Random(op)
    for bits in (1, 2, 3, 8, 64):
        for a, b in pairs(bits, rng, 30):
            found = COMPARISON[op](a, b, bits) if op in COMPARISON else binary_value(op, a, b, bits)
            assert found == meaning(op, a, b, bits), (bits, a, b)
            assert signed(a, bits) == to_signed(a, bits)
    assert {*BINARY, *COMPARISON} == set(ALL)


def test_the_value_of_an_operation_is_that_of_its_arguments() -> None:
    rng = Random(7)
    for _ in range(300):
        maker = WordMaker(rng)
        sample = maker.any(rng.randint(1, 64), 3)
        given = draw_values(rng, list(maker.variables))
        values: dict[terms.Term, int] = {}
        for part in terms.postorder(sample.term):
            values[part] = given[part] if part.op == "var" else operation_value(part, values)
        assert values[sample.term] == sample.meaning(given), sample.term


def test_what_is_no_operation_on_numbers_has_no_value() -> None:
    address = bv.variable("p", 64)
    with pytest.raises(ValueError, match="no value for load"):
        operation_value(bv.load(address, 4), {address: 8})
