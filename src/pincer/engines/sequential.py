"""Checking a property of a C program without threads: strategies and their budgets, the verdict and its evidence."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from pincer.engines.board import Answer, Board, Holds, Inputs, NoAnswer, Violated
from pincer.engines.cutpoints.strategy import CutPoints
from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.strategy import Regions
from pincer.engines.invariants.facts import Invariants
from pincer.engines.merged.strategy import Merged, MergedByWords, MergedToTheEnd
from pincer.engines.paths.exploration import Exploration
from pincer.engines.portfolio import Allowance, Portfolio, Share, Strategy
from pincer.engines.property_simulation import PropertySimulation
from pincer.engines.questions import Questions
from pincer.engines.sampling.hunting import Hunting
from pincer.engines.sampling.inputs import input_vector
from pincer.engines.sampling.walks import Walks
from pincer.engines.straight import StraightExecution
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted, Triples
from pincer.errors import Position
from pincer.evidence.run_conversions import ANY_FUNCTION, library_name, names_function
from pincer.execution.testing import Node
from pincer.program.control_flow import Check, ControlFlowProgram, Edge
from pincer.program.passes.overflow import ARITHMETIC
from pincer.program.property import SequentialKind
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Progress, Run, Stopped

Table = tuple[Share, ...]

FIRST_TEST = Share("regions", Allowance(1, 1))
"""Whatever else is done: some execution of the program."""

LAST_QUICK = Share("regions", Allowance(4_000, 40))
"""The end of what decides easy programs."""

SEQUENTIAL: Table = (
    FIRST_TEST,
    # Where inputs decide nothing, there is one run, and time alone bounds it.
    Share("straight", Allowance(2_000_000, 0), Allowance(10_000_000, 0)),
    # Shallow errors are found by chance, and tests that go new ways save questions later.
    Share("hunting", Allowance(20_000, 0)),
    # Programs with very few paths are decided at once.
    Share("paths", Allowance(8_000, 240)),
    # What flags say is followed quickly or not at all, and its proofs are the cheapest to check.
    Share("simulation", Allowance(4_000, 0)),
    # Small bounded programs have many paths, which are few when they are merged.
    Share("merged", Allowance(400, 10)),
    # What is sorted or summed up is the solver's, and better left to it as words.
    Share("merged by words", Allowance(2_000, 2_500)),
    Share("merged", Allowance(1_100, 40)),
    # Where all loops are over the input, the others seldom decide what this does not.
    Share("merged to the end", Allowance(4_000, 100)),
    # Many loops need some iterations and one search for invariants, and are hard for all others.
    Share("regions", Allowance(8_000, 60)),
    # Loops over buffers whose length is an input: no path and no region comes to their end.
    Share("cut points", Allowance(0, 300)),
    Share("invariants", Allowance(0, 1_000)),
    # Larger ones: what is decided quickly by others has been by now.
    Share("merged", Allowance(4_000, 100), Allowance(1_500, 40)),
    # Facts about ranges of cells, or about all nodes of a list, come after those that decide most loops.
    Share("cut points", Allowance(0, 5_000), Allowance(0, 4_000)),
    LAST_QUICK,
    # Where all loops are over the input, the others are seldom quicker.
    Share("merged to the end", Allowance(2_000, 400), Allowance(2_000, 400)),
    Share("merged by words", Allowance(2_000, 2_500), Allowance(2_000, 2_500)),
    # Where there are many paths, errors are looked for on them all the time.
    Share("paths", Allowance(15_000, 400), Allowance(15_000, 400)),
    Share("walks", Allowance(8_000, 0), Allowance(8_000, 0)),
    # What flags and rules say is followed quickly or not at all. A proof by it must know which tests go wrong.
    Share("simulation", Allowance(40_000, 0), Allowance(5_000, 0)),
    # Before regions, which have asked for them. They save up what they need for a long search.
    Share("invariants", Allowance(0, 800), Allowance(0, 200)),
    Share("regions", Allowance(5_000, 100), Allowance(20_000, 400)),
)
"""Programs without threads, checked for assertions. For `memory` there is no simulation: it knows nothing of memory."""

PAPER: Table = (Share("regions", Allowance(10_000, 400), Allowance(10_000, 400)),)
"""The algorithm of the paper alone."""

REGIONS: Table = (*PAPER, Share("invariants", Allowance(0, 1_000), Allowance(0, 400)))
"""Tests and regions with invariants for loops and recursion, and nothing beside them."""


class Choice(Struct, frozen=True):
    """Which strategies decide. `plain` regions are those of the program as it is: no constants, no calls put in place.

    Without `by_paths` the exploration of paths hunts for errors, but gives no proof. Nobody decides after some
    `rounds`."""

    table: Table = SEQUENTIAL
    plain: bool = False
    by_paths: bool = True
    rounds: int | None = None


EVERYTHING = Choice()
LONG_RUNS = (
    # A run that has come so far without an input that decides anything most likely comes to its end that way.
    Share("straight", Allowance(60_000_000, 0)),
    Share("merged by words", Allowance(8_000, 10_000)),
    # Where all loops are over the input, one formula decides all properties: none of them is better off alone.
    Share("merged to the end", Allowance(20_000, 3_000)),
    # Facts about loops that are hard to show are not better looked for property by property. What is bounded by the
    # program, whatever the inputs, comes to its end all the same. Neither has to wait for the other to give up.
    Share("cut points", Allowance(0, 5_000)),
    Share("merged", Allowance(15_000, 2_400)),
    Share("cut points", Allowance(0, 15_000)),
    Share("merged by words", Allowance(20_000, 40_000)),
    Share("merged", Allowance(30_000, 4_600)),
    Share("cut points", Allowance(0, 80_000)),
)
"""What goes on after the rest has been tried, for all properties together."""

AT_FIRST = Choice((*SEQUENTIAL[: 1 + SEQUENTIAL.index(LAST_QUICK)], *LONG_RUNS), rounds=1)
"""What decides most programs, and costs little where it does not; and long runs, which no property needs of its own."""
AS_IN_THE_PAPER = Choice(PAPER, plain=True)


class SequentialSettings(Struct, frozen=True):
    """`planned` tests are tried first."""

    planned: tuple[Inputs, ...] = ()
    choice: Choice = EVERYTHING


SequentialTask: TypeAlias = EngineTask[ControlFlowProgram, SequentialKind, SequentialSettings]
NOT_SAID = Reason("")


class DashExploration(Struct, frozen=True):
    """The analysis at its end, and the edges that the exploration of paths has passed."""

    dash: Dash
    passed: frozenset[Edge]


@dataclass
class _Deciding:
    """The strategies of one question, and what they share."""

    board: Board
    planned: Iterable[Inputs]
    choice: Choice
    passed: set[Edge | None] = field(default_factory=set)

    def __post_init__(self) -> None:
        board, names = self.board, {share.strategy for share in self.choice.table}
        self.regions = Regions(board, self.planned, self.choice.plain, "invariants" in names)
        self.paths = Exploration(board, self.choice.by_paths, self._passed) if "paths" in names else None
        self.invariants = Invariants(board, self.regions.analysed, self.regions.effects)
        self.simulation = PropertySimulation(board)
        self.merged: Merged | None = None
        self.by_words: MergedByWords | None = None
        strategies: dict[str, Strategy[Answer]] = {"regions": self.regions, "invariants": self.invariants}
        if self.paths is not None:
            strategies |= {"paths": self.paths, "hunting": Hunting(board), "walks": Walks(board)}
            if self.choice.by_paths:
                strategies["straight"] = StraightExecution(board)
        if "merged" in names:
            strategies["merged"] = self.merged = Merged(board)
            strategies["merged to the end"] = MergedToTheEnd(self.merged)
            strategies["merged by words"] = self.by_words = MergedByWords(board, self.merged)
        if board.kind == "assertions":
            strategies["simulation"] = self.simulation
        self.cut_points = CutPoints(board)
        strategies["cut points"] = self.cut_points
        self.portfolio = Portfolio(self.choice.table, strategies, board.run, self.choice.rounds)

    def _passed(self, node: Node) -> None:
        self.passed.add(node.edge)

    @property
    def dash(self) -> Dash:
        return self.regions.dash

    def questions(self) -> list[Questions]:
        paths = () if self.paths is None else (self.paths.questions,)
        merged = [each.questions for each in (self.merged, self.by_words) if each is not None]
        return [self.dash.questions, *paths, *merged, self.invariants.questions, self.cut_points.questions]

    def progress(self) -> Progress:
        abstractions = [search.abstraction for search in self.dash.main.values()]
        numbers = {
            "iterations": self.dash.statistics.iterations,
            "frontier": len(self.dash.searches[-1].pending) if self.dash.searches else 0,
            "tests": self.dash.statistics.tests,
            "regions": sum(abstraction.regions for abstraction in abstractions),
            "predicates": sum(abstraction.splits for abstraction in abstractions),
            "paths": 0 if self.paths is None else self.paths.paths,
            "questions": sum(questions.asked for questions in self.questions()),
        }
        return Progress("dash", "testing and refining", numbers)

    def statistics(self) -> dict[str, Any]:
        numbers, asked, simulation = self.dash.statistics, self.questions(), self.simulation.simulation
        abstractions = [*(search.abstraction for search in self.dash.main.values()), *self.dash.summaries.values()]
        found = {
            "iterations": numbers.iterations,
            "questions": self.dash.questions.asked,
            "solver_calls": sum(questions.solved for questions in asked),
            "solver_s": round(sum(questions.seconds for questions in asked), 3),
            "tests": numbers.tests,
            "regions": sum(abstraction.regions for abstraction in abstractions),
            "splits": sum(abstraction.splits for abstraction in abstractions),
            "summaries": len(self.dash.summaries),
            "summaries_reused": numbers.reused,
            "contexts": 0 if simulation is None else len(simulation.contexts),
            "loop_facts": sum(map(len, self.board.facts.values())),
            "queries_by_purpose": {
                name: asdict(spent) for questions in asked for name, spent in questions.by_purpose.items()
            },
            "strategies": self.portfolio.account(),
        }
        if self.merged is not None:
            found["formula"] = self.merged.formula + (0 if self.by_words is None else self.by_words.formula)
        return found if self.paths is None else {**found, "paths": self.paths.paths}

    def reason(self) -> Reason:
        """Why nobody has an answer: what regions say, since the others only try."""
        if self.board.unsupported:
            return Reason("unsupported: " + next(iter(self.board.unsupported.values())), Cause.UNSUPPORTED)
        return Reason(self.portfolio.ended.get("regions", "the budgets of all strategies are used up"))

    def open_remark(self, reason: Reason) -> tuple[str, ...]:
        """What a question that stays open is told with."""
        if self.board.unsupported and reason.cause is not Cause.UNSUPPORTED:
            return (f"a test ends where nothing is modelled: {next(iter(self.board.unsupported.values()))}",)
        return self.undefined_remark()

    def undefined_at(self) -> Position | None:
        """Where a test has met undefined behaviour."""
        return next((edge.position for edge in reversed(self.board.undefined)), None)

    def undefined_remark(self) -> tuple[str, ...]:
        if not self.board.undefined:
            return ()
        edge, stop = next(reversed(self.board.undefined.items()))
        asked = "overflow" if isinstance(edge.label, Check) and edge.label.kind in ARITHMETIC else "memory"
        met = f"{stop.message} at {edge.position}"
        if edge.position.is_added:
            function = self._library_function(edge)
            met = stop.message if names_function(stop.message, function) else f"{stop.message} in {function}"
        return (f"a test runs into undefined behaviour and ends there: {met} (property {asked})",)

    def _library_function(self, edge: Edge) -> str:
        """What users call the function of the library that an edge belongs to."""
        procedures = self.board.program.procedures.values()
        name = next((procedure.name for procedure in procedures if edge in procedure.edges), "")
        return library_name(name) or ANY_FUNCTION


def check(task: SequentialTask, run: Run) -> Iterator[Claim]:
    """Decide properties of a program one after the other; what a verdict assumes is said by the program."""
    for kind in task.asked:
        yield _decided(task, kind, run)


def attempted(
    program: ControlFlowProgram, kind: SequentialKind, run: Run, choice: Choice
) -> Generator[int, None, Answer | None]:
    """An answer about a program that stands for another one; says after every turn how much has been asked."""
    deciding = _Deciding(Board(program, kind, run), (), choice)
    turns = deciding.portfolio.turns()
    while True:
        try:
            next(turns)
        except StopIteration as ended:
            answer: Answer | None = ended.value
            return answer
        except RecursionError:
            return None
        yield sum(questions.asked for questions in deciding.questions())


def _decided(task: SequentialTask, kind: SequentialKind, run: Run) -> Claim:
    started = run.elapsed()
    deciding = _Deciding(Board(task.program, kind, run), task.settings.planned, task.settings.choice)
    run.watch(deciding.progress)
    answer: Answer | None = None
    reason = NOT_SAID
    try:
        answer = deciding.portfolio.decide()
        reason = deciding.reason() if answer is None else NOT_SAID
    except Stopped as stopped:
        reason = stopped.reason
    except RecursionError:
        reason = Reason("a formula became too large")
    tests = tuple(map(input_vector, deciding.dash.forest.ends))
    if isinstance(answer, Violated):
        deciding.passed |= answer.passed
        tests = (*(known for known in tests if known != answer.inputs), answer.inputs)
    told: dict[str, Any] = {
        "name": kind,
        "engine": "dash",
        "time_s": run.elapsed() - started,
        "statistics": deciding.statistics(),
        "tests": tests,
        "assumptions": task.program.assumptions,
    }
    if task.explain:
        passed = frozenset(edge for edge in deciding.passed if edge is not None)
        told["explored"] = DashExploration(deciding.dash, passed)
    match answer:
        case Holds(argument, proofs, execution):
            proof = Triples(proofs) if execution is None else execution
            met = deciding.undefined_at()
            return Proved(proof=proof, check=argument, undefined=met, warnings=deciding.undefined_remark(), **told)
        case Violated(test):
            return Refuted(run=test, **told)
        case NoAnswer(said):
            reason = said
    warnings = deciding.open_remark(reason)
    if reason.cause is Cause.SEARCH and deciding.board.undefined and not deciding.board.unsupported:
        reason = Reason(reason.text, Cause.UNDEFINED)
    return Open(reason=reason, warnings=warnings, **told)
