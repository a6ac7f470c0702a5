"""Between which numbers a word lies, read as unsigned and as signed."""

from __future__ import annotations

from msgspec import Struct

from pincer.logic.bitvectors import width
from pincer.logic.machine_arithmetic import signed
from pincer.logic.terms import Term, unknown_first


class Range(Struct, frozen=True):
    """The least and the largest value of a word, unsigned and signed."""

    low: int
    high: int
    least: int
    most: int

    def joined(self, other: Range) -> Range:
        return Range(
            min(self.low, other.low),
            max(self.high, other.high),
            min(self.least, other.least),
            max(self.most, other.most),
        )


def whole(bits: int) -> Range:
    """Any value."""
    half = 1 << bits >> 1
    return Range(0, (1 << bits) - 1, -half, half - 1)


def _made(bits: int, unsigned: tuple[int, int] | None, with_sign: tuple[int, int] | None) -> Range:
    """A range of which one of the two sides is known, or none."""
    every = whole(bits)
    low, high = unsigned or (every.low, every.high)
    least, most = with_sign or (every.least, every.most)
    if low < 0 or high > every.high:
        low, high = every.low, every.high
    if least < every.least or most > every.most:
        least, most = every.least, every.most
    if high <= every.most:
        least, most = max(least, low), min(most, high)
    if least >= 0:
        low, high = max(low, least), min(high, most)
    elif most < 0:
        low, high = max(low, least + every.high + 1), min(high, most + every.high + 1)
    return Range(low, high, least, most)


class Ranges:
    """Ranges of terms over inputs, each found once."""

    def __init__(self) -> None:
        self._known: dict[Term, Range] = {}

    def range(self, term: Term) -> Range:
        if term not in self._known:
            for part in unknown_first(term, self._known):
                self._known[part] = self._found(part)
        return self._known[term]

    def _found(self, term: Term) -> Range:
        bits, known = term.sort.width, self._known
        if bits is None:
            return Range(0, 1, 0, 1)
        match term.op:
            case "bvconst":
                value = int(term.args[0])
                return Range(value, value, signed(value, bits), signed(value, bits))
            case "ite":
                return known[term.args[1]].joined(known[term.args[2]])
            case "zero_extend":
                inner = known[term.args[1]]
                return Range(inner.low, inner.high, inner.low, inner.high)
            case "sign_extend":
                inner = known[term.args[1]]
                return _made(bits, None, (inner.least, inner.most))
            case "bvlin":
                return self._sum(term, bits)
            case "bvand":
                return _made(bits, (0, min(known[part].high for part in term.args)), None)
            case "bvurem" if known[term.args[1]].low > 0:
                return _made(bits, (0, known[term.args[1]].high - 1), None)
            case "bvudiv" if known[term.args[1]].low > 0:
                return _made(bits, (0, known[term.args[0]].high // known[term.args[1]].low), None)
            case "extract" if term.args[1] == 0:
                inner = known[term.args[2]]
                return _made(bits, (inner.low, inner.high), (inner.least, inner.most))
            case "concat":
                high, low = (known[part] for part in term.args)
                shift = width(term.args[1])
                return _made(bits, (high.low << shift | low.low, high.high << shift | low.high), None)
        return whole(bits)

    def _sum(self, term: Term, bits: int) -> Range:
        coefficients, offset = term.args
        low = high = offset
        least = most = signed(offset, bits)
        for factor, c in coefficients:
            inner, c = self._known[factor], signed(c, bits)
            one, other = sorted((c * inner.least, c * inner.most))
            least, most = least + one, most + other
            one, other = sorted((c * inner.low, c * inner.high))
            low, high = low + one, high + other
        return _made(bits, (low, high), (least, most))

    def relation(self, atom: Term) -> bool | None:
        """Whether a relation always or never holds; None if neither is seen."""
        if atom.op not in ("same", "bvule", "bvsle"):
            return None
        left, right = (self.range(side) for side in atom.args)
        if atom.op == "bvule":
            return True if left.high <= right.low else False if left.low > right.high else None
        if atom.op == "bvsle":
            return True if left.most <= right.least else False if left.least > right.most else None
        apart = left.high < right.low or right.high < left.low or left.most < right.least or right.most < left.least
        return False if apart else None
