"""Formulas over the state of a program: their reads replaced, one by one or by variables.

A read is a register, a `load` or a `room` term; the addresses of the latter two are terms with reads of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term

Leaf = Callable[[Term], Term]
"""What stands for a register, a `load` or a `room` term. It visits the addresses of the latter two itself."""


def rewrite(term: Term, leaf: Leaf, memo: dict[Term, Term]) -> Term:
    """The term with every outermost leaf replaced, normalised again. `memo` holds what is done for one `leaf`."""
    done = memo.get(term)
    if done is None:
        if term.op in ("var", "load", "room"):
            done = leaf(term)
        else:
            done = terms.rebuild(term, lambda child: rewrite(child, leaf, memo))
        memo[term] = done
    return done


def without_reads(formulas: Iterable[Term], slot_bits: int = 0) -> list[Term]:
    """Formulas over variables, satisfiable whenever the given ones are together satisfiable in some state.

    Each read becomes a variable, and equal addresses read equally; addresses that differ in their lowest `slot_bits`
    bits only have the same room. The converse holds unless reads of different sizes overlap, so "unsatisfiable" can be
    trusted and a model may be spurious.
    """
    names: dict[Term, Term] = {}

    def leaf(term: Term) -> Term:
        if term.op == "var":
            return term
        address = rewrite(term.args[0], leaf, memo)
        read = bitvectors.room(address) if term.op == "room" else bitvectors.load(address, term.args[1])
        if read not in names:
            names[read] = bitvectors.variable(f"~{read.op}{read.id}", bitvectors.width(read))
        return names[read]

    memo: dict[Term, Term] = {}
    plain = [rewrite(formula, leaf, memo) for formula in formulas]
    for (first, value), (second, other) in combinations(names.items(), 2):
        if first.op == second.op and value.sort is other.sort:
            low = slot_bits if first.op == "room" else 0
            same = terms.equal(*(_from_bit(low, read.args[0]) for read in (first, second)))
            if same is not terms.FALSE:
                plain.append(terms.implies(same, terms.equal(value, other)))
    return plain


def _from_bit(low: int, address: Term) -> Term:
    return bitvectors.extract(bitvectors.width(address) - 1, low, address)
