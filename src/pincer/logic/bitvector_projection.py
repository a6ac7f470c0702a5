"""Elimination of an existentially quantified bit-vector, exactly where the formula's shape allows it.

An equation that determines the variable is substituted; bounds and disequations are eliminated by `bitvector_arcs`.
Variables that occur widened, divided or in parts are brought to that form first; disjunctions and conditionals are
split. Reads of the state that do not depend on the variable are parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from pincer.logic import bitvectors, terms
from pincer.logic.bitvector_arcs import RELATIONS, by_bounds, by_points, either, linear_in, literals, plus
from pincer.logic.bitvector_sums import combination, constant, linear_parts, width
from pincer.logic.limits import LIMITS
from pincer.logic.rewriting import rewrite
from pincer.logic.terms import BOOL, FALSE, TRUE, Term


class _Budget(Struct):
    cases: int = LIMITS.elimination_cases

    def spend(self) -> bool:
        self.cases -= 1
        return self.cases >= 0


def project(formula: Term, variable: Term) -> Term | None:
    """A formula without the variable that is equivalent to `exists variable: formula`; None when none was found."""
    try:
        return _eliminate(formula, variable, _Budget())
    except RecursionError:
        return None


def over_approximate(formula: Term, variable: Term) -> Term:
    """A formula without the variable that follows from the given one."""
    if variable not in formula.variables:
        return formula
    exact = project(formula, variable)
    if exact is not None:
        return exact
    if formula.op == "or":
        return terms.disjunction(*(over_approximate(part, variable) for part in formula.args))
    if formula.op != "and":
        return TRUE
    easy = [part for part in formula.args if project(part, variable) is not None]
    together = project(terms.conjunction(*easy), variable)
    if together is None:
        return terms.conjunction(*(over_approximate(part, variable) for part in formula.args))
    return terms.conjunction(together, *(over_approximate(part, variable) for part in formula.args if part not in easy))


def _eliminate(formula: Term, v: Term, budget: _Budget) -> Term | None:
    if v not in formula.variables:
        return formula
    if not budget.spend():
        return None
    if v.sort is BOOL:
        return terms.disjunction(*(terms.substitute(formula, {v: value}) for value in (TRUE, FALSE)))
    if formula.op == "or":
        return _each(formula.args, v, budget)
    parts = terms.conjuncts(formula)
    touched = [part for part in parts if v in part.variables]
    rest = [part for part in parts if v not in part.variables]
    for method in (_by_equation, _single_literal, by_bounds, by_points):
        found = method(touched, v)
        if found is not None:
            return terms.conjunction(*rest, found)
    for last in (_overflow_split, _widened, _as_result, _in_parts, _by_cases, _by_values):
        found = last(touched, v, budget)
        if found is not None:
            return terms.conjunction(*rest, found)
    return None


def _each(formulas: Sequence[Term], v: Term, budget: _Budget) -> Term | None:
    """A disjunction is eliminated from disjunct by disjunct."""
    out = []
    for formula in formulas:
        part = _eliminate(formula, v, budget)
        if part is None:
            return None
        out.append(part)
    return either(out)


def _by_equation(touched: Sequence[Term], v: Term) -> Term | None:
    """Substitute what an equation among the conjuncts says about the variable."""
    for i, part in enumerate(touched):
        if part.op != "same":
            continue
        solved = _solve(bitvectors.binary("bvsub", *part.args), constant(0, width(part.args[0])), v)
        if solved is None:
            continue
        value, condition = solved
        others = [terms.substitute(other, {v: value}) for j, other in enumerate(touched) if j != i]
        return terms.conjunction(condition, *others)
    return None


def _solve(term: Term, value: Term, v: Term) -> tuple[Term, Term] | None:
    """What v must be for `term = value`, and what else is needed: `term` takes different values for different v."""
    condition = TRUE
    while term is not v:
        bits = width(term)
        coefficients, offset = linear_parts(term)
        inside = [(factor, c) for factor, c in coefficients if v in factor.variables]
        if len(inside) != 1:
            return None
        factor, c = inside[0]
        if factor is not term:
            if not c & 1:
                return None
            others = [(other, d) for other, d in coefficients if other is not factor]
            inverse = pow(c, -1, 1 << bits)
            rest = combination([(value, 1), *((other, -d) for other, d in others)], -offset, bits)
            term, value = factor, combination(((rest, inverse),), 0, bits)
        elif term.op in ("zero_extend", "sign_extend"):
            inner = term.args[1]
            part = bitvectors.extract(width(inner) - 1, 0, value)
            widened = bitvectors.extend(part, term.args[0], term.op == "sign_extend")
            condition = terms.conjunction(condition, terms.equal(widened, value))
            term, value = inner, part
        elif term.op == "bvxor" and sum(v in arg.variables for arg in term.args) == 1:
            inner, other = sorted(term.args, key=lambda arg: v not in arg.variables)
            term, value = inner, bitvectors.binary("bvxor", value, other)
        elif term.op == "concat" and sum(v in arg.variables for arg in term.args) == 1:
            high, low = term.args
            split = width(low)
            upper, lower = bitvectors.extract(bits - 1, split, value), bitvectors.extract(split - 1, 0, value)
            if v in high.variables:
                condition = terms.conjunction(condition, terms.equal(low, lower))
                term, value = high, upper
            else:
                condition = terms.conjunction(condition, terms.equal(high, upper))
                term, value = low, lower
        else:
            return None
    return value, condition


def _single_literal(touched: Sequence[Term], v: Term) -> Term | None:
    """An equation or disequation about an even multiple of the variable, with nothing else known about it."""
    if len(touched) != 1:
        return None
    positive = touched[0].op != "not"
    atom = touched[0] if positive else touched[0].args[0]
    if atom.op != "same" or atom.args[0].sort is not v.sort:
        return None
    found = linear_in(bitvectors.binary("bvsub", *atom.args), v)
    if found is None or not found[0]:
        return None
    if not positive:
        return TRUE
    zeros = (found[0] & -found[0]).bit_length() - 1
    if not zeros:
        return TRUE
    return terms.equal(bitvectors.extract(zeros - 1, 0, found[1]), constant(0, zeros))


def _occurrences(touched: Sequence[Term], v: Term) -> Iterator[Term]:
    """The subterms that have v as an argument."""
    seen: set[Term] = set()
    for part in touched:
        for term in terms.postorder(part):
            if term not in seen and v in terms.children(term):
                seen.add(term)
                yield term


def _replaced(formula: Term, replacements: dict[Term, Term]) -> Term:
    """Subterms replaced by others of the same sort."""
    return rewrite(formula, lambda leaf: leaf, dict(replacements))


def _sides(atom: Term, v: Term) -> tuple[Term, Term] | None:
    """The side of a relation that is v, and the other one."""
    if atom.op in RELATIONS:
        for one, other in (atom.args, atom.args[::-1]):
            if one is v and v not in other.variables:
                return one, other
    return None


def _widened(touched: Sequence[Term], v: Term, budget: _Budget) -> Term | None:
    """A variable that occurs extended, always in the same way: eliminate the wide value within its range."""
    occurrences = list(_occurrences(touched, v))
    extensions = [term for term in occurrences if term.op in ("zero_extend", "sign_extend")]
    if len(extensions) != 1:
        return None
    extension = extensions[0]
    keep_sign = extension.op == "sign_extend"
    bits = width(extension)
    wide = bitvectors.variable(f"{v.args[0]}'{extension.op}{bits}", bits)
    replacements = {extension: wide}
    for atom in occurrences:
        if atom is extension:
            continue
        sides = _sides(atom, v)
        if sides is None or (atom.op == "bvsle" and not keep_sign):
            return None
        lifted = [wide if side is v else bitvectors.extend(side, extension.args[0], keep_sign) for side in atom.args]
        replacements[atom] = terms.equal(*lifted) if atom.op == "same" else bitvectors.compare(atom.op, *lifted)
    formula = _replaced(terms.conjunction(*touched), replacements)
    if v in formula.variables:
        return None
    start = 1 << width(v) >> 1 if keep_sign else 0
    shifted = combination(((wide, 1),), start, bits)
    within = bitvectors.compare("bvule", shifted, constant((1 << width(v)) - 1, bits))
    return _eliminate(terms.conjunction(formula, within), wide, budget)


def _as_result(touched: Sequence[Term], v: Term, budget: _Budget) -> Term | None:
    """A variable that is only divided by a constant: eliminate the result, which takes all values of a range."""
    occurrences = list(_occurrences(touched, v))
    if len(occurrences) != 1 or occurrences[0].op not in ("bvurem", "bvudiv", "bvsrem", "bvsdiv"):
        return None
    result = occurrences[0]
    divisor = bitvectors.constant_value(result.args[1])
    if not divisor or result.args[0] is not v:
        return None
    bits = width(v)
    order = "bvule"
    low, high = 0, divisor - 1
    if result.op == "bvudiv":
        high = ((1 << bits) - 1) // divisor
    elif result.op != "bvurem":
        order = "bvsle"
        size = abs(bitvectors.signed(divisor, bits))
        low, high = 1 - size, size - 1
        if result.op == "bvsdiv":
            half = 1 << bits >> 1
            low, high = (
                (-(half // size), (half - 1) // size) if divisor < half else (-((half - 1) // size), half // size)
            )
    value = bitvectors.variable(f"{v.args[0]}'{result.op}", bits)
    within = [
        bitvectors.compare(order, constant(low, bits), value),
        bitvectors.compare(order, value, constant(high, bits)),
    ]
    formula = _replaced(terms.conjunction(*touched), {result: value})
    return None if v in formula.variables else _eliminate(terms.conjunction(formula, *within), value, budget)


def _overflow_split(touched: Sequence[Term], v: Term, budget: _Budget) -> Term | None:
    """Replace `u <= u + e`, where u contains v, by what it says about u: that the sum does not wrap around."""
    replacements = {}
    for atom, _ in literals(terms.conjunction(*touched), v):
        if atom.op not in ("bvule", "bvsle"):
            continue
        left, right = atom.args
        shift = bitvectors.binary("bvsub", right, left)
        if v in right.variables and v in left.variables and v not in shift.variables:
            replacements[atom] = _without_overflow(atom.op, left, shift)
    if not replacements:
        return None
    return _eliminate(_replaced(terms.conjunction(*touched), replacements), v, budget)


def _without_overflow(op: str, term: Term, shift: Term) -> Term:
    """`term <= term + shift`, with the sum written once."""
    if op == "bvule":
        return bitvectors.compare(op, term, bitvectors.invert(shift))
    bits = width(term)
    least = constant(1 << bits >> 1, bits)
    upwards = bitvectors.compare(op, constant(0, bits), shift)
    up = bitvectors.compare(op, term, bitvectors.binary("bvsub", plus(least, -1), shift))
    down = bitvectors.compare("bvslt", term, bitvectors.binary("bvsub", least, shift))
    return terms.disjunction(terms.conjunction(upwards, up), terms.conjunction(terms.negate(upwards), down))


def _in_parts(touched: Sequence[Term], v: Term, budget: _Budget) -> Term | None:
    """A variable of which parts are taken: eliminate the parts one after the other."""
    occurrences = list(_occurrences(touched, v))
    cuts = {0, width(v)}
    for term in occurrences:
        if term.op == "extract":
            cuts |= {term.args[0] + 1, term.args[1]}
        elif _sides(term, v) is None:
            return None
    borders = sorted(cuts)
    if len(borders) < 3:
        return None
    parts = [bitvectors.variable(f"{v.args[0]}'{high}:{low}", high - low) for low, high in pairwise(borders)]
    replacements: dict[Term, Term] = {}
    for term in occurrences:
        if term.op == "extract":
            replacements[term] = _joined(parts[borders.index(term.args[1]) : borders.index(term.args[0] + 1)])
        else:
            other = next(side for side in term.args if side is not v)
            pieces = [bitvectors.extract(high - 1, low, other) for low, high in pairwise(borders)]
            pairs = list(zip(parts, pieces, strict=True))
            replacements[term] = _by_part(term.op, pairs if term.args[0] is v else [(b, a) for a, b in pairs])
    formula: Term | None = _replaced(terms.conjunction(*touched), replacements)
    for part in parts:
        formula = None if formula is None else _eliminate(formula, part, budget)
    return None if formula is None or v in formula.variables else formula


def _joined(parts: Sequence[Term]) -> Term:
    whole = parts[0]
    for part in parts[1:]:
        whole = bitvectors.concat(part, whole)
    return whole


def _by_part(op: str, pairs: Sequence[tuple[Term, Term]]) -> Term:
    """A relation between two words, over their parts from the lowest up."""
    if op == "same":
        return terms.conjunction(*(terms.equal(a, b) for a, b in pairs))
    result = TRUE
    for i, (a, b) in enumerate(pairs):
        strict = "bvslt" if op == "bvsle" and i == len(pairs) - 1 else "bvult"
        result = terms.disjunction(bitvectors.compare(strict, a, b), terms.conjunction(terms.equal(a, b), result))
    return result


def _by_cases(touched: Sequence[Term], v: Term, budget: _Budget) -> Term | None:
    """Distribute over a disjunction, an equivalence or a conditional that depends on the variable."""
    formula = terms.conjunction(*touched)
    for part in touched:
        if part.op == "or":
            others = [other for other in touched if other is not part]
            return _each([terms.conjunction(*others, case) for case in part.args], v, budget)
    for term in terms.postorder(formula):
        if v not in term.variables:
            continue
        if term.op == "ite":
            condition, values = term.args[0], term.args[1:]
        elif term.op == "iff":
            condition, values = term.args[0], (term.args[1], terms.negate(term.args[1]))
        else:
            continue
        sides = (condition, terms.negate(condition))
        cases = [
            terms.conjunction(side, _replaced(formula, {term: value}))
            for side, value in zip(sides, values, strict=True)
        ]
        return _each(cases, v, budget)
    return None


def _by_values(touched: Sequence[Term], v: Term, budget: _Budget) -> Term | None:
    if width(v) > LIMITS.narrow_bits:
        return None
    formula = terms.conjunction(*touched)
    return terms.disjunction(
        *(terms.substitute(formula, {v: constant(value, width(v))}) for value in range(1 << width(v)))
    )
