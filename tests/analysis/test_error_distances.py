"""Distances lead to errors along ways that flags and rules leave open, and back to the caller that is waiting."""

from __future__ import annotations

from math import inf
from pathlib import Path

from pincer.analysis.error_distances import DEEPEST, ErrorDistances
from pincer.analysis.relevance import relevant_registers
from pincer.logic.evaluation import evaluate
from pincer.program.control_flow import Call, ControlFlowProgram, Edge, Fail
from tests.analysis.simulated import simulate
from tests.analysis.test_constants import loaded

LOCK = """
int held;
void lock(void) { if (held) reach_error(); held = 1; }
void unlock(void) { held = 0; }
"""
EARLY = (
    LOCK
    + """
void note(void) { }
void fine(void) { note(); }
int main(void) { fine(); lock(); if (__VERIFIER_nondet_int()) unlock(); note(); lock(); return 0; }
"""
)


def distances(program: ControlFlowProgram) -> ErrorDistances:
    errors = [edge for edge in program.edges() if isinstance(edge.label, Fail)]
    tracked = list(relevant_registers(program, errors))[-1]
    return ErrorDistances(simulate(program, tracked, errors, to_the_end=True))


def calls_of(program: ControlFlowProgram, caller: str, callee: str) -> list[Edge]:
    edges = program.procedures[caller].edges
    return [edge for edge in edges if isinstance(edge.label, Call) and edge.label.procedure == callee]


def test_the_way_on_depends_on_the_state_of_the_lock(tmp_path: Path) -> None:
    program = loaded(tmp_path, EARLY)
    held = next(register for register in program.initial if str(register.args[0]) == "held")
    found = distances(program)
    last = calls_of(program, "main", "lock")[-1].source
    assert found.from_location(last, (), lambda literal: evaluate(literal, {held: 1})) < inf
    assert found.from_location(last, (), lambda literal: evaluate(literal, {held: 0})) == inf


def test_a_callee_returns_to_the_call_that_is_under_way(tmp_path: Path) -> None:
    program = loaded(tmp_path, EARLY)
    found = distances(program)
    entry = program.procedures["note"].entry
    in_main = tuple(calls_of(program, "main", "note"))
    in_fine = (*calls_of(program, "fine", "note"), *calls_of(program, "main", "fine"))
    assert (
        found.from_location(entry, in_main, lambda _: True) < found.from_location(entry, in_fine, lambda _: True) < inf
    )
    assert found.from_location(entry, (), lambda _: True) == inf


def test_very_deep_recursion_is_no_way_to_an_error(tmp_path: Path) -> None:
    program = loaded(tmp_path, EARLY.replace("void note(void) { }", "void note(void) { if (held > 9) note(); }"))
    [call] = calls_of(program, "note", "note")
    outside = calls_of(program, "main", "note")[0]
    entry, found = program.procedures["note"].entry, distances(program)
    assert found.from_location(entry, (call,) * DEEPEST + (outside,), lambda _: True) == inf
