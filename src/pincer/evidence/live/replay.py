"""Running a counterexample to a temporal property again, and judging it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincer.errors import PincerError
from pincer.evidence.gcl.interpreter import compile_formula, enabled
from pincer.evidence.gcl.replay import ReplayReport, replay_steps
from pincer.evidence.live.trace import LiveTrace
from pincer.evidence.pptl.automaton import unsatisfiable
from pincer.evidence.pptl.formula import TooManyCases
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.truth import Letter, TruthJudge
from pincer.program.guarded import FairGroup, GuardedProgram, TemporalProperty

State = Mapping[str, int]


def replay_run(program: GuardedProgram, wanted: TemporalProperty, run: LiveTrace) -> ReplayReport:
    """Execute the run: every step is possible, it ends or closes as it says, and is fair; the formula is false."""
    try:
        report = replay_steps(program, run.trace)
        if not report.ok:
            return report
        reason = _shape(program, run) or _judged(program, wanted, run)
    except RecursionError:
        raise PincerError("an expression is nested too deeply; split it into smaller formulas") from None
    except TooManyCases:
        reason = "the formula has too many cases to be judged on the run"
    return ReplayReport(reason is None, None if reason is None else len(run.trace.steps), reason or "")


def _shape(program: GuardedProgram, run: LiveTrace) -> str | None:
    """Why the run is not of its kind, or not fair."""
    states = run.trace.states
    match run.kind:
        case "end":
            going_on = any(enabled(program, transition, states[-1]) for transition in program.transitions)
            return "the run does not end in its last state" if going_on else None
        case "prefix":
            return None
    start = run.loop_from
    if start is None or not 0 <= start < len(states) - 1:
        return "the run does not say where its loop begins"
    if dict(states[start]) != dict(states[-1]):
        return "the loop does not lead back to the state it begins with"
    taken = {step.transition for step in run.trace.steps[start:]}
    reasons = (_unfair(program, group, states[start:], taken) for group in program.fairness)
    return next(filter(None, reasons), None)


def _unfair(program: GuardedProgram, group: FairGroup, loop: Sequence[State], taken: set[str]) -> str | None:
    if not taken.isdisjoint(group.transitions):
        return None
    members = [transition for transition in program.transitions if transition.name in group.transitions]
    able = [any(enabled(program, transition, state) for transition in members) for state in loop]
    if group.strong and any(able):
        return f"the loop is not fair: {group.name} is enabled in it and never steps"
    if all(able):
        return f"the loop is not fair: {group.name} is enabled all the time and never steps"
    return None


def letters(program: GuardedProgram, wanted: TemporalProperty, states: Sequence[State]) -> list[Letter]:
    """Which propositions hold in each state."""
    tests = [(name, compile_formula(meaning, program)) for name, meaning in wanted.propositions]
    return [frozenset(name for name, test in tests if test(state)) for state in states]


def _judged(program: GuardedProgram, wanted: TemporalProperty, run: LiveTrace) -> str | None:
    """Why the formula is not known to be false on the run."""
    formula, judge = read_formula(wanted.text), TruthJudge()
    word = letters(program, wanted, run.trace.states)
    match run.kind:
        case "end":
            return "the formula holds on the run" if judge.on_finite(formula, word) else None
        case "prefix":
            rest, last = judge.after(formula, word[:-1]), word[-1]
            false = not judge.ends(rest, last) and unsatisfiable(judge.rest(rest, last))
            return None if false else "the formula may still hold on a run that begins like this"
    assert run.loop_from is not None
    return "the formula holds on the run" if judge.on_lasso(formula, word[:-1], run.loop_from) else None
