"""Does every run of a program with threads end, or satisfy the program's formula if it has one? All states are visited,
as the checker will do; where that shows a run that does not, or has no end itself, schedules of such runs are looked
for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.outlines.questions import OutlineQuestions
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.engines.threads.endless_schedules import EndlessSchedule, EndlessSearch, plans
from pincer.engines.threads.fair_rounds import Step
from pincer.engines.threads.limits import ENDLESS_LIMITS
from pincer.engines.threads.task import ThreadOptions
from pincer.engines.threads.threaded_test import inputs_of, points_of, standing
from pincer.engines.threads.told_schedule import callers, steps_of
from pincer.engines.threads.violating_schedules import ViolationSearch
from pincer.errors import PincerError, Position, UnsupportedError
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.run_conversions import schedule_failure_text
from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.thread_proof.checker import explored_certificate
from pincer.evidence.thread_proof.endings import EndingExplorer, check_endings
from pincer.evidence.thread_proof.exploration.claim import ExplorationClaim
from pincer.evidence.thread_proof.explore import Exploring
from pincer.evidence.thread_proof.words import WordExplorer, check_words
from pincer.evidence.threads.trace import (
    ChosenInput,
    Kind,
    Point,
    ThreadedFailure,
    ThreadedTest,
    ThreadRounds,
)
from pincer.execution.threads.interleaving import Interleaver, is_alone
from pincer.execution.threads.schedules import ReplayedSchedule
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import ThreadTransition
from pincer.program.control_flow import ControlFlowProgram, Input
from pincer.program.property import FAIRLY, SEQUENTIALLY, Fairness
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped

_EXPLORED = "all schedules and all inputs have been explored, and no fair run among them goes on for ever"
_SATISFIED = "all schedules and all inputs have been explored, and all fair runs among them satisfy the formula"


class EndingTask(Struct, frozen=True, eq=False):
    """Whether a program ends, or satisfies its formula, for runs that are fair in this sense."""

    program: ControlFlowProgram
    options: ThreadOptions
    fairness: Fairness


def check(task: EngineTask[ControlFlowProgram, Fairness, ThreadOptions], run: Run) -> Iterator[Claim]:
    """Decide whether a program with threads ends, or satisfies its formula, for each kind of fairness that is asked
    about."""
    for fairness in task.asked:
        yield _Decision(EndingTask(task.program, task.settings, fairness), run).claim()


class _Decision:
    """One program being decided, and what that has cost."""

    def __init__(self, task: EndingTask, run: Run) -> None:
        self._task, self._run = task, run
        self._kind: Literal["termination", "temporal"] = "temporal" if task.program.formula else "termination"
        self._started = run.elapsed()
        self._statistics = {"states": 0, "queries": 0, "transitions": 0}

    def claim(self) -> Claim:
        try:
            reason = self._explored()
            if isinstance(reason, ThreadCertificate):
                summary = _SATISFIED if self._task.program.formula else _EXPLORED
                return Proved(proof=reason, check="schedules", summary=summary, **self._told())
            found = self._endless()
        except UnsupportedError as error:
            return self._open(Reason(str(error), Cause.UNSUPPORTED))
        except Stopped as stopped:
            return self._open(stopped.reason)
        except RecursionError:
            return self._open(Reason("a formula became too large"))
        if found is None:
            sought = "that violates the formula" if self._task.program.formula else "without an end"
            return self._open(Reason(f"{reason}; and no schedule {sought} was found"))
        return Refuted(run=found, summary=schedule_failure_text(found), **self._told())

    def _explored(self) -> ThreadCertificate | str:
        """The claim about all runs, or why it is not made."""
        task, script = self._task, Script()
        questions, known = OutlineQuestions(script, self._run), dict[Node, bool]()

        def refuted(formula: Node) -> bool:
            if formula not in known:
                known[formula] = questions.refuted((), formula, ()) is None
            return known[formula]

        spurious, poll, most = task.options.spurious, self._run.poll, ENDLESS_LIMITS.moves
        try:
            explorer: EndingExplorer
            asked = Exploring(task.program, self._kind, spurious, most)
            if task.program.formula:
                explorer = words = WordExplorer(asked, script, refuted, poll)
                check_words(words, task.program, task.fairness)
            else:
                explorer = EndingExplorer(asked, script, refuted, poll)
                check_endings(explorer, task.fairness)
        except PincerError as error:
            return str(error)
        finally:
            self._statistics["queries"] = questions.asked
        self._statistics["states"] = explorer.states
        claim = explored_certificate(task.program, self._kind, spurious)
        return replace(claim, explored=ExplorationClaim(explorer.states, explorer.moves, task.fairness))

    def _endless(self) -> ThreadedTest | None:
        task = self._task
        searching = ViolationSearch if task.program.formula else EndlessSearch
        for values in plans(task.program):
            search = searching(task.program, task.options.execution_limits, values, task.fairness)
            found = search.search(self._run)
            self._statistics["transitions"] += search.transitions
            if found is not None:
                return endless_test(search.interleaver, found, task.fairness)
        return None

    def _open(self, reason: Reason) -> Open:
        return Open(reason=Reason(reason.text, reason.cause or Cause.SEARCH), **self._told())

    def _told(self) -> dict[str, Any]:
        fair = FAIRLY.get(self._task.fairness)
        return {
            "name": self._kind,
            "engine": "schedules",
            "time_s": self._run.elapsed() - self._started,
            "statistics": self._statistics,
            "assumptions": (*self._task.program.assumptions, SEQUENTIALLY, *(() if fair is None else (fair,))),
        }


def endless_test(interleaver: Interleaver, found: EndlessSchedule, fairness: Fairness) -> ThreadedTest:
    """The schedule as a test that others can run: its beginning, and as many rounds as can be written down."""
    stem = _taken(interleaver, interleaver.initial(), found.stem)
    once = _taken(interleaver, stem.last, found.loop)
    before, loop = list(_points(interleaver, stem)), list(_points(interleaver, once))
    rounds = max(2, min(ENDLESS_LIMITS.rounds, ENDLESS_LIMITS.points // len(loop))) if loop else 1
    program = interleaver.program
    told = ReplayedSchedule((*stem.states, *once.states[1:]), (*stem.transitions, *once.transitions))
    all_rounds = _taken(interleaver, interleaver.initial(), (*found.stem, *(found.loop * rounds)))
    begun = tuple(steps_of(program, stem))
    stops = _stops(interleaver, stem.last, found, loop)
    spurious = interleaver.limits.spurious
    kind: Kind = "endless" if found.waits is None else "deadlock"
    kind = kind if found.ends is None else "ended"
    return ThreadedTest(
        file=program.file,
        property="temporal" if program.formula else "termination",
        kind=kind,
        data_model=program.layout.data_model,
        entry=program.entry_function,
        inputs=tuple(inputs_of(all_rounds)),
        steps=tuple(steps_of(program, told)),
        points=(*before, *(loop * rounds)),
        failure=ThreadedFailure(stops[0].position, _message(program, found), stops),
        rounds=ThreadRounds(len(before), len(loop), len(begun), fairness, spurious, tuple(_chosen(program, found))),
    )


def _taken(interleaver: Interleaver, threads: ThreadedState, steps: tuple[Step, ...]) -> ReplayedSchedule:
    """The execution of some steps; those that do nothing are left out."""
    states, transitions = [threads], list[ThreadTransition]()
    for step in steps:
        if not step.spins:
            transitions.append(interleaver.take(states[-1], step.choice.thread, step.choice.pick))
            states.append(transitions[-1].threads)
    return ReplayedSchedule(tuple(states), tuple(transitions))


def _points(interleaver: Interleaver, replayed: ReplayedSchedule) -> Iterator[Point]:
    for before, transition in zip(replayed.states, replayed.transitions, strict=False):
        found = list(points_of(interleaver, before, transition))
        # While a thread is alone, nobody but formulas looks at what it does to data.
        yield from (p for p in found if p.action not in ("read", "write") or not is_alone(before))


def _stops(
    interleaver: Interleaver, last: ThreadedState, found: EndlessSchedule, loop: list[Point]
) -> tuple[Point, ...]:
    """Where threads stand: in the calls in which they wait, or at what comes first in a round."""
    if found.waits is not None:
        return tuple(standing(interleaver, last, number) for number, _ in found.waits.waits)
    if found.ends is not None:
        return (Point(found.ends.thread, "call", "", _position(last, found.ends.thread)),)
    if loop:
        return (loop[0],)
    thread = found.loop[0].choice.thread
    depth = len(callers(last.threads[thread].frame)) - 1
    return (Point(thread, "call", "", _position(last, thread), depth=depth),)


def _position(threads: ThreadedState, number: int) -> Position:
    """Where a thread is in its source."""
    thread = threads.threads[number]
    edges = thread.frame.procedure.outgoing.get(thread.location, ())
    return edges[0].position if edges else thread.frame.procedure.position


def _message(program: ControlFlowProgram, found: EndlessSchedule) -> str:
    return f"the formula is violated: {_how(found)}" if program.formula else _how(found)


def _how(found: EndlessSchedule) -> str:
    if found.ends is not None:
        return f"thread {found.ends.thread} ends the program"
    if found.waits is not None:
        return f"all threads wait for ever: {found.waits}"
    threads = sorted({step.choice.thread for step in found.loop})
    if len(threads) == 1:
        return f"thread {threads[0]} goes round for ever"
    return f"threads {', '.join(map(str, threads[:-1]))} and {threads[-1]} go round for ever"


def _chosen(program: ControlFlowProgram, found: EndlessSchedule) -> Iterator[ChosenInput]:
    for procedure in program.procedures.values():
        for number, edge in enumerate(procedure.edges):
            if isinstance(edge.label, Input) and found.values.get(edge.label):
                yield ChosenInput(procedure.name, number, found.values[edge.label])
