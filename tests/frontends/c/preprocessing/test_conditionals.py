"""Conditions of `#if`, with the answers of gcc."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.preprocessing.conditionals import NoExpression, evaluate
from pincer.frontends.c.preprocessing.preprocess import preprocess

HOLDING = [
    "1ULL", "1llu", "0b11 == 3", "'\\377' < 0", "'ab' == 24930", "u'a' == 97", "L'\\xff' == 255", "017 == 15",
    "0xffffffffffffffff > 0", "18446744073709551615 > 0", "9223372036854775808 > 0", "-1 > 0u", "-1 / 2u > 5",
    "-7 % 3 == -1", "-7 / 2 == -3", "7 / -2 == -3", "(1 ? 97 : 15 ? 0 : 5) > 63", "(1 ? -1 : 0u) > 0",
    "(-6 >= (1 == 0u)) == 0", "-1 >> 1 == -1", "1 << 63 < 0", "1 >> -1 == 2", "(1 << 64) == 0", "~0u >> 63 == 1",
    "0x7fffffffffffffff + 1 < 0", "2 || 1/0", "!(0 && 1/0)", "1 ? 2 : 1/0", "(1, 2) == 2", "- - 1 == 1",
    "!unknown", "1 + 2 << 1 == 6", "5 - 3 - 1 == 1",
]  # fmt: skip


@pytest.mark.parametrize("expression", HOLDING)
def test_conditions_have_the_values_that_compilers_give_them(expression: str) -> None:
    assert evaluate(expression)
    assert not evaluate(f"!({expression})")


@pytest.mark.parametrize("expression", ["", "1 +", "(1", "08", "1.0", "1 2", "1 / 0", "f(1)", '"a"', "1 ? 2", "'"])
def test_what_is_no_condition_is_told(expression: str) -> None:
    with pytest.raises(NoExpression):
        evaluate(expression)


@pytest.mark.parametrize(
    "condition",
    ["defined X && !defined(Y)", "defined __LINE__", "X == 4", "F(X) == 8", "__has_include(<stdio.h>)",
     "!__has_include(\"nowhere.h\")", "__has_attribute(__noreturn__)", "__has_builtin(__builtin_expect)",
     "!defined __OPTIMIZE__", "defined unix && !defined __STDC_NO_THREADS__"],
)  # fmt: skip
def test_questions_in_conditions_are_answered(tmp_path: Path, condition: str) -> None:
    text = f"#define X 4\n#define F(a) ((a)*2)\n#if {condition}\nint yes;\n#else\nint no;\n#endif\n"
    assert "int yes" in preprocess(text, tmp_path / "file.c")


def test_questions_without_an_answer_are_an_error_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="gcc -E"):
        preprocess("#if __has_attribute(fancy)\n#endif\n", tmp_path / "file.c")
