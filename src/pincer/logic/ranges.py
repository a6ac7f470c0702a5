"""Formulas about all cells of a range: `every index in [lower, upper) satisfies the body`.

The index has the width of addresses and one name, so that equal formulas are the same term. An instance of such a
formula is its body at one index; whoever assumes it may use any number of instances, whoever shows it takes an index
that nothing is known of.
"""

from __future__ import annotations

from functools import cache

from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import linear_parts, state_reads, width
from pincer.logic.terms import Term

NAME = "%index"


@cache
def index(bits: int) -> Term:
    """The variable that runs through a range."""
    return bitvectors.variable(NAME, bits)


def every(lower: Term, upper: Term, body: Term) -> Term:
    """All indices from `lower` on and below `upper` satisfy the body."""
    return terms.every(index(width(lower)), lower, upper, body)


def some(lower: Term, upper: Term, body: Term) -> Term:
    """Some index from `lower` on and below `upper` satisfies the body."""
    return terms.negate(every(lower, upper, terms.negate(body)))


def instance(formula: Term, at: Term) -> Term:
    """What a range formula says of one index: the body holds there, if the index is in the range."""
    _, lower, upper, body = formula.args
    inside = terms.conjunction(bitvectors.compare("bvule", lower, at), bitvectors.compare("bvult", at, upper))
    return terms.implies(inside, terms.substitute(body, {formula.args[0]: at}))


def ranges_in(formulas: list[Term]) -> list[Term]:
    """The range formulas that occur in formulas, each once."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    pending = list(formulas)
    while pending:
        part = pending.pop()
        if part in seen:
            continue
        seen.add(part)
        if part.op == "every":
            found[part] = None
        elif part.op in ("and", "or", "not", "iff", "ite"):
            pending += [arg for arg in part.args if arg.sort is terms.BOOL]
    return list(found)


def size_read(read: Term) -> int:
    """How many bytes a read is about; none for the room of an object."""
    return int(read.args[1]) if read.op == "load" else 0


def strides(formula: Term) -> list[tuple[int, Term, int]]:
    """The reads of the body of a range formula, as in `strides_of`."""
    return strides_of(formula.args[0], formula.args[3])


def strides_of(bound: Term, body: Term) -> list[tuple[int, Term, int]]:
    """The reads of a body at addresses `factor * index + rest`: factor, rest and number of bytes of each."""
    found: dict[tuple[int, Term, int], None] = {}
    for read in state_reads(body):
        factors, _ = linear_parts(read.args[0])
        factor = dict(factors).get(bound, 0)
        whole = bitvectors.binary("bvmul", bitvectors.constant(factor, width(bound)), bound)
        rest = bitvectors.binary("bvsub", read.args[0], whole)
        if factor and bound not in rest.variables:
            found[factor, rest, size_read(read)] = None
    return list(found)


def singled_out(formula: Term) -> list[Term]:
    """The indices that equations in the body are about: where something was stored, for example."""
    bound, found = formula.args[0], dict[Term, None]()
    for part in terms.postorder(formula.args[3]):
        if part.op == "same" and bound in part.variables:
            distance = bitvectors.binary("bvsub", *part.args) if width(part.args[0]) == width(bound) else bound
            factor = dict(linear_parts(distance)[0]).get(bound, 0)
            whole = bitvectors.binary("bvmul", bitvectors.constant(factor, width(bound)), bound)
            rest = bitvectors.binary("bvsub", whole, distance)
            signed_factor = bitvectors.signed(factor, width(bound))
            if signed_factor and bound not in rest.variables:
                at = rest if signed_factor > 0 else bitvectors.negative(rest)
                found[quotient(at, abs(signed_factor))] = None
    return list(found)


def quotient(distance: Term, factor: int) -> Term:
    """An index at which `factor * index` is some distance, if there is one."""
    bits = width(distance)
    factors, constant = linear_parts(distance)
    parts = [(part, bitvectors.signed(c, bits)) for part, c in factors]
    offset = bitvectors.signed(constant, bits)
    if all(c % factor == 0 for _, c in parts) and offset % factor == 0:
        return bitvectors.combination([(part, c // factor) for part, c in parts], offset // factor, bits)
    return bitvectors.binary("bvudiv", distance, bitvectors.constant(factor, bits))
