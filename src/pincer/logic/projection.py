"""Exact elimination of existentially quantified integers from linear constraints.

Most eliminations need no more than solving an equation or combining unit bounds; those are done here on terms. The
rest (non-unit coefficients, `div`, disequalities between bounds) goes to the Presburger library isl.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pincer.logic import terms
from pincer.logic.bounds import FormBounds
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term


def project(formulas: Iterable[Term], eliminate: Iterable[Term]) -> Term:
    """A quantifier-free formula equivalent to `exists eliminate: formulas`, over the other variables."""
    constraints = FormBounds(formulas).literals()
    hard = []
    for symbol in eliminate:
        simpler = eliminate_simply(constraints, symbol)
        if simpler is None:
            hard.append(symbol)
        else:
            constraints = FormBounds(simpler).literals()
    remaining = [symbol for symbol in hard if any(symbol in c.variables for c in constraints)]
    if not remaining:
        return terms.conjunction(*constraints)
    touched = [c for c in constraints if not c.variables.isdisjoint(remaining)]
    rest = [c for c in constraints if c.variables.isdisjoint(remaining)]
    return terms.conjunction(*rest, _project_with_isl(touched, remaining))


def eliminate_simply(constraints: Sequence[Term], symbol: Term) -> list[Term] | None:
    """`exists symbol` over a conjunction of literals, None when that needs more than the easy exact cases."""
    rest = [c for c in constraints if symbol not in c.variables]
    touched = [c for c in constraints if symbol in c.variables]
    lower: list[tuple[int, Term]] = []
    upper: list[tuple[int, Term]] = []
    disequalities = False
    for constraint in touched:
        positive = constraint.op != "not"
        atom = constraint if positive else constraint.args[0]
        if atom.op not in ("le", "eq"):
            return None
        coefficient, others = _isolate(atom, symbol)
        if coefficient is None:
            return None
        if atom.op == "eq":
            if not positive:
                disequalities = True
            elif abs(coefficient) == 1:
                solution = terms.scale(-coefficient, others)
                return rest + [terms.substitute(c, {symbol: solution}) for c in touched if c is not constraint]
            else:
                return None
            continue
        # coefficient*symbol + others <= 0, or its negation: others + coefficient*symbol >= 1
        if not positive:
            coefficient, others = -coefficient, terms.combination(((others, -1),), 1)
        if coefficient > 0:
            upper.append((coefficient, others))
        else:
            lower.append((-coefficient, others))
    if not lower or not upper:
        return rest
    if disequalities or any(a != 1 and b != 1 for a, _ in lower for b, _ in upper):
        return None
    # b*symbol <= -high and a*symbol >= low combine to b*low <= a*(-high)
    return rest + [
        terms.at_most_zero(terms.combination(((low, b), (high, a)))) for a, low in lower for b, high in upper
    ]


def _isolate(atom: Term, symbol: Term) -> tuple[int | None, Term]:
    """The atom's left side as coefficient*symbol + others (the bound included), None under a `div`."""
    coefficients, bound = atom.args
    coefficient = None
    others = []
    for factor, c in coefficients:
        if factor is symbol:
            coefficient = c
        elif symbol in factor.variables:
            return None, symbol
        else:
            others.append((factor, c))
    return coefficient, terms.combination(others, -bound)


def _isl() -> Any:
    """The library, which most runs do without."""
    import islpy

    return islpy


def _project_with_isl(constraints: Sequence[Term], eliminate: Sequence[Term]) -> Term:
    isl = _isl()
    parameters = sorted({v for c in constraints for v in c.variables} - set(eliminate), key=lambda v: v.id)
    names = {v: f"p{i}" for i, v in enumerate(parameters)} | {v: f"e{i}" for i, v in enumerate(eliminate)}
    condition = " and ".join(_isl_text(c, names) for c in constraints)
    kept = ", ".join(names[v] for v in parameters)
    quantified = ", ".join(names[v] for v in eliminate)
    source = f"{{ [{kept}] : exists {quantified} : {condition} }}"
    try:
        result = isl.Set(source).coalesce().compute_divs()
        return terms.disjunction(*(_from_basic_set(b, parameters) for b in result.get_basic_sets()))
    except isl.Error as error:
        raise SolverUnknown(f"isl could not eliminate variables: {error}") from error


def _isl_text(term: Term, names: dict[Term, str]) -> str:
    match term.op:
        case "var":
            return names[term]
        case "linear":
            return "(" + " + ".join([f"{c}*{_isl_text(f, names)}" for f, c in term.args[0]] + [str(term.args[1])]) + ")"
        case "div":
            return f"floor({_isl_text(term.args[0], names)}/{term.args[1]})"
        case "le" | "eq":
            left = " + ".join(f"{c}*{_isl_text(f, names)}" for f, c in term.args[0])
            return f"({left} {'<=' if term.op == 'le' else '='} {term.args[1]})"
        case "not":
            return f"(not {_isl_text(term.args[0], names)})"
        case "and" | "or":
            return "(" + f" {term.op} ".join(_isl_text(part, names) for part in term.args) + ")"
        case "iff":
            left, right = (_isl_text(part, names) for part in term.args)
            return f"(({left} and {right}) or (not {left} and not {right}))"
        case "true":
            return "0 = 0"
        case "false":
            return "0 = 1"
    raise ValueError(f"no Presburger form of {term.op}")


def _from_basic_set(basic_set: Any, parameters: Sequence[Term]) -> Term:
    isl = _isl()
    parts = []
    for constraint in basic_set.get_constraints():
        divisions = _divisions(constraint, parameters)
        entries = [(v, _number(constraint.get_coefficient_val(isl.dim_type.set, i))) for i, v in enumerate(parameters)]
        entries += [
            (division, _number(constraint.get_coefficient_val(isl.dim_type.div, i)))
            for i, division in enumerate(divisions)
            if division is not None
        ]
        total = terms.combination(entries, _number(constraint.get_constant_val()))
        parts.append(terms.is_zero(total) if constraint.is_equality() else terms.at_most_zero(terms.scale(-1, total)))
    return terms.conjunction(*parts)


def _divisions(constraint: Any, parameters: Sequence[Term]) -> list[Term | None]:
    """The integer divisions a constraint's coefficients refer to, as terms (None where it uses none)."""
    dim_type = _isl().dim_type
    space = constraint.get_local_space()
    divisions: list[Term | None] = []
    for i in range(space.dim(dim_type.div)):
        if not constraint.involves_dims(dim_type.div, i, 1):
            divisions.append(None)
            continue
        divisions.append(_division(space.get_div(i), parameters))
    return divisions


def _division(aff: Any, parameters: Sequence[Term]) -> Term:
    """floor(aff) of an isl affine expression with rational coefficients, nested divisions included."""
    dim_type = _isl().dim_type
    scale = aff.get_denominator_val()
    entries = [(v, _number(aff.get_coefficient_val(dim_type.in_, i).mul(scale))) for i, v in enumerate(parameters)]
    space = aff.get_domain_local_space()
    for i in range(space.dim(dim_type.div)):
        c = _number(aff.get_coefficient_val(dim_type.div, i).mul(scale))
        if c:
            entries.append((_division(space.get_div(i), parameters), c))
    constant = _number(aff.get_constant_val().mul(scale))
    return terms.divide(terms.combination(entries, constant), _number(scale))


def _number(value: Any) -> int:
    """An isl integer of any size; the binding's own conversion stops at 63 bits."""
    return int(value.to_str())
