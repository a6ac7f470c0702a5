"""The listing of a program shows every kind of step in a form close to C."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import Term, conditional
from pincer.program.control_flow import Assign, Begin, Check, Copy, Fail, Input, Label, Store
from pincer.program.listing import Wording, control_flow_text, label_text, term_text
from tests.program.named_registers import register

X, Y = register("f::x"), register("f::y")
P = register("p", 64)


def number(value: int, bits: int = 32) -> Term:
    return bitvectors.constant(value, bits)


def test_sums_are_written_with_signs() -> None:
    assert term_text(bitvectors.binary("bvsub", X, number(1))) == "(f::x - 1)"
    assert term_text(bitvectors.binary("bvsub", X, Y)) == "(f::x - f::y)"
    assert term_text(bitvectors.load(bitvectors.binary("bvadd", P, number(8, 64)), 4)) == "mem4[(p + 8)]"


def test_conditions_are_written_infix() -> None:
    below = bitvectors.compare("bvsle", X, Y)
    assert term_text(conditional(below, X, Y)) == "((f::x <=s f::y) ? f::x : f::y)"


@pytest.mark.parametrize(
    ("label", "line"),
    [
        (Assign(X, number(3)), "f::x := 3"),
        (Store(P, X), "mem4[p] := f::x"),
        (Input(X, "nondet_int"), "f::x := nondet nondet_int"),
        (Begin(0x100000000, 8), "begin 0x100000000, 8 bytes"),
        (Copy(P, P, number(8, 64)), "copy 8 bytes to p from p"),
        (Fail("oops"), "fail: oops"),
        (Check("call", bitvectors.compare("bvsle", X, Y), "bad"), "check call (f::x <=s f::y), else bad"),
    ],
)
def test_labels(label: Label, line: str) -> None:
    assert label_text(label) == line


def test_a_program_lists_objects_registers_procedures_and_assumptions(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text('int g = 2; int ext(void); int main(void) { char *s = "a"; return g + s[0] + ext(); }')
    text = control_flow_text(load(file))
    assert 'constant "a" at 0x100000000, 2 bytes 6100' in text
    assert "register g = 0x2" in text
    assert "entry procedure main() -> main::$result" in text
    assert "assuming `ext` has no body here" in text


def test_a_procedures_own_registers_need_no_owner() -> None:
    other, global_ = register("g::x"), register("x")
    total = bitvectors.binary("bvadd", bitvectors.binary("bvadd", X, other), global_)
    assert summands(Wording("f").label(Assign(X, total)), "x") == ["g::x", "x", "x"]
    assert summands(label_text(Assign(X, total)), "f::x") == ["f::x", "g::x", "x"]


def summands(assignment: str, register: str) -> list[str]:
    """What is added, in the order of the alphabet: terms have an order of their own."""
    return sorted(assignment.removeprefix(f"{register} := (").removesuffix(")").split(" + "))
