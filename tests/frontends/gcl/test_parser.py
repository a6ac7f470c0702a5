"""Texts of any depth and size are read, and damaged ones refused with a place."""

from __future__ import annotations

import random
import re
import sys

import pytest

from pincer.errors import PincerError
from pincer.frontends.gcl import formula_text, parse_formula, parse_program
from pincer.program.guarded import Comparison, Connective, Not, Number, VariableRef
from tests.frontends.gcl.gcl_samples import init


def test_windows_line_ends_and_tabs_are_white_space() -> None:
    with pytest.raises(PincerError) as caught:
        parse_program("var x : int;\r\n\tinit x = y;\r\n", "test.gcl")
    assert str(caught.value.position) == "test.gcl:2:11"
    assert caught.value.excerpt == "\tinit x = y;"


def test_words_that_begin_like_keywords_are_names() -> None:
    program = parse_program("var iff, format, in1, divx, _true, notes : int; init divx = in1 div 2;", "test.gcl")
    assert len(program.variables) == 6


def test_symbols_need_no_spaces() -> None:
    program = parse_program("var x:int=-1;control c:-1..1=-1;trans t:x<=-1&&c=0->x:=nondet(-2..1),c:=-1;", "t.gcl")
    assert program.variables[1].name == "c"


DEPTH = 3000

SAMPLE = """\
program sample;
const N = 2;
var s, t : int = 0;
var a[1..N] : int = -1;
control pc[1..N] : {idle, wait, crit} = idle;
control r : 0..3;
var busy : bool = false;
init s = t && (busy => r = 1);
process P[i in 1..N] {
  take: pc[i] = idle && !busy -> a[i] := if s < t then t else s mod 2, pc[i] := wait, busy := s = 1;
  drop: pc[i] = wait -> a[i] := nondet, pc[i] := crit, r := nondet(0..2);
}
trans reset: s > 100 -> s := 2 * s - t div 3;
safety mutex: forall i in 1..N, j in 1..N : i < j => !(pc[i] = crit && pc[j] = crit);
safety live: !deadlock;
"""


@pytest.mark.parametrize(
    "formula",
    [
        "(" * DEPTH + "x = 0" + ")" * DEPTH,
        "x = " + "(" * DEPTH + "0" + ")" * DEPTH,
        "!" * DEPTH + "(x = 0)",
        "!(" * DEPTH + "x = 0" + ")" * DEPTH,
        "-" * DEPTH + "x = 0",
        "-(" * DEPTH + "x" + ")" * DEPTH + " = 0",
        "x = 0 => " * DEPTH + "x = 1",
        "(x = 0 && " * DEPTH + "x = 1" + ")" * DEPTH,
        "if x = 0 then " * DEPTH + "x = 1" + " else x = 2" * DEPTH,
        "x" + " + 1" * DEPTH + " = 0",
        "".join(f"forall i{k} in 1..1 : " for k in range(DEPTH)) + "x = 0",
    ],
)
def test_deep_nesting_is_read_and_written_under_the_usual_recursion_limit(formula: str) -> None:
    limit = sys.getrecursionlimit()
    program = parse_program(f"var x : int; init {formula};", "test.gcl")
    text = formula_text(program.init, program)
    assert formula_text(parse_formula(text, program), program) == text
    assert sys.getrecursionlimit() == limit


def test_nesting_without_end_is_refused_with_its_place() -> None:
    with pytest.raises(PincerError, match="nested too deeply") as caught:
        parse_program("var x : int;\nsafety p: " + "!" * 60_000 + "(x = 0);", "test.gcl")
    assert str(caught.value.position) == "test.gcl:2:8"
    with pytest.raises(PincerError, match="nested too deeply"):
        parse_formula("!" * 60_000 + "(x = 0)", parse_program("var x : int;", "test.gcl"))


def test_negations_keep_their_number() -> None:
    formula, count = init("!" * 5 + "x = 0"), 0
    while isinstance(formula, Not):
        formula, count = formula.operand, count + 1
    assert count == 5


def test_long_conjunctions_stay_flat() -> None:
    formula = init(" && ".join(f"x != {k}" for k in range(5000)))
    assert isinstance(formula, Connective)
    assert len(formula.operands) == 5000


def test_integers_of_any_length() -> None:
    digits = "7" * 6000
    program = parse_program(f"var x : int; init x = {digits};", "test.gcl")
    assert program.init == Comparison("=", VariableRef("x"), Number((10**6000 - 1) // 9 * 7))
    assert formula_text(program.init, program) == f"x = {digits}"


def test_thousands_of_transitions() -> None:
    lines = [f"trans t{k}: x = {k} && !(x > 2*x - {k}) -> x := x + 1;" for k in range(3000)]
    program = parse_program("var x : int;\n" + "\n".join(lines), "test.gcl")
    assert len(program.transitions) == 3000
    assert program.transitions[-1].position.line == 3001


@pytest.mark.parametrize("seed", range(8))
def test_damaged_programs_give_a_program_or_an_error_with_a_place(seed: int) -> None:
    source = random.Random(seed)
    tokens = re.findall(r"\w+|\s+|\W", SAMPLE)
    for _ in range(60):
        damaged = list(tokens)
        for _ in range(source.randint(1, 3)):
            place = source.randrange(len(damaged))
            damaged[place] = source.choice(("", "", *tokens, "@", "/*", "99", "deadlock", "\0"))
        try:
            parse_program("".join(damaged), "test.gcl")
        except PincerError as error:
            assert error.position is not None
            assert error.excerpt is not None
