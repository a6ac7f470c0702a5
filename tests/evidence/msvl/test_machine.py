"""What may be written at one state."""

from __future__ import annotations

import pytest

from pincer.evidence.msvl.machine import ReplayMachine, Strands
from pincer.evidence.msvl.memory import NameScope, NoState, RunCut
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.types import INT
from tests.evidence.msvl.evidence_runs import PLAIN, REJECT, STRICT, word

PROGRAM = parse_program("skip", "t.m")


def test_strands_of_a_state_may_only_repeat_each_other() -> None:
    machine = ReplayMachine(PROGRAM, PLAIN, {})
    x, y = machine.memory.new("x", INT, 1), machine.memory.new("y", INT, 1)
    with Strands(machine) as strands:
        strands.run(machine.write, x, 0, 1)
        strands.run(machine.write, y, 0, 2)
        strands.run(machine.write, x, 0, 1)
        with pytest.raises(NoState, match="is 1 at this state and gets 3"):
            strands.run(machine.write, x, 0, 3)
    machine.write(x, 0, 3)
    assert machine.now.own == {(x, 0): 3, (y, 0): 2}


def test_the_pure_logic_has_one_value_in_one_state() -> None:
    machine = ReplayMachine(PROGRAM, REJECT, {})
    x, y = machine.memory.new("x", INT, 1), machine.memory.new("y", INT, 1)
    machine.write(x, 0, 1)
    machine.testing = True
    machine.read(y, 0)
    for variable in (x, y):
        with pytest.raises(NoState):
            machine.write(variable, 0, 2)


def test_a_state_is_left_without_what_has_no_frame() -> None:
    machine = ReplayMachine(PROGRAM, STRICT, {})
    kept, framed, lost = (machine.memory.new(name, INT, 1, automatic=False) for name in ("kept", "framed", "lost"))
    for variable in (kept, framed, lost):
        machine.write(variable, 0, 1)
    machine.now.framed.add(framed)
    gone = NameScope(None, {"gone": machine.memory.new("gone", INT, 1)})
    machine.now.ended.append(gone)
    assert not machine.exists(gone.own["gone"])
    machine.leave(kept=[kept])
    assert [bool(v.cells) for v in (kept, framed, lost)] == [True, True, False]
    assert not gone.own["gone"].there
    with pytest.raises(NoState, match="no longer exists"):
        machine.write(gone.own["gone"], 0, 1)


def test_inputs_are_counted_by_their_labels() -> None:
    machine = ReplayMachine(PROGRAM, PLAIN, {"s_x": 1, "s_x#2": 2, "s_y": 3})
    assert [machine.input(label, None, None) for label in ("x", "y", "x")] == [1, 3, 2]
    with pytest.raises(RunCut, match="s_x#3"):
        machine.input("x", None, None)


def test_a_scope_is_left_whatever_happens_in_it() -> None:
    machine = ReplayMachine(PROGRAM, PLAIN, {})
    inner, seen = NameScope(machine.everywhere), list[NameScope]()

    def failing(reason: str) -> None:
        seen.append(machine.scope)
        raise NoState(reason)

    with pytest.raises(NoState, match="so"):
        machine.within(inner, failing, "so")
    assert seen == [inner]
    assert machine.scope is machine.everywhere


def test_strands_are_closed_in_their_own_state_when_an_external_call_fails() -> None:
    found = word("function f(int RValue){ RValue:=1/0 }; frame(x) and (int x<==0 and skip; (x<==extern f() and skip))")
    assert found.reason == "division by zero"
