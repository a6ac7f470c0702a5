"""Random bit-vector terms and formulas, each with a meaning that is computed without them.

A sample is built twice in parallel: as a term, by the constructors under test, and as a plain Python function of the
variables' values, by the definition of the operation. Corner cases (extreme constants, masks, shared subterms, parts
that belong together, conditionals between constants) are drawn more often than chance would.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.machine_arithmetic import BINARY, COMPARISON, signed
from pincer.logic.terms import Term

Values = Mapping[Term, int]


@dataclass(frozen=True)
class Sample:
    """A term and what it must mean."""

    term: Term
    meaning: Callable[[Values], int]


def corner(rng: Random, bits: int) -> int:
    """A value of a width; half of the time a special one."""
    top = (1 << bits) - 1
    bit = 1 << rng.randrange(bits)
    specials = [0, 1, top, top >> 1, (top >> 1) + 1, bit, bit - 1, top ^ (bit - 1), bits & top, top - 1]
    return rng.choice(specials) & top if rng.random() < 0.5 else rng.randint(0, top)


def draw_values(rng: Random, variables: Sequence[Term]) -> dict[Term, int]:
    return {v: corner(rng, bv.width(v)) for v in variables}


class WordMaker:
    """Draws samples. `variable_widths` limits the widths of variables; other widths are cut out of wider ones."""

    def __init__(self, rng: Random, variable_widths: Sequence[int] = range(1, 65)) -> None:
        self.rng = rng
        self.variable_widths = sorted(variable_widths)
        self.variables: dict[Term, None] = {}

    def any(self, bits: int, depth: int) -> Sample:
        return self.word(bits, depth) if self.rng.random() < 0.5 else self.formula(bits, depth)

    def word(self, bits: int, depth: int) -> Sample:
        if depth <= 0 or self.rng.random() < 0.1:
            return self.constant(bits) if self.rng.random() < 0.35 else self._variable(bits)
        kinds = [self._binary] * 6 + [self._extension, self._part, self._join, self._split_and_joined] * 2
        kinds += [self._choice, self._choice, self._with_itself, self._unary]
        return self.rng.choice(kinds)(bits, depth - 1)

    def constant(self, bits: int) -> Sample:
        value = corner(self.rng, bits)
        return Sample(bv.constant(value, bits), lambda v: value)

    def _variable(self, bits: int) -> Sample:
        whole = next(w for w in self.variable_widths if w >= bits)
        term = bv.variable(f"v{whole}_{self.rng.randrange(3)}", whole)
        self.variables[term] = None
        low = self.rng.randint(0, whole - bits)
        return Sample(bv.extract(low + bits - 1, low, term), lambda v: v[term] >> low & ((1 << bits) - 1))

    def _operation(self, op: str, first: Sample, second: Sample, bits: int) -> Sample:
        define, mask = BINARY[op], (1 << bits) - 1
        return Sample(
            bv.binary(op, first.term, second.term),
            lambda v: define(first.meaning(v), second.meaning(v), bits) & mask,
        )

    def _binary(self, bits: int, depth: int) -> Sample:
        return self._operation(self.rng.choice(list(BINARY)), self.word(bits, depth), self.word(bits, depth), bits)

    def _with_itself(self, bits: int, depth: int) -> Sample:
        """An operation on a term and something near it."""
        first = self.word(bits, depth)
        near = self._operation(self.rng.choice(["bvadd", "bvand", "bvor", "bvxor"]), first, self.constant(bits), bits)
        return self._operation(self.rng.choice(list(BINARY)), first, near, bits)

    def _unary(self, bits: int, depth: int) -> Sample:
        inner, mask = self.word(bits, depth), (1 << bits) - 1
        if self.rng.random() < 0.5:
            return Sample(bv.invert(inner.term), lambda v: inner.meaning(v) ^ mask)
        return Sample(bv.negative(inner.term), lambda v: -inner.meaning(v) & mask)

    def _extension(self, bits: int, depth: int) -> Sample:
        if bits == 1:
            return self.word(bits, depth)
        by = self.rng.randrange(1, bits)
        inner, mask = self.word(bits - by, depth), (1 << bits) - 1
        if self.rng.random() < 0.5:
            return Sample(bv.extend(inner.term, by, False), inner.meaning)
        return Sample(bv.extend(inner.term, by, True), lambda v: signed(inner.meaning(v), bits - by) & mask)

    def _part(self, bits: int, depth: int) -> Sample:
        whole = self.rng.randint(bits, min(2 * bits + 2, 64))
        low = self.rng.choice([0, self.rng.randint(0, whole - bits)])
        inner = self.word(whole, depth)
        return Sample(
            bv.extract(low + bits - 1, low, inner.term), lambda v: inner.meaning(v) >> low & ((1 << bits) - 1)
        )

    def _join(self, bits: int, depth: int) -> Sample:
        if bits == 1:
            return self.word(bits, depth)
        split = self.rng.randrange(1, bits)
        high, low = self.word(bits - split, depth), self.word(split, depth)
        return Sample(bv.concat(high.term, low.term), lambda v: high.meaning(v) << split | low.meaning(v))

    def _split_and_joined(self, bits: int, depth: int) -> Sample:
        if bits == 1:
            return self.word(bits, depth)
        inner, split = self.word(bits, depth), self.rng.randrange(1, bits)
        parts = bv.extract(bits - 1, split, inner.term), bv.extract(split - 1, 0, inner.term)
        return Sample(bv.concat(*parts), inner.meaning)

    def _choice(self, bits: int, depth: int) -> Sample:
        test = self.formula(bits, depth)
        then, otherwise = (self.constant(bits) if self.rng.random() < 0.5 else self.word(bits, depth) for _ in range(2))
        return Sample(
            terms.conditional(test.term, then.term, otherwise.term),
            lambda v: then.meaning(v) if test.meaning(v) else otherwise.meaning(v),
        )

    def formula(self, bits: int, depth: int) -> Sample:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.5:
            return self._relation(bits if rng.random() < 0.7 else rng.choice([1, 2, 3, 8, 16, 32, 64]), depth - 1)
        first = self.formula(bits, depth - 1)
        kind = rng.choice(["not", "and", "or", "iff"])
        if kind == "not":
            return Sample(terms.negate(first.term), lambda v: 1 - first.meaning(v))
        second = self.formula(bits, depth - 1)
        if kind == "and":
            joined = terms.conjunction(first.term, second.term)
            return Sample(joined, lambda v: first.meaning(v) & second.meaning(v))
        if kind == "or":
            joined = terms.disjunction(first.term, second.term)
            return Sample(joined, lambda v: first.meaning(v) | second.meaning(v))
        return Sample(terms.iff(first.term, second.term), lambda v: int(first.meaning(v) == second.meaning(v)))

    def _relation(self, bits: int, depth: int) -> Sample:
        first = self.word(bits, depth)
        second = self.constant(bits) if self.rng.random() < 0.4 else self.word(bits, depth)
        if self.rng.random() < 0.25:
            second = self._operation("bvadd", first, second, bits)
        if self.rng.random() < 0.5:
            return Sample(terms.equal(first.term, second.term), lambda v: int(first.meaning(v) == second.meaning(v)))
        op = self.rng.choice(list(COMPARISON))
        holds = COMPARISON[op]
        return Sample(
            bv.compare(op, first.term, second.term),
            lambda v: int(holds(first.meaning(v), second.meaning(v), bits)),
        )
