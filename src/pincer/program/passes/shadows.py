"""Which bits of a value come from memory or registers that nobody gave a value: the shadow of a term.

A one in a shadow stands for a bit without a value. Bits are followed where they only move (slices, extensions, shifts
by constants, `&`, `|`, `^`); sums and products have none from the lowest one on that lacks it in an operand, because
carries go upwards, and other operations no bit at all. A connective, a conditional or an equation has a value where
those of its parts that have one settle it, as in `p != 0 && *p > 0`.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant, width
from pincer.logic.terms import BOOL, FALSE, Term, children, conjunction, disjunction, negate
from pincer.program.registers import register_of

_SUFFIX = "!"
"""What the name of a shadow has besides that of its register; no name of a program has it."""


def shadow_of(register: Term) -> Term:
    """The register that holds the shadow of another."""
    name = register.args[0]
    return register_of(name.owner, name.name + _SUFFIX, width(register), name.role)


class Shadows:
    """Shadows of terms. `open` registers may lack a value; memory has shadows if `place` says where they are."""

    def __init__(self, open: Container[Term], place: Callable[[Term], Term] | None) -> None:
        self._open = open
        self._place = place
        self._known: dict[Term, Term] = {}

    def lacks(self, term: Term) -> Term:
        """The condition under which some bit of a term, or the truth of a condition, has no value."""
        shadow = self.of(term)
        return shadow if term.sort is BOOL else negate(terms.equal(shadow, constant(0, width(shadow))))

    def of(self, term: Term) -> Term:
        """The shadow of a term: as wide as it is; of a condition, a condition."""
        for part in terms.postorder(term):
            if part not in self._known:
                self._known[part] = self._shadow(part)
        return self._known[term]

    def _any(self, term: Term) -> Term:
        """Whether some part lacks a value; all of these parts are known already."""
        return disjunction(*(self._lacking(part) for part in children(term)))

    def _lacking(self, term: Term) -> Term:
        shadow = self._known[term]
        return shadow if term.sort is BOOL else negate(terms.equal(shadow, constant(0, width(shadow))))

    def _shadow(self, term: Term) -> Term:
        known = self._known
        match term.op:
            case "var":
                return shadow_of(term) if term in self._open else constant(0, width(term))
            case "load":
                return self._loaded(term)
            case "not":
                return known[term.args[0]]
            case "and" | "or":
                return self._connective(term)
            case "ite":
                return self._conditional(term)
            case "concat":
                return bitvectors.concat(known[term.args[0]], known[term.args[1]])
            case "extract":
                return bitvectors.extract(term.args[0], term.args[1], known[term.args[2]])
            case "zero_extend" | "sign_extend":
                return bitvectors.extend(known[term.args[1]], term.args[0], term.op == "sign_extend")
            case "bvand" | "bvor" | "bvxor":
                return self._bitwise(term)
            case "bvlin":
                return self._sum(term)
            case "bvmul":
                return _carried(self._either(term))
            case "same" if term.args[0].sort is not BOOL:
                return self._equation(term)
            case "bvshl" | "bvlshr" | "bvashr" if term.args[1].op == "bvconst":
                return bitvectors.binary(term.op, known[term.args[0]], term.args[1])
        return self._mixed(term)

    def _either(self, term: Term) -> Term:
        """The bits without a value of any part."""
        either = constant(0, width(next(children(term))))
        for part in children(term):
            either = bitvectors.binary("bvor", either, self._known[part])
        return either

    def _sum(self, term: Term) -> Term:
        """A number times a power of two is shifted."""
        summands, rest = term.args
        bits = width(term)
        either = constant(0, bits)
        for factor, times in summands:
            lowest = constant(times & -times, bits)
            either = bitvectors.binary("bvor", either, bitvectors.binary("bvmul", lowest, self._known[factor]))
        is_shift = len(summands) == 1 and not rest and summands[0][1].bit_count() == 1
        return either if is_shift else _carried(either)

    def _equation(self, term: Term) -> Term:
        """One bit that differs settles it."""
        either = self._either(term)
        if bitvectors.constant_value(either) == 0:
            return FALSE
        known = bitvectors.binary("bvand", bitvectors.binary("bvxor", *term.args), bitvectors.invert(either))
        none = constant(0, width(either))
        return conjunction(negate(terms.equal(either, none)), terms.equal(known, none))

    def _mixed(self, term: Term) -> Term:
        """An operation whose result depends on all bits of its parts."""
        lacking = self._any(term)
        if term.sort is BOOL:
            return lacking
        bits = width(term)
        return terms.conditional(lacking, constant(-1, bits), constant(0, bits))

    def _loaded(self, term: Term) -> Term:
        address, size = term.args
        if self._place is None:
            return constant(0, 8 * size)
        return bitvectors.load(self._place(address), size)

    def _connective(self, term: Term) -> Term:
        """One part with a value that settles the whole is enough."""
        lacking = [self._known[part] for part in term.args]
        if all(shadow is FALSE for shadow in lacking):
            return FALSE
        settled = [part if term.op == "and" else negate(part) for part in term.args]
        open_parts = [disjunction(part, shadow) for part, shadow in zip(settled, lacking, strict=True)]
        return conjunction(disjunction(*lacking), *open_parts)

    def _conditional(self, term: Term) -> Term:
        condition, then, otherwise = term.args
        chosen = terms.conditional(condition, self._known[then], self._known[otherwise])
        if term.sort is BOOL:
            return disjunction(self._known[condition], chosen)
        # Bits that both sides have, and have alike, are those of the result, whichever side it is.
        either = bitvectors.binary("bvor", self._known[then], self._known[otherwise])
        open_bits = bitvectors.binary("bvor", either, bitvectors.binary("bvxor", then, otherwise))
        return terms.conditional(self._known[condition], open_bits, chosen)

    def _bitwise(self, term: Term) -> Term:
        left, right = term.args
        first, second = self._known[left], self._known[right]
        either = bitvectors.binary("bvor", first, second)
        if term.op == "bvxor":
            return either
        if bitvectors.constant_value(either) == 0:
            return either
        for part, shadow in ((left, first), (right, second)):
            free = part if term.op == "bvand" else bitvectors.invert(part)
            either = bitvectors.binary("bvand", either, bitvectors.binary("bvor", free, shadow))
        return either


def _carried(shadow: Term) -> Term:
    """All bits from the lowest one on."""
    return bitvectors.binary("bvor", shadow, bitvectors.negative(shadow))
