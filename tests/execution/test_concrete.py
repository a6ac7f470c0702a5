"""Generated stepping code does what the interpreter does."""

from __future__ import annotations

from random import Random

import pytest

from pincer.evidence.gcl import interpreter
from pincer.execution.concrete import compile_choosing, compile_successors
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedChoice
from pincer.program.lowering import lower
from tests.execution.random_steps import random_program, states


@pytest.mark.parametrize("block", range(8))
def test_compiled_successors_are_the_interpreters(block: int) -> None:
    rng = Random(block)
    for _ in range(12):
        program = random_program(rng)
        system = lower(program)
        names = [str(v) for v in system.variables]
        step, choosing = compile_successors(system), compile_choosing(system)
        free = {
            t.name
            for t in program.transitions
            for name, value in t.assignments
            if isinstance(value, GuardedChoice) and not program.variable(name).finite
        }
        assert (choosing is None) == (not any(not t.deterministic for t in system.transitions))
        for state in rng.sample(list(states(program, 4)), 80):
            here = tuple(state[name] for name in names)
            expected = {
                (transition.name, tuple(target[name] for name in names))
                for transition, target in interpreter.successors(program, state)
                if transition.name not in free
            }
            found = [(system.transitions[i].name, target) for i, target in step(here)]
            assert set(found) == expected
            chosen = choosing(here) if choosing is not None else []
            enabled = {
                transition.name
                for transition, _ in interpreter.successors(program, state, choices=[0])
                if transition.name in free
            }
            assert {system.transitions[i].name for i in chosen} == enabled


def test_transitions_are_tried_in_program_order() -> None:
    program = parse_program(
        "var x : int = 0; trans b: true -> x := x + 1; trans a: true -> x := x - 1; safety s: true;", "order.gcl"
    )
    assert compile_successors(lower(program))((5,)) == [(0, (6,)), (1, (4,))]


def test_assignments_are_simultaneous() -> None:
    program = parse_program(
        "var x, y, z : int; trans rotate: true -> x := y, y := z, z := x; safety s: true;", "rotate.gcl"
    )
    assert compile_successors(lower(program))((1, 2, 3)) == [(0, (2, 3, 1))]


def test_big_numbers_are_exact() -> None:
    big = 10**50
    text = f"var x : int = 0; trans t: x mod {big} = 1 -> x := {big} * x - {big} div 7; safety s: true;"
    system = lower(parse_program(text, "big.gcl"))
    assert compile_successors(system)((big + 1,)) == [(0, (big * (big + 1) - big // 7,))]
    assert compile_successors(system)((big + 2,)) == []


def test_programs_of_finite_variables_only() -> None:
    system = lower(parse_program("control c : 0..2 = 0; trans t: c < 2 -> c := c + 1; safety s: true;", "c.gcl"))
    step = compile_successors(system)
    assert [step((c,)) for c in range(3)] == [[(0, (1,))], [(0, (2,))], []]
    assert compile_choosing(system) is None
