"""Copies share nothing with what they are copies of, and keep who is who."""

from __future__ import annotations

from pincer.evidence.msvl.counterexample import Interpretation
from pincer.evidence.msvl.interpreter import Interpreter
from pincer.evidence.msvl.machine import ReplayMachine
from pincer.evidence.msvl.memory import CellAddress, Datum
from pincer.evidence.msvl.renewal import Renewal
from pincer.evidence.msvl.states import configuration
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.syntax import Node

TEXT = """
function inc(int n,int RValue) { RValue:=n+1 };
frame(x,p) and (int x<==1 and int *p<==&x and skip; (x:=inc(x) and len(3)) || (local(y): {int y<==2 and len(2)}))
"""


def test_a_copy_stands_where_its_original_does_and_goes_on_alone() -> None:
    program = parse_program(TEXT, "t.m")
    machine = ReplayMachine(program, Interpretation("overwrite", "implicit", False, 100), {})
    interpreter = Interpreter(machine)
    remaining: Node = program.core
    for _ in range(2):
        outcome = interpreter.settled(remaining)
        machine.leave()
        remaining = outcome.rest
    copy = Renewal(lambda value: value)
    other = ReplayMachine(program, machine.how, {})
    other.memory, other.everywhere = copy.memory(machine.memory), copy.scope(machine.everywhere)
    rest = copy.node(remaining)
    before = configuration(machine, remaining)
    assert configuration(other, rest) == before
    pointer = other.everywhere.own["p"].get(0)
    assert isinstance(pointer, CellAddress) and pointer.variable is other.everywhere.own["x"]
    other.scope = other.everywhere
    Interpreter(other).settled(rest)
    other.everywhere.own["x"].put(0, 7)
    assert configuration(machine, remaining) == before


def test_values_can_become_others() -> None:
    program = parse_program("frame(x) and (int x<==1 and skip; x:=2)", "t.m")
    machine = ReplayMachine(program, Interpretation("overwrite", "implicit", False, 100), {})
    Interpreter(machine).settled(program.core)

    def doubled(value: Datum) -> Datum:
        return 2 * value if isinstance(value, int) else value

    copy = Renewal(doubled)
    assert copy.scope(machine.everywhere).own["x"].get(0) == 2
    assert machine.everywhere.own["x"].get(0) == 1
