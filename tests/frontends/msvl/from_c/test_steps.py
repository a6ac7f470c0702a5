"""Jumps as flags: what a jump would skip is under a test of its flag, and nothing else is."""

from __future__ import annotations

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.from_c.steps import ERROR, RETURN, Step, joined, raised, sequence, zero


def assign(name: str, exits: frozenset[str] = frozenset(), leaves: bool = False) -> Step:
    return Step(syntax.Unit(syntax.Name(name), syntax.Number(1)), exits, leaves)


def test_nothing_takes_time() -> None:
    assert joined([]) == Step(syntax.Skip())


def test_what_follows_a_possible_jump_is_tested() -> None:
    steps = [assign("a"), assign("b", frozenset(("break1",))), assign("c"), assign("d")]
    parts = sequence(steps)
    assert isinstance(parts, syntax.Chop)
    first, second, test = parts.parts
    assert (first, second) == (steps[0].statement, steps[1].statement)
    assert isinstance(test, syntax.If)
    assert test.condition == zero({"break1"})
    assert test.then == syntax.Chop((steps[2].statement, steps[3].statement))
    assert joined(steps).exits == {"break1"}


def test_what_is_always_skipped_is_left_out() -> None:
    leaving = Step(raised(RETURN), frozenset((RETURN,)), leaves=True)
    assert sequence([assign("a"), leaving, assign("b")]) == sequence([assign("a"), leaving])
    assert joined([leaving, assign("b")]).leaves


def test_flags_of_loops_are_tested_before_those_of_the_function() -> None:
    def is_zero(flag: str) -> syntax.Expression:
        return syntax.Binary("=", syntax.Name(flag), syntax.Number(0))

    assert zero((RETURN, "break1")) == syntax.Binary("AND", is_zero("break1"), is_zero(RETURN))
    assert zero((ERROR,)) == is_zero(ERROR)
    assert zero(()) is None
