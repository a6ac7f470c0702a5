"""The choices of the translation."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.msvl import execute
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.from_c import Scheme
from tests.frontends.msvl.from_c.translated_c import ran, translated

EARLY_RETURN = """\
int r;
int f(int n){int i; for(i=0;i<10;i++){if(i==n) return i*i;} return -1;}
int main(){r=f(2);return 0;}
"""


def test_a_return_takes_the_state_of_the_original_tool_on_request(tmp_path: Path) -> None:
    plain, compat = (translated(EARLY_RETURN, tmp_path, Scheme(compat=flag)).text for flag in (False, True))
    assert "return<==1 and RValue:=0; skip" not in "".join(plain.split("\n"))
    states = len(execute(parse_program(compat, "program.m")).states)
    assert states == 15 + 2


def test_a_return_out_of_a_loop_takes_fifteen_states(tmp_path: Path) -> None:
    assert ran(EARLY_RETURN, tmp_path).states("r") == [0] * 13 + [4, 4]
