"""Random floating-point terms over two variables of each format and an integer."""

from __future__ import annotations

from random import Random

from pincer.logic import bitvectors as bv
from pincer.logic import floating_point as fp
from pincer.logic import terms
from pincer.logic.machine_floats import FORMATS, Rounding, from_integer
from pincer.logic.terms import Term


def interesting(bits: int, rng: Random) -> int:
    """A pattern that is often near a limit of its format."""
    form = FORMATS[bits]
    choice = rng.random()
    if choice < 0.2:
        values = [0, 1, form.infinity, form.infinity - 1, form.infinity | form.quiet, form.infinity | form.quiet | 5]
        pattern = rng.choice(values)
    elif choice < 0.5:
        pattern = from_integer(rng.choice((1, 3, 5, 7, 1 << 24, (1 << 31) - 1, (1 << 53) + 1)), bits)
        pattern += rng.randrange(-2, 3)
    elif choice < 0.8:
        near = form.bias + rng.randrange(-70, 71)
        pattern = near << form.field | rng.getrandbits(form.precision - 1)
    else:
        pattern = rng.getrandbits(bits - 1)
    if form.stored_one:
        pattern &= ~(1 << 63)
        pattern |= bool(pattern >> 64) << 63
        if pattern >> 64 == 0x7FFF and pattern & (1 << 63) - 1:
            pattern |= form.quiet
    return pattern & ((1 << bits - 1) - 1) | rng.getrandbits(1) << bits - 1


class NumberMaker:
    """Draws terms with numbers of the given formats."""

    def __init__(self, rng: Random, widths: tuple[int, ...] = (32, 64)) -> None:
        self.rng = rng
        self.widths = widths

    def number(self, bits: int, depth: int) -> Term:
        rng = self.rng
        if depth == 0:
            if rng.random() < 0.3:
                return bv.constant(interesting(bits, rng), bits)
            return bv.variable(f"x{rng.randrange(2)}_{bits}", bits)
        op = rng.choice(("fpadd", "fpsub", "fpmul", "fpdiv", "fpneg", "fpabs", "fpsqrt", "fpfma", "", "", "", ""))
        if op:
            count = {"fpneg": 1, "fpabs": 1, "fpsqrt": 1, "fpfma": 3}.get(op, 2)
            return fp.arithmetic(op, *(self.number(bits, depth - 1) for _ in range(count)))
        return rng.choice((self._rounded, self._converted, self._from_integer, self._chosen))(bits, depth - 1)

    def formula(self, bits: int, depth: int) -> Term:
        left, right = self.number(bits, depth), self.number(bits, depth)
        return fp.compare(self.rng.choice(("fplt", "fple", "fpeq")), left, right)

    def _rounded(self, bits: int, depth: int) -> Term:
        return fp.to_integral(self.rng.choice(list(Rounding)), self.number(bits, depth))

    def _converted(self, bits: int, depth: int) -> Term:
        return fp.convert(self.number(self.rng.choice(self.widths), depth), bits)

    def _from_integer(self, bits: int, depth: int) -> Term:
        rng = self.rng
        keep_sign, integer = rng.random() < 0.5, bv.variable("i", 32)
        if rng.random() < 0.5:
            integer = fp.to_integer(self.number(bits, depth), rng.choice((8, 32, 64)), rng.random() < 0.5)
        return fp.from_integer(integer, bits, keep_sign)

    def _chosen(self, bits: int, depth: int) -> Term:
        return terms.conditional(self.formula(bits, depth), self.number(bits, depth), self.number(bits, depth))

    def values(self, term: Term) -> dict[Term, int]:
        """Values for the variables of a term."""
        rng = self.rng
        return {v: rng.getrandbits(32) if str(v) == "i" else interesting(bv.width(v), rng) for v in term.variables}
