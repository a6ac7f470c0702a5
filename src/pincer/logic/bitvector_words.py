"""Operations that give bit-vectors, with what can be seen from their arguments alone carried out.

Where one value has several spellings, one is chosen:

- shifts by constants, masks of adjacent bits and divisions by powers of two are extractions, widened again;
- extensions stand outside of bitwise operations, and a concatenation with zeros on top is an extension;
- `~x` is an exclusive or with all ones, unless it takes part in a sum; shifts to the left are multiples.

Each rule looks a fixed number of levels down, or goes down to strictly narrower terms, so building a term never
follows a long chain of operations.
"""

from __future__ import annotations

from pincer.logic import terms
from pincer.logic.bitvector_sums import (
    add,
    choice_size,
    combination,
    constant,
    constant_value,
    in_leaves,
    is_choice,
    is_inversion,
    linear_parts,
    same_width,
    scale,
    sort,
    subtract,
    width,
)
from pincer.logic.limits import LIMITS
from pincer.logic.machine_arithmetic import binary_value, signed
from pincer.logic.terms import Term

_COMMUTATIVE = frozenset(("bvadd", "bvmul", "bvand", "bvor", "bvxor"))
_BITWISE = frozenset(("bvand", "bvor", "bvxor"))
_EXTENSIONS = ("zero_extend", "sign_extend")


def binary(op: str, left: Term, right: Term) -> Term:
    """An arithmetic, bitwise or shift operation, by its SMT-LIB name."""
    bits = same_width(left, right)
    if op == "bvadd":
        return add(left, right)
    if op == "bvsub":
        return subtract(left, right)
    folded = _fold(op, left, right, bits)
    if folded is not None:
        return folded
    if op in _COMMUTATIVE and (right.op == "bvconst" or (left.op != "bvconst" and left.id > right.id)):
        left, right = right, left
    if op in _BITWISE:
        simplified = _bitwise(op, left, right, bits)
    elif op == "bvmul":
        return _multiply(left, right, bits)
    elif right.op == "bvconst":
        simplified = _by_constant(op, left, right.args[0], bits)
    else:
        simplified = left if op == "bvashr" and constant_value(left) in (0, (1 << bits) - 1) else None
        if op in ("bvshl", "bvlshr") and constant_value(left) == 0:
            simplified = left
    return terms.intern(op, (left, right), left.sort) if simplified is None else simplified


def _fold(op: str, left: Term, right: Term, bits: int) -> Term | None:
    """The value on constants and in the leaves of conditionals between constants."""
    size = choice_size(left) * choice_size(right)
    if not 0 < size <= LIMITS.choice_product:
        return None
    return in_leaves(left, lambda a: in_leaves(right, lambda b: constant(binary_value(op, a, b, bits), bits)))


def _multiply(left: Term, right: Term, bits: int) -> Term:
    if left.op == "bvconst":
        return scale(left.args[0], right)
    factor = 1
    operands = []
    for operand in (left, right):
        coefficients, offset = linear_parts(operand)
        if offset == 0 and len(coefficients) == 1:
            operand, c = coefficients[0]
            factor *= c
        operands.append(operand)
    first, second = sorted(operands, key=lambda term: term.id)
    return scale(factor, terms.intern("bvmul", (first, second), sort(bits)))


def _by_constant(op: str, left: Term, value: int, bits: int) -> Term | None:
    """Shifts, divisions and remainders by a constant that are something simpler."""
    match op:
        case "bvshl":
            return scale(1 << value if value < bits else 0, left)
        case "bvlshr":
            return extend(extract(bits - 1, value, left), value, False) if value < bits else constant(0, bits)
        case "bvashr":
            amount = min(value, bits - 1)
            return extend(extract(bits - 1, amount, left), amount, True)
        case "bvudiv" if value and value & (value - 1) == 0:
            return _by_constant("bvlshr", left, value.bit_length() - 1, bits)
        case "bvurem" if value and value & (value - 1) == 0:
            return _mask(value - 1, left, bits)
        case "bvsdiv" if abs(signed(value, bits)) == 1:
            return scale(signed(value, bits), left)
        case "bvsrem" if abs(signed(value, bits)) == 1:
            return constant(0, bits)
        case "bvurem" | "bvsrem" if value == 0:
            return left
    return None


def _bitwise(op: str, left: Term, right: Term, bits: int) -> Term | None:
    """Simplifications of and, or, exclusive or; a constant is on the left."""
    if left is right:
        return constant(0, bits) if op == "bvxor" else left
    if left.op == "bvconst":
        return _bitwise_constant(op, left.args[0], right, bits)
    if (is_inversion(left) and left.args[1] is right) or (is_inversion(right) and right.args[1] is left):
        return constant(0 if op == "bvand" else -1, bits)
    if left.op == right.op and left.op in _EXTENSIONS:
        by = min(left.args[0], right.args[0])
        keep_sign = left.op == "sign_extend"
        return extend(binary(op, _narrower(left, by), _narrower(right, by)), by, keep_sign)
    return None


def _narrower(extension: Term, by: int) -> Term:
    """An extension with its topmost bits taken away again."""
    return extend(extension.args[1], extension.args[0] - by, extension.op == "sign_extend")


def _bitwise_constant(op: str, value: int, term: Term, bits: int) -> Term | None:
    all_ones = (1 << bits) - 1
    if value == (all_ones if op == "bvand" else 0):
        return term
    if op != "bvxor" and value == (0 if op == "bvand" else all_ones):
        return constant(value, bits)
    if op == "bvxor" and value == all_ones and term.op == "bvlin":
        return combination(((term, -1),), -1, bits)
    if term.op == op and term.args[0].op == "bvconst":
        return binary(op, constant(binary_value(op, value, term.args[0].args[0], bits), bits), term.args[1])
    if term.op == "concat":
        high, low = term.args
        split = width(low)
        return concat(binary(op, constant(value >> split, width(high)), high), binary(op, constant(value, split), low))
    if term.op in _EXTENSIONS:
        inner = width(term.args[1])
        keep_sign = term.op == "sign_extend"
        narrow = signed(value & ((1 << inner) - 1), inner) & all_ones if keep_sign else value & ((1 << inner) - 1)
        if value == narrow or (op == "bvand" and not keep_sign):
            return extend(binary(op, constant(value, inner), term.args[1]), bits - inner, keep_sign)
    return _mask(value, term, bits) if op == "bvand" else None


def _mask(value: int, term: Term, bits: int) -> Term | None:
    """`value & term`: zeros on top become an extension, one run of adjacent bits an extraction."""
    high = value.bit_length()
    if high == 0:
        return constant(0, bits)
    low = (value & -value).bit_length() - 1
    if value >> low == (1 << (high - low)) - 1:
        part = extract(high - 1, low, term)
        if low:
            part = concat(part, constant(0, low))
        return extend(part, bits - high, False)
    if high < bits:
        return extend(binary("bvand", constant(value, high), extract(high - 1, 0, term)), bits - high, False)
    return None


def invert(term: Term) -> Term:
    return binary("bvxor", constant(-1, width(term)), term)


def concat(high: Term, low: Term) -> Term:
    """High bits before low ones; adjacent parts of one term are joined again."""
    bits = width(high) + width(low)
    if high.op == "concat":
        return concat(high.args[0], concat(high.args[1], low))
    joined = _joined(high, low)
    if joined is not None:
        return joined
    if low.op == "concat":
        joined = _joined(high, low.args[0])
        if joined is not None:
            return concat(joined, low.args[1])
    if high.op == "extract" and high.args[1] == 0 and width(high.args[2]) == bits and constant_value(low) == 0:
        return scale(1 << width(low), high.args[2])
    return terms.intern("concat", (high, low), sort(bits))


def _joined(high: Term, low: Term) -> Term | None:
    """Two neighbours as one operation, if they are one."""
    low_bits = width(low)
    bits = width(high) + low_bits
    if 0 < choice_size(high) * choice_size(low) <= LIMITS.choice_product:
        return in_leaves(high, lambda a: in_leaves(low, lambda b: constant(a << low_bits | b, bits)))
    if constant_value(high) == 0:
        return extend(low, width(high), False)
    if high.op == "extract":
        top, bottom, whole = high.args
        if bottom >= low_bits and extract(bottom - 1, bottom - low_bits, whole) is low:
            return extract(top, bottom - low_bits, whole)
    sign = high.args[1] if high.op == "sign_extend" else high
    if width(sign) == 1 and sign.op != "bvconst" and extract(low_bits - 1, low_bits - 1, low) is sign:
        return extend(low, width(high), True)
    return None


def extract(high: int, low: int, term: Term) -> Term:
    """Bits high..low, counted from zero at the least significant end."""
    if low == 0 and high == width(term) - 1:
        return term
    simplified = _part(high, low, term)
    return terms.intern("extract", (high, low, term), sort(high - low + 1)) if simplified is None else simplified


def _part(high: int, low: int, term: Term) -> Term | None:
    bits = high - low + 1
    match term.op:
        case "bvconst":
            return constant(term.args[0] >> low, bits)
        case "extract":
            return extract(term.args[1] + high, term.args[1] + low, term.args[2])
        case "zero_extend" | "sign_extend":
            return _part_of_extension(high, low, term.args[1], term.op == "sign_extend")
        case "concat":
            return _part_of_concat(high, low, *term.args)
        case "bvlin":
            return _part_of_sum(high, low, term)
        case "ite":
            return _part_of_conditional(high, low, term)
        case "bvand" | "bvor" | "bvxor" if term.args[0].op == "bvconst":
            value = term.args[0].args[0] >> low & ((1 << bits) - 1)
            if value in (0, (1 << bits) - 1):
                return binary(term.op, constant(value, bits), extract(high, low, term.args[1]))
        case "bvmul" if low == 0 and all(arg.op in _EXTENSIONS for arg in term.args):
            return binary("bvmul", *(extract(high, 0, arg) for arg in term.args))
    return None


def _part_of_extension(high: int, low: int, inner: Term, keep_sign: bool) -> Term:
    top = width(inner) - 1
    if high <= top:
        return extract(high, low, inner)
    if low <= top:
        return extend(extract(top, low, inner), high - top, keep_sign)
    if keep_sign:
        return extend(extract(top, top, inner), high - low, True)
    return constant(0, high - low + 1)


def _part_of_concat(high: int, low: int, upper: Term, lower: Term) -> Term:
    split = width(lower)
    if high < split:
        return extract(high, low, lower)
    if low >= split:
        return extract(high - split, low - split, upper)
    return concat(extract(high - split, 0, upper), extract(split - 1, low, lower))


def _part_of_sum(high: int, low: int, term: Term) -> Term | None:
    """Low bits of a sum are a sum of low bits; of a multiple of 2**k, bits from k on are bits of the factor."""
    coefficients, offset = term.args
    if low == 0:
        parts = ((extract(high, 0, factor), c) for factor, c in coefficients)
        return combination(parts, offset, high + 1)
    if offset == 0 and len(coefficients) == 1:
        factor, c = coefficients[0]
        shift = min((c & -c).bit_length() - 1, low)
        if shift:
            bits = width(term) - shift
            return extract(high - shift, low - shift, scale(c >> shift, extract(bits - 1, 0, factor)))
    return None


def _part_of_conditional(high: int, low: int, term: Term) -> Term | None:
    if is_choice(term):
        return in_leaves(term, lambda value: constant(value >> low, high - low + 1))
    condition, then, otherwise = term.args
    if all(branch.op in ("bvconst", "concat", *_EXTENSIONS) for branch in (then, otherwise)):
        return terms.conditional(condition, extract(high, low, then), extract(high, low, otherwise))
    return None


def extend(term: Term, by: int, keep_sign: bool) -> Term:
    """Widen by some bits, with zeros or with copies of the sign bit."""
    if by == 0:
        return term
    bits = width(term)
    if choice_size(term):
        return in_leaves(term, lambda value: constant(signed(value, bits) if keep_sign else value, bits + by))
    if term.op == "zero_extend" or (keep_sign and term.op == "sign_extend"):
        inner = term.args[1]
        return terms.intern(term.op, (term.args[0] + by, inner), sort(bits + by))
    return terms.intern("sign_extend" if keep_sign else "zero_extend", (by, term), sort(bits + by))


def load(address: Term, size: int) -> Term:
    """`size` bytes of memory at an address, little-endian: a leaf whose value the state gives."""
    return terms.intern("load", (address, size), sort(8 * size))


def room(address: Term) -> Term:
    """The size of the live object an address points into, 0 without one: a leaf whose value the state gives."""
    return terms.intern("room", (address,), address.sort)
