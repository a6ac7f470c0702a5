"""Bounded depth-first search over the decisions of a program (BDFS, Algorithm 2 of the paper, corrected).

Departures from the printed algorithm: every run has its own constraints and symbolic store; `depth` counts how many
conditions were turned one after another; a side that the solver refutes is not run; a run that does not go where its
inputs should lead it is noticed. Whatever keeps the search from being exhaustive is noted as a reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import astuple

from pincer.execution.msvl import Execution
from pincer.execution.trees.decisions import Turning, decision_at, record
from pincer.execution.trees.tree import Path, Tree
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.runtime.run import Progress

Inputs: TypeAlias = Mapping[str, int]
Runner: TypeAlias = Callable[[Inputs], Execution]
_PURPOSE = "another way"


class SearchBounds(Struct, frozen=True):
    """How far to search. `max_depth` counts conditions turned one after another; None is no bound."""

    max_runs: int = 1_000
    max_depth: int | None = None


class Figures(Struct):
    """How attempts to go another way ended: refuted, not answered, astray, cut by the depth bound, not made."""

    infeasible: int = 0
    unknown: int = 0
    diverged: int = 0
    too_deep: int = 0
    left_open: int = 0

    def plus(self, other: Figures) -> Figures:
        return Figures(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))


class _Frame(Struct):
    """A run whose conditions from `position` to `end` are still to be turned; `depth` turns led to it."""

    execution: Execution
    position: int
    end: int
    depth: int = 0


class TreeExploration(Struct):
    """A search that can be asked for one path after another, stopped, and taken up again, also with other inputs."""

    runner: Runner
    queries: Queries
    bounds: SearchBounds = field(default_factory=SearchBounds)
    tree: Tree = field(default_factory=Tree)
    runs: int = 0
    figures: Figures = field(default_factory=Figures)
    _root: Turning = field(default_factory=Turning)
    _stack: list[_Frame] = []
    _concretised: dict[str, None] = {}

    def paths(self, inputs: Inputs | None = None) -> Iterator[Path]:
        """New paths, one by one: first the run with the inputs, if any are given or none was made yet.

        Ends when nothing is left to turn or `max_runs` runs have been made; raises `Stopped` with the run's budget.
        """
        if (inputs is not None or self.runs == 0) and self.runs < self.bounds.max_runs:
            execution = self._execute(inputs or {})
            self._stack.append(_Frame(execution, 0, len(execution.constraints)))
            yield from self._added(execution)
        yield from self._search()

    def paths_beside(self, inputs: Inputs, position: int) -> Iterator[Path]:
        """The paths that leave the run with these inputs at one of its conditions; that run is not one of them."""
        execution = self.runner(inputs)
        record(self._root, _conditions(execution))
        self._stack.append(_Frame(execution, position, position + 1))
        yield from self._search()

    def include(self, inputs: Inputs) -> Iterator[Path]:
        """The path of inputs found elsewhere, if it is new; its conditions are not turned."""
        yield from self._added(self._execute(inputs))

    def _search(self) -> Iterator[Path]:
        while self._stack and self.runs < self.bounds.max_runs:
            frame = self._stack[-1]
            if frame.position < frame.end:
                yield from self._turn(frame)
            else:
                self._stack.pop()

    def _turn(self, frame: _Frame) -> Iterator[Path]:
        """Ask for an input that takes another side at the frame's position, and run it."""
        position = frame.position
        prefix = _conditions(frame.execution)[:position]
        decision = decision_at(self._root, prefix)
        if decision.complete:
            frame.position += 1
            return
        inputs = self._other_inputs(frame.execution, position, decision.others())
        if inputs is None:
            decision.closed = True
            return
        execution = self._execute(inputs)
        if _went_elsewhere(_conditions(execution), prefix, decision):
            self._follow(frame, execution)
        else:
            self.figures.diverged += 1
            decision.closed = True
        yield from self._added(execution)

    def _follow(self, frame: _Frame, execution: Execution) -> None:
        """Turn the conditions after the one that was turned, if the depth bound allows it."""
        begin, end = frame.position + 1, len(execution.constraints)
        if begin < end and self.bounds.max_depth is not None and frame.depth >= self.bounds.max_depth:
            self.figures.too_deep += 1
        elif begin < end:
            self._stack.append(_Frame(execution, begin, end, frame.depth + 1))

    def _added(self, execution: Execution) -> Iterator[Path]:
        record(self._root, _conditions(execution))
        path = self.tree.add(execution)
        if path.execution is execution:
            yield path

    def _other_inputs(self, execution: Execution, position: int, others: Sequence[Term]) -> Inputs | None:
        """Inputs that follow the run up to a condition and satisfy `others` there; None when there are none.

        What was read before and matters to no condition keeps its value; what comes later is open.
        """
        constraints = execution.constraints
        wanted = [*(one.condition for one in constraints[:position]), *others]
        try:
            model = self.queries.model([*wanted, *domains(execution, wanted)], _PURPOSE)
        except SolverUnknown:
            self.figures.unknown += 1
            return None
        if model is None:
            self.figures.infeasible += 1
            return None
        state = constraints[position].state
        kept = {read.name: read.value for read in execution.inputs if read.state < state}
        return kept | {variable.args[0]: value for variable, value in model.items()}

    def _execute(self, inputs: Inputs) -> Execution:
        run = self.queries.run
        run.poll()
        execution = self.runner(inputs)
        self.runs += 1
        for event in execution.concretised:
            self._concretised[event.reason] = None
        run.watch(self._progress)
        return execution

    def _progress(self) -> Progress:
        numbers = {
            "runs": self.runs,
            "frontier": sum(frame.end - frame.position for frame in self._stack),
            "paths": len(self.tree.paths),
            "nodes": self.tree.size,
            "refuted": self.figures.infeasible,
            "queries": self.queries.solver_calls,
        }
        return Progress("dse", "exploring", numbers)

    def finish(self, figures: Figures) -> None:
        """Others have turned the conditions still on our list; this is how it went."""
        self._stack.clear()
        self.figures = self.figures.plus(figures)

    @property
    def pending(self) -> bool:
        """Whether conditions remain that nobody has tried to turn."""
        return any(frame.position < frame.end for frame in self._stack) or self.figures.left_open > 0

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the paths may not be all there are; empty when they are."""
        figures, found = self.figures, []
        if self.pending or not self.tree.paths:
            found.append(f"the exploration stopped after {_times(self.runs, 'run')} with ways left to try")
        if figures.too_deep:
            found.append(f"the depth bound of {self.bounds.max_depth} cut {_times(figures.too_deep, 'branch', 'es')}")
        if figures.unknown:
            found.append(f"the solver gave no answer to {_times(figures.unknown, 'question')} about another way")
        if figures.diverged:
            found.append(f"{_times(figures.diverged, 'run')} did not get to the condition the inputs were chosen for")
        found += (f"{reason} was followed for single values only" for reason in self._concretised)
        return tuple(found)

    @property
    def exhaustive(self) -> bool:
        return not self.reasons


def _times(count: int, what: str, plural: str = "s") -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}{plural}"


def _conditions(execution: Execution) -> tuple[Term, ...]:
    return tuple(constraint.condition for constraint in execution.constraints)


def _went_elsewhere(turned: Sequence[Term], prefix: Sequence[Term], decision: Turning) -> bool:
    """Whether a run follows the prefix and takes a new side after it."""
    reached = len(prefix)
    return len(turned) > reached and turned[:reached] == prefix and turned[reached] not in decision.sides


def domains(execution: Execution, formulas: Iterable[Term]) -> list[Term]:
    """The bounds that the types of a run's inputs put on the variables of the formulas."""
    names = {variable.args[0] for formula in formulas for variable in formula.variables}
    found = []
    for read in execution.inputs:
        if read.name in names:
            variable = terms.variable(read.name)
            if read.low is not None:
                found.append(terms.at_most(terms.integer(read.low), variable))
            if read.high is not None:
                found.append(terms.at_most(variable, terms.integer(read.high)))
    return found
