"""From a program and temporal properties to one claim for each, with evidence."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.guarded.verify import transition_system
from pincer.engines.live.certificates import certificate_of_states
from pincer.engines.live.components import Stuck, peel
from pincer.engines.live.infinite import by_invariant, decide
from pincer.engines.live.lasso import fair_cycle, run_of
from pincer.engines.live.limits import LIMITS
from pincer.engines.live.question import Question, question
from pincer.engines.live.states import StateGraph, StateStepper, explore
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.errors import UnsupportedError
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.replay import replay_run
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedChoice, GuardedProgram, TemporalProperty
from pincer.program.transition_system import TransitionSystem
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped
from pincer.temporal.buchi import exact_buchi
from pincer.temporal.derivative import Letter, satisfies
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import TooLarge


class LiveSettings(Struct, frozen=True):
    """How to decide: `states` is how many are visited one by one."""

    states: int = LIMITS.states


LiveTask: TypeAlias = EngineTask[GuardedProgram, TemporalProperty, LiveSettings]


def verify(task: LiveTask, run: Run) -> Iterator[Claim]:
    """Decide temporal properties, one after the other."""
    for number, wanted in enumerate(task.asked):
        with run.share(len(task.asked) - number):
            yield _Decision(task, wanted, run).claim()


class _Decision:
    """One property being decided, and what that has cost."""

    def __init__(self, task: LiveTask, wanted: TemporalProperty, run: Run) -> None:
        self.task = task
        self.wanted = wanted
        self.queries = Queries(Z3Solver(), run)
        self.started = time.perf_counter()
        self.warnings: tuple[str, ...] = ()
        self.statistics: dict[str, Any] = {}

    def claim(self) -> Claim:
        try:
            return self._decided()
        except UnsupportedError as error:
            return self._open(Reason(str(error), Cause.UNSUPPORTED))
        except (Stopped, SolverUnknown) as stop:
            return self._open(self.queries.run.stop_reason or Reason(str(stop)))

    def _decided(self) -> Claim:
        asked = question(self.task.program, self.wanted)
        self.warnings = asked.warnings
        system = transition_system(asked.program, self.queries)
        most = self.task.settings.states
        if system.data_variables and most:
            simple = by_invariant(asked, self.queries)
            if isinstance(simple, LiveTrace):
                return self._lost(asked, system, simple)
            if simple is not None:
                return Proved(proof=simple, check="invariant", **self._account())
        first = min(LIMITS.first_states, most) if system.data_variables else most
        graph = self._visited(asked, system, first)
        claim = self._of_states(asked, system, graph) or self._infinite(asked, system, graph)
        if isinstance(claim, Open) and not graph.complete and first < most:
            return self._of_states(asked, system, self._visited(asked, system, most)) or claim
        return claim

    def _visited(self, asked: Question, system: TransitionSystem, most: int) -> StateGraph:
        self.queries.run.publish("live", "visiting states")
        graph = explore(asked, system, self.queries, most)
        self._count(asked, graph)
        return graph

    def _of_states(self, asked: Question, system: TransitionSystem, graph: StateGraph) -> Claim | None:
        """What is known after visiting states: a violation, or, if these are all, that there is none."""
        if graph.ended is not None:
            return self._refuted(run_of(asked, system, graph, "end", graph.ended, []))
        if graph.certain is not None:
            return self._lost(asked, system, run_of(asked, system, graph, "prefix", graph.certain, []))
        peeled = peel(graph.live(asked))
        if isinstance(peeled, Stuck):
            return self._cycle(asked, system, graph, peeled)
        if not graph.complete or _chooses_freely(asked.program):
            return None
        if graph.out_of_range is not None:
            return self._open(Reason("a step leaves the type of a variable (the property `range` is violated)"))
        if not graph.nodes:
            self.warnings = (*self.warnings, _vacuous(asked))
        written = certificate_of_states(asked, system, graph, peeled)
        return Proved(proof=written, check="components", **self._account())

    def _infinite(self, asked: Question, system: TransitionSystem, graph: StateGraph) -> Claim:
        outcome = decide(asked, graph, system, self.queries, self.statistics)
        match outcome:
            case LiveTrace():
                return self._lost(asked, system, outcome)
            case Recurrence():
                return Refuted(run=outcome, **self._account())
            case LiveCertificate():
                return Proved(proof=outcome, check="ranking", **self._account())
            case Reason():
                return self._open(outcome)

    def _count(self, asked: Question, graph: StateGraph) -> None:
        self.statistics |= {
            "states": len(graph.nodes),
            "edges": len(graph.edges),
            "automaton": asked.automaton.size,
            "queries": self.queries.asked,
        }

    def _cycle(self, asked: Question, system: TransitionSystem, graph: StateGraph, stuck: Stuck) -> Claim:
        """A fair cycle is a violation, unless the automaton accepts more than it should."""
        run = _lasso(asked, system, graph, stuck)
        if asked.automaton.exact or _is_model(asked, system, run):
            return self._refuted(run)
        exact = replace(asked, automaton=exact_buchi(asked.negated))
        again = explore(exact, system, self.queries, self.task.settings.states)
        self._count(exact, again)
        peeled = peel(again.live(exact))
        if isinstance(peeled, Stuck):
            return self._refuted(_lasso(exact, system, again, peeled))
        return self._open(Reason("an iteration stands under a negation: no run that violates the formula was found"))

    def _lost(self, asked: Question, system: TransitionSystem, run: LiveTrace) -> Claim:
        """A run that ends, or after which the formula is false whatever follows. An automaton that accepts more than it
        should may be wrong about that: then the run is judged first."""
        shorter = _shortened(asked, system, run)
        if asked.automaton.exact or replay_run(asked.program, asked.wanted, shorter).ok:
            return self._refuted(shorter)
        return self._open(Reason("an iteration stands under a negation: no run that violates the formula was found"))

    def _refuted(self, run: LiveTrace) -> Refuted:
        return Refuted(run=run, **self._account())

    def _open(self, reason: Reason) -> Open:
        return Open(reason=reason, **self._account())

    def _account(self) -> dict[str, Any]:
        """What every claim tells besides."""
        return {
            "name": self.wanted.name,
            "engine": "live",
            "time_s": time.perf_counter() - self.started,
            "statistics": self.statistics,
            "warnings": self.warnings,
        }


def _chooses_freely(program: GuardedProgram) -> bool:
    """Whether single states cannot be all there are, for those who look at steps without the formula."""
    values = (value for transition in program.transitions for _, value in transition.assignments)
    return any(isinstance(value, GuardedChoice) and value.low is None for value in values)


def _vacuous(asked: Question) -> str:
    if not asked.automaton.initial:
        return "the formula is true of every run of any program"
    return "no state satisfies `init`: every property holds vacuously"


def _lasso(asked: Question, system: TransitionSystem, graph: StateGraph, stuck: Stuck) -> LiveTrace:
    cycle = fair_cycle(graph.live(asked), stuck)
    return run_of(asked, system, graph, "lasso", cycle[0].source, cycle)


def _shortened(asked: Question, system: TransitionSystem, run: LiveTrace) -> LiveTrace:
    """The automaton knows that the formula is lost only after the state that decides has been left: without that step,
    where the state does not satisfy the formula even as the last one."""
    if run.kind != "prefix" or not run.trace.steps:
        return run
    shorter = replace(run, trace=replace(run.trace, steps=run.trace.steps[:-1]))
    return shorter if satisfies(asked.negated, _letters(asked, system, shorter)) else run


def _letters(asked: Question, system: TransitionSystem, run: LiveTrace) -> list[Letter]:
    stepper = StateStepper(asked, system)
    names = [str(variable) for variable in system.variables]
    return [stepper.letter(tuple(state[name] for name in names)) for state in run.trace.states]


def _is_model(asked: Question, system: TransitionSystem, run: LiveTrace) -> bool:
    """Whether the negated formula is true of the run; False also when that takes too much."""
    letters = _letters(asked, system, run)
    start = run.loop_from or 0
    try:
        return holds_on_lasso(asked.negated, Lasso(tuple(letters[:start]), tuple(letters[start:-1])))
    except TooLarge:
        return False
