"""Formulas about C: predicates in braces get names, and mistakes are told in the user's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.asked_formula import is_formula
from pincer.frontends.c.formulas import c_formula, formulas_in, of_competition


def test_equal_predicates_have_one_name() -> None:
    found = c_formula("[]({x > 0} -> <>{ x  > 0 } || done)")
    assert dict(found.predicates) == {"$1": "x > 0", "done": "done"}
    assert found.text.startswith("[]($1")


@pytest.mark.parametrize("text", ["[]{p", "[]{}", "[]({p} ->", "<>" * 300 + "{x}"])
def test_mistakes_are_told(text: str) -> None:
    with pytest.raises(PincerError):
        c_formula(text)


def test_names_of_properties_are_no_formulas() -> None:
    assert is_formula("[]p") and is_formula("ltl:p") and is_formula("{x}")
    assert not is_formula("termination") and not is_formula("assertions,memory") and not is_formula("no-overflow.prp")


def test_a_file_defines_what_its_formula_speaks_of(tmp_path: Path) -> None:
    file = tmp_path / "served.p"
    file.write_text("define waiting: { req == 1 };\n[](waiting -> <>{resp})\n", encoding="utf-8")
    [(name, formula)] = formulas_in(file)
    assert name == "served"
    assert dict(formula.predicates) == {"waiting": "  req == 1", "$1": "resp"}


def test_the_spelling_of_competitions() -> None:
    assert dict(of_competition("G (AP(f(x) == (1)) -> F AP(y > 0))").predicates) == {"$1": "f(x) == (1)", "$2": "y > 0"}
    assert "X true" in of_competition("F end").text
    assert dict(of_competition("G (AP(end > 0) -> F end)").predicates) == {"$1": "end > 0"}
