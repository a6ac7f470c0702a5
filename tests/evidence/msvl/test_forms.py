"""Every number takes exactly one way through conditions on forms, and computes what the way says."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from pincer.evidence.msvl.forms import (
    BeyondForms,
    LinearCondition,
    LinearForm,
    Quotient,
    Symbol,
    Terms,
    Ways,
    computed,
    form_of,
    symbol_form,
)

SIGNS = ("=", "!=", "<", "<=", ">", ">=", "+", "-", "/", "%")


def value(terms: Terms, constant: int, env: Mapping[str, int]) -> int:
    total = constant
    for symbol, factor in terms:
        if isinstance(symbol, Quotient):
            total += factor * (value(symbol.terms, symbol.constant, env) // symbol.divisor)
        else:
            total += factor * env[symbol]
    return total


def meets(condition: LinearCondition, env: Mapping[str, int]) -> bool:
    found = value(condition.terms, condition.constant, env)
    return {"=": found == 0, "!=": found != 0, ">=": found >= 0}[condition.comparison]


def plainly(sign: str, a: int, b: int) -> int:
    if sign in ("/", "%"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if sign == "/" else a - b * quotient
    found = {"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "+": a + b, "-": a - b}
    return int(found[sign])


def test_each_number_takes_one_way_and_gets_its_value() -> None:
    random = Random(3)
    for _ in range(150):
        listed = [
            (random.choice(SIGNS), random.randint(-3, 3), random.randint(-3, 3), random.choice((-3, -2, 2, 3)))
            for _ in range(random.randint(1, 5))
        ]
        ways = Ways()
        x, y = symbol_form("x", ways), symbol_form("y", ways)

        def forms(listed=listed, x=x, y=y):  # type: ignore[no-untyped-def]
            return [computed(s, computed("+", computed("*", x, a), computed("*", y, b)), c) for s, a, b, c in listed]

        paths = list(ways.paths(forms)) if all(a or b for _, a, b, _ in listed) else []
        for env in [{"x": x, "y": y} for x in range(-6, 7, 2) for y in range(-5, 6)] if paths else []:
            [found] = [made for conditions, made in paths if all(meets(one, env) for one in conditions)]
            got = [value(*one.key, env) if isinstance(one, LinearForm) else one for one in found]
            assert got == [plainly(s, a * env["x"] + b * env["y"], c) for s, a, b, c in listed]


@pytest.mark.parametrize(
    ("said", "sums", "constant"),
    [
        ("x", {"x 3": 1}, 0),
        ("- x + 2*y - 7", {"x 3": -1, "y 4": 2}, -7),
        ("an input + 1", {"input any 1": 1}, 1),
        ("- 11*z.1 + 12*((x - 1) / 2)", {Quotient((("x 3", 1),), -1, 2): 12, "z.1 5": -11}, 0),
    ],
)
def test_forms_are_told_as_users_write_them(said: str, sums: dict[Symbol, int], constant: int) -> None:
    assert str(form_of(sums, constant, Ways())) == said


def test_what_is_known_is_not_decided_again() -> None:
    ways = Ways()
    x = symbol_form("x", ways)
    paths = list(ways.paths(lambda: (computed(">", x, 3), computed(">=", x, 3), computed("=", x, 2), bool(x))))
    assert [found for _, found in paths if found[0]] == [(1, 1, 0, True)]
    assert (0, 1, 0, True) in [found for _, found in paths]


def test_bounds_of_inputs_are_known() -> None:
    ways = Ways()

    def followed() -> bool:
        ways.suppose("x", 0, 1)
        return symbol_form("x", ways) == 2

    assert [found for _, found in ways.paths(followed)] == [False]


def test_products_of_forms_and_too_many_cases_are_refused() -> None:
    ways = Ways()
    x = symbol_form("x", ways)
    with pytest.raises(BeyondForms):
        list(ways.paths(lambda: computed("*", x, x)))
    with pytest.raises(BeyondForms):
        list(ways.paths(lambda: [computed(">", x, 2 * number) for number in range(300)]))
