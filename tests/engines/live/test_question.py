"""What is asked: formulas of both kinds over known names."""

from __future__ import annotations

import pytest

from pincer.engines.live.question import question, read
from pincer.errors import PincerError
from pincer.frontends.gcl import parse_program

PROGRAM = "var x : int = 0; var b : bool = true;\ntemporal t: FORMULA;"


def test_ltl_and_pptl_are_the_same_question() -> None:
    one = parse_program(PROGRAM.replace("FORMULA", "[](b -> <>{x = 1})"), "q.gcl")
    other = parse_program(PROGRAM.replace("FORMULA", "ltl: G(b -> F {x = 1})"), "q.gcl")
    assert question(one, one.temporal[0]).negated is question(other, other.temporal[0]).negated


def test_unknown_names_have_a_place() -> None:
    program = parse_program(PROGRAM.replace("FORMULA", "ltl: G(b -> F c)"), "q.gcl")
    with pytest.raises(PincerError, match="`c` is not a Boolean variable") as caught:
        read(program.temporal[0])
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column) == (2, 27)


def test_syntax_errors_have_a_place() -> None:
    program = parse_program(PROGRAM.replace("FORMULA", "[]({x = 1} -> )"), "q.gcl")
    with pytest.raises(PincerError) as caught:
        read(program.temporal[0])
    position = caught.value.position
    assert position is not None
    assert (position.line, position.column) == (2, 27)
