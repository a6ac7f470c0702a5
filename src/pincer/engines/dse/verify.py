"""Checking MSVL programs: explore, multiply every new path with the negated properties, replay what is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from pincer.engines.dse.options import LIMITS, CheckOptions
from pincer.engines.dse.product import PathProduct
from pincer.engines.dse.propositions import Propositions, meanings
from pincer.engines.dse.witness import Witnesses
from pincer.engines.task import Claim, EngineTask, Exhaustion, Open, Proved, Refuted
from pincer.errors import UnsupportedError
from pincer.evidence.msvl.counterexample import Counterexample, to_json
from pincer.execution.msvl import Execution, Options, execute
from pincer.execution.trees import Path, Tree, TreeExploration, coverage
from pincer.execution.trees.exploration import Inputs
from pincer.execution.trees.parallel import explore_in_parallel
from pincer.frontends.msvl import Program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.codec import plain
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped
from pincer.temporal.formula import Formula, not_
from pincer.temporal.limits import TemporalLimits, TooLarge, metered
from pincer.temporal.lnfg import Lnfg
from pincer.temporal.property import Property
from pincer.temporal.text import formula_text

_NOT_CONCLUDED = (
    "no counterexample is in the tree; the paper's procedure does not conclude from this that the property holds"
)


@dataclass
class _Question:
    """One property under examination."""

    name: str
    asked: Property
    propositions: Propositions
    product: PathProduct
    witnesses: Witnesses
    reasons: dict[str, None] = field(default_factory=dict)
    given_up: bool = False
    found: Counterexample | None = None

    @property
    def open(self) -> bool:
        return self.found is None and not self.given_up


TemporalTask: TypeAlias = EngineTask[Program, Property, CheckOptions]


class TemporalExploration(Struct, frozen=True):
    """The execution tree, how its runs were made, and the graph of the negated property if it is not too large."""

    tree: Tree
    graph: Lnfg | None
    execution: Options


def check(task: TemporalTask, run: Run) -> Iterator[Claim]:
    """Decide the properties of a program, in their order.

    A counterexample has been run again by the interpreter; a property holds if the exploration was exhaustive, every
    path ended or came back to itself, and the product was empty with every question answered.
    """
    started = run.elapsed()
    session = _Session(task, run)
    questions = [session.question(number, one, len(task.asked)) for number, one in enumerate(task.asked, 1)]
    stopped = session.examine(questions)
    for question in questions:
        yield session.conclude(question, stopped, started)


class _Session:
    """One exploration, shared by all properties."""

    def __init__(self, task: TemporalTask, run: Run) -> None:
        self.program, self.options, self.run = task.program, task.settings, run
        self.explain, options = task.explain, task.settings
        self.limits = TemporalLimits(nodes=LIMITS.formula_nodes, poll=run.poll)
        self.queries = Queries(Z3Solver(work=options.solver_work), run)
        self.seed = options.execution.seed
        tree = Tree(options.share_terminal)
        self.exploration = TreeExploration(self.execute, self.queries, options.bounds, tree)

    def execute(self, inputs: Inputs) -> Execution:
        return execute(self.program, inputs, replace(self.options.execution, seed=self.seed), self.run)

    def question(self, number: int, property_: Property, total: int) -> _Question:
        negation = not_(property_.formula)
        name = "property" if total == 1 else f"property {number}"
        execution = self.options.execution
        propositions = Propositions(self.program, meanings(property_), execution)
        file = self.program.source.file
        return _Question(
            name,
            property_,
            propositions,
            PathProduct(negation, propositions, self.queries, self.limits),
            Witnesses(file, property_, negation, propositions, self.execute, execution, self.limits),
        )

    def examine(self, questions: Sequence[_Question]) -> Reason | None:
        """Multiply path after path until every property is violated or no path is left; why it stopped early."""
        try:
            for path in self._paths():
                for question in questions:
                    if question.open:
                        self._multiply(question, path)
                if not any(question.open for question in questions):
                    return None
        except Stopped as stopped:
            return stopped.reason
        except UnsupportedError as unsupported:
            return Reason(f"unsupported: {unsupported}", Cause.UNSUPPORTED)
        return None

    def _paths(self) -> Iterator[Path]:
        options, exploration = self.options, self.exploration
        if options.jobs > 1:
            yield from explore_in_parallel(
                exploration, self.program, options.execution, options.inputs, options.jobs, options.solver_work
            )
        else:
            yield from exploration.paths(options.inputs)
        for restart in range(1, options.restarts + 1):
            if exploration.exhaustive:
                return
            self.seed = options.execution.seed + restart
            yield from exploration.paths({})

    def _multiply(self, question: _Question, path: Path) -> None:
        try:
            with metered(self.limits):
                for candidate in question.product.extend(path):
                    found = question.witnesses.confirmed(candidate)
                    if found is not None:
                        question.found = found
                        return
                    if candidate.sure:
                        question.reasons["a counterexample could not be repeated by the interpreter"] = None
        except TooLarge as cut:
            question.reasons[cut.reason] = None
            question.given_up = True

    def conclude(self, question: _Question, stopped: Reason | None, started: float) -> Claim:
        reasons = dict.fromkeys(() if stopped is None else (stopped.text,))
        reasons |= dict.fromkeys(self.exploration.reasons) | question.reasons
        reasons |= question.product.reasons | question.propositions.inexact
        if question.found is None and not reasons and self.options.paper_verdicts:
            reasons[_NOT_CONCLUDED] = None
        account: dict[str, Any] = {
            "name": question.name,
            "engine": "dse",
            "time_s": self.run.elapsed() - started,
            "warnings": self._warnings(question, not reasons),
            "statistics": self._statistics(question, tuple(reasons)),
            "explored": self._explored(question),
        }
        if question.found is not None:
            return Refuted(run=question.found, **account)
        if not reasons:
            return Proved(proof=Exhaustion(), check="exhaustion", **account)
        return Open(reason=Reason("; ".join(reasons), stopped.cause if stopped else Cause.SEARCH), **account)

    def _explored(self, question: _Question) -> TemporalExploration | None:
        """For readers; a run that was stopped has no time for the graph."""
        if not self.explain:
            return None
        graph = None if self.run.stop_reason is not None else question.witnesses.graph()
        return TemporalExploration(self.exploration.tree, graph, self.options.execution)

    def _warnings(self, question: _Question, nothing_left: bool) -> tuple[str, ...]:
        found = dict.fromkeys((*question.asked.warnings, *question.propositions.warnings))
        for path in self.exploration.tree.paths:
            found |= dict.fromkeys(path.execution.warnings)
        kinds = {path.kind for path in self.exploration.tree.paths}
        if kinds == {"inconsistent"} and question.found is None and nothing_left:
            found["the program has no model at all, so that every property holds of it"] = None
        elif "inconsistent" in kinds:
            found["some inputs leave the program without a model; the property says nothing about them"] = None
        return tuple(found)

    def _statistics(self, question: _Question, reasons: tuple[str, ...]) -> dict[str, Any]:
        exploration, options = self.exploration, self.options
        seen = asdict(coverage(self.program, exploration))
        paths = {kind: seen.pop(kind) for kind in ("terminated", "cut", "lasso", "error", "inconsistent")}
        tree = exploration.tree
        return {
            "reasons": list(reasons),
            "formula": question.asked.text,
            "negated": _text(question.product.negation),
            "witness": _shown(question.found),
            "tree": {"nodes": tree.size, "arcs": len(tree.arcs), "paths": paths},
            "product_states": question.product.states,
            "coverage": {"runs": exploration.runs, **seen},
            "solver": {
                "asked": self.queries.asked,
                "calls": self.queries.solver_calls,
                "time_s": round(self.queries.solver_time_s, 3),
            },
            "queries_by_purpose": {name: asdict(spent) for name, spent in self.queries.by_purpose.items()},
            "options": plain(replace(options, inputs=dict(options.inputs))),
        }


def _text(formula: Formula) -> str | None:
    try:
        return formula_text(formula)
    except TooLarge:
        return None


def _shown(found: Counterexample | None) -> dict[str, Any] | None:
    return None if found is None else to_json(found)
