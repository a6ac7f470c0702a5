"""One program through the brute-force interpreter and through the exhaustive search: with reduction and without.

With reduction it is searched twice: the second time releases belong to the transitions before them. Schedules drawn at
random may find what goes wrong, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Literal

from pincer.engines.portfolio import Allowance
from pincer.engines.schedules.drawn_schedules import DrawnSchedules
from pincer.engines.schedules.exhaustive import Exhaustive
from pincer.engines.schedules.findings import ScheduleAnswer, shown
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.machine import chronological
from pincer.execution.stepping import Stop
from pincer.execution.threads.interleaving import Interleaver, Unmergeable
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import replay
from pincer.execution.threads.state import ThreadedState
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run, Stopped

from .interpreter import Outcomes
from .sampling import Sample
from .syntax import Program

Mode = Literal["merged", "reduced", "plain"]
MODES: tuple[Mode, ...] = ("merged", "reduced", "plain")
LARGEST_INPUT = 2
_LEFT_OUT = "something was left out"
DRAWN_STEPS = 400
SAFE_AGAIN = 4
"""A search that takes in everything shows all failures and misuse, or that there is none. That the searches for only
those give up nothing either is asked of every fourth program."""


@dataclass
class Comparison:
    """What came out: `agrees`, `skipped` (no answer in time), `undecided` (the search says that it left something out),
    or `differs` with a description."""

    outcome: str
    detail: str = ""
    transitions: dict[Mode, int] = field(default_factory=dict)


@dataclass
class _Seen:
    """The ends of executions that a search reported."""

    variables: list[Term]
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
        for values in product(range(LARGEST_INPUT + 1), repeat=len(symbols)):
            given = dict(zip(symbols, values, strict=True))
            if all(state.world.evaluate_symbols(condition, given) for condition in conditions):
                under = threads.under(given).state
                yield tuple(bitvectors.signed(under.value(variable), 32) for variable in self.variables)


def compare(sample: Sample, lowered: ControlFlowProgram, seconds: float = 20.0) -> Comparison:
    """Whether everybody agrees about a program; `lowered` is what the front end made of it."""
    known = {i: _variable(sample.program, i, lowered) for i in range(len(sample.program.shared))}
    variables = [variable for variable in known.values() if variable is not None]
    finals = {
        tuple(final[i] for i, variable in known.items() if variable is not None) for final in sample.outcomes.finals
    }
    result = Comparison("agrees")
    for mode in MODES:
        trial = _Trial(
            lowered, sample.outcomes, finals, mode, ExecutionLimits(spurious=sample.program.spurious), seconds
        )
        try:
            problem = trial.whole(variables, result) or trial.verdicts(sample.seed % SAFE_AGAIN == 0)
        except Stopped:
            return Comparison("skipped", f"time is up in the {mode} search", result.transitions)
        except Unmergeable:
            continue
        if problem:
            outcome = "undecided" if problem.startswith(_LEFT_OUT) else "differs"
            return Comparison(outcome, f"{mode} search: {problem}", result.transitions)
    problem = _drawn(trial, sample.seed)
    return Comparison("differs", f"drawn schedules: {problem}", result.transitions) if problem else result


def _drawn(trial: _Trial, seed: int) -> str:
    """What is wrong with what schedules drawn at random have come to."""
    expected, limits = trial.expected, ScheduleLimits(execution=trial.limits)
    kinds: tuple[tuple[PropertyKind, bool], ...] = (
        ("assertions", expected.fails), ("memory", expected.misuse), ("race", expected.races),
        ("deadlock", expected.deadlocks),
    )  # fmt: skip
    for kind, bad in kinds:
        search = DrawnSchedules(trial.program, kind, Run(timeout=trial.seconds), seed, limits)
        search.step(Allowance(DRAWN_STEPS, 1))
        if search.answer.violation is not None:
            problem = trial.verdict(kind, bad, search.answer)
            if problem:
                return problem
    return ""


def _variable(program: Program, number: int, lowered: ControlFlowProgram) -> Term | None:
    """A shared variable of the program as a term; None when nothing uses it."""
    names = {"separate": f"g{number}", "array": "g", "struct": "s"}
    name = names[program.layout]
    found = next((v for v in lowered.variables if v.name == name and v.scope is None), None)
    if found is None:
        return None
    if found.register is not None:
        return found.register
    assert found.address is not None
    offset = bitvectors.constant(0 if program.layout == "separate" else 4 * number, bitvectors.width(found.address))
    return bitvectors.load(bitvectors.binary("bvadd", found.address, offset), 4)


@dataclass(frozen=True)
class _Trial:
    """What one kind of search says about a program; the methods return what is wrong with that."""

    program: ControlFlowProgram
    expected: Outcomes
    finals: set[tuple[int, ...]]
    mode: Mode
    limits: ExecutionLimits
    seconds: float

    def search(self, property: PropertyKind, seen: _Seen | None = None) -> ScheduleAnswer:
        run, limits = Run(timeout=self.seconds), ScheduleLimits(execution=self.limits)
        on_end = None if seen is None else seen.end
        reduced, merged = self.mode != "plain", self.mode == "merged"
        return Exhaustive(self.program, property, run, limits, reduced, on_end, seen is not None, merged).search()

    def whole(self, variables: list[Term], result: Comparison) -> str:
        """One search through everything: all final states, all kinds of ends, and the verdict about races."""
        seen = _Seen(variables)
        answer = self.search("race", seen)
        result.transitions[self.mode] = answer.transitions
        left_out = [reason for reason in answer.truncated if not reason.startswith("undefined behaviour")]
        if left_out:
            return f"{_LEFT_OUT}: {left_out}"
        if seen.finals != self.finals:
            return f"final states {sorted(seen.finals)} instead of {sorted(self.finals)}"
        expected = self.expected
        if (seen.fails, seen.misuse) != (expected.fails, expected.misuse):
            return f"fails, misuse {seen.fails, seen.misuse} instead of {expected.fails, expected.misuse}"
        return self.verdict("race", expected.races, answer)

    def verdicts(self, all_safe: bool) -> str:
        """Searches that end with the first violation; where there is none to find, only with `all_safe`."""
        expected = self.expected
        problem = self.verdict("deadlock", expected.deadlocks, self.search("deadlock"))
        if not problem and (expected.fails or all_safe):
            problem = self.verdict("assertions", expected.fails, self.search("assertions"))
        if not problem and (expected.misuse or all_safe):
            problem = self.verdict("memory", expected.misuse, self.search("memory"))
        return problem

    def verdict(self, property: PropertyKind, bad: bool, answer: ScheduleAnswer) -> str:
        """A violation must show again when its schedule is replayed."""
        wanted = "unsafe" if bad else "unknown" if self.expected.misuse else "safe"
        if answer.verdict != wanted:
            return f"{property} is {answer.verdict} ({answer.reason}) instead of {wanted}"
        if answer.violation is None:
            return ""
        interleaver, what = Interleaver(self.program, self.limits), answer.violation.what
        again = replay(interleaver, answer.violation.schedule)
        if isinstance(what, Stop):
            return "" if again.stop == what else f"the replay of {property} ends with {again.stop}"
        return "" if shown(interleaver, property, again.last) else f"the replay does not show the {property}"
