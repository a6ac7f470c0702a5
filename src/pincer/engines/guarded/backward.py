"""Backwards from the violation (after Abdulla, Čerāns, Jonsson and Tsay 1996): all that leads to it, region by region.

A *region* is a conjunction of linear inequalities. The states from which a transition leads into one are regions
again, exactly, and what a region that is kept already covers is left out. For nets of counters (Petri nets, also with
transfers and broadcasts, and violations that stay violations when counters grow) this ends, since of infinitely many
such regions one covers a later one. Regions are looked at only as far as linear equations that no transition changes
hold in them, and counters that are never negative are not.

When nothing is left to look at, what lies in no region is an invariant, with one clause for each; when a region meets
the initial states, the transitions on the way are an execution. Both are guesses like those of Spacer: the checker has
to accept the one, and the other has to be solved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from msgspec import Struct

from pincer.abstraction.predicates import choice_symbol, transition_values
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.spacer import (
    Guess,
    GuessedInvariant,
    GuessedPath,
    condition,
    initial_condition,
    reachable_controls,
    within,
)
from pincer.logic import terms
from pincer.logic.bounds import FormBounds
from pincer.logic.evaluation import evaluate
from pincer.logic.hull import orthogonal_complement
from pincer.logic.projection import project
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown, Status
from pincer.logic.terms import Coefficients, Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.transition_system import SafetyProperty, TransitionSystem

PURPOSE = "regions before a violation"
Literals: TypeAlias = tuple[Term, ...]


class NotLinear(Exception):
    """Something is no conjunction of few linear inequalities."""


class Region(Struct, frozen=True, eq=False):
    """A conjunction of lower bounds of forms (an upper bound is one of the form with other signs), and the transitions
    on the way from it to a violation. Sets of variables are bits: those that have a lower bound above zero by
    themselves, and those of any form."""

    literals: Literals
    low: Mapping[Coefficients, int]
    steps: tuple[int, ...]
    single: int
    mentioned: int

    def covers(self, smaller: Region, natural: frozenset[Term]) -> bool:
        """Whether all states of the other region are seen, without a solver, to be in this one."""
        return all(
            smaller.low.get(form, bound - 1) >= bound or follows(form, bound, smaller.low, natural)
            for form, bound in self.low.items()
        )


def follows(form: Coefficients, bound: int, known: Mapping[Coefficients, int], natural: frozenset[Term]) -> bool:
    """Whether a lower bound is a sum of known ones, where the natural variables are not negative."""
    rest = dict(form)
    for other, least in known.items():
        if bound <= 0:
            break
        if least > 0 and all(c > 0 and rest.get(v, 0) >= c for v, c in other):
            bound -= least
            for v, c in other:
                rest[v] -= c
    return bound <= 0 and all(c == 0 or (c > 0 and v in natural) for v, c in rest.items())


class BackwardSearch:
    """The regions before a violation of the properties, as far as they were looked at. May raise NotLinear."""

    def __init__(self, system: TransitionSystem, properties: Sequence[SafetyProperty], queries: Queries) -> None:
        self._system = system
        self._queries = queries
        self._values = [transition_values(system, t) for t in system.transitions]
        self._changed = [frozenset(values) for values in self._values]
        self._guards = [disjuncts(condition(system, t)) for t in system.transitions]
        self._choices = [choice_symbol(v) for v in system.data_variables]
        self._bit = {v: 1 << i for i, v in enumerate(system.variables)}
        self._natural = frozenset(self._never_negative())
        self._given = (
            *within(system),
            *(terms.at_most(terms.integer(0), v) for v in system.data_variables if v in self._natural),
            *kept_equations(system, queries),
        )
        self._reachable, self._start = Z3Solver(), Z3Solver()
        for solver in (self._reachable, self._start):
            queries.run.interruptible(solver.interrupt)
            for formula in self._given:
                solver.add(formula)
        self._start.add(initial_condition(system))
        self._kept: dict[Region, None] = {}
        self._queue: deque[Region] = deque()
        self._path: GuessedPath | None = None
        for item in properties:
            for cube in disjuncts(terms.negate(item.formula)):
                self._visit(cube, ())

    def result(self, regions: int) -> Guess | None:
        """An invariant that implies the properties, a path to a violation, or nothing after so many more regions."""
        while self._path is None and self._queue:
            if regions <= 0:
                return None
            region = self._queue.popleft()
            if region in self._kept:
                regions -= 1
                self._look_before(region)
        return self._path or self._invariant()

    def _invariant(self) -> GuessedInvariant | None:
        outside = (terms.negate(terms.conjunction(*region.literals)) for region in self._kept)
        found = terms.conjunction(*self._given, *outside)
        controls = reachable_controls(self._system, found, self._queries)
        return None if controls is None else GuessedInvariant(found, controls, "backward")

    def _look_before(self, region: Region) -> None:
        variables = frozenset().union(*(literal.variables for literal in region.literals))
        for transition in self._system.transitions:
            if variables.isdisjoint(self._changed[transition.index]):
                continue
            for cube in self._before(region, transition.index):
                self._visit(cube, (transition.index, *region.steps))
                if self._path is not None:
                    return

    def _before(self, region: Region, index: int) -> Iterator[Literals]:
        """From where the transition leads into the region."""
        values = self._values[index]
        after = [terms.substitute(literal, values) for literal in region.literals]
        for guard in self._guards[index]:
            whole = [*guard, *after]
            chosen = [c for c in self._choices if any(c in part.variables for part in whole)]
            if chosen:
                yield from disjuncts(project(whole, chosen))
            else:
                yield from disjuncts(terms.conjunction(*whole))

    def _visit(self, cube: Literals, steps: tuple[int, ...]) -> None:
        self._queries.run.poll()
        region = self._region(cube, steps)
        if region is None or self._is_covered(region):
            return
        if not self._meets(self._reachable, region):
            return
        if self._meets(self._start, region):
            self._path = GuessedPath(steps)
            return
        single = region.single
        for known in [k for k in self._kept if not single & ~k.mentioned and region.covers(k, self._natural)]:
            del self._kept[known]
        self._kept[region] = None
        self._queue.append(region)

    def _is_covered(self, region: Region) -> bool:
        others = ~region.mentioned
        return any(known.covers(region, self._natural) for known in [k for k in self._kept if not k.single & others])

    def _region(self, cube: Literals, steps: tuple[int, ...]) -> Region | None:
        """The cube without what follows from the rest of it; None if it is empty."""
        bounds = FormBounds(cube)
        if bounds.contradictory:
            return None
        low = dict(bounds.low) | {_negative(form): -high for form, high in bounds.high.items()}
        for form, bound in list(low.items()):
            others = {other: least for other, least in low.items() if other != form}
            if follows(form, bound, others, self._natural):
                del low[form]
        literals = [terms.at_most(terms.integer(bound), terms.combination(form)) for form, bound in low.items()]
        single, total = 0, 0
        for form in low:
            bits = [self._bit.get(v, 0) for v, _ in form]
            single |= bits[0] if len(bits) == 1 else 0
            for bit in bits:
                total |= bit
        return Region(tuple(literals), low, steps, single, total)

    def _meets(self, solver: Z3Solver, region: Region) -> bool:
        statistics = self._queries.statistics(PURPOSE)
        statistics.asked += 1
        statistics.solver_calls += 1
        status = solver.check(region.literals)
        if status is Status.UNKNOWN:
            raise SolverUnknown(f"{solver.name} gave no answer to a question about {PURPOSE}")
        return status is Status.SAT

    def _never_negative(self) -> list[Term]:
        """Variables that start at zero or more, and that no transition makes negative if none of them is negative."""
        system, zero = self._system, terms.integer(0)
        start = initial_condition(system)
        found = [
            v for v in system.data_variables if not self._queries.satisfiable([start, terms.less(v, zero)], PURPOSE)
        ]
        while True:
            given = [*within(system), *(terms.at_most(zero, v) for v in found)]
            broken = {
                v
                for transition in system.transitions
                for v in found
                if v in (values := self._values[transition.index])
                and self._queries.satisfiable(
                    [*given, condition(system, transition), terms.less(values[v], zero)], PURPOSE
                )
            }
            if not broken:
                return found
            found = [v for v in found if v not in broken]


def _negative(form: Coefficients) -> Coefficients:
    return tuple((v, -c) for v, c in form)


def disjuncts(formula: Term) -> list[Literals]:
    """The formula as a disjunction of conjunctions of linear equations and inequalities, not too many."""
    if formula.op == "and":
        cases: list[Literals] = [()]
        for part in formula.args:
            cases = [(*cube, *more) for cube, more in product(cases, disjuncts(part))]
            _check_count(cases)
        return cases
    if formula.op == "or":
        cases = [cube for part in formula.args for cube in disjuncts(part)]
        _check_count(cases)
        return cases
    if formula is terms.TRUE or formula is terms.FALSE:
        return [()] if formula is terms.TRUE else []
    atom = formula.args[0] if formula.op == "not" else formula
    if atom.op not in ("le", "eq"):
        raise NotLinear
    if formula.op == "le" or atom.op == "le" or formula.op == "eq":
        return [(formula,)]
    coefficients, value = atom.args
    total, value = terms.combination(coefficients), terms.integer(value)
    return [(terms.less(total, value),), (terms.less(value, total),)]


def _check_count(cases: Sequence[Literals]) -> None:
    if len(cases) > LIMITS.region_cases:
        raise NotLinear


def kept_equations(system: TransitionSystem, queries: Queries) -> list[Term]:
    """Equations between the integer variables that hold at the start and that every transition keeps, whatever its
    guard: the changes of a transition, and the differences of initial states, add nothing to their left sides."""
    data = system.data_variables
    place = {v: i for i, v in enumerate(data)}
    rows = [[Fraction(c) for c in row] for row in _initial_directions(system)]
    for transition in system.transitions:
        changes: dict[Term | None, list[Fraction]] = {}
        values = transition_values(system, transition)
        for v in data:
            coefficients, constant = terms.linear_parts(terms.subtract(values.get(v, v), v))
            for factor, c in (*coefficients, (None, constant)):
                if c:
                    changes.setdefault(factor, [Fraction(0)] * len(data))[place[v]] += c
        rows += changes.values()
    found = []
    for normal in orthogonal_complement(rows, len(data)):
        total = terms.combination(zip(data, normal, strict=True))
        start = initial_condition(system)
        model = queries.model([start], PURPOSE)
        if model is None:
            return []
        value = terms.integer(evaluate(total, {v: model.get(v, 0) for v in total.variables}))
        if not queries.satisfiable([start, terms.negate(terms.equal(total, value))], PURPOSE):
            found.append(terms.equal(total, value))
    return found


def _initial_directions(system: TransitionSystem) -> list[list[int]]:
    """Vectors that span the differences of initial states, as far as the equations at the start tell."""
    data = system.data_variables
    equations = []
    for part in terms.conjuncts(system.initial):
        if part.op == "eq" and part.variables <= frozenset(data):
            factors = dict(part.args[0])
            if factors.keys() <= set(data):
                equations.append([Fraction(factors.get(v, 0)) for v in data])
    return orthogonal_complement(equations, len(data))
