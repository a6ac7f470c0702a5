"""What operations mean on numbers: unsigned integers below 2**bits, signed ones in two's complement, truth as 0 and 1.

Division by zero follows SMT-LIB: the quotient is all ones (unsigned) and the remainder is the dividend.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pincer.logic import machine_floats
from pincer.logic.machine_floats import Rounding
from pincer.logic.terms import Term


def signed(value: int, bits: int) -> int:
    """An unsigned value read in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) else value


def divide_signed(a: int, b: int, bits: int) -> int:
    """The quotient rounded towards zero, not yet reduced to the width."""
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return -1 if x >= 0 else 1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def remainder_signed(a: int, b: int, bits: int) -> int:
    """The remainder with the sign of the dividend, not yet reduced to the width."""
    x, y = signed(a, bits), signed(b, bits)
    if y == 0:
        return x
    remainder = abs(x) % abs(y)
    return -remainder if x < 0 else remainder


BINARY: dict[str, Callable[[int, int, int], int]] = {
    "bvadd": lambda a, b, bits: a + b,
    "bvsub": lambda a, b, bits: a - b,
    "bvmul": lambda a, b, bits: a * b,
    "bvand": lambda a, b, bits: a & b,
    "bvor": lambda a, b, bits: a | b,
    "bvxor": lambda a, b, bits: a ^ b,
    "bvshl": lambda a, b, bits: a << b if b < bits else 0,
    "bvlshr": lambda a, b, bits: a >> b if b < bits else 0,
    "bvashr": lambda a, b, bits: signed(a, bits) >> min(b, bits),
    "bvudiv": lambda a, b, bits: a // b if b else -1,
    "bvurem": lambda a, b, bits: a % b if b else a,
    "bvsdiv": divide_signed,
    "bvsrem": remainder_signed,
}
"""Results are still to be reduced modulo 2**bits."""

COMPARISON: dict[str, Callable[[int, int, int], bool]] = {
    "bvult": lambda a, b, bits: a < b,
    "bvule": lambda a, b, bits: a <= b,
    "bvslt": lambda a, b, bits: signed(a, bits) < signed(b, bits),
    "bvsle": lambda a, b, bits: signed(a, bits) <= signed(b, bits),
}


def binary_value(op: str, a: int, b: int, bits: int) -> int:
    return BINARY[op](a, b, bits) & ((1 << bits) - 1)


def operation_value(term: Term, values: Mapping[Term, int]) -> int:
    """The value of a bit-vector operation or a connective on the values of its arguments."""
    args = term.args
    match term.op:
        case "bvconst":
            return int(args[0])
        case "same" | "iff":
            return int(values[args[0]] == values[args[1]])
        case "not":
            return 1 - values[args[0]]
        case "ite":
            condition, then, otherwise = args
            return values[then if values[condition] else otherwise]
        case "and":
            return int(all(values[part] for part in args))
        case "or":
            return int(any(values[part] for part in args))
        case "true" | "false":
            return int(term.op == "true")
        case op if op in COMPARISON:
            return int(COMPARISON[op](values[args[0]], values[args[1]], args[0].sort.width))
        case op if op.startswith("fp"):
            operands = [arg for arg in args if isinstance(arg, Term)]
            index = None if isinstance(args[0], Term) else args[0]
            bits = operands[0].sort.width or 0
            return floating_value(op, index, [values[operand] for operand in operands], bits)
    return _word_value(term, values) & ((1 << (term.sort.width or 0)) - 1)


def floating_value(op: str, index: int | str | None, operands: list[int], bits: int) -> int:
    """A floating-point operation on patterns of so many bits; `index` is its argument that is no term."""
    match op:
        case "fplt" | "fple" | "fpeq":
            return int(machine_floats.compared(op, operands[0], operands[1], bits))
        case "fpround":
            return machine_floats.to_integral(Rounding(index), operands[0], bits)
    if index is None:
        return machine_floats.arithmetic(op, operands, bits)
    wanted = int(index)
    match op:
        case "fpconvert":
            return machine_floats.converted(operands[0], bits, wanted)
        case "fpfromsigned" | "fpfromunsigned":
            value = signed(operands[0], bits) if op == "fpfromsigned" else operands[0]
            return machine_floats.from_integer(value, wanted)
        case "fptosigned" | "fptounsigned":
            return machine_floats.to_integer(operands[0], bits, wanted, op == "fptosigned")
    raise ValueError(f"no value for {op}")


def _word_value(term: Term, values: Mapping[Term, int]) -> int:
    """The value of an operation that gives a word, still to be reduced to its width."""
    op, args = term.op, term.args
    if op == "bvlin":
        return int(sum((c * values[factor] for factor, c in args[0]), args[1]))
    if op in BINARY:
        return BINARY[op](values[args[0]], values[args[1]], args[0].sort.width)
    if op == "concat":
        return int(values[args[0]] << args[1].sort.width | values[args[1]])
    if op == "extract":
        return int(values[args[2]] >> args[1])
    if op == "zero_extend":
        return values[args[1]]
    if op == "sign_extend":
        return signed(values[args[1]], args[1].sort.width)
    raise ValueError(f"no value for {op}")
