"""The strategies for programs with threads: each works in processes of its own, ahead of its turns.

A strategy's turn is over when it has spent its budget, counted in states and questions. Workers do not wait for that:
they go on while others have their turns, and say where each of their turns ends. So the answer is that of the table,
whatever the number of processes and their speed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, cycle
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from pincer.engines.agse.followed_traces import Following
from pincer.engines.agse.guided_search import GuidedSearch, Trial
from pincer.engines.outlines.proving import OutlineProver
from pincer.engines.outlines.questions import OutlineQuestions
from pincer.engines.portfolio import Allowance, Ended, Going, Idle, Share
from pincer.engines.schedules.baselines import context_bounding, random_schedules
from pincer.engines.schedules.drawn_schedules import DrawnSchedules
from pincer.engines.schedules.exhaustive import AllSchedules
from pincer.engines.schedules.findings import ScheduleAnswer
from pincer.engines.threads.task import EngineName, ThreadTask
from pincer.engines.threads.workers import Said, SearchOutcome, Workers, outcome, proof_outcome
from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.thread_proof.checker import explored_certificate, unsigned_certificate
from pincer.evidence.thread_proof.explore import Exploring, ThreadExplorer
from pincer.evidence.thread_proof.refusals import refusable
from pincer.runtime.run import Run, Stopped

Found = TypeVar("Found")

TABLE: tuple[Share, ...] = (
    # Small programs end here, and need no analysis at all.
    Share("exhaustive", Allowance(600, 200), Allowance(20_000, 5_000)),
    # A few dozen short schedules, drawn at random: what goes plainly wrong where there are too many schedules.
    # A second of work at most; more of them where nothing else has come of it.
    Share("drawn", Allowance(7_000, 1), Allowance(20_000, 1)),
    # Finitely many states, each visited once: where there are more schedules than states. At first few, and hardly any
    # questions: what inputs have come to in endlessly many states is hard to tell.
    Share("states", Allowance(5_000, 20), Allowance(200_000, 3_000)),
    # For loops without end and any number of threads: guesses that are tried, in questions to the solver. What is
    # behind locks takes a few hundred, a second of work.
    Share("outlines", Allowance(1, 1_500), Allowance(1, 6_000)),
    # The baselines run only where they are asked for. They have one turn: they do not go on where they were.
    Share("contexts", Allowance(1, 1)),
    Share("random", Allowance(1, 1)),
    # Trials are short at first and then longer; a state of theirs costs as much as several of the others.
    Share("agse", Allowance(500, 500), Allowance(5_000, 5_000)),
    # Outlines of what has conditions take a few thousand questions. Mistakes are found before they are asked.
    Share("outlines", Allowance(1, 3_000)),
    # Loops that go side by side: what is left is proved as programs without threads are, in questions to solvers. Two
    # threads take a few hundred, three a few thousand.
    Share("products", Allowance(1, 4_000), Allowance(1, 4_000)),
    # Ten threads that do one thing each have a few thousand states.
    Share("states", Allowance(25_000, 20)),
)
"""Who has how much in the first turn, and in each later one: steps, and questions to the solver."""


PROVING: tuple[EngineName, ...] = ("exhaustive", "states", "outlines", "products")
"""Searches that can end with a proof."""

MOST_MOVES = 500_000
"""Moves after which the states are taken for infinitely many: half a minute of work."""

HASTY_STEPS = 2_000
"""Steps that nobody notices, until the first turn of the exhaustive search leaves a thread alone."""

NOTHING_FOUND = "the guided search found no execution that shows a violation"


class DecidedSearch(Struct, frozen=True):
    """A search has found something, or that there is nothing; a guided one by which trial."""

    engine: EngineName
    outcome: SearchOutcome
    trial: Trial | None = None


@dataclass
class Baseline:
    """A search over schedules in one process; `pump` lets the others have their share of attention."""

    engine: EngineName
    workers: Workers
    pump: Callable[[], None]
    reasons: tuple[str, ...] = ()

    def step(self, budget: Allowance) -> Going | Idle | Ended | DecidedSearch:
        """The worker knows its budgets from the table, and has perhaps spent this one already. One that may prove
        something is waited for even if another has: whose proof it is must not depend on who was faster."""
        while (said := self.workers.said(self.engine)) is None:
            if self.engine not in PROVING and self.workers.is_proved():
                return Idle()
            self.pump()
        if isinstance(said, Going):
            return said
        if said.schedule is not None or said.is_safe:
            return DecidedSearch(self.engine, said)
        self.reasons = said.reasons
        return Ended("; ".join(said.reasons))


def searched(engine: EngineName, task: ThreadTask, run: Run) -> Iterator[Said]:
    """What the worker of a baseline says, turn by turn."""
    program, name, limits = task.program, task.property, task.options.schedule_limits
    answer = ScheduleAnswer(name)
    try:
        match engine:
            case "drawn":
                yield from drawn(task, run)
                return
            case "outlines":
                yield from outlined(task, run)
                return
            case "states":
                yield from visited(task, run)
                return
            case "products":
                yield from in_lockstep(task, run)
                return
            case "contexts":
                answer = context_bounding(program, name, run, limits)
            case "random":
                answer = random_schedules(program, name, run, task.options.seed, limits)
            case _:
                answer = yield from _exhausted(task, run)
    except Stopped as stopped:
        answer.truncated[stopped.reason.text] += 1
    statistics = {
        "states": answer.transitions, "executions": answer.executions, "longest": answer.longest,
        "queries": answer.queries,
    }  # fmt: skip
    yield outcome(answer.violation, sorted(answer.truncated), statistics, run, is_safe=answer.verdict == "safe")


def _exhausted(task: ThreadTask, run: Run) -> Generator[Said, None, ScheduleAnswer]:
    """All schedules, turn by turn. In the first turn threads do not go far by themselves: a loop without end inside one
    of them would keep all other searches waiting. What is left out for that is seen when the search begins anew."""
    limits = task.options.schedule_limits
    hasty = replace(limits, execution=replace(limits.execution, steps_per_transition=HASTY_STEPS))
    budgets = turns_of("exhaustive")
    first = next(budgets)
    turn = AllSchedules(task.program, task.property, run, hasty).step(first)
    if isinstance(turn, ScheduleAnswer) and (turn.violation is not None or not turn.truncated):
        return turn
    yield turn if isinstance(turn, Going) else Going(first)
    strategy = AllSchedules(task.program, task.property, run, limits)
    while isinstance(turn := strategy.step(next(budgets)), Going):
        yield turn
    return turn


def drawn(task: ThreadTask, run: Run) -> Iterator[Said]:
    """What the worker says that draws schedules at random: the violation in the end, if there is one. That there was
    none is no reason for anything."""
    options = task.options
    strategy = DrawnSchedules(task.program, task.property, run, options.seed, options.schedule_limits)
    budgets = turns_of("drawn")
    while isinstance(turn := strategy.step(next(budgets)), Going):
        yield turn
    statistics = {"states": turn.transitions, "executions": turn.executions, "longest": turn.longest}
    yield outcome(turn.violation, (), statistics, run)


def outlined(task: ThreadTask, run: Run) -> Iterator[Said]:
    """What the worker says that looks for an outline: the proof in the end, if there is one."""
    kind = task.property
    if kind != "assertions" and kind != "memory" and kind != "race" and kind != "deadlock":
        yield SearchOutcome()
        return
    prover = OutlineProver(task.program, kind, task.options.spurious, run)
    found = yield from _in_turns("outlines", prover.attempt(), lambda: prover.questions)
    statistics = {"queries": prover.questions}
    proof = None
    if found.outline is not None and prover.system is not None:
        proof = unsigned_certificate(task.program, prover.system, found.outline, kind, task.options.spurious).to_json()
    yield proof_outcome(proof, statistics, run)


def in_lockstep(task: ThreadTask, run: Run) -> Iterator[Said]:
    """What the worker says that looks for a schedule which stands for all others."""
    if task.property != "assertions":
        yield SearchOutcome()
        return
    # Only this process needs the strategies for programs without threads.
    from pincer.engines.products.proving import ProductProver

    prover = ProductProver(task.program, task.options.spurious, run)
    regions = yield from _in_turns("products", prover.attempt(), lambda: prover.questions)
    proof = None
    if regions is not None and prover.system is not None:
        spurious = task.options.spurious
        claim = unsigned_certificate(task.program, prover.system, prover.outline, "assertions", spurious)
        proof = replace(claim, regions=regions).to_json()
    yield proof_outcome(proof, {"queries": prover.questions}, run)


def visited(task: ThreadTask, run: Run) -> Iterator[Said]:
    """What the worker says that claims finitely many states: the claim, where it has visited them all and seen nothing
    wrong. It is no search of its own but the checker's (`evidence/thread_proof/explore.py`): the claim is a guess that
    is tried, and what is wrong the others show."""
    kind = task.property
    if kind not in ("assertions", "memory", "race", "deadlock"):
        yield SearchOutcome()
        return
    script, spurious, budgets = Script(), task.options.spurious, turns_of("states")
    left, moves, asked = next(budgets), 0, 0
    questions, known = OutlineQuestions(script, run), dict[Node, bool]()

    def refuted(formula: Node) -> bool:
        if formula not in known:
            known[formula] = questions.refuted((), formula, ()) is None
        return known[formula]

    try:
        program = refusable(task.program) if kind == "race" else task.program
        explorer = ThreadExplorer(Exploring(program, kind, spurious, MOST_MOVES), script, refuted, run.poll)
        for _ in explorer.visit():
            spent = Allowance(explorer.moves - moves, questions.asked - asked)
            if spent.steps >= left.steps or spent.calls >= left.calls:
                yield Going(spent)
                left, moves, asked = next(budgets), explorer.moves, questions.asked
        claim = explored_certificate(task.program, kind, spurious, (explorer.states, explorer.moves))
        statistics = {"states": explorer.states, "queries": questions.asked}
        yield proof_outcome(claim.to_json(), statistics, run)
    except (PincerError, RecursionError):
        yield SearchOutcome()


def _in_turns(
    engine: EngineName, attempt: Generator[None, None, Found], questions: Callable[[], int]
) -> Generator[Said, None, Found]:
    """What comes of an attempt that counts its questions; a turn is over when those of its budget are used up."""
    budgets = turns_of(engine)
    left, spent = next(budgets).calls, 0
    while True:
        try:
            next(attempt)
        except StopIteration as ended:
            found: Found = ended.value
            return found
        if questions() - spent >= left:
            yield Going(Allowance(0, questions() - spent))
            left, spent = next(budgets).calls, questions()


def turns_of(engine: EngineName) -> Iterator[Allowance]:
    """What a strategy has in its turns, one after the other, whether anybody waits for them or not."""
    shares = [share for share in TABLE if share.strategy == engine]
    later = [share.later for share in shares if share.later is not None]
    return chain((share.first for share in shares), cycle(later or [share.first for share in shares]))


@dataclass
class GuidedTrials:
    """The trials of the guided search, in the order of their numbers, up to `most` processes at once.

    The first that finds something by number is the answer, not the first by time. `tried` are those that count: which
    had their turn, with what came out."""

    prepare: Callable[[], Iterator[Trial]]
    attempt: Callable[[Trial, Run], Iterator[Said]]
    workers: Workers
    most: int
    pump: Callable[[], None]
    tried: list[SearchOutcome] = field(default_factory=list)
    is_over: bool = False
    _trials: Iterator[Trial] | None = None
    _started: list[Trial] = field(default_factory=list)
    _owed: int = 0

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why there may be more to find."""
        given = (reason for outcome in self.tried for reason in outcome.reasons)
        return (*given, *((NOTHING_FOUND,) if self.is_over else ()))

    def step(self, budget: Allowance) -> Going | Idle | Ended | DecidedSearch:
        """Trials until their states make up the budget; a trial that goes beyond it shortens the next turn."""
        left = budget.steps - self._owed
        while left > 0:
            trial = self._next()
            if trial is None:
                self.is_over = True
                return Ended(NOTHING_FOUND)
            said = self._heard(trial)
            if said is None:
                return Idle()
            self.tried.append(said)
            left -= said.statistics.get("states", 0)
            if said.schedule is not None:
                return DecidedSearch("agse", said, trial)
        self._owed = -left
        return Going(Allowance(budget.steps - left, 0))

    def _next(self) -> Trial | None:
        """The trial whose turn it is."""
        if len(self._started) == len(self.tried):
            self._start()
        return self._started[len(self.tried)] if len(self._started) > len(self.tried) else None

    def _start(self) -> bool:
        if self._trials is None:
            self._trials = self.prepare()
        trial = next(self._trials, None)
        if trial is None:
            return False
        self._started.append(trial)
        self.workers.start(_name(trial), partial(self.attempt, trial))
        return True

    def fill(self) -> None:
        """Begin trials ahead of their turns while there is room."""
        while self._trials is not None and len(self.workers) < self.most and self._start():
            pass

    def _heard(self, trial: Trial) -> SearchOutcome | None:
        """What a trial says in the end; None when it does not matter any more."""
        while not self.workers.is_proved():
            said = self.workers.said(_name(trial))
            if isinstance(said, SearchOutcome):
                return said
            self.pump()
        return None


def _name(trial: Trial) -> str:
    return f"trial {trial.number}"


def attempted(task: ThreadTask, following: Following, trial: Trial, run: Run) -> Iterator[Said]:
    """Do a trial, in this process; it depends on nothing but the seed and its number."""
    dice = random.Random(f"{task.options.seed} {trial.number}")
    search = GuidedSearch(trial, following, task.property, run, dice, task.options.agse_limits)
    reasons: Sequence[str] = ()
    try:
        found = search.search()
    except Stopped as stopped:
        found, reasons = None, (stopped.reason.text,)
    yield outcome(found, reasons, asdict(search.statistics), run)
