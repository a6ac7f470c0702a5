"""Normal forms as the literature prints them, disjunct by disjunct."""

from __future__ import annotations

import pytest

from pincer.temporal.cubes import disjuncts
from pincer.temporal.formula import Formula
from pincer.temporal.normal_form import normal_form
from pincer.temporal.parser import parse_formula

# formula, when it may end, and pairs of a guard and what follows
VECTORS: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "N1": (
        "(p;q) prj r",
        "r && q && p",
        [("r && p", "true;q"), ("r && q && p", "true"), ("r && p", "(true;q);true")],
    ),
    "N2": ("<>p", "p", [("p", "true"), ("true", "<>p")]),
    "N3": ("[]p", "p", [("p", "[]p")]),
    "N4": ("fin(p)", "p", [("true", "fin(p)")]),
    "N5": ("skip+", "false", [("true", "empty || skip+")]),
    "N6": ("p U q", "q", [("q", "true"), ("p", "p U q")]),
    "N7": ("!(len(2);[]f)", "true", [("true", "!(len(1);[]f)")]),
    "N8": ("(p && len(2))*", "true", [("p", "len(1)"), ("p", "len(1);(p && len(2))+")]),
    "N9": ("p;q", "p && q", [("p && q", "true"), ("p", "true;q")]),
}


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


@pytest.mark.parametrize("name", VECTORS)
def test_the_normal_form_has_the_printed_disjuncts(name: str) -> None:
    text, end, steps = VECTORS[name]
    found = normal_form(_formula(text))
    expected = {(_formula(guard), part) for guard, future in steps for part in disjuncts(_formula(future))}
    assert found.end is _formula(end)
    assert {(step.guard, step.formula) for step in found.steps} == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<>p", "p && empty || ()<>p || p && ()true"),
        ("[]p", "p && empty || p && ()[]p"),
        ("p;q", "p && q && empty || p && ()<>q || p && q && ()true"),
        ("[](p -> <>q)", "(!p || q) && empty || p && !q && ()(<>q && [](!p || <>q)) || (!p || q) && ()([](!p || <>q))"),
        ("false", "false"),
    ],
)
def test_a_normal_form_is_shown_with_short_guards(text: str, shown: str) -> None:
    assert set(str(normal_form(_formula(text))).split(" || ")) == set(shown.split(" || "))


@pytest.mark.parametrize("text", [text for text, _, _ in VECTORS.values()])
def test_a_normal_form_equals_its_formula(text: str) -> None:
    from pincer.temporal.satisfiability import proved_valid

    assert proved_valid(_formula(f"({text}) <-> ({normal_form(_formula(text))})"))
