"""Satisfiability and validity of formulas whose answers are known, on finite and on infinite intervals."""

from __future__ import annotations

import pytest

from pincer.temporal.derivative import satisfies
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.parser import parse_formula
from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite, valid_finite, valid_infinite

# formula, satisfiable on finite intervals, on infinite ones, valid on: fin, inf, both or none
VECTORS = {
    1: ("empty", True, False, ""),
    2: ("more", True, True, "inf"),
    3: ("skip && len(2)", False, False, ""),
    4: ("empty && more", False, False, ""),
    5: ("(len(2);len(3)) <-> len(5)", True, True, "both"),
    6: ("()p -> more", True, True, "both"),
    7: ("()p && empty", False, False, ""),
    8: ("(.)p && empty", True, False, ""),
    9: ("!()p <-> (empty || ()!p)", True, True, "both"),
    10: ("[]p && <>!p", False, False, ""),
    11: ("[]p -> p", True, True, "both"),
    13: ("[](p->()p) && p && <>empty", False, False, ""),
    14: ("([](p->(.)p) && p) -> []p", True, True, "both"),
    15: ("[]more", False, True, "inf"),
    16: ("<>empty", True, False, "fin"),
    17: ("[]<>p && []<>!p", False, True, ""),
    18: ("<>[]p && <>[]!p", False, False, ""),
    19: ("<>[]p <-> []<>p", True, True, "fin"),
    20: ("<>[]p -> []<>p", True, True, "both"),
    22: ("fin(p) && []!p", False, True, ""),
    23: ("keep(p) && fin(!p) && len(2)", True, False, ""),
    24: ("halt(p) && []!p", False, True, ""),
    25: ("halt(p) && p && more", False, False, ""),
    26: ("(p;q) <-> (p && <>q)", True, True, "both"),
    27: ("((p && empty);q) <-> (p && q)", True, True, "both"),
    28: ("((p;q);r) <-> (p;(q;r))", True, True, "both"),
    29: ("[]more;q", False, False, ""),
    30: ("(p;empty) <-> p", True, True, "fin"),
    31: ("(p;empty) <-> (p && <>empty)", True, True, "both"),
    32: ("skip+ <-> more", True, True, "both"),
    33: ("skip*", True, True, "both"),
    35: ("len(2)* && len(4)", True, False, ""),
    37: ("(p && skip)+ <-> (keep(p) && more)", True, True, "both"),
    38: ("(p+)+ <-> p+", True, True, "both"),
    39: ("((len(2),len(2)) prj len(2)) <-> len(4)", True, True, "both"),
    40: ("((len(2),len(2)) prj len(3)) <-> len(5)", True, True, "both"),
    41: ("((len(2),len(2)) prj len(1)) <-> len(4)", True, True, "both"),
    42: ("((p,q) prj empty) <-> (p;q)", True, True, "both"),
    43: ("((skip,skip) prj q) <-> q", True, True, "inf"),
    45: ("len(2);[]((p && q)->r)", True, True, ""),
    46: ("(len(2);[]((p && q)->r)) && skip", False, False, ""),
    47: ("(p U q) -> <>q", True, True, "both"),
    49: ("(p U q) && []!q", False, False, ""),
    51: ("p -> <><>q", True, True, ""),
    52: ("()()((()(p && empty);()(q && empty))*)", True, True, ""),
    53: ("!(skip+) && []more", False, False, ""),
    54: ("(p && len(2))* && len(4) && fin(p) && ()!p && ()()()!p", True, False, ""),
}


@pytest.mark.parametrize("number", VECTORS)
def test_satisfiability_is_decided_with_a_model(number: int) -> None:
    text, finite, infinite, _ = VECTORS[number]
    formula = parse_formula(text).formula
    found = satisfiable_finite(formula), satisfiable_infinite(formula)
    assert tuple(answer.verdict for answer in found) == ("sat" if finite else "unsat", "sat" if infinite else "unsat")
    assert not finite or (isinstance(found[0].model, tuple) and satisfies(formula, found[0].model))
    assert not infinite or (isinstance(found[1].model, Lasso) and holds_on_lasso(formula, found[1].model))


@pytest.mark.parametrize("number", VECTORS)
def test_validity_is_decided_with_a_counterexample(number: int) -> None:
    text, _, _, where = VECTORS[number]
    formula = parse_formula(text).formula
    finite, infinite = valid_finite(formula), valid_infinite(formula)
    assert finite.verdict == ("valid" if where in ("fin", "both") else "invalid")
    assert infinite.verdict == ("valid" if where in ("inf", "both") else "invalid")
    if isinstance(finite.counterexample, tuple):
        assert not satisfies(formula, finite.counterexample)
    if isinstance(infinite.counterexample, Lasso):
        assert not holds_on_lasso(formula, infinite.counterexample)
