"""The ground of bit-vector terms: constants, linear sums modulo 2**width, and conditionals between constants.

Sums are kept in one normal form, `bvlin`: `c1*t1 + ... + cn*tn + k` with the coefficients and the constant between 0
and 2**width - 1 and the terms in order of creation. So two addresses with the same base differ by a constant that is
seen without a solver. Only sums that have grown very long are summands themselves.

A conditional whose leaves are all constants (C's comparisons and logical operators give them) is transparent: an
operation on it is carried out in its leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cache

from pincer.logic import terms
from pincer.logic.limits import LIMITS
from pincer.logic.terms import BOOL, FALSE, TRUE, Coefficients, Sort, Term


@cache
def sort(width: int) -> Sort:
    """The bit-vectors of a width."""
    if width < 1:
        raise ValueError("a bit-vector has at least one bit")
    return Sort("BitVec", width)


def width(term: Term) -> int:
    bits = term.sort.width
    assert bits is not None
    return bits


def same_width(left: Term, right: Term) -> int:
    """The width that two operands share; operands of different widths are a mistake of whoever builds the term."""
    if left.sort is not right.sort:
        raise ValueError(f"operands of the sorts {left.sort} and {right.sort}")
    return width(left)


def constant(value: int, bits: int) -> Term:
    """The value modulo 2**bits."""
    return terms.intern("bvconst", (value & ((1 << bits) - 1),), sort(bits))


def constant_value(term: Term) -> int | None:
    return int(term.args[0]) if term.op == "bvconst" else None


def variable(name: Hashable, bits: int) -> Term:
    return terms.variable(name, sort(bits))


def conditional(condition: Term, then: Term, otherwise: Term) -> Term:
    """`condition ? then : otherwise` over bit-vectors; a repeated test of the same condition is dropped."""
    if then.op == "ite" and then.args[0] is condition:
        then = then.args[1]
    if otherwise.op == "ite" and otherwise.args[0] is condition:
        otherwise = otherwise.args[2]
    if then is otherwise:
        return then
    same_width(then, otherwise)
    term = terms.intern("ite", (condition, then, otherwise), then.sort)
    if term not in _choices:
        size = choice_size(then) + choice_size(otherwise)
        _choices[term] = (
            0 if not (choice_size(then) and choice_size(otherwise)) or size > LIMITS.choice_leaves else size
        )
    return term


_choices: dict[Term, int] = {}


def choice_size(term: Term) -> int:
    """How many leaves a conditional between constants has: 1 for a constant, 0 for any other term or too many."""
    return 1 if term.op == "bvconst" else _choices.get(term, 0)


def is_choice(term: Term) -> bool:
    """Whether the term is a conditional (not too large) between constants."""
    return choice_size(term) > 1


def in_leaves(term: Term, operation: Callable[[int], Term]) -> Term:
    """The operation, word or formula, carried out in the leaves of a conditional between constants."""
    memo: dict[Term, Term] = {}

    def visit(part: Term) -> Term:
        done = memo.get(part)
        if done is None:
            if part.op == "bvconst":
                done = operation(part.args[0])
            else:
                condition, then, otherwise = part.args
                done = choose(condition, visit(then), visit(otherwise))
            memo[part] = done
        return done

    return visit(term)


def choose(condition: Term, then: Term, otherwise: Term) -> Term:
    """A conditional of any sort; a Boolean one with a constant or complementary branch needs no duplicate condition."""
    if then.sort is not BOOL or then is otherwise:
        return terms.conditional(condition, then, otherwise)
    if then is TRUE:
        return terms.disjunction(condition, otherwise)
    if then is FALSE:
        return terms.conjunction(terms.negate(condition), otherwise)
    if otherwise is TRUE:
        return terms.disjunction(terms.negate(condition), then)
    if otherwise is FALSE:
        return terms.conjunction(condition, then)
    if then is terms.negate(otherwise):
        return terms.iff(condition, then)
    return terms.conditional(condition, then, otherwise)


def is_inversion(term: Term) -> bool:
    """Whether the term is `~x`, kept as an exclusive or with all ones."""
    return term.op == "bvxor" and term.args[0].op == "bvconst" and term.args[0].args[0] == (1 << width(term)) - 1


def linear_parts(term: Term) -> tuple[Coefficients, int]:
    """The coefficients and the constant of a bit-vector term read as a sum."""
    if term.op == "bvlin":
        coefficients, offset = term.args
        return coefficients, offset
    if term.op == "bvconst":
        return (), term.args[0]
    if is_inversion(term):
        all_ones = term.args[0].args[0]
        return ((term.args[1], all_ones),), all_ones
    return ((term, 1),), 0


def gathered(parts: Iterable[tuple[Term, int]], offset: int, bits: int) -> tuple[list[tuple[Term, int]], int]:
    """`sum c*t + offset` modulo 2**bits as coefficients in order of the terms' creation, and a constant."""
    total: dict[Term, int] = {}
    for term, c in parts:
        if term.op == "var" or term.op == "load" or (term.op == "bvlin" and len(term.args[0]) > LIMITS.summands):
            total[term] = total.get(term, 0) + c
            continue
        inner, k = linear_parts(term)
        offset += c * k
        for factor, d in inner:
            total[factor] = total.get(factor, 0) + c * d
    mask = (1 << bits) - 1
    entries = [(factor, c & mask) for factor, c in total.items() if c & mask]
    if len(entries) > 1:
        entries.sort(key=_creation)
    return entries, offset & mask


def _creation(entry: tuple[Term, int]) -> int:
    return entry[0].id


def combination(parts: Iterable[tuple[Term, int]], offset: int, bits: int) -> Term:
    """`sum c*t + offset` over terms of a width, modulo 2**bits."""
    return from_linear(*gathered(parts, offset, bits), bits)


def from_linear(entries: list[tuple[Term, int]], offset: int, bits: int) -> Term:
    """The term of gathered coefficients."""
    if not entries:
        return constant(offset, bits)
    if len(entries) == 1:
        factor, c = entries[0]
        if c == 1 and offset == 0:
            return factor
        if is_choice(factor):
            return in_leaves(factor, lambda value: constant(c * value + offset, bits))
        if c == offset == (1 << bits) - 1:
            return terms.intern("bvxor", (constant(-1, bits), factor), factor.sort)
    return terms.intern("bvlin", (tuple(entries), offset), sort(bits))


def add(left: Term, right: Term) -> Term:
    return combination(((left, 1), (right, 1)), 0, width(left))


def subtract(left: Term, right: Term) -> Term:
    return combination(((left, 1), (right, -1)), 0, width(left))


def scale(factor: int, term: Term) -> Term:
    return combination(((term, factor),), 0, width(term))


def negative(term: Term) -> Term:
    return scale(-1, term)
