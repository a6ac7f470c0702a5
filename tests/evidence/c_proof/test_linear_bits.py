"""Sums of bits against the values that words have."""

from __future__ import annotations

import random

from pincer.evidence.c_proof.linear_bits import LinearBits, Sums
from pincer.evidence.c_proof.operations import Operation, on_numbers
from pincer.evidence.c_proof.smt import Node, Script

WIDTH = 4


class Written:
    """Words over one input, each with its values for those of the input."""

    def __init__(self) -> None:
        self.script = Script()
        self.made: dict[Node, tuple[Operation, tuple[Node, ...]]] = {}
        self.linear = LinearBits(self.made.get)
        self.input = self.script.variable("input", WIDTH)
        self.values = {self.input: tuple(range(1 << WIDTH))}
        self.inputs = self.linear.of(self.input)

    def operation(self, operation: Operation, *args: Node) -> Node:
        compute = on_numbers(operation, [arg.width for arg in args])
        assert compute is not None
        node = self.script.variable(f"made {len(self.made)}", operation.width)
        self.made[node] = operation, args
        self.values[node] = tuple(map(compute, *(self.values[arg] for arg in args)))
        return node

    def constant(self, value: int) -> Node:
        node = self.script.constant(value, WIDTH)
        self.values[node] = (node.value or 0,) * (1 << WIDTH)
        return node

    def number(self, sums: Sums, value: int) -> int | None:
        """What sums are for a value of the input; None if they are of something else as well."""
        atoms = 1 | sum(value >> i & 1 and atom for i, atom in enumerate(self.inputs))
        if any(bit & ~(1 | sum(self.inputs)) for bit in sums):
            return None
        return sum(((bit & atoms).bit_count() & 1) << i for i, bit in enumerate(sums))


def some_operation(choice: random.Random) -> Operation:
    op = choice.choice(("bvxor", "bvand", "bvor", "bvlin", "concat", "extract", "sign_extend", "zero_extend"))
    match op:
        case "bvlin":
            return Operation(op, WIDTH, (choice.randrange(1 << WIDTH), choice.randrange(1 << WIDTH)))
        case "concat":
            return Operation(op, 2 * WIDTH)
        case "extract":
            low = choice.randrange(WIDTH + 1)
            return Operation(op, WIDTH, (low + WIDTH - 1, low))
        case "sign_extend" | "zero_extend":
            return Operation(op, 2 * WIDTH, (WIDTH,))
    return Operation(op, WIDTH)


def test_sums_are_the_values() -> None:
    choice, followed = random.Random(7), 0
    for _ in range(300):
        written = Written()
        narrow, wide = [written.input, *map(written.constant, (0, 3, 8, 15))], list[Node]()
        for _ in range(12):
            operation = some_operation(choice)
            if operation.op == "extract":
                if wide:
                    narrow.append(written.operation(operation, choice.choice(wide)))
                continue
            count = 1 if operation.op in ("bvlin", "sign_extend", "zero_extend") else 2
            made = written.operation(operation, *(choice.choice(narrow) for _ in range(count)))
            (narrow if operation.width == WIDTH else wide).append(made)
        for node in (*narrow, *wide):
            for value, expected in enumerate(written.values[node]):
                found = written.number(written.linear.of(node), value)
                followed += found is not None
                assert found in (None, expected)
    assert followed > 10_000


def test_relations_of_sums() -> None:
    choice, seen = random.Random(3), 0
    for _ in range(400):
        written = Written()
        word = written.operation(
            Operation("bvlin", WIDTH, (choice.choice((1, 2, 4, 8, 15)), choice.randrange(16))), written.input
        )
        masked = written.operation(Operation("bvand", WIDTH), word, written.constant(choice.choice((1, 8, 12, 15))))
        left, right = choice.choice(((masked, written.constant(choice.randrange(16))), (written.constant(0), masked)))
        op = choice.choice(("same", "bvule", "bvsle"))
        compute = on_numbers(Operation(op, 0), (WIDTH, WIDTH))
        assert compute is not None
        said = written.linear.relation(op, left, right)
        for value, pair in enumerate(zip(written.values[left], written.values[right], strict=True)):
            found = None if said is None else written.number((said,), value)
            seen += found is not None
            assert found in (None, int(compute(*pair)))
    assert seen > 1_000


def test_a_choice_by_a_bit_is_a_sum() -> None:
    written = Written()
    shifted = written.operation(Operation("bvlin", WIDTH, (2, 0)), written.input)
    other = written.operation(Operation("bvxor", WIDTH), shifted, written.constant(9))
    chosen = written.script.variable("chosen", WIDTH)
    written.linear.chosen(chosen, written.inputs[3], other, shifted)
    for value in range(1 << WIDTH):
        expected = (2 * value ^ (9 if value & 8 else 0)) & 15
        assert written.number(written.linear.of(chosen), value) == expected


def test_a_choice_that_is_no_sum() -> None:
    written = Written()
    chosen = written.script.variable("chosen", WIDTH)
    written.linear.chosen(chosen, written.inputs[3], written.input, written.constant(0))
    assert written.number(written.linear.of(chosen), 5) is None


def test_a_table_that_is_linear() -> None:
    written = Written()
    table = {number: number ^ number << 1 & 15 ^ 6 for number in range(16)}
    read = written.script.variable("read", WIDTH)
    written.linear.looked_up(read, written.input, table)
    assert all(written.number(written.linear.of(read), value) == table[value] for value in range(16))


def test_tables_that_are_not() -> None:
    for table in ({number: number * number & 15 for number in range(16)}, dict.fromkeys(range(15), 0)):
        written = Written()
        read = written.script.variable("read", WIDTH)
        written.linear.looked_up(read, written.input, table)
        assert written.number(written.linear.of(read), 3) is None
