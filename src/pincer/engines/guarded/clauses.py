"""Invariants made of clauses, each learned from one way towards a violation (after IC3, Bradley 2011, over a set of
atoms as in Cimatti and others 2014).

Level k holds a set of clauses that over-approximates what k steps can reach. A state of the last level that violates
a property is described by a *cube*: what it makes true among the atoms. When no step from the level below leads into
the cube, the cube is blocked: its literals are dropped one after another as long as the rest stays unreachable from
that level and from the initial states, and the negation of what is left becomes a clause. Otherwise the state that the
step comes from has to be blocked first. Two equal levels are an invariant. A way back to the initial states is tried
as an execution; if it is none, the atoms of its pre-images are added.

What comes out is a guess like those of Spacer: an invariant is proved again, and a path solved, before they count.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

from msgspec import Struct

from pincer.abstraction.predicates import choice_symbol, transition_values
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.spacer import Guess, GuessedPath, condition, initial_condition, proved_invariant
from pincer.execution.paths import solve_path
from pincer.execution.symbolic import initial_states
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.projection import project
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown, Status
from pincer.logic.terms import BOOL, Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.transition_system import SafetyProperty, TransitionSystem

PURPOSE = "clauses"
Cube: TypeAlias = tuple[Term, ...]


class _OutOfQuestions(Exception):
    """As much was asked as was allowed."""


class _Goal(Struct, frozen=True):
    """A cube from which the steps lead to a violation."""

    cube: Cube
    steps: tuple[int, ...]


def clause_invariant(
    system: TransitionSystem,
    properties: Sequence[SafetyProperty],
    atoms: Sequence[Term],
    queries: Queries,
    questions: int,
) -> Guess | None:
    """An invariant that implies the properties, a path that violates one, or nothing with so many questions."""
    search = _ClauseSearch(system, properties, atoms, queries, questions)
    try:
        found = search.result()
        if isinstance(found, Term):
            return proved_invariant(system, properties, found, queries, "clauses")
    except (_OutOfQuestions, SolverUnknown):
        return None
    return found


class _ClauseSearch:
    def __init__(
        self,
        system: TransitionSystem,
        properties: Sequence[SafetyProperty],
        atoms: Sequence[Term],
        queries: Queries,
        questions: int,
    ) -> None:
        self._system = system
        self._properties = properties
        self._atoms = dict.fromkeys(atom for atom in atoms if not system.over_control_only(atom))
        self._queries = queries
        self._questions = questions
        self._values = [transition_values(system, t) for t in system.transitions]
        self._conditions = [condition(system, t) for t in system.transitions]
        self._bad = terms.disjunction(*(terms.negate(item.formula) for item in properties))
        self._solver = Z3Solver()
        queries.run.interruptible(self._solver.interrupt)
        self._levels: list[list[frozenset[Term]]] = [[]]
        self._switches = [self._switch(0)]
        self._solver.add(terms.implies(self._switches[0], initial_condition(system)))

    def result(self) -> Term | GuessedPath | None:
        while len(self._levels) <= LIMITS.clause_levels:
            self._levels.append([])
            self._switches.append(self._switch(len(self._switches)))
            top = len(self._levels) - 1
            while (model := self._violating(top)) is not None:
                way = self._blocked(_Goal(self._cube(model), ()), top)
                if way is not None:
                    path = self._execution(way)
                    if path is not None or not self._learned(way):
                        return path
            same = self._propagated()
            if same is not None:
                clauses = [clause for level in self._levels[same + 1 :] for clause in level]
                return terms.conjunction(*(_clause(cube) for cube in clauses))
        return None

    @staticmethod
    def _switch(level: int) -> Term:
        return terms.variable(("level", level), BOOL)

    def _ask(self, level: int | None, formulas: Sequence[Term], assumptions: Sequence[Term] = ()) -> list[Term] | None:
        """None if the formulas and assumptions can hold together on the level, otherwise which assumptions cannot."""
        self._queries.run.poll()
        if not self._questions:
            raise _OutOfQuestions
        self._questions -= 1
        statistics = self._queries.statistics(PURPOSE)
        statistics.asked += 1
        statistics.solver_calls += 1
        started = time.perf_counter()
        self._solver.push()
        for formula in formulas:
            self._solver.add(formula)
        switches = [] if level is None else self._switches[level:]
        status = self._solver.check([*switches, *assumptions])
        core = None
        if status is Status.UNSAT:
            found = set(self._solver.core())
            core = [a for a in assumptions if a in found]
        elif status is Status.SAT:
            self._model = self._solver.model(self._asked_variables(formulas, assumptions))
        self._solver.pop()
        statistics.solver_time_s += time.perf_counter() - started
        if status is Status.UNKNOWN:
            raise SolverUnknown(f"{self._solver.name} gave no answer to a question about {PURPOSE}")
        return core

    def _asked_variables(self, formulas: Sequence[Term], assumptions: Sequence[Term]) -> list[Term]:
        others = {v for formula in (*formulas, *assumptions) for v in formula.variables}
        return list(dict.fromkeys([*self._system.variables, *sorted(others, key=lambda v: v.id)]))

    def _violating(self, level: int) -> Mapping[Term, int] | None:
        return self._model if self._ask(level, [*self._within(), self._bad]) is None else None

    def _within(self) -> Iterator[Term]:
        for variable, (low, high) in zip(self._system.control_variables, self._system.domains, strict=True):
            yield terms.at_most(terms.integer(low), variable)
            yield terms.at_most(variable, terms.integer(high))

    def _cube(self, model: Mapping[Term, int]) -> Cube:
        """All that the atoms say about a state."""
        control = [terms.equal(v, terms.integer(model[v])) for v in self._system.control_variables]
        return (*control, *(terms.literal(atom, bool(evaluate(atom, model))) for atom in self._atoms))

    def _blocked(self, goal: _Goal, top: int) -> _Goal | None:
        """Block the cube on all levels up to `top`; if that cannot be, a goal that an initial state is in."""
        number = 0
        queue = [(top, number, goal)]
        while queue:
            level, _, goal = heappop(queue)
            if self._meets_start(goal.cube) or level == 0:
                return goal
            if self._known_blocked(goal.cube, level):
                continue
            number += 1
            found = self._step_into(goal.cube, level - 1)
            if isinstance(found, int):
                before = _Goal(self._source(found, goal.cube), (found, *goal.steps))
                heappush(queue, (level, -number, goal))
                heappush(queue, (level - 1, -number, before))
                continue
            cube = self._generalised(tuple(lit for lit in goal.cube if lit in found), goal.cube, level)
            while level < top and not isinstance(self._step_into(cube, level), int):
                level += 1
            self._learn(cube, level)
            if level < top:
                heappush(queue, (level + 1, -number, goal))
        return None

    def _known_blocked(self, cube: Cube, level: int) -> bool:
        literals = set(cube)
        return any(known <= literals for clauses in self._levels[level:] for known in clauses)

    def _meets_start(self, cube: Cube) -> bool:
        return self._ask(0, [], cube) is None

    def _step_into(self, cube: Cube, level: int) -> int | set[Term]:
        """A transition from a state of the level, outside the cube, into it; or the literals that exclude it."""
        needed: set[Term] = set()
        outside = _clause(cube)
        for transition in self._system.transitions:
            values = self._values[transition.index]
            images: dict[Term, Term] = {}
            for literal in cube:
                images.setdefault(terms.substitute(literal, values), literal)
            plain = images.get(terms.FALSE)
            if plain is not None:
                needed.add(plain)
                continue
            images.pop(terms.TRUE, None)
            given = [*self._within(), self._conditions[transition.index]]
            if level:
                given.append(outside)
            core = self._ask(level, given, list(images))
            if core is None:
                return transition.index
            needed.update(images[image] for image in core)
        return needed

    def _source(self, transition: int, cube: Cube) -> Cube:
        """What leads into the cube: the state of the last model, with no more literals than the step needs."""
        model = self._model
        whole = self._cube(model)
        values = self._values[transition]
        after = terms.conjunction(self._conditions[transition], *(terms.substitute(lit, values) for lit in cube))
        chosen = {v: terms.integer(model[v]) for v in after.variables - set(self._system.variables)}
        core = self._ask(None, [terms.negate(terms.substitute(after, chosen))], whole)
        return whole if core is None else tuple(core)

    def _generalised(self, cube: Cube, whole: Cube, level: int) -> Cube:
        """The cube without what is not needed to keep it unreachable."""
        cube = self._apart_from_start(cube, whole)
        for literal in reversed(cube):
            if literal not in cube or len(cube) == 1:
                continue
            smaller = tuple(lit for lit in cube if lit is not literal)
            if self._meets_start(smaller):
                continue
            found = self._step_into(smaller, level - 1)
            if not isinstance(found, int):
                cube = self._apart_from_start(tuple(lit for lit in smaller if lit in found), smaller)
        return cube

    def _apart_from_start(self, cube: Cube, whole: Cube) -> Cube:
        """The cube with as many literals of the whole one as exclude the initial states."""
        if cube and not self._meets_start(cube):
            return cube
        core = self._ask(0, [], whole)
        return tuple(lit for lit in whole if lit in cube or lit in (core or ()))

    def _learn(self, cube: Cube, level: int) -> None:
        literals = frozenset(cube)
        for clauses in self._levels[: level + 1]:
            clauses[:] = [known for known in clauses if not literals <= known]
        self._levels[level].append(literals)
        self._solver.add(terms.implies(self._switches[level], _clause(literals)))

    def _propagated(self) -> int | None:
        """Move clauses up as far as they hold; the number of a level that is equal to the next one."""
        for level in range(1, len(self._levels) - 1):
            for cube in list(self._levels[level]):
                if not isinstance(self._step_into(_ordered(cube), level), int):
                    self._learn(_ordered(cube), level + 1)
            if not self._levels[level]:
                return level
        return None

    def _execution(self, way: _Goal) -> GuessedPath | None:
        """The way as a path, if some execution takes it."""
        controls = [state.control for state in initial_states(self._system, self._queries)]
        for item in self._properties:
            for control in controls:
                if solve_path(self._system, item, control, way.steps, self._queries) is not None:
                    return GuessedPath(way.steps)
        return None

    def _learned(self, way: _Goal) -> bool:
        """Whether the pre-images along the way have atoms that are new."""
        known = len(self._atoms)
        parts: Sequence[Term] = terms.conjuncts(self._bad)
        for index in reversed(way.steps):
            values = self._values[index]
            parts = [*terms.conjuncts(self._conditions[index]), *(terms.substitute(part, values) for part in parts)]
            choices = [choice_symbol(v) for v in self._system.data_variables]
            chosen = [v for v in choices if any(v in part.variables for part in parts)]
            if chosen:
                free = [part for part in parts if part.variables.isdisjoint(chosen)]
                bound = [part for part in parts if not part.variables.isdisjoint(chosen)]
                parts = [*free, *terms.conjuncts(project(bound, chosen))]
            self._add_atoms(parts)
        return len(self._atoms) > known

    def _add_atoms(self, formulas: Iterable[Term]) -> None:
        for formula in formulas:
            for atom in terms.atoms(formula):
                if not self._system.over_control_only(atom) and terms.negate(atom) not in self._atoms:
                    self._atoms[atom] = None


def _ordered(cube: Iterable[Term]) -> Cube:
    return tuple(sorted(cube, key=lambda literal: literal.id))


def _clause(cube: Iterable[Term]) -> Term:
    return terms.disjunction(*(terms.negate(literal) for literal in _ordered(cube)))
