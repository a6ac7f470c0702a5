"""Asking less: everything that stands between an engine and its solver.

A question is cut into groups that share no variables; each group is looked up in a cache, refuted by intervals or
satisfied by a recent model where possible, and only then given to the solver. Every question is counted and timed by
purpose.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.logic import terms
from pincer.logic.bounds import FormBounds
from pincer.logic.evaluation import evaluate
from pincer.logic.limits import LIMITS
from pincer.logic.solver import Solver, SolverUnknown, Status
from pincer.logic.terms import Term
from pincer.runtime.run import Run


class PurposeStatistics(Struct):
    """How often something was asked for one purpose, and how often and how long the solver worked on it."""

    asked: int = 0
    solver_calls: int = 0
    solver_time_s: float = 0.0


@dataclass
class Queries:
    """The questions of one analysis, answered by `solver`."""

    solver: Solver
    run: Run = field(default_factory=Run)
    by_purpose: dict[str, PurposeStatistics] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._models: dict[frozenset[Term], Mapping[Term, int] | None] = {}
        self._patterns: dict[tuple[frozenset[Term], tuple[Term, ...]], tuple[int, ...]] = {}
        self._recent: deque[Mapping[Term, int]] = deque(maxlen=LIMITS.recent_models)
        self.run.interruptible(self.solver.interrupt)

    @property
    def asked(self) -> int:
        return sum(s.asked for s in self.by_purpose.values())

    @property
    def solver_calls(self) -> int:
        return sum(s.solver_calls for s in self.by_purpose.values())

    @property
    def solver_time_s(self) -> float:
        return sum(s.solver_time_s for s in self.by_purpose.values())

    def statistics(self, purpose: str) -> PurposeStatistics:
        return self.by_purpose.setdefault(purpose, PurposeStatistics())

    def model(self, formulas: Iterable[Term], purpose: str) -> Mapping[Term, int] | None:
        """Values that make all formulas true, None when there are none. Raises SolverUnknown."""
        self.statistics(purpose).asked += 1
        values: dict[Term, int] = {}
        for group in independent_groups(formulas):
            part = self._group_model(group, purpose)
            if part is None:
                return None
            values.update(part)
        return values

    def satisfiable(self, formulas: Iterable[Term], purpose: str) -> bool:
        return self.model(formulas, purpose) is not None

    def valid(self, formula: Term, purpose: str) -> bool:
        return not self.satisfiable(terms.conjuncts(terms.negate(formula)), purpose)

    def patterns(self, base: Iterable[Term], predicates: Sequence[Term], purpose: str) -> list[int]:
        """All truth patterns of the predicates (bit i for predicate i) that are consistent with `base`.

        `base` itself must be satisfiable: groups of it that share no variable with a predicate are not looked at.
        """
        self.statistics(purpose).asked += 1
        given = dict.fromkeys(base)
        result = [0]
        open_positions: dict[Term, list[int]] = {}
        for i, predicate in enumerate(predicates):
            if predicate in given or predicate is terms.TRUE:
                result[0] |= 1 << i
            elif predicate is not terms.FALSE and terms.negate(predicate) not in given:
                open_positions.setdefault(predicate, []).append(i)
        for group in independent_groups([*given, *open_positions]):
            chosen = tuple(formula for formula in group if formula in open_positions)
            if chosen:
                rest = frozenset(formula for formula in group if formula not in open_positions)
                local = self._group_patterns(rest, chosen, purpose)
                spread = [_spread(pattern, chosen, open_positions) for pattern in local]
                result = [total | bits for total in result for bits in spread]
        return result

    def _group_model(self, group: tuple[Term, ...], purpose: str) -> Mapping[Term, int] | None:
        key = frozenset(group)
        if key in self._models:
            return self._models[key]
        model = None
        bounds = FormBounds(group)
        if not bounds.contradictory:
            tightest = bounds.literals()
            model = self._recent_model(tightest)
            if model is None:
                model = self._solve(tightest, purpose)
        self._models[key] = model
        return model

    def _recent_model(self, group: Sequence[Term]) -> Mapping[Term, int] | None:
        variables = frozenset().union(*(formula.variables for formula in group))
        for candidate in reversed(self._recent):
            values = _restricted(candidate, variables)
            if values is not None and all(evaluate(formula, values) for formula in group):
                return values
        return None

    def _solve(self, group: Sequence[Term], purpose: str) -> Mapping[Term, int] | None:
        self.solver.push()
        try:
            for formula in group:
                self.solver.add(formula)
            if self._check(purpose) is Status.UNSAT:
                return None
            return self._read_model(group)
        finally:
            self.solver.pop()

    def _read_model(self, group: Iterable[Term]) -> Mapping[Term, int]:
        variables = list(dict.fromkeys(v for formula in group for v in ordered_variables(formula)))
        model = self.solver.model(variables)
        self._recent.append(model)
        return model

    def _check(self, purpose: str) -> Status:
        self.run.poll()
        statistics = self.statistics(purpose)
        statistics.solver_calls += 1
        started = time.perf_counter()
        status = self.solver.check()
        statistics.solver_time_s += time.perf_counter() - started
        if status is Status.UNKNOWN:
            self.run.poll()
            raise SolverUnknown(f"{self.solver.name} gave no answer to a question about {purpose}")
        return status

    def _group_patterns(self, base: frozenset[Term], predicates: tuple[Term, ...], purpose: str) -> tuple[int, ...]:
        key = (base, predicates)
        found = self._patterns.get(key)
        if found is None:
            found = self._patterns[key] = tuple(self._enumerate(base, predicates, purpose))
        return found

    def _enumerate(self, base: frozenset[Term], predicates: tuple[Term, ...], purpose: str) -> Iterator[int]:
        bounds = FormBounds(sorted(base, key=lambda formula: formula.id))
        fixed = 0
        open_positions = []
        for i, predicate in enumerate(predicates):
            truth = bounds.decide(predicate)
            if truth is None:
                open_positions.append(i)
            elif truth:
                fixed |= 1 << i
        if not open_positions:
            yield fixed
            return
        tightest = bounds.literals()
        self.solver.push()
        try:
            for formula in tightest:
                self.solver.add(formula)
            while self._check(purpose) is Status.SAT:
                model = self._read_model([*tightest, *predicates])
                pattern = fixed
                differs = []
                for i in open_positions:
                    holds = evaluate(predicates[i], model)
                    pattern |= holds << i
                    differs.append(terms.literal(predicates[i], not holds))
                yield pattern
                self.solver.add(terms.disjunction(*differs))
        finally:
            self.solver.pop()


def _restricted(candidate: Mapping[Term, int], variables: frozenset[Term]) -> Mapping[Term, int] | None:
    """The candidate's values of the variables; bit-vectors that it does not know are tried as zero."""
    values = {}
    for v in variables:
        value = candidate.get(v, 0 if v.sort.width else None)
        if value is None:
            return None
        values[v] = value
    return values if any(v in candidate for v in variables) else None


def ordered_variables(formula: Term) -> list[Term]:
    return sorted(formula.variables, key=lambda v: v.id)


def _spread(pattern: int, predicates: Sequence[Term], positions: Mapping[Term, Sequence[int]]) -> int:
    bits = 0
    for i, predicate in enumerate(predicates):
        if pattern >> i & 1:
            for position in positions[predicate]:
                bits |= 1 << position
    return bits


def independent_groups(formulas: Iterable[Term]) -> list[tuple[Term, ...]]:
    """The formulas, without duplicates, in groups that share no variables; order of first occurrence is kept.

    Formulas without variables are constants: TRUE is dropped, FALSE makes a group of its own.
    """
    parent: dict[Term, Term] = {}

    def find(v: Term) -> Term:
        root = v
        while (above := parent.setdefault(root, root)) is not root:
            root = above
        while v is not root:
            parent[v], v = root, parent[v]
        return root

    distinct = [formula for formula in dict.fromkeys(formulas) if formula is not terms.TRUE]
    for formula in distinct:
        if formula.variables:
            first, *others = formula.variables
            root = find(first)
            for v in others:
                parent[find(v)] = root
    groups: dict[Term, list[Term]] = {}
    for formula in distinct:
        key = find(next(iter(formula.variables))) if formula.variables else formula
        groups.setdefault(key, []).append(formula)
    return [tuple(group) for group in groups.values()]
