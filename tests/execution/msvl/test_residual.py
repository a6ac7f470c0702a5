"""What remains of a program: small, equal where only terms differ, and written as MSVL."""

from __future__ import annotations

from pincer.execution.msvl.residual import (
    EMPTY,
    TRUE,
    Both,
    Counted,
    Pending,
    Then,
    Together,
    both,
    pending_symbols,
    remaining_text,
    then,
    together,
    value_text,
)
from pincer.execution.msvl.values import Value
from pincer.frontends.msvl import syntax
from pincer.logic.terms import Term, variable

ONE, TWO = Counted(1), Counted(2)


def pending(value: int, symbolic: Term | None) -> Pending:
    return Pending((((1, 0)),), (value,), (symbolic,), (1,), syntax.Name("x"), 0)


def test_what_is_empty_or_true_vanishes() -> None:
    assert then(EMPTY, ONE) is ONE
    assert then(ONE, TWO) == Then(ONE, TWO)
    assert both([TRUE, ONE, TRUE]) is ONE
    assert both([TRUE, TRUE]) is TRUE
    assert both([ONE, TRUE, TWO]) == Both((ONE, TWO))
    assert together([ONE]) is ONE and together([ONE, TWO]) == Together((ONE, TWO))


def test_remainders_are_equal_when_their_concrete_values_are() -> None:
    same = pending(4, variable("s")), pending(4, None)
    assert same[0] == same[1] and hash(same[0]) == hash(same[1])
    assert pending(4, None) != pending(5, None)


def test_symbolic_sides_come_in_order_from_all_parts() -> None:
    s, t = variable("s"), variable("t")
    remaining = Then(Both((pending(1, s), ONE)), Together((pending(2, None), pending(3, t))))
    assert list(pending_symbols(remaining)) == [(s,), (None,), (t,)]
    assert list(pending_symbols(ONE)) == []


def test_remainders_are_written_as_msvl() -> None:
    assert remaining_text(pending(4, variable("s_x"))) == "x<==4{s_x} and empty"
    assert remaining_text(Then(Then(ONE, TWO), ONE)) == "len(1); len(2); len(1)"
    assert value_text(Value("hot")) == '"hot"' and value_text(Value(3)) == "3"
