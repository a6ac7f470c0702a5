"""One program, compiled and run, and translated and interpreted: the same final values, the same output."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pincer.errors import PincerError, UnsupportedError
from pincer.execution.msvl import Execution, Options, execute
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.from_c import Translation, translation
from tests.evidence.msvl.evidence_runs import disagreement

from ..c import compiler
from .generator import Generated

Outcome = Literal["identical", "different", "refused", "cut", "discarded"]
_STEP = re.compile(r"[A-Za-z_]\w*|\d+")
_WORD = 1 << 64
_JUDGED_STATES = 1_000
"""The evaluator of the evidence is simple rather than fast: it is compared over so many states."""


@dataclass(frozen=True)
class Comparison:
    outcome: Outcome
    detail: str = ""
    states: int = 0
    int32: bool = False


@dataclass
class Tally:
    """What a series has seen: outcomes, the reasons of refusals, the cases that differ."""

    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    different: list[str] = field(default_factory=list)
    states: int = 0
    int32: int = 0

    def add(self, label: str, comparison: Comparison) -> None:
        self.outcomes[comparison.outcome] += 1
        self.states += comparison.states
        self.int32 += comparison.int32
        if comparison.outcome == "different":
            self.different.append(f"{label}: {comparison.detail}")
        elif comparison.outcome != "identical":
            self.reasons[f"{comparison.outcome}: {comparison.detail[:90]}"] += 1


def compare(program: Generated, max_states: int = 20_000, thorough: bool = False) -> Comparison:
    """`thorough` also asks the sanitizers and another level of optimisation whether the program is defined at all."""
    with tempfile.TemporaryDirectory(prefix="pincer-msvl-") as folder:
        source = Path(folder) / "program.c"
        source.write_text(program.printing(), encoding="utf-8")
        try:
            expected = compiler.output(source, ("-O0",))
            if thorough:
                compiler.require_defined(source)
        except compiler.Rejected as reason:
            return Comparison("discarded", str(reason))
        source.write_text(program.text, encoding="utf-8")
        return _compare_with(source, program, expected, max_states)


def _compare_with(source: Path, program: Generated, expected: str, max_states: int) -> Comparison:
    try:
        found = translation(source)
    except UnsupportedError as reason:
        return Comparison("refused", reason.message)
    except PincerError as error:
        return Comparison("different", f"not translated: {error}")
    made = parse_program(found.text, "program.m")
    run = execute(made, options=Options(int32=found.int32, max_states=max_states))
    judged = disagreement(made, Options(int32=found.int32, max_states=_JUDGED_STATES))
    if judged:
        return Comparison("different", f"the evaluator of the evidence disagrees: {judged}")
    if run.ending.kind == "cut":
        return Comparison("cut", run.ending.reason)
    if run.ending.kind != "terminated":
        return Comparison("different", f"the run ends with {run.ending.kind}: {run.ending.error or run.ending.reason}")
    problem = _difference(program, found, run, expected)
    return Comparison("different" if problem else "identical", problem, len(run.states), found.int32)


def _difference(program: Generated, found: Translation, run: Execution, expected: str) -> str:
    printed, _, values = f"\n{expected}\n".partition("\n==\n")
    ours = "".join(output.text for output in run.outputs)
    if printed.strip() != ours.strip():
        return f"printed {ours!r} instead of {printed!r}"
    for expression, wanted in zip(program.checked, values.split(), strict=True):
        value = final_value(found, run, expression)
        if not isinstance(value, int) or value % _WORD != int(wanted):
            return f"{expression} is {value} instead of {wanted} (modulo 2^64)"
    return ""


def final_value(found: Translation, run: Execution, expression: str) -> Any:
    """The value of a C expression of names, fields and constant indices at the end of the run."""
    first, *path = _STEP.findall(expression)
    value: Any = run.states[-1].value(found.globals[first])
    for step in path:
        if step.isdigit():
            value = value[int(step)]
        else:
            value = value[step] if step in value else value[f"{step}$"]
    return value
