"""What a guarded program does, step by step: the judge of counterexamples and the oracle of the fuzzer.

A direct reading of the language on concrete states, independent of the terms and solvers that engines use.
Each expression is turned once into a Python closure over the state, so that walking a large state space stays
affordable.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import TypeAlias

from msgspec import Struct

from pincer.errors import PincerError
from pincer.program.guarded import (
    RANGE_PROPERTY,
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    GuardedTransition,
    Negate,
    Not,
    Number,
    Truth,
    Type,
    VariableRef,
    value_text,
)

State: TypeAlias = Mapping[str, int]
Term: TypeAlias = Callable[[State], int]
Test: TypeAlias = Callable[[State], bool]

ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
}
COMPARISON: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compile_expression(expression: Expression, program: GuardedProgram) -> Term:
    """The expression as a function of the state."""
    match expression:
        case Number(value):
            return lambda state: value
        case VariableRef(name):
            return operator.itemgetter(name)
        case Negate(operand):
            inner = compile_expression(operand, program)
            return lambda state: -inner(state)
        case Arithmetic(sign, left, right):
            apply = ARITHMETIC[sign]
            first, second = compile_expression(left, program), compile_expression(right, program)
            return lambda state: apply(first(state), second(state))
        case Conditional(condition, then, otherwise):
            test = compile_formula(condition, program)
            yes, no = compile_expression(then, program), compile_expression(otherwise, program)
            return lambda state: yes(state) if test(state) else no(state)


def compile_formula(formula: Formula, program: GuardedProgram) -> Test:
    """The formula as a function of the state."""
    match formula:
        case Truth(value):
            return lambda state: value
        case Comparison(sign, left, right):
            compare = COMPARISON[sign]
            first, second = compile_expression(left, program), compile_expression(right, program)
            return lambda state: compare(first(state), second(state))
        case Not(operand):
            inner = compile_formula(operand, program)
            return lambda state: not inner(state)
        case Connective(sign, operands):
            return _compile_connective(sign, [compile_formula(operand, program) for operand in operands])
        case Deadlock():
            guards = [compile_formula(transition.guard, program) for transition in program.transitions]
            return lambda state: not any(guard(state) for guard in guards)


def _compile_connective(sign: str, tests: list[Test]) -> Test:
    if sign == "&&" and len(tests) == 2:
        left, right = tests
        return lambda state: left(state) and right(state)
    if sign == "&&":
        return lambda state: all(test(state) for test in tests)
    if sign == "||":
        return lambda state: any(test(state) for test in tests)
    first, second = tests
    if sign == "=>":
        return lambda state: not first(state) or second(state)
    return lambda state: first(state) == second(state)


class _Assignment(Struct, frozen=True):
    """`value` is None where the program chooses."""

    name: str
    type: Type
    value: Term | None
    choice: GuardedChoice

    def leaves_type(self, state: State) -> bool:
        """Whether some outcome lies outside the variable's type."""
        if not isinstance(self.type, FiniteType):
            return False
        if self.value is not None:
            return not self.type.low <= self.value(state) <= self.type.high
        low, high = self.choice.low, self.choice.high
        return low is None or high is None or (low <= high and (low < self.type.low or self.type.high < high))

    def outcomes(self, state: State, choices: tuple[int, ...]) -> Iterable[int]:
        """The values that stay in the type; an unbounded choice is tried with the samples `choices`."""
        values: Iterable[int]
        if self.value is not None:
            values = (self.value(state),)
        elif self.choice.low is None or self.choice.high is None:
            values = choices
        else:
            values = range(self.choice.low, self.choice.high + 1)
        return (value for value in values if in_type(self.type, value))


class _Machine:
    """A program with everything compiled."""

    def __init__(self, program: GuardedProgram) -> None:
        self.program = program
        self.types = {variable.name: variable.type for variable in program.variables}
        self.finite = [(v.name, v.type) for v in program.variables if v.finite]
        self.init = compile_formula(program.init, program)
        self.transitions = [
            (transition, compile_formula(transition.guard, program), self._assignments(transition))
            for transition in program.transitions
        ]

    def _assignments(self, transition: GuardedTransition) -> tuple[_Assignment, ...]:
        return tuple(
            _Assignment(name, self.types[name], None, value)
            if isinstance(value, GuardedChoice)
            else _Assignment(name, self.types[name], compile_expression(value, self.program), GuardedChoice(None, None))
            for name, value in transition.assignments
        )


_latest: _Machine | None = None


def _machine(program: GuardedProgram) -> _Machine:
    """The compiled program; callers work on one program at a time, so the latest is kept."""
    global _latest
    machine = _latest
    if machine is None or machine.program is not program:
        machine = _latest = _Machine(program)
    return machine


def in_type(type_: Type, value: int) -> bool:
    return not isinstance(type_, FiniteType) or type_.low <= value <= type_.high


def evaluate(term: Expression | Formula, program: GuardedProgram, state: State) -> int | bool:
    """The value of an expression, or the truth of a formula, in a state."""
    match term:
        case Number() | VariableRef() | Negate() | Arithmetic() | Conditional():
            return compile_expression(term, program)(state)
        case _:
            return compile_formula(term, program)(state)


def is_initial(program: GuardedProgram, state: State) -> bool:
    machine = _machine(program)
    return all(in_type(type_, state[name]) for name, type_ in machine.finite) and machine.init(state)


def enabled(program: GuardedProgram, transition: GuardedTransition, state: State) -> bool:
    return compile_formula(transition.guard, program)(state)


def step(program: GuardedProgram, transition: GuardedTransition, state: State, target: State) -> str | None:
    """None when `transition` can lead from `state` to `target`, otherwise the reason why it cannot."""
    if not enabled(program, transition, state):
        return f"the guard of {transition.name} does not hold"
    assigned = dict(transition.assignments)
    for variable in program.variables:
        name, new = variable.name, target[variable.name]
        shown = value_text(variable.type, new)
        match assigned.get(name):
            case None:
                if new != state[name]:
                    return f"{transition.name} does not assign {name}, but it becomes {shown}"
            case GuardedChoice(low, high):
                if (low is not None and new < low) or (high is not None and new > high):
                    return f"{transition.name} cannot choose {shown} for {name}"
            case expression:
                value = compile_expression(expression, program)(state)
                if new != value:
                    expected = value_text(variable.type, value)
                    return f"{transition.name} gives {name} the value {expected}, not {shown}"
        if not in_type(variable.type, new):
            return f"{shown} is not a value of {name}'s type"
    return None


def range_violated(program: GuardedProgram, state: State) -> bool:
    """Whether some enabled transition can give a finite variable a value outside its type."""
    return any(
        guard(state) and any(assignment.leaves_type(state) for assignment in assignments)
        for _, guard, assignments in _machine(program).transitions
    )


def violates(program: GuardedProgram, property_name: str, state: State) -> bool:
    """Whether the state violates the named property, or the implicit `range`."""
    for candidate in program.properties:
        if candidate.name == property_name:
            return not compile_formula(candidate.formula, program)(state)
    if property_name == RANGE_PROPERTY:
        return range_violated(program, state)
    raise PincerError(f"{program.file} has no property named {property_name!r}")


def successors(
    program: GuardedProgram, state: State, choices: Iterable[int] = ()
) -> Iterator[tuple[GuardedTransition, dict[str, int]]]:
    """All steps from the state; an unbounded choice draws from the samples `choices`, a bounded one is
    exhausted.

    A step that would leave the type of a finite variable has no successor.
    """
    samples = tuple(choices)
    for transition, guard, assignments in _machine(program).transitions:
        if guard(state):
            outcomes = [assignment.outcomes(state, samples) for assignment in assignments]
            for values in product(*outcomes):
                target = dict(state)
                target.update((a.name, value) for a, value in zip(assignments, values, strict=True))
                yield transition, target
