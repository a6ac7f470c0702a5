"""Programs, formulas and mistakes that several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.gcl import load, parse_program
from pincer.program.guarded import Comparison, Expression, Formula, GuardedChoice, GuardedProgram, Number, VariableRef

DECLARATIONS = """\
const N = 2; var x, y : int; var b : bool; var a[1..N] : int;
control p : {u, v}; control q : {w, u}; control r : 1..3;
"""


def error(text: str, **defines: int) -> PincerError:
    with pytest.raises(PincerError) as caught:
        parse_program(text, "test.gcl", defines)
    assert caught.value.position is not None
    assert caught.value.excerpt is not None
    return caught.value


def check(text: str, message: str) -> None:
    """`text` follows the declarations in line 3; the mistake is where `@` stands in it."""
    column = text.index("@") + 1
    line = text.replace("@", "", 1)
    caught = error(DECLARATIONS + line)
    assert message in caught.message
    assert str(caught.position) == f"test.gcl:3:{column}"
    assert caught.excerpt == line


def parse(text: str, **defines: int) -> GuardedProgram:
    return parse_program(text, "test.gcl", defines)


def guard(text: str, declarations: str = "var x, y : int; var b, c : bool;") -> Formula:
    return parse(f"{declarations} trans t: {text} -> x := x;").transitions[0].guard


def assigned(text: str, declarations: str) -> Expression | GuardedChoice:
    (_, value) = parse(f"{declarations} trans t: true -> {text};").transitions[0].assignments[0]
    return value


def is_(name: str, value: int) -> Comparison:
    return Comparison("=", VariableRef(name), Number(value))


PROGRAM = parse_program(
    """
    const N = 2;
    var x, y : int; var a[-1..1] : int; var b, c : bool; var f[1..2] : bool;
    control pc[1..N] : {idle, wait, crit}; control other : {crit, idle}; control r : -2..2;
    safety live: !deadlock;
    """,
    "test.gcl",
)


def init(formula: str) -> Formula:
    return parse_program(f"var x : int; init {formula};", "test.gcl").init


def failure(path: Path) -> PincerError:
    with pytest.raises(PincerError) as caught:
        load(path)
    return caught.value
