"""Decisions: one term where that takes no step, control flow where C evaluates in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic import terms
from pincer.program.control_flow import (
    Assume,
    Check,
)
from tests.frontends.c.lowered_c import labels, lowered, outcome


def test_a_simple_condition_is_one_decision_with_complementary_sides(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { int a = 1, b = 2; if (a < b && (a || !b)) return 1; return 0; }")
    yes, no = labels(program, Assume)
    assert (yes.branch, no.branch) == (True, False)
    assert str(no.condition) != str(yes.condition)


def test_a_condition_that_dereferences_checks_only_where_it_is_evaluated(tmp_path: Path) -> None:
    text = """int main(int c, char **v) { int x = 1, *p = c > 1 ? &x : 0; if (p && *p) return 1; return 0; }"""
    program = lowered(tmp_path, text)
    (check,) = labels(program, Check)
    assert "main::p, 0" in str(check.condition)
    assert outcome(tmp_path, text).stop.kind == "halt"


def test_a_condition_that_calls_is_control_flow(tmp_path: Path) -> None:
    text = "int f(void) { return 1; } int main(int c, char **v) { if (c > 1 && f()) return 1; return 0; }"
    program = lowered(tmp_path, text)
    assert len([label for label in labels(program, Assume) if label.branch is not None]) == 3


@pytest.mark.parametrize(
    ("condition", "sides"),
    [
        ("f() && g()", [None, False, True, False]),
        ("f() || g()", [True, None, True, False]),
        ("!f()", [False, True]),
        ("!(f() && g())", [None, True, False, True]),
        ("f() ? g() : 1", [None, None, True, False]),
    ],
)
def test_a_way_out_of_a_condition_tells_its_truth_once_it_is_settled(
    condition: str, sides: list[bool | None], tmp_path: Path
) -> None:
    text = f"int f(void); int g(void); int main(void) {{ if ({condition}) return 1; return 0; }}"
    found = [label.branch for label in labels(lowered(tmp_path, text), Assume, "main")]
    assert found == sides


def test_the_access_of_an_alternative_is_checked_once(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int f(int *p) { int x = *p; if (*p == 1 || *p == 2) return x; return 0; }", entry="f")
    assert len([label for label in labels(program, Assume) if label.branch]) == 1
    assert len(labels(program, Check)) == 1


@pytest.mark.parametrize(
    ("statement", "choices"),
    [
        ("x = a == b;", 0),
        ("x = (a == b) * (a < 9) | !b;", 0),
        ("x = (_Bool)a;", 0),
        ("x = a && b;", 1),
        ("x = a && (b || !(a && x));", 1),
        ("x = a && 1;", 0),
        ("x = a ? b : 3;", 1),
        ("x = a ?: b;", 1),
        ("x = a && b ? a : 3;", 1),
        ("x = a ? b ? 1 : 2 : 3;", 2),
        ("x = (a && b) + (a || b);", 2),
    ],
)
def test_choices_inside_of_values_are_marked_and_comparisons_are_not(
    tmp_path: Path, statement: str, choices: int
) -> None:
    program = lowered(tmp_path, f"int main(void) {{ int a = 1, b = 2, x = 3; {statement} return x; }}")
    marks = [mark for group in program.procedures["main"].marks.values() for mark in group]
    assert [mark.check.kind for mark in marks if mark.check.kind == "choice"] == ["choice"] * choices


def test_a_choice_matters_where_it_is_come_to(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { int a = 1, b = 2; return a > 3 ? (b > 4 ? 5 : 6) : 7; }")
    outer, inner = (mark.check.condition for group in program.procedures["main"].marks.values() for mark in group)
    assert inner is terms.disjunction(terms.negate(outer), inner) and inner is not outer
