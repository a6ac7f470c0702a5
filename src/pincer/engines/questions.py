"""The one solver query of a DASH iteration: can the inputs of a path be chosen so that a step succeeds?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.execution.machine import History
from pincer.logic.bitwuzla_solver import BitwuzlaSolver
from pincer.logic.queries import PurposeStatistics
from pincer.logic.rewriting import without_reads
from pincer.logic.solver import SolverUnknown, Status
from pincer.logic.terms import FALSE, TRUE, Term
from pincer.runtime.run import Run


class Feasible(Struct, frozen=True):
    """Values of input symbols; symbols that are not mentioned keep their values."""

    model: dict[Term, int]


class Infeasible(Struct, frozen=True):
    """Indices of goals that are together impossible on the path."""

    core: tuple[int, ...]


class QuestionLimits(Struct, frozen=True):
    """How long the solver may work at a question, in ticks (see `logic.bitwuzla_solver`; some thousand a second)."""

    ticks: int = 10_000
    """About three seconds: what is harder than that is seldom answered in any useful time."""
    formulas_per_tick: int = 25
    """A tick takes the longer the more formulas there are: one for each so many of them beside the first."""
    ticks_per_call: int = 25
    """What an ordinary call takes. Calls that take more count as several where budgets are kept."""


LIMITS = QuestionLimits()


@dataclass
class Questions:
    """Asks a solver, after slicing away the conditions that share no symbol with the goals.

    Addresses that differ in their lowest `slot_bits` bits point into the same object. All questions count for a
    `purpose` if one is given. `effort` counts calls, long ones several times."""

    run: Run
    slot_bits: int = 0
    ticks: int = LIMITS.ticks
    purpose: str | None = None
    asked: int = 0
    solved: int = 0
    effort: int = 0
    seconds: float = 0.0
    by_purpose: dict[str, PurposeStatistics] = field(default_factory=dict)
    _cache: dict[tuple[frozenset[Term], tuple[Term, ...]], Feasible | Infeasible] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._solver = BitwuzlaSolver(is_over=self.run.is_over)
        self.run.interruptible(self._solver.interrupt)

    def extend(self, path: History | None, goals: Sequence[Term]) -> Feasible | Infeasible:
        """Whether all goals can hold at the end of a path. Raises SolverUnknown."""
        self.asked += 1
        for i, goal in enumerate(goals):
            if goal is FALSE:
                return Infeasible((i,))
        wanted = [(i, goal) for i, goal in enumerate(goals) if goal is not TRUE]
        if not wanted:
            return Feasible({})
        conditions = relevant(path, [goal for _, goal in wanted])
        key = (frozenset(conditions), tuple(goals))
        known = self._cache.get(key)
        if known is None:
            known = self._cache[key] = self._solve(conditions, wanted, "driving tests")
        return known

    def satisfiable(self, formulas: Iterable[Term]) -> dict[Term, int] | None:
        """A model of formulas over any variables, None when there is none. Raises SolverUnknown."""
        answer = self._solve(list(formulas), [], "loop invariants")
        return answer.model if isinstance(answer, Feasible) else None

    def core(self, fixed: Iterable[Term], assumed: Sequence[Term]) -> tuple[int, ...] | None:
        """Indices of assumptions that contradict the fixed formulas, None when there is no contradiction.

        Formulas may read memory. Raises SolverUnknown."""
        fixed = list(fixed)
        plain = without_reads([*assumed, *fixed], self.slot_bits)
        answer = self._solve(plain[len(assumed) :], list(enumerate(plain[: len(assumed)])), "excluding regions")
        return None if isinstance(answer, Feasible) else answer.core

    def _solve(
        self, conditions: Sequence[Term], wanted: Sequence[tuple[int, Term]], purpose: str
    ) -> Feasible | Infeasible:
        self.run.poll()
        solver, started = self._solver, self.run.elapsed()
        self.solved += 1
        spent = self.by_purpose.setdefault(self.purpose or purpose, PurposeStatistics())
        spent.asked += 1
        spent.solver_calls += 1
        weight = 1 + (len(conditions) + len(wanted)) // LIMITS.formulas_per_tick
        solver.push()
        try:
            for condition in conditions:
                solver.add(condition)
            goals = [goal for _, goal in wanted]
            solver.limit_ticks(self.ticks // weight)
            status = solver.check(goals)
            if status is Status.UNKNOWN:
                self.run.poll()
                raise SolverUnknown("the solver gave no answer")
            if status is Status.SAT:
                symbols = frozenset().union(*(term.variables for term in (*conditions, *goals)))
                return Feasible(dict(solver.model(sorted(symbols, key=lambda symbol: symbol.id))))
            core = set(solver.core())
            return Infeasible(tuple(i for i, goal in wanted if goal in core))
        finally:
            solver.pop()
            self.effort += 1 + weight * solver.ticks // LIMITS.ticks_per_call
            took = self.run.elapsed() - started
            self.seconds += took
            spent.solver_time_s += took


def relevant(path: History | None, goals: Iterable[Term]) -> list[Term]:
    """The conditions of a path that are connected with the goals through shared symbols, oldest first."""
    symbols: set[Term] = set()
    for goal in goals:
        symbols |= goal.variables
    if path is None:
        return []
    waiting = list(dict.fromkeys(path))
    taken: list[Term] = []
    changed = True
    while changed:
        changed, rest = False, []
        for condition in waiting:
            if condition.variables.isdisjoint(symbols):
                rest.append(condition)
            else:
                symbols |= condition.variables
                taken.append(condition)
                changed = True
        waiting = rest
    return taken[::-1]
