"""Proof obligations of a certificate: what can be seen without a solver, and the text of the rest.

An obligation says: from every state of `before`, every outcome of `step` satisfies one of the alternatives
`after`. All three parts speak of the integer variables only, so that one obligation usually stands for many
valuations of the finite variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeAlias

from msgspec import Struct

from pincer.evidence.gcl.interpreter import Term, compile_expression
from pincer.evidence.gcl.literals import EMPTY_CUBE, Cube, Union, Vocabulary, contradict, ordered_names
from pincer.evidence.gcl.residual import mentioned
from pincer.evidence.gcl.smtlib import apply_text, conjunction, disjunction, expression_text, symbol
from pincer.program.guarded import Expression, VariableRef

SCAN_LIMIT = 400
"""Unions with more open cubes are left to the solver, after a look for identical cubes."""


class Step(Struct, frozen=True, eq=False):
    """`guard`, then `updates` of integer variables; names that start with `?` are free choices."""

    number: int
    guard: Cube
    updates: Mapping[str, Expression]
    values: Mapping[str, Term]
    deterministic: bool


Alternative: TypeAlias = tuple[Cube, Union]
"""A union that must hold after the step, under a condition on the state before it."""


class GuardedObligation(Struct, frozen=True):
    before: Union
    step: Step
    after: tuple[Alternative, ...]

    def key(self) -> tuple[object, ...]:
        """Equal for obligations that say the same."""
        numbers = ((condition, union.number) for condition, union in self.after)
        return self.before.number, self.step.number, *numbers


class GuardedSteps:
    """All steps of one check, equal ones being one."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._steps: dict[tuple[Cube, tuple[tuple[str, str], ...]], Step] = {}
        self.stay = self.step(EMPTY_CUBE, {})

    def step(self, guard: Cube, updates: Mapping[str, Expression]) -> Step:
        program = self._vocabulary.program
        changes = {name: value for name, value in updates.items() if value != VariableRef(name)}
        texts = tuple((name, expression_text(value, program)) for name, value in changes.items())
        key = guard, texts
        if key not in self._steps:
            names = self._vocabulary.names(guard).union(*(mentioned(value, program) for value in changes.values()))
            values = {name: compile_expression(value, program) for name, value in changes.items()}
            deterministic = not any(name.startswith("?") for name in names)
            self._steps[key] = Step(len(self._steps), guard, changes, values, deterministic)
        return self._steps[key]


def unsettled(obligation: GuardedObligation, vocabulary: Vocabulary) -> tuple[Cube, ...]:
    """The cubes of `before` for which the obligation is not plain to see.

    Plain are: a cube that excludes the guard; a cube that, with the guard, contains a cube of an alternative
    over variables that the step leaves alone; a single state whose successor is computed.
    """
    step = obligation.step
    after = [(condition, union, _stable(union, step, vocabulary)) for condition, union in obligation.after]

    def settled(cube: Cube) -> bool:
        if contradict(cube, step.guard):
            return True
        facts = cube | step.guard
        for condition, union, stable in after:
            if condition <= facts and any(kept <= facts for kept in stable):
                return True
            if condition <= facts and cube in union.members and vocabulary.names(cube).isdisjoint(step.updates):
                return True
        return step.deterministic and _computed(cube, obligation, vocabulary)

    return tuple(cube for cube in obligation.before.cubes if not settled(cube))


class AfterCubes:
    """Which cubes of a union may hold after a step from a cube: those that agree with it on all that the step leaves
    alone."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._masks: dict[Cube, tuple[int, int]] = {}
        self._alone: dict[tuple[frozenset[str], int], int] = {}
        self._decided: dict[int, int] = {}
        self._tables: dict[tuple[int, int], dict[int, dict[int, list[Cube]]]] = {}

    def narrowed(self, obligation: GuardedObligation, cube: Cube) -> GuardedObligation | None:
        """The obligation for one cube, with these cubes only; None when it is plain to see."""
        step, facts = obligation.step, cube | obligation.step.guard
        after = []
        for condition, union in obligation.after:
            found = self._agreeing(facts, union, step)
            if condition <= facts and any(
                other <= facts and self._vocabulary.names(other).isdisjoint(step.updates) for other in found
            ):
                return None
            after.append((condition, self._vocabulary.union(frozenset(found))))
        return GuardedObligation(self._vocabulary.union(frozenset((cube,))), step, tuple(after))

    def _agreeing(self, facts: Cube, union: Union, step: Step) -> list[Cube]:
        true, false = self._mask(facts)
        found: list[Cube] = []
        for decided, table in self._table(union, self._left_alone(step)).items():
            if not decided & ~(true | false):
                found += table.get(true & decided, ())
            else:
                for holding, cubes in table.items():
                    if not (holding & false | (decided ^ holding) & true):
                        found += cubes
        return found

    def _table(self, union: Union, alone: int) -> dict[int, dict[int, list[Cube]]]:
        """The cubes by the atoms left alone that they decide, and by those of them that hold."""
        if union.number not in self._decided:
            self._decided[union.number] = reduce(or_, (true | false for true, false in map(self._mask, union.cubes)), 0)
        alone &= self._decided[union.number]
        found = self._tables.get((union.number, alone))
        if found is None:
            found = self._tables[union.number, alone] = {}
            for cube in union.cubes:
                true, false = self._mask(cube)
                found.setdefault((true | false) & alone, {}).setdefault(true & alone, []).append(cube)
        return found

    def _left_alone(self, step: Step) -> int:
        """The atoms that mention nothing that the step assigns."""
        key = frozenset(step.updates), len(self._vocabulary.atoms)
        if key not in self._alone:
            numbered = enumerate(self._vocabulary.atoms, 1)
            self._alone[key] = sum(1 << number for number, atom in numbered if atom.names.isdisjoint(step.updates))
        return self._alone[key]

    def _mask(self, cube: Cube) -> tuple[int, int]:
        """The atoms that hold in the cube, and those that do not."""
        found = self._masks.get(cube)
        if found is None:
            true = sum(1 << literal for literal in cube if literal > 0)
            false = sum(1 << -literal for literal in cube if literal < 0)
            found = self._masks[cube] = true, false
        return found


def _stable(union: Union, step: Step, vocabulary: Vocabulary) -> list[Cube]:
    if len(union.open) > SCAN_LIMIT:
        return []
    return [cube for cube in union.open if vocabulary.names(cube).isdisjoint(step.updates)]


def _computed(cube: Cube, obligation: GuardedObligation, vocabulary: Vocabulary) -> bool:
    point = vocabulary.point(cube)
    if point is None:
        return False
    state = dict(zip(vocabulary.integers, point, strict=True))
    step = obligation.step
    if not vocabulary.satisfies(state, step.guard):
        return True
    target = {**state, **{name: value(state) for name, value in step.values.items()}}
    return any(
        vocabulary.satisfies(state, condition) and vocabulary.inside(target, union)
        for condition, union in obligation.after
    )


class GuardedObligations:
    """The obligations as SMT-LIB text; atoms, cubes and unions are defined once, as functions."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._pending: list[str] = [f"(declare-const {symbol(name)} Int)" for name in vocabulary.integers]
        self._atoms: dict[int, list[str]] = {}
        self._cubes: dict[Cube, tuple[str, list[str]]] = {}
        self._unions: dict[int, list[str]] = {}
        self._choices: set[str] = set()

    def definitions(self) -> str:
        """What the solver must be told before the next formula, since the last call."""
        text = "\n".join(self._pending)
        self._pending.clear()
        return text

    def refutation(self, obligation: GuardedObligation, cubes: Sequence[Cube]) -> str:
        """Satisfiable exactly if the obligation fails for a state of one of the cubes."""
        step = obligation.step
        program = self._vocabulary.program
        updates = {name: expression_text(value, program) for name, value in step.updates.items()}
        for value in step.updates.values():
            self._declare_choices(mentioned(value, program))
        if len(cubes) == len(obligation.before.cubes):
            before = self._union(obligation.before, {})
        else:
            before = disjunction([self._cube(cube, {}) for cube in cubes])
        after = disjunction(
            [
                conjunction([*self._literals(condition, {}), self._union(union, updates)])
                for condition, union in obligation.after
                if union.cubes
            ]
        )
        return conjunction([before, *self._literals(step.guard, {}), f"(not {after})"])

    def _declare_choices(self, names: frozenset[str]) -> None:
        for name in sorted(names):
            if name.startswith("?") and name not in self._choices:
                self._choices.add(name)
                self._pending.append(f"(declare-const {symbol(name)} Int)")

    def _define(self, function: str, names: Sequence[str], body: str) -> None:
        parameters = " ".join(f"({symbol(name)} Int)" for name in names)
        self._pending.append(f"(define-fun {function} ({parameters}) Bool {body})")

    def _literals(self, cube: Cube, updates: Mapping[str, str]) -> list[str]:
        return [self._literal(literal, updates) for literal in sorted(cube, key=abs)]

    def _literal(self, literal: int, updates: Mapping[str, str]) -> str:
        number = abs(literal)
        if number not in self._atoms:
            atom = self._vocabulary.atom(literal)
            self._declare_choices(atom.names)
            self._atoms[number] = sorted(atom.names)
            self._define(f"a{number}", self._atoms[number], atom.text)
        text = self._apply(f"a{number}", self._atoms[number], updates)
        return text if literal > 0 else f"(not {text})"

    def _cube(self, cube: Cube, updates: Mapping[str, str]) -> str:
        if cube not in self._cubes:
            names = ordered_names(self._vocabulary.names(cube), self._vocabulary.integers)
            body = conjunction(self._literals(cube, {}))
            self._cubes[cube] = f"c{len(self._cubes)}", names
            self._define(*self._cubes[cube], body)
        return self._apply(*self._cubes[cube], updates)

    def _union(self, union: Union, updates: Mapping[str, str]) -> str:
        if union.number not in self._unions:
            body = disjunction([self._cube(cube, {}) for cube in union.cubes])
            self._unions[union.number] = ordered_names(union.names, self._vocabulary.integers)
            self._define(f"u{union.number}", self._unions[union.number], body)
        return self._apply(f"u{union.number}", self._unions[union.number], updates)

    @staticmethod
    def _apply(function: str, names: Sequence[str], updates: Mapping[str, str]) -> str:
        return apply_text(function, [updates.get(name) or symbol(name) for name in names])
