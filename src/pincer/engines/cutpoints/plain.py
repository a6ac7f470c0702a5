"""Formulas about states as formulas over variables: range facts become instances, reads become variables.

What a solver refutes afterwards cannot hold in any state; a model may be spurious.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincer.engines.cutpoints.limits import LIMITS
from pincer.logic import bitvectors, ranges, terms
from pincer.logic.bitvectors import constant, state_reads, width
from pincer.logic.rewriting import without_reads
from pincer.logic.terms import BOOL, Term, conjunction, disjunction, implies, negate
from pincer.program.control_flow import ControlFlowProgram


class Plain(Struct, frozen=True):
    """The formulas, in their order, and what comes with them."""

    formulas: list[Term]
    axioms: list[Term]


class PlainForm:
    """Plain formulas for questions about one program."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self._layout = program.layout
        self._top = program.top
        self._first = program.first_free // program.layout.slot

    def of(self, formulas: Sequence[Term]) -> Plain:
        asserted, more = self._without_ranges(formulas)
        whole = [*asserted, *more]
        whole += self._standing(whole)
        plain = _without_divisions(without_reads(whole, self._layout.slot_bits))
        return Plain(plain[: len(formulas)], plain[len(formulas) :])

    def _slot_of(self, address: Term) -> Term:
        return bitvectors.extract(self._layout.pointer_bits - 1, self._layout.slot_bits, address)

    def _standing(self, formulas: Sequence[Term]) -> Iterator[Term]:
        """What holds in every state: there is no object in slot 0, and none from the top of memory on."""
        top = self._slot_of(self._top)
        yield bitvectors.compare("bvule", constant(self._first, bitvectors.width(top)), top)
        low = self._layout.slot_bits - 1
        yield terms.equal(bitvectors.extract(low, 0, self._top), constant(0, low + 1))
        reads = dict.fromkeys(read for formula in formulas for read in state_reads(formula) if read.op == "room")
        for read in reads:
            slot = self._slot_of(read.args[0])
            none = disjunction(
                terms.equal(slot, constant(0, bitvectors.width(slot))), bitvectors.compare("bvule", top, slot)
            )
            yield implies(none, terms.equal(read, constant(0, self._layout.pointer_bits)))

    def _without_ranges(self, formulas: Sequence[Term]) -> tuple[list[Term], list[Term]]:
        found = ranges.ranges_in(list(formulas))
        if not found:
            return list(formulas), []
        names = {formula: terms.variable(f"~every{formula.id}", BOOL) for formula in found}
        replaced: dict[Term, Term] = dict(names)
        asserted = [_replaced(formula, replaced) for formula in formulas]
        axioms = [disjunction(name, _counterexample(formula)) for formula, name in names.items()]
        axioms += self._instances(names, [*asserted, *axioms])
        return asserted, axioms

    def _instances(self, names: dict[Term, Term], formulas: list[Term]) -> list[Term]:
        """What the ranges say of the cells that formulas read, and of those that are read by saying so."""
        made: dict[Term, None] = {}
        known: set[tuple[Term, Term]] = set()
        waiting = formulas
        for _ in range(2):
            reads = dict.fromkeys(read for formula in waiting for read in state_reads(formula))
            waiting = []
            for formula, name in names.items():
                for at in _indices(formula, reads):
                    if (formula, at) in known or len(known) >= LIMITS.instances:
                        continue
                    known.add((formula, at))
                    said = implies(name, ranges.instance(formula, at))
                    made[said] = None
                    waiting.append(said)
        return list(made)


def _indices(formula: Term, reads: dict[Term, None]) -> dict[Term, None]:
    """The indices that the body itself singles out, and those at which it speaks of cells that are read; simple
    ones first, and counterexamples among them."""
    found: dict[Term, None] = dict.fromkeys(ranges.singled_out(formula))
    for factor, rest, size in ranges.strides(formula):
        for read in reads:
            if ranges.size_read(read) == size:
                found[ranges.quotient(bitvectors.binary("bvsub", read.args[0], rest), factor)] = None

    def order(at: Term) -> tuple[int, bool, int]:
        parts = bitvectors.linear_parts(at)[0]
        return len(parts), not any(part in _counterexamples for part, _ in parts), at.id

    return dict.fromkeys(sorted(found, key=order)[: LIMITS.instances_of_range])


def _without_divisions(formulas: Sequence[Term]) -> list[Term]:
    """The formulas with quotients and remainders by constants as variables, followed by what these mean: a product by a
    constant is a sum of few, and a division is a circuit that solvers find hard."""
    memo: dict[Term, Term] = {}
    meant: dict[Term, None] = {}

    def divided(term: Term) -> Term:
        done = memo.get(term)
        if done is None:
            done = terms.rebuild(term, divided)
            if done.op in ("bvudiv", "bvurem") and done.args[1].op == "bvconst" and done.args[1].args[0]:
                quotient, rest, meaning = _quotient(*done.args)
                done = quotient if done.op == "bvudiv" else rest
                meant.update(dict.fromkeys(meaning))
            memo[term] = done
        return done

    plain = [divided(formula) for formula in formulas]
    return [*plain, *meant]


def _quotient(dividend: Term, divisor: Term) -> tuple[Term, Term, tuple[Term, Term]]:
    """A variable for a quotient, what it leaves, and what both mean."""
    bits, by = width(dividend), divisor.args[0]
    quotient = bitvectors.variable(f"~quotient{dividend.id} {by}", bits)
    rest = bitvectors.binary("bvsub", dividend, bitvectors.binary("bvmul", divisor, quotient))
    most = constant(((1 << bits) - 1) // by, bits)
    fits = conjunction(
        bitvectors.compare("bvule", quotient, most),
        bitvectors.compare("bvule", bitvectors.binary("bvmul", divisor, quotient), dividend),
    )
    return quotient, rest, (fits, bitvectors.compare("bvult", rest, divisor))


_counterexamples: set[Term] = set()
"""The indices that stand for counterexamples: what is known of them matters most."""


def _counterexample(formula: Term) -> Term:
    """Some index of the range does not satisfy the body."""
    bound, lower, upper, body = formula.args
    at = bitvectors.variable(f"~some{formula.id}", bitvectors.width(bound))
    _counterexamples.add(at)
    inside = conjunction(bitvectors.compare("bvule", lower, at), bitvectors.compare("bvult", at, upper))
    return conjunction(inside, negate(terms.substitute(body, {bound: at})))


def _replaced(formula: Term, known: dict[Term, Term]) -> Term:
    done = known.get(formula)
    if done is None:
        done = formula
        if formula.op in ("and", "or", "not", "iff"):
            done = terms.rebuild(formula, lambda part: _replaced(part, known))
        known[formula] = done
    return done
