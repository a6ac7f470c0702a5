"""Steps that no other process notices: an invariant may leave out the states that only their delay leads to.

A *place* is a finite variable `c` and one of its values `v`. Its *own steps* are those that assign `c` and that
`c = v` does not rule out; the *others* are those that do not assign `c` and that `c = v` does not rule out. A place
is *local* when, wherever `c = v`,

1. no other step assigns what an own step reads or assigns, none reads what an own step assigns besides `c`, and each
   says the same whether `c` is `v` or what an own step makes of it;
2. an own step gives `c` constants and, besides it, assigns nothing that a property says in this place; what the
   property says here it still says with what `c` becomes, so that an own step makes no violation good;
3. some own step can be taken.

A certificate lists local places in groups. In a state with a place of some group, the *reduced* program takes the own
steps of the places of the first such group only, and leaves all others for later. No own step assigns the variable of
another listed place, and the own steps of the places of one variable never lead round in a circle (4).

**What holds in all states that the reduced program reaches holds in all states.** Say `n` steps lead from a state that
the reduced program reaches to a violation; we show that the reduced program reaches a violation, by induction on `n`
and then on how many own steps of listed places may still follow each other, which 4 bounds. With `n = 0` it has.
Where the state has no listed place, the reduced program takes the first of the `n` steps, too. Otherwise let `c = v` be
a place of the first group. If an own step of it is among the `n`, take the first such: until then `c` stays `v`, since
who assigns it is an own step, so by 1 this step is possible at once, the steps before it are possible after it, and
all end in the same state: the reduced program takes it, and `n - 1` are left. If there is none, the reduced program
takes some own step (3); by 1 all `n` steps are possible after it and lead to a state that differs from the violation
by this own step only, and by 2 it is a violation as well; there are still `n` steps, but fewer own ones may follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.gcl.residual import FALSE, TRUE, connective, mentioned, residual_expression, residual_formula
from pincer.program.guarded import (
    Connective,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    GuardedTransition,
    Number,
    VariableRef,
)

Place: TypeAlias = tuple[str, int]
"""A finite variable and the number of one of its values."""
Groups: TypeAlias = Sequence[Sequence[Place]]

MOST_VALUATIONS = 4096
"""Values of other finite variables that the guards of own steps are looked at for."""


class _StepAt(Struct, frozen=True, eq=False):
    """What a transition does where one finite variable has one value."""

    number: int
    guard: Formula
    values: Mapping[str, Expression | GuardedChoice]
    reads: frozenset[str]

    def says_as(self, other: _StepAt) -> bool:
        return self.guard == other.guard and self.values == other.values


class LocalSteps:
    """Which places of a program are local, and why others are not.

    `formulas` are the properties; `listed` the variables of all places that are claimed together.
    """

    def __init__(self, program: GuardedProgram, formulas: Sequence[Formula], listed: frozenset[str]) -> None:
        self._program = program
        self._formulas = formulas
        self._listed = listed
        self._types = {variable.name: variable.type for variable in program.variables}
        self._assigned = [frozenset(name for name, _ in t.assignments) for t in program.transitions]
        self._mentioned = [_names_in(transition, program) for transition in program.transitions]
        self._whole = [self._read(number, {}) for number in range(len(program.transitions))]
        self._known: dict[tuple[int, Place], _StepAt] = {}

    def own(self, place: Place) -> list[int]:
        """The transitions that assign the variable and that the value does not rule out."""
        return [number for number in self._possible(place) if place[0] in self._assigned[number]]

    def others(self, place: Place) -> list[int]:
        return [number for number in self._possible(place) if place[0] not in self._assigned[number]]

    def following(self, place: Place) -> list[int]:
        """What own steps may make of the variable."""
        return sorted({value for number in self.own(place) for value in self._becomes(number, place) or ()})

    def mistake(self, place: Place) -> str | None:
        """Why the place is not local, as far as that needs no solver (1 and 2)."""
        variable, value = place
        kind = self._types.get(variable)
        if not isinstance(kind, FiniteType) or not kind.low <= value <= kind.high:
            return f"{variable} has no value {value}"
        own, others = self.own(place), self.others(place)
        if not own:
            return f"no step leaves {variable} = {value}"
        for number in own:
            problem = self._conflict(number, place, others) or self._visible(number, place)
            if problem is not None:
                return f"{self._program.transitions[number].name} at {variable} = {value} {problem}"
        return None

    def ways_on(self, place: Place) -> Iterator[Formula]:
        """Formulas over the integer variables, one for each valuation of the other finite ones: that some own step can
        be taken (3)."""
        guards = [self._at(number, place).guard for number in self.own(place)]
        names = frozenset[str]().union(*(mentioned(guard, self._program) for guard in guards))
        finite = {name: kind for name in sorted(names) if isinstance(kind := self._types[name], FiniteType)}
        if prod(kind.high - kind.low + 1 for kind in finite.values()) > MOST_VALUATIONS:
            raise PincerError(f"the guards of the steps at {place[0]} = {place[1]} depend on too much")
        for values in product(*(range(kind.low, kind.high + 1) for kind in finite.values())):
            given = dict(zip(finite, values, strict=True))
            left = connective("||", [residual_formula(guard, given, self._program) for guard in guards])
            if left != TRUE:
                yield left

    def _possible(self, place: Place) -> list[int]:
        return [n for n in range(len(self._assigned)) if self._at(n, place).guard != FALSE]

    def _at(self, number: int, place: Place) -> _StepAt:
        if place[0] not in self._mentioned[number]:
            return self._whole[number]
        found = self._known.get((number, place))
        if found is None:
            found = self._known[number, place] = self._read(number, dict([place]))
        return found

    def _read(self, number: int, values: Mapping[str, int]) -> _StepAt:
        transition, program = self._program.transitions[number], self._program
        guard = residual_formula(transition.guard, values, program)
        becomes = {
            name: value if isinstance(value, GuardedChoice) else residual_expression(value, values, program)
            for name, value in transition.assignments
        }
        reads = mentioned(guard, program).union(*(mentioned(value, program) for value in becomes.values()))
        return _StepAt(number, guard, becomes, reads)

    def _becomes(self, number: int, place: Place) -> list[int] | None:
        """The values that an own step may give the variable of the place; None when they are not plain to see."""
        kind = self._types[place[0]]
        assert isinstance(kind, FiniteType)
        match self._at(number, place).values[place[0]]:
            case Number(value):
                return [value] if kind.low <= value <= kind.high else None
            case GuardedChoice(low, high):
                least = kind.low if low is None else max(low, kind.low)
                most = kind.high if high is None else min(high, kind.high)
                return list(range(least, most + 1)) if least <= most < least + MOST_VALUATIONS else None
        return None

    def _conflict(self, number: int, place: Place, others: Sequence[int]) -> str | None:
        """Whether an own step has to do with what others do (1), or leads nowhere."""
        step, assigned = self._at(number, place), self._assigned[number]
        targets = self._becomes(number, place)
        if targets is None or not all(self._has_outcome(name, value) for name, value in step.values.items()):
            return "may lead nowhere"
        if not assigned.isdisjoint(self._listed - {place[0]}):
            return "changes another local place"
        beside = assigned - {place[0]}
        for other in others:
            there = self._at(other, place)
            if not self._assigned[other].isdisjoint(step.reads | assigned) or not there.reads.isdisjoint(beside):
                return f"is not independent of {self._program.transitions[other].name}"
            if not all(there.says_as(self._at(other, (place[0], target))) for target in targets):
                return f"is noticed by {self._program.transitions[other].name}"
        return None

    def _has_outcome(self, name: str, value: Expression | GuardedChoice) -> bool:
        """Whether plainly some value within its type is assigned."""
        kind = self._types[name]
        low, high = (kind.low, kind.high) if isinstance(kind, FiniteType) else (None, None)
        match value:
            case GuardedChoice(least, most):
                lows = [bound for bound in (low, least) if bound is not None]
                highs = [bound for bound in (high, most) if bound is not None]
                return not lows or not highs or max(lows) <= min(highs)
            case Number(number):
                return (low is None or low <= number) and (high is None or number <= high)
            case VariableRef(source):
                return not isinstance(kind, FiniteType) or self._types[source] == kind
        return not isinstance(kind, FiniteType)

    def _visible(self, number: int, place: Place) -> str | None:
        """Whether an own step may make a violation good (2)."""
        beside = self._assigned[number] - {place[0]}
        for formula in self._formulas:
            here = self._said(formula, place)
            if any(not mentioned(part, self._program).isdisjoint(beside) for part in here):
                return "changes what a property is about"
            for target in self._becomes(number, place) or ():
                if not here <= self._said(formula, (place[0], target)):
                    return "is seen by a property"
        return None

    def _said(self, formula: Formula, place: Place) -> frozenset[Formula]:
        """The conjuncts of what is left of a formula."""
        left = residual_formula(formula, dict([place]), self._program)
        if isinstance(left, Connective) and left.operator == "&&":
            return frozenset(left.operands)
        return frozenset() if left == TRUE else frozenset((left,))


def _names_in(transition: GuardedTransition, program: GuardedProgram) -> frozenset[str]:
    parts = (transition.guard, *(value for _, value in transition.assignments))
    return frozenset[str]().union(*(mentioned(part, program) for part in parts))


def circle(steps: LocalSteps, places: Sequence[Place]) -> Place | None:
    """A place from which own steps lead back to it, through the places of its variable alone (4)."""
    listed, done, on_path = set(places), set[Place](), set[Place]()

    def closes(place: Place) -> bool:
        if place in on_path:
            return True
        if place in done:
            return False
        on_path.add(place)
        after = [(place[0], value) for value in steps.following(place)]
        found = any(closes(following) for following in after if following in listed)
        on_path.discard(place)
        done.add(place)
        return found

    return next((place for place in places if closes(place)), None)


class ReducedProgram:
    """The groups of a certificate, found to be local; only that some own step can be taken is left to a solver."""

    def __init__(self, program: GuardedProgram, formulas: Sequence[Formula], groups: Groups) -> None:
        self._groups = [[(name, value) for name, value in group] for group in groups]
        self.places = [place for group in self._groups for place in group]
        self._index = {variable.name: i for i, variable in enumerate(v for v in program.variables if v.finite)}
        self.steps = LocalSteps(program, formulas, frozenset(name for name, _ in self.places))
        for place in self.places:
            mistake = self.steps.mistake(place)
            if mistake is not None:
                raise PincerError(f"the certificate leaves out steps, but {mistake}")
        round_about = circle(self.steps, self.places)
        if round_about is not None:
            name, value = round_about
            raise PincerError(f"the certificate leaves out steps, but local ones lead round at {name} = {value}")
        self._own = {place: frozenset(self.steps.own(place)) for place in self.places}
        self._read = sorted({self._index[name] for name, _ in self.places})
        self._known: dict[tuple[int, ...], frozenset[int] | None] = {}

    def takes(self, number: int, valuation: Sequence[int]) -> bool:
        """Whether the reduced program may take a transition at a valuation of the finite variables."""
        if not self.places:
            return True
        key = tuple([valuation[place] for place in self._read])
        if key not in self._known:
            self._known[key] = self._first(valuation)
        allowed = self._known[key]
        return allowed is None or number in allowed

    def _first(self, valuation: Sequence[int]) -> frozenset[int] | None:
        """The own steps of the first group with a place here; None when there is none."""
        for group in self._groups:
            here = [place for place in group if valuation[self._index[place[0]]] == place[1]]
            if here:
                return frozenset[int]().union(*(self._own[place] for place in here))
        return None
