"""One program through the brute-force interpreter and through the exhaustive search, with reduction and without."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from pincer.engines.agse.exhaustive import Exhaustive
from pincer.engines.agse.findings import Bounds, ThreadProperty
from pincer.execution.machine import chronological
from pincer.execution.stepping import Stop
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import replay
from pincer.execution.threads.state import ThreadedState
from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.run import Run, Stopped

from .interpreter import Interpreter, Outcomes, TooLarge
from .printing import text
from .syntax import Program

LARGEST_INPUT = 2


@dataclass
class Comparison:
    """What came out: `agrees`, `skipped` (too large), or a disagreement with its description."""

    outcome: str
    detail: str = ""
    transitions: dict[bool, int] = field(default_factory=dict)


@dataclass
class _Seen:
    """The ends of executions that a search reported."""

    names: list[str]
    finals: set[tuple[int, ...]] = field(default_factory=set)
    fails: bool = False
    misuse: bool = False

    def end(self, threads: ThreadedState, stop: Stop | None) -> None:
        if stop is None:
            return
        self.fails |= stop.kind == "fail"
        self.misuse |= stop.kind == "check"
        if stop.kind == "halt" and stop.message == "main returned":
            self.finals.update(self._values(threads))

    def _values(self, threads: ThreadedState) -> Iterator[tuple[int, ...]]:
        """The shared variables for all inputs that follow the path of this execution."""
        state = threads.state
        conditions = chronological(threads.conditions)
        symbols = [record.symbol for record in chronological(state.inputs) if record.kind == "nondet"]
        variables = [self._variable(state.world.program, name) for name in self.names]
        for values in product(range(LARGEST_INPUT + 1), repeat=len(symbols)):
            given = dict(zip(symbols, values, strict=True))
            if all(state.world.evaluate_symbols(condition, given) for condition in conditions):
                under = threads.under(given).state
                yield tuple(bitvectors.signed(under.value(variable), 32) for variable in variables)

    @staticmethod
    def _variable(program: ControlFlowProgram, name: str) -> Term:
        found = next((v for v in program.variables if v.name == name and v.scope is None), None)
        assert found is not None, f"{name} is not used"
        if found.register is not None:
            return found.register
        assert found.address is not None
        return bitvectors.load(found.address, 4)


def compare(program: Program, folder: Path | None = None, seconds: float = 20.0, unreduced: bool = True) -> Comparison:
    """Whether everybody agrees about a program."""
    try:
        expected = Interpreter(program).run()
    except TooLarge:
        return Comparison("skipped", "too many states")
    with tempfile.TemporaryDirectory() as made:
        file = (folder or Path(made)) / "program.c"
        file.write_text(text(program))
        lowered = load(file)
    used = {variable.name for variable in lowered.variables if variable.scope is None}
    names = [variable.name for variable, _ in program.shared]
    kept = [i for i, name in enumerate(names) if name in used]
    expected.finals = {tuple(final[i] for i in kept) for final in expected.finals}
    result = Comparison("agrees")
    for reduction in (True, False) if unreduced else (True,):
        try:
            problem = _differs(lowered, [names[i] for i in kept], expected, reduction, seconds, result)
        except Stopped:
            return Comparison("skipped", f"time is up with reduction {reduction}", result.transitions)
        if problem:
            return Comparison("differs", f"with reduction {reduction}: {problem}", result.transitions)
    return result


def _differs(
    program: ControlFlowProgram,
    names: list[str],
    expected: Outcomes,
    reduction: bool,
    seconds: float,
    result: Comparison,
) -> str:
    seen = _Seen(names)
    whole = Exhaustive(program, "race", Run(timeout=seconds), Bounds(), reduction, seen.end, everything=True).search()
    result.transitions[reduction] = whole.transitions
    left_out = [reason for reason in whole.truncated if not reason.startswith("undefined behaviour")]
    if left_out:
        return f"truncated: {left_out}"
    if seen.finals != expected.finals:
        return f"final states {sorted(seen.finals)} instead of {sorted(expected.finals)}"
    if (seen.fails, seen.misuse) != (expected.fails, expected.misuse):
        return f"fails, misuse {seen.fails, seen.misuse} instead of {expected.fails, expected.misuse}"
    answers: list[tuple[ThreadProperty, bool]] = [
        ("assertions", expected.fails), ("deadlock", expected.deadlocks), ("race", expected.races),
        ("memory", expected.misuse),
    ]  # fmt: skip
    for property, bad in answers:
        problem = _verdict(program, property, bad, expected.misuse, reduction, seconds)
        if problem:
            return problem
    return ""


def _verdict(
    program: ControlFlowProgram, property: ThreadProperty, bad: bool, misuse: bool, reduction: bool, seconds: float
) -> str:
    answer = Exhaustive(program, property, Run(timeout=seconds), Bounds(), reduction).search()
    wanted = "unsafe" if bad else "unknown" if misuse else "safe"
    if answer.verdict != wanted:
        return f"{property} is {answer.verdict} ({answer.reason}) instead of {wanted}"
    if answer.violation is not None:
        again = replay(Interleaver(program), answer.violation.schedule)
        if isinstance(answer.violation.what, Stop) and again.stop != answer.violation.what:
            return f"the replay of {property} ends with {again.stop}"
    return ""
