"""Merged executions for tests: from the text of a program to their end, or to a first state."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pincer.engines.merged.asking import Model
from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.execution import MergedExecution
from pincer.engines.merged.order import Order
from pincer.engines.merged.state import Activation, State
from pincer.engines.merged.values import Cases, Value
from pincer.execution.machine import World
from pincer.logic.decision_diagrams import TRUE
from pincer.logic.terms import Term
from tests.engines.dash.dash_runs import loaded


def begun(folder: Path, text: str) -> MergedExecution:
    """The executions of a program, none of which has made a step; a loop is opened whenever its guard is not false."""
    return MergedExecution(loaded(folder, text), Conditions(), lambda _guard, _rounds: True)


def ended(folder: Path, text: str, most: int = 2_000) -> MergedExecution:
    """The executions of a program at their ends."""
    execution = begun(folder, text)
    for _ in range(most):
        if execution.is_done:
            return execution
        execution.advance()
    raise AssertionError("the execution does not end")


def first_state(execution: MergedExecution) -> State:
    """A state of its own at the start of the entry procedure."""
    program = execution.program
    procedure = program.procedures[program.entry]
    shared: dict[Term, Value] = {**program.initial, program.top: program.first_free}
    return State(TRUE, Activation(procedure, Order(procedure)), procedure.entry, (), {}, shared, {})


def number(execution: MergedExecution, value: Value, inputs: Mapping[Term, int]) -> int:
    """What a value is for some inputs; exactly one of its cases must be."""
    model = Model(execution.conditions, inputs)
    parts = value.cases if isinstance(value, Cases) else ((TRUE, value),)
    [part] = [part for condition, part in parts if model.satisfies(condition)]
    return part if isinstance(part, int) else World.evaluate_symbols(part, dict(inputs))
