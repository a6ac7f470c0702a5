"""Operations on words, told apart from what they are applied to: on numbers, on ranges, and as nodes of a script.

The meaning of an operation is that of its name in SMT-LIB, as in `term_data`. A *range* is the least and the greatest
value, unsigned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof import floating
from pincer.evidence.c_proof.smt import ORDERS, VALUES, Node, Script, signed
from pincer.evidence.c_proof.term_data import BINARY, COMPARISON
from pincer.logic.terms import Term

Range: TypeAlias = tuple[int, int]
Numbers: TypeAlias = Callable[..., int]


class Operation(Struct, frozen=True):
    """`width` bits (0: a truth value) from arguments; `numbers` are the indices or factors of the operation.

    Only floating point needs the `term`: the same operation has many forms there."""

    op: str
    width: int
    numbers: tuple[int, ...] = ()
    term: Term | None = None


def operation_of(term: Term) -> Operation:
    """The operation at the top of a term."""
    op, width = term.op, term.sort.width or 0
    match op:
        case "bvlin":
            return Operation(op, width, (*(factor for _, factor in term.args[0]), term.args[1]))
        case "extract":
            return Operation(op, width, (term.args[0], term.args[1]))
        case "zero_extend" | "sign_extend":
            return Operation(op, width, (term.args[0],))
        case "bvconst":
            return Operation(op, width, (term.args[0],))
        case "iff":
            return Operation("same", 0)
    if op.startswith("fp"):
        return Operation(op, width, (), term)
    if op in BINARY or op in COMPARISON or op in ("concat", "same"):
        return Operation(op, width)
    raise PincerError(f"the operation {op} has no place in a proof about C")


def node_of(script: Script, operation: Operation, args: Sequence[Node]) -> Node:
    """The result as a node."""
    op, numbers = operation.op, operation.numbers
    match op:
        case "bvconst":
            return script.constant(numbers[0], operation.width)
        case "bvlin":
            return script.sum(list(zip(args, numbers, strict=False)), numbers[-1], operation.width)
        case "concat":
            return script.concat(args[0], args[1])
        case "extract":
            return script.extract(numbers[0], numbers[1], args[0])
        case "zero_extend" | "sign_extend":
            return script.extend(op, numbers[0], args[0])
        case "same":
            return script.equal(args[0], args[1])
        case "bvult" | "bvslt":
            # One form for a comparison and its opposite.
            return script.negation(script.compare("bvule" if op == "bvult" else "bvsle", args[1], args[0]))
    if op in BINARY:
        return script.binary(op, args[0], args[1])
    if op in COMPARISON:
        return script.compare(op, args[0], args[1])
    if operation.term is not None:
        return floating.applied(script, operation.term, args)
    raise PincerError(f"the operation {op} has no place in a proof about C")


def on_numbers(operation: Operation, widths: Sequence[int]) -> Numbers | None:
    """The operation on numbers, None for floating point. A truth value is 0 or 1."""
    op, width, numbers = operation.op, operation.width, operation.numbers
    mask = (1 << width) - 1
    match op:
        case "bvlin":
            *factors, constant = numbers
            return lambda *args: (sum(a * f for a, f in zip(args, factors, strict=True)) + constant) & mask
        case "concat":
            low = widths[1]
            return lambda a, b: a << low | b
        case "extract":
            shift = numbers[1]
            return lambda a: (a >> shift) & mask
        case "zero_extend":
            return lambda a: a
        case "sign_extend":
            inner = widths[0]
            return lambda a: signed(a, inner) & mask
        case "same":
            return lambda a, b: int(a == b)
        case "bvadd":
            return lambda a, b: (a + b) & mask
    if op in VALUES:
        value = VALUES[op]
        return lambda a, b: value(a, b, width) & mask
    if op in ORDERS:
        order, inner = ORDERS[op], widths[0]
        return lambda a, b: int(order(a, b, inner))
    return None


def on_ranges(operation: Operation, args: Sequence[Range], widths: Sequence[int]) -> Range:
    """A range of the results of an operation that is no comparison."""
    op, numbers, full = operation.op, operation.numbers, (0, (1 << operation.width) - 1)
    match op:
        case "bvlin":
            return _of_sum(args, numbers, operation.width)
        case "bvadd":
            return _of_sum(args, (1, 1, 0), operation.width)
        case "bvsub":
            return _of_sum(args, (1, -1, 0), operation.width)
        case "concat":
            return args[0][0] << widths[1] | args[1][0], args[0][1] << widths[1] | args[1][1]
        case "extract":
            low, high = args[0][0] >> numbers[1], args[0][1] >> numbers[1]
            return (low, high) if high <= full[1] else full
        case "zero_extend":
            return args[0]
        case "sign_extend":
            return _of_sign_extension(args[0], widths[0], operation.width)
    if op in BINARY:
        return _of_binary(op, args[0], args[1], full)
    return full


def _of_sum(args: Sequence[Range], numbers: Sequence[int], width: int) -> Range:
    low = high = numbers[-1]
    half = 1 << width >> 1
    for (least, most), factor in zip(args, numbers, strict=False):
        if factor >= half:
            factor -= 2 * half
        low, high = low + min(least * factor, most * factor), high + max(least * factor, most * factor)
    turns = low >> width
    return (low - (turns << width), high - (turns << width)) if high >> width == turns else (0, 2 * half - 1)


def _of_sign_extension(inner: Range, width: int, wide: int) -> Range:
    half = 1 << (width - 1)
    if inner[1] < half:
        return inner
    if inner[0] >= half:
        more = (1 << wide) - (1 << width)
        return inner[0] + more, inner[1] + more
    return 0, (1 << wide) - 1


def _of_binary(op: str, left: Range, right: Range, full: Range) -> Range:
    within = (1 << max(left[1].bit_length(), right[1].bit_length())) - 1
    half = full[1] // 2
    match op:
        case "bvand":
            return 0, min(left[1], right[1])
        case "bvor":
            return max(left[0], right[0]), within
        case "bvxor":
            return 0, within
        case "bvmul" if left[1] * right[1] <= full[1]:
            return left[0] * right[0], left[1] * right[1]
        case "bvshl" if right[0] == right[1] <= full[1].bit_length() and left[1] << right[0] <= full[1]:
            return left[0] << right[0], left[1] << right[0]
        case "bvlshr":
            return left[0] >> min(right[1], 128), left[1] >> min(right[0], 128)
        case "bvashr" if left[1] <= half:
            return left[0] >> min(right[1], 128), left[1] >> min(right[0], 128)
    if right[0] == 0 or (op in ("bvsdiv", "bvsrem") and max(left[1], right[1]) > half):
        return full
    match op:
        case "bvudiv" | "bvsdiv":
            return left[0] // right[1], left[1] // right[0]
        case "bvurem" | "bvsrem":
            return 0, min(left[1], right[1] - 1)
    return full


def order_by_ranges(op: str, left: Range, right: Range, width: int) -> bool | None:
    """What ranges say of `bvule`, `bvsle` or `same`; None if they leave it open."""
    if op == "same":
        return False if left[1] < right[0] or right[1] < left[0] else None
    if op == "bvsle":
        half = 1 << (width - 1)
        sides = [None if low < half <= high else low >= half for low, high in (left, right)]
        if None in sides:
            return None
        if sides[0] != sides[1]:
            return bool(sides[0])
    if left[1] <= right[0]:
        return True
    return False if left[0] > right[1] else None
