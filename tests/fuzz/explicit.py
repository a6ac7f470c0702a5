"""The first oracle: walk the states one by one with the interpreter.

A violation found this way is real, whatever was sampled on the way to it. "Safe" is said only when nothing
was sampled and nothing was cut off: every initial state enumerated, every choice bounded, every reachable
state visited.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import Literal

from pincer.evidence.gcl.interpreter import compile_formula, is_initial, range_violated, successors
from pincer.program.guarded import (
    RANGE_PROPERTY,
    Comparison,
    Connective,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    GuardedVariable,
    Negate,
    Number,
    Truth,
    VariableRef,
)

Verdict = Literal["safe", "unsafe", "unknown"]

SAMPLES = (0, 1, -1, 2, 3, -2, 5)
INITIAL_LIMIT = 3000


@dataclass(frozen=True)
class Exploration:
    """For each property whether a violating state was met, and whether the walk saw everything there is."""

    violated: frozenset[str]
    complete: bool

    def verdict(self, property_name: str) -> Verdict:
        if property_name in self.violated:
            return "unsafe"
        return "safe" if self.complete else "unknown"


def explore(program: GuardedProgram, limit: int = 1500) -> Exploration:
    """Breadth-first over at most `limit` states."""
    names = [variable.name for variable in program.variables]
    open_properties = {p.name: compile_formula(p.formula, program) for p in program.properties}
    violated: set[str] = set()
    initial, complete = _initial_states(program)
    complete = complete and not _has_unbounded_choice(program)
    queue = deque(initial)
    seen = {tuple(state[name] for name in names) for state in initial}
    while queue:
        state = queue.popleft()
        for name in [name for name, holds in open_properties.items() if not holds(state)]:
            violated.add(name)
            del open_properties[name]
        if RANGE_PROPERTY not in violated and range_violated(program, state):
            violated.add(RANGE_PROPERTY)
        for _, target in successors(program, state, SAMPLES):
            key = tuple(target[name] for name in names)
            if key in seen:
                continue
            if len(seen) >= limit:
                complete = False
                break
            seen.add(key)
            queue.append(target)
        if not open_properties and not complete:
            break
    return Exploration(frozenset(violated), complete)


def _has_unbounded_choice(program: GuardedProgram) -> bool:
    return any(
        isinstance(value, GuardedChoice) and (value.low is None or value.high is None)
        for transition in program.transitions
        for _, value in transition.assignments
    )


def _initial_states(program: GuardedProgram) -> tuple[list[dict[str, int]], bool]:
    """Initial states, and whether these are all of them."""
    bounds = _constant_bounds(program.init)
    domains: list[tuple[int, ...]] = []
    complete = True
    for variable in program.variables:
        domain, whole = _domain(variable, bounds)
        domains.append(domain)
        complete = complete and whole
    complete = complete and prod(map(len, domains)) <= INITIAL_LIMIT
    names = [variable.name for variable in program.variables]
    candidates = (dict(zip(names, values, strict=True)) for values in product(*domains))
    return [state for state in islice(candidates, INITIAL_LIMIT) if is_initial(program, state)], complete


def _domain(
    variable: GuardedVariable, bounds: dict[str, list[tuple[int | None, int | None]]]
) -> tuple[tuple[int, ...], bool]:
    lows = [low for low, _ in bounds.get(variable.name, ()) if low is not None]
    highs = [high for _, high in bounds.get(variable.name, ()) if high is not None]
    if isinstance(variable.type, FiniteType):
        lows.append(variable.type.low)
        highs.append(variable.type.high)
    if lows and highs and min(highs) - max(lows) < INITIAL_LIMIT:
        return tuple(range(max(lows), min(highs) + 1)), True
    near = {value + offset for value in (*lows, *highs) for offset in (-1, 0, 1)}
    return tuple(dict.fromkeys((*sorted(near), *SAMPLES))), False


def _constant_bounds(init: Formula) -> dict[str, list[tuple[int | None, int | None]]]:
    """Bounds that conjuncts of the form `variable <= constant` and the like put on a variable."""
    bounds: dict[str, list[tuple[int | None, int | None]]] = {}
    for conjunct in _conjuncts(init):
        match conjunct:
            case Comparison(operator, VariableRef(name), Number(value)):
                pass
            case Comparison(operator, VariableRef(name), Negate(Number(magnitude))):
                value = -magnitude
            case _:
                continue
        bound = {
            "=": (value, value),
            "<=": (None, value),
            "<": (None, value - 1),
            ">=": (value, None),
            ">": (value + 1, None),
        }.get(operator)
        if bound is not None:
            bounds.setdefault(name, []).append(bound)
    return bounds


def _conjuncts(formula: Formula) -> Iterator[Formula]:
    match formula:
        case Connective("&&", operands):
            for operand in operands:
                yield from _conjuncts(operand)
        case Truth(True):
            return
        case _:
            yield formula
