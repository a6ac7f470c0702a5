"""Running a counterexample again, for real, and the file it is kept in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincer.errors import PincerError
from pincer.evidence.gcl.interpreter import is_initial, step, violates
from pincer.evidence.gcl.trace import Step, Trace
from pincer.program.guarded import FiniteType, GuardedProgram, Type, Variable, value_text

FORMAT = "pincer-trace-1"


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """`failed_step` counts from 0, the initial state; it is None when the whole trace was reproduced."""

    ok: bool
    failed_step: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """A trace file as read, before it is matched with its program."""

    file: str
    sha256: str
    constants: Mapping[str, int]
    property: str
    rows: Sequence[Any]

    def trace(self, program: GuardedProgram) -> Trace:
        """The trace, read with the variables of the program it was made for."""
        if self.sha256 != program.sha256:
            raise PincerError(f"the trace was made for another version of {program.file} (its hash differs)")
        if dict(self.constants) != dict(program.constants):
            made, given = dict(self.constants), dict(program.constants)
            raise PincerError(f"the trace was made with constants {made}, the program has {given}")
        return trace_from_json(program, self.property, self.rows)


def replay(program: GuardedProgram, trace: Trace) -> ReplayReport:
    """Execute the trace: really initial, every step possible, the property really violated at the end."""
    try:
        return _replay(program, trace)
    except RecursionError:
        raise PincerError("an expression is nested too deeply; split it into smaller formulas") from None


def _replay(program: GuardedProgram, trace: Trace) -> ReplayReport:
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
    if not violates(program, trace.violates, trace.states[-1]):
        return ReplayReport(False, len(trace.steps), f"the last state does not violate {trace.violates}")
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
        {
            "step": index,
            "transition": name,
            "line": lines.get(name) if name is not None else None,
            "state": {v.name: _value_to_json(v.type, state[v.name]) for v in program.variables},
        }
        for index, (name, state) in enumerate(zip(taken, trace.states, strict=True))
    ]


def _value_to_json(type_: Type, value: int) -> int | bool | str:
    if isinstance(type_, FiniteType) and type_.names is not None and type_.low <= value <= type_.high:
        return value == 1 if type_.is_bool else value_text(type_, value)
    return value


def trace_from_json(program: GuardedProgram, property_name: str, rows: Sequence[Any]) -> Trace:
    """The inverse of `trace_to_json`; anything malformed is a `PincerError` that names the step."""
    if not isinstance(rows, list) or not rows:
        raise PincerError("malformed trace: it must be a list of states with at least one entry")
    states = [_state_from_json(program, index, row) for index, row in enumerate(rows)]
    if rows[0].get("transition") is not None:
        raise PincerError("malformed trace: the first state is initial, its transition must be null")
    steps = []
    for index, (row, state) in enumerate(zip(rows[1:], states[1:], strict=True), start=1):
        if not isinstance(row.get("transition"), str):
            raise PincerError(f"malformed trace: step {index} does not name its transition")
        steps.append(Step(row["transition"], state))
    return Trace(property_name, states[0], tuple(steps))


def _state_from_json(program: GuardedProgram, index: int, row: Any) -> dict[str, int]:
    if not isinstance(row, dict) or not isinstance(row.get("state"), dict):
        raise PincerError(f"malformed trace: step {index} has no state")
    values = row["state"]
    unmatched = set(values) ^ {variable.name for variable in program.variables}
    if unmatched:
        raise PincerError(f"malformed trace: step {index} lacks or invents the variable {min(unmatched)!r}")
    return {v.name: _value_from_json(v, index, values[v.name]) for v in program.variables}


def _value_from_json(variable: Variable, index: int, value: Any) -> int:
    type_ = variable.type
    if isinstance(type_, FiniteType) and type_.names is not None:
        text = str(value).lower() if isinstance(value, bool) else value
        if isinstance(value, bool) == type_.is_bool and text in type_.names:
            return type_.low + type_.names.index(text)
    elif isinstance(value, int) and not isinstance(value, bool):
        return value
    raise PincerError(f"malformed trace: {value!r} in step {index} is not a value of {variable.name}")


def save_witness(path: Path, program: GuardedProgram, trace: Trace) -> None:
    """Write the trace with the name and hash of its program."""
    data = {
        "format": FORMAT,
        "program": {"file": program.file, "sha256": program.sha256, "constants": dict(program.constants)},
        "property": trace.violates,
        "trace": trace_to_json(program, trace),
    }
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def load_witness(path: Path) -> Witness:
    """Read a trace file; `Witness.trace` then matches it with the program."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PincerError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise PincerError(f"{path} is not a trace file: {error}") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PincerError(f"{path} is not a {FORMAT} file")
    try:
        program = data["program"]
        return Witness(
            file=_text(program["file"]),
            sha256=_text(program["sha256"]),
            constants={_text(name): _integer(value) for name, value in program["constants"].items()},
            property=_text(data["property"]),
            rows=data["trace"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise PincerError(f"malformed trace file {path}: {error!r}") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not an integer")
    return value
