"""Formulas about MSVL programs in a call: conditions in braces are propositions."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.frontends.msvl.asked import asked_property, is_formula


def test_equal_conditions_are_one_proposition_at_its_place() -> None:
    found = asked_property("alw({x=1}->som{ y>2 })and som{x=1}")
    assert [(define.name, define.text) for define in found.defines] == [("$1", "x=1"), ("$2", "y>2")]
    assert [define.position.column for define in found.defines] == [6, 17]
    assert found.text.split() == ["alw($1", "->som", "$2", ")and", "som", "$1"]


def test_ltl_keeps_its_prefix() -> None:
    found = asked_property("ltl: G{x=1}")
    assert found.text.startswith("ltl:")
    assert found.formula == asked_property("alw{x=1}").formula


@pytest.mark.parametrize(
    ("text", "said", "column"), [("alw(p)", "write a condition in braces", 5), ("alw{x=1}}", "unexpected", 9)]
)
def test_mistakes_have_a_place(text: str, said: str, column: int) -> None:
    with pytest.raises(PincerError, match=said) as caught:
        asked_property(text)
    assert caught.value.position is not None and caught.value.position.column == column


def test_names_of_files_are_no_formulas() -> None:
    assert is_formula("alw{x=1}") and is_formula("ltl:true")
    assert not is_formula("mine.p")
