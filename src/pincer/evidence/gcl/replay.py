"""Running a counterexample again, for real, and the file it is kept in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.gcl.interpreter import is_initial, step, violates
from pincer.evidence.gcl.trace import Step, Trace
from pincer.program.guarded import FiniteType, GuardedProgram, GuardedVariable, Type, value_text
from pincer.runtime.codec import Format, plain, typed


class ReplayReport(Struct, frozen=True):
    """`failed_step` counts from 0, the initial state; it is None when the whole trace was reproduced."""

    ok: bool
    failed_step: int | None = None
    reason: str = ""


class TraceRow(Struct, frozen=True):
    """A state of a trace file, and the transition that leads to it with its line; enumerations are written by name."""

    step: int
    transition: str | None
    line: int | None
    state: Mapping[str, int | bool | str]


class Witness(Struct, frozen=True):
    """A trace file as read, before it is matched with its program: `trace` has a row for each state."""

    file: str
    sha256: str
    constants: Mapping[str, int]
    property: str
    trace: Sequence[Any]

    def of(self, program: GuardedProgram) -> Trace:
        """The trace, read with the variables of the program it was made for."""
        if self.sha256 != program.sha256:
            raise PincerError(f"the trace was made for another version of {program.file} (its hash differs)")
        if dict(self.constants) != dict(program.constants):
            made, given = dict(self.constants), dict(program.constants)
            raise PincerError(f"the trace was made with constants {made}, the program has {given}")
        return trace_from_json(program, self.property, self.trace)


def replay(program: GuardedProgram, trace: Trace) -> ReplayReport:
    """Execute the trace: really initial, every step possible, the property really violated at the end."""
    try:
        return _replay(program, trace)
    except RecursionError:
        raise PincerError("an expression is nested too deeply; split it into smaller formulas") from None


def _replay(program: GuardedProgram, trace: Trace) -> ReplayReport:
    report = replay_steps(program, trace)
    if report.ok and not violates(program, trace.violates, trace.states[-1]):
        return ReplayReport(False, len(trace.steps), f"the last state does not violate {trace.violates}")
    return report


def replay_steps(program: GuardedProgram, trace: Trace) -> ReplayReport:
    """Whether the first state is initial and every step possible."""
    names = {variable.name for variable in program.variables}
    for index, state in enumerate(trace.states):
        if set(state) != names:
            unmatched = ", ".join(sorted(set(state) ^ names))
            return ReplayReport(False, index, f"the state does not give exactly the program's variables: {unmatched}")
    if not is_initial(program, trace.initial):
        return ReplayReport(False, 0, "the first state is not an initial state")
    for index, (before, taken) in enumerate(zip(trace.states, trace.steps, strict=False), start=1):
        reason = _impossible(program, taken, before)
        if reason is not None:
            return ReplayReport(False, index, reason)
    return ReplayReport(True)


def _impossible(program: GuardedProgram, taken: Step, before: Mapping[str, int]) -> str | None:
    reason: str | None = f"the program has no transition named {taken.transition!r}"
    for transition in program.transitions:
        if transition.name == taken.transition:
            reason = step(program, transition, before, taken.state)
            if reason is None:
                break
    return reason


def trace_to_json(program: GuardedProgram, trace: Trace) -> list[dict[str, Any]]:
    """One object per state, values as the user writes them; the initial state has no transition, no line."""
    lines = {transition.name: transition.position.line for transition in program.transitions}
    taken: list[str | None] = [None, *(step.transition for step in trace.steps)]
    return [
        plain(
            TraceRow(
                number, name, lines.get(name or ""), {v.name: _shown(v.type, state[v.name]) for v in program.variables}
            )
        )
        for number, (name, state) in enumerate(zip(taken, trace.states, strict=True))
    ]


def _shown(type_: Type, value: int) -> int | bool | str:
    if isinstance(type_, FiniteType) and type_.names is not None and type_.low <= value <= type_.high:
        return value == 1 if type_.is_bool else value_text(type_, value)
    return value


def trace_from_json(program: GuardedProgram, property_name: str, data: Any) -> Trace:
    """The inverse of `trace_to_json`; anything malformed is a `PincerError` that names the step."""
    rows = typed(data, tuple[TraceRow, ...], "trace")
    if not rows or rows[0].transition is not None:
        raise PincerError("malformed trace: it begins with an initial state, whose transition is null")
    initial, *states = (_state(program, number, row.state) for number, row in enumerate(rows))
    steps = []
    for number, (row, state) in enumerate(zip(rows[1:], states, strict=True), start=1):
        if row.transition is None:
            raise PincerError(f"malformed trace: step {number} does not name its transition")
        steps.append(Step(row.transition, state))
    return Trace(property_name, initial, tuple(steps))


def _state(program: GuardedProgram, number: int, values: Mapping[str, int | bool | str]) -> dict[str, int]:
    unmatched = set(values) ^ {variable.name for variable in program.variables}
    if unmatched:
        raise PincerError(f"malformed trace: step {number} lacks or invents the variable {min(unmatched)!r}")
    return {v.name: _value(v, number, values[v.name]) for v in program.variables}


def _value(variable: GuardedVariable, number: int, value: int | bool | str) -> int:
    type_ = variable.type
    if isinstance(type_, FiniteType) and type_.names is not None:
        text = str(value).lower() if isinstance(value, bool) else value
        if isinstance(value, bool) == type_.is_bool and text in type_.names:
            return type_.low + type_.names.index(text)
    elif type(value) is int:
        return value
    raise PincerError(f"malformed trace: {value!r} in step {number} is not a value of {variable.name}")


def save_witness(path: Path, program: GuardedProgram, trace: Trace) -> None:
    """Write the trace with the name and hash of its program."""
    constants, rows = dict(program.constants), trace_to_json(program, trace)
    data = FORMAT.data(Witness(program.file, program.sha256, constants, trace.violates, rows))
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


FORMAT = Format("pincer-trace-1", "trace file", Witness, ("file", "sha256", "constants"))
