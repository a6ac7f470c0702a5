"""Random finite programs of guarded commands as plain data: their steps, and their text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TypeAlias

State: TypeAlias = tuple[int, ...]
Test: TypeAlias = tuple[int, str, int]
"""A variable, a comparison, a number."""

OPERATORS = {"=": int.__eq__, "!=": int.__ne__, "<": int.__lt__, ">": int.__gt__}


@dataclass(frozen=True)
class Action:
    """`updates` maps variables to `("set", value)`, `("next", step)`, `("copy", variable)` or `("any",)`."""

    name: str
    process: int
    tests: tuple[Test, ...]
    updates: tuple[tuple[int, tuple[str, int]], ...]


@dataclass(frozen=True)
class Model:
    """`sizes[i]` is how many values variable i has; those in `integers` are declared as unbounded."""

    sizes: tuple[int, ...]
    integers: frozenset[int]
    initial: tuple[int | None, ...]
    actions: tuple[Action, ...]
    fairness: tuple[str, ...]
    propositions: tuple[tuple[str, Test], ...]

    def initial_states(self) -> list[State]:
        return list(product(*(range(s) if v is None else (v,) for v, s in zip(self.initial, self.sizes, strict=True))))

    def enabled(self, action: Action, state: State) -> bool:
        return all(OPERATORS[sign](state[at], value) for at, sign, value in action.tests)

    def steps(self, state: State) -> Iterator[tuple[Action, State]]:
        for action in self.actions:
            if self.enabled(action, state):
                options: list[list[int]] = [[value] for value in state]
                for at, (kind, argument) in action.updates:
                    options[at] = self._values(state, at, kind, argument)
                for target in product(*options):
                    yield action, target

    def _values(self, state: State, at: int, kind: str, argument: int) -> list[int]:
        match kind:
            case "set":
                return [argument]
            case "next":
                return [(state[at] + argument) % self.sizes[at]]
            case "copy":
                return [state[argument]]
        return list(range(self.sizes[at]))

    def letter(self, state: State) -> frozenset[str]:
        return frozenset(name for name, (at, sign, value) in self.propositions if OPERATORS[sign](state[at], value))

    def text(self, formula: str) -> str:
        """The program, with the formula as its temporal property `wanted`."""
        lines = []
        for at, (size, value) in enumerate(zip(self.sizes, self.initial, strict=True)):
            kind = "int" if at in self.integers else f"0..{size - 1}"
            lines.append(f"var v{at} : {kind}" + (";" if value is None else f" = {value};"))
            if value is None and at in self.integers:
                lines.append(f"init 0 <= v{at} && v{at} < {size};")
        for process in sorted({action.process for action in self.actions}):
            commands = "\n".join(self._command(action) for action in self.actions if action.process == process)
            lines.append(f"process P{process} {{\n{commands}\n}}")
        for process, kind in enumerate(self.fairness):
            if kind:
                lines.append(f"fairness {kind} P{process};")
        shown = formula
        for name, (at, sign, value) in self.propositions:
            shown = re.sub(rf"\b{name}\b", f"{{v{at} {sign} {value}}}", shown)
        return "\n".join([*lines, f"temporal wanted: {shown};", ""])

    def _command(self, action: Action) -> str:
        guard = " && ".join(f"v{at} {sign} {value}" for at, sign, value in action.tests) or "true"
        return f"  {action.name}: {guard} -> {', '.join(self._update(*update) for update in action.updates)};"

    def _update(self, at: int, value: tuple[str, int]) -> str:
        kind, argument = value
        match kind:
            case "set":
                return f"v{at} := {argument}"
            case "next":
                return f"v{at} := (v{at} + {argument}) mod {self.sizes[at]}"
            case "copy":
                return f"v{at} := v{argument}"
        return f"v{at} := nondet(0..{self.sizes[at] - 1})"


def random_model(random: Random) -> Model:
    sizes = tuple(random.choice((2, 2, 3, 3, 4)) for _ in range(random.randint(1, 3)))
    integers = frozenset(at for at in range(len(sizes)) if random.random() < 0.4)
    initial = tuple(None if random.random() < 0.15 else random.randrange(size) for size in sizes)
    processes = random.randint(1, 3)
    actions = tuple(
        _action(random, sizes, f"a{number}", random.randrange(processes)) for number in range(random.randint(1, 6))
    )
    used = {action.process for action in actions}
    fairness = tuple(
        random.choice(("", "weak", "weak", "strong")) if process in used else "" for process in range(processes)
    )
    return Model(sizes, integers, initial, actions, fairness, tuple((name, _test(random, sizes)) for name in "pq"))


def _test(random: Random, sizes: tuple[int, ...]) -> Test:
    at = random.randrange(len(sizes))
    return at, random.choice(("=", "=", "!=", "<", ">")), random.randrange(sizes[at])


def _action(random: Random, sizes: tuple[int, ...], name: str, process: int) -> Action:
    tests = tuple(_test(random, sizes) for _ in range(random.randint(0, 2)))
    chosen = random.sample(range(len(sizes)), random.randint(1, min(2, len(sizes))))
    return Action(name, process, tests, tuple((at, _update(random, sizes, at)) for at in chosen))


def _update(random: Random, sizes: tuple[int, ...], at: int) -> tuple[str, int]:
    others = [other for other, size in enumerate(sizes) if size <= sizes[at]]
    match random.choice(("set", "next", "next", "copy", "any")):
        case "next":
            return "next", random.randint(1, sizes[at] - 1)
        case "copy":
            return "copy", random.choice(others)
        case "any":
            return "any", 0
    return "set", random.randrange(sizes[at])
