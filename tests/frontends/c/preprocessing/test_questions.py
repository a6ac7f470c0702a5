"""Questions in conditions: `defined`, `__has_include` and its like."""

from __future__ import annotations

import pytest

from pincer.frontends.c.preprocessing.definitions import BadMacro, define
from pincer.frontends.c.preprocessing.expansion import Expander
from pincer.frontends.c.preprocessing.file import TokenLine
from pincer.frontends.c.preprocessing.questions import condition_holds
from pincer.frontends.c.preprocessing.tokens import Token, tokens

MACROS = {"ONE": define("ONE", "1"), "F": define("F(x)", "x == 3"), "HEADER": define("HEADER", "<there.h>")}


def holds(condition: str) -> bool:
    def builtin(name: str, line: int) -> Token:
        return Token("number", str(line))

    line = Expander(MACROS, TokenLine(list(tokens(condition))), builtin)
    return condition_holds(line, MACROS.__contains__, {"<there.h>", '"beside.h"'}.__contains__)


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ("defined ONE", True),
        ("defined(ONE) && !defined(TWO)", True),
        ("defined ( TWO ) || ONE > 1", False),
        ("F(3)", True),
        ("F(2)", False),
        ("UNKNOWN", False),
        ("__has_include(<there.h>)", True),
        ("__has_include(HEADER)", True),
        ("__has_include(<ONE>)", False),
        ('__has_include("beside.h") && !__has_include("there.h")', True),
        ("__has_attribute(__packed__) && __has_attribute(gnu::aligned)", True),
        ("__has_builtin(__builtin_expect)", True),
    ],
)
def test_answers(condition: str, answer: bool) -> None:
    assert holds(condition) == answer


@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("defined", "has no operand"),
        ("defined 1", "which is no name"),
        ("defined(ONE", "no closing"),
        ("__has_include", "has no operand"),
        ("__has_include()", "has no operand"),
        ("__has_include(there.h)", "write <name>"),
        ("__has_attribute(nobody_knows)", "is not known here"),
    ],
)
def test_questions_that_are_none_are_refused(condition: str, reason: str) -> None:
    with pytest.raises(BadMacro, match=reason):
        holds(condition)
