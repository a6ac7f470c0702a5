"""Operations on numbers are those of SMT-LIB, and ranges hold all results."""

from __future__ import annotations

from random import Random

import pytest

from pincer.evidence.c_proof.operations import (
    Operation,
    node_of,
    on_numbers,
    on_ranges,
    operation_of,
    order_by_ranges,
)
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.c_proof.term_data import BINARY, COMPARISON
from pincer.logic import bitvectors, floating_point

WIDTH = 6
TOP = (1 << WIDTH) - 1
OPERATIONS = [
    *(Operation(op, WIDTH) for op in sorted(BINARY)),
    Operation("bvlin", WIDTH, (3, TOP, 5)),
    Operation("concat", 2 * WIDTH),
    Operation("extract", 3, (4, 2)),
    Operation("zero_extend", WIDTH + 2, (2,)),
    Operation("sign_extend", WIDTH + 2, (2,)),
]
RELATIONS = [Operation(op, 0) for op in (*sorted(COMPARISON), "same")]


def arity(operation: Operation) -> int:
    return 1 if operation.op in ("extract", "zero_extend", "sign_extend") else 2


@pytest.mark.parametrize("operation", [*OPERATIONS, *RELATIONS], ids=lambda operation: operation.op)
def test_numbers_and_nodes_agree(operation: Operation) -> None:
    script, compute = Script(), on_numbers(operation, (WIDTH, WIDTH))
    assert compute is not None
    for left in range(0, TOP + 1, 3):
        for right in (0, 1, 2, 5, 31, 32, 62, 63):
            numbers = (left, right)[: arity(operation)]
            node = node_of(script, operation, [script.constant(number, WIDTH) for number in numbers])
            assert node.value == compute(*numbers), numbers


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.op)
@pytest.mark.parametrize("seed", range(20))
def test_a_range_holds_all_results(operation: Operation, seed: int) -> None:
    random, compute = Random(seed), on_numbers(operation, (WIDTH, WIDTH))
    assert compute is not None
    sides = [sorted((random.randrange(TOP + 1), random.randrange(TOP + 1))) for _ in range(arity(operation))]
    if seed % 3 == 0:
        sides = [[low, min(low + 2, TOP)] for low, _ in sides]
    low, high = on_ranges(operation, [(one, other) for one, other in sides], (WIDTH, WIDTH))
    first = range(sides[0][0], sides[0][1] + 1)
    rest = [()] if len(sides) == 1 else [(number,) for number in range(sides[1][0], sides[1][1] + 1)]
    assert all(low <= compute(left, *more) <= high for left in first for more in rest)


@pytest.mark.parametrize("op", ["bvule", "bvsle", "same"])
@pytest.mark.parametrize("seed", range(40))
def test_what_ranges_say_of_an_order_holds_of_all_numbers(op: str, seed: int) -> None:
    random, compute = Random(seed), on_numbers(Operation(op, 0), (WIDTH, WIDTH))
    assert compute is not None
    left, right = (sorted(random.sample(range(TOP + 1), 2)) for _ in range(2))
    said = order_by_ranges(op, (left[0], left[1]), (right[0], right[1]), WIDTH)
    found = {compute(a, b) for a in range(left[0], left[1] + 1) for b in range(right[0], right[1] + 1)}
    assert said is None or found == {int(said)}


def test_the_operation_of_a_term() -> None:
    x, y = bitvectors.variable("x", 8), bitvectors.variable("y", 8)
    assert operation_of(bitvectors.binary("bvmul", x, y)) == Operation("bvmul", 8)
    assert operation_of(bitvectors.extract(3, 1, x)) == Operation("extract", 3, (3, 1))
    wide = bitvectors.variable("z", 32)
    number = operation_of(floating_point.arithmetic("fpneg", wide))
    assert number.term is not None and on_numbers(number, (32,)) is None
