"""Random MSVL programs that end, and what they do by a second opinion.

`trace` is a direct reading of the language for the statements made here: a statement is a function from a valuation
to the sequence of valuations of its interval. It shares nothing with the interpreter.
"""

from __future__ import annotations

from random import Random
from typing import TypeAlias

Valuation: TypeAlias = dict[str, int]
Tree: TypeAlias = tuple[object, ...]


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


class RandomPrograms:
    """Trees of statements over given variables; every loop counts down a variable of its own."""

    def __init__(self, seed: int, variables: tuple[str, ...]) -> None:
        self._random = Random(seed)
        self.variables = variables

    def expression(self, depth: int = 2) -> Tree:
        kind = self._random.randrange(6)
        if depth == 0 or kind == 0:
            return ("number", self._random.randint(-5, 9))
        if kind in (1, 2):
            return ("variable", self._random.choice(self.variables))
        if kind == 5:
            operator = self._random.choice(("/", "%"))
            return (operator, self.expression(depth - 1), ("number", self._random.choice((-3, 2, 4))))
        if kind == 4:
            return ("*", ("number", self._random.randint(-2, 3)), self.expression(depth - 1))
        return (self._random.choice(("+", "-")), self.expression(depth - 1), self.expression(depth - 1))

    def condition(self) -> Tree:
        compared = (self._random.choice(("<", "<=", "=", "!=", ">", ">=")), self.expression(1), self.expression(1))
        if self._random.random() < 0.3:
            return (self._random.choice(("AND", "OR")), compared, self.condition())
        return compared

    def statement(self, depth: int) -> Tree:
        leaves: list[Tree] = [
            ("unit", self._random.choice(self.variables), self.expression()),
            ("now", self._random.choice(self.variables), self.expression()),
            ("len", self._random.randrange(3)),
            ("empty",),
        ]
        if depth == 0:
            return self._random.choice(leaves)
        kind = self._random.randrange(5)
        if kind == 0:
            return ("if", self.condition(), self.statement(depth - 1), self.statement(depth - 1))
        if kind == 1:
            return ("repeat", self._random.randint(1, 3), self.statement(depth - 1))
        if kind == 2:
            targets = self._random.sample(self.variables, 2)
            return ("units", *((target, self.expression()) for target in targets))
        return ("chop", *(self.statement(depth - 1) for _ in range(self._random.randint(2, 3))))


def expression_text(tree: Tree) -> str:
    kind, *rest = tree
    if kind == "number":
        return str(rest[0]) if int(str(rest[0])) >= 0 else f"({rest[0]})"
    if kind == "variable":
        return str(rest[0])
    left, right = (expression_text(part) for part in rest if isinstance(part, tuple))
    return f"({left} {kind} {right})"


def text(tree: Tree) -> str:
    """The statement in MSVL. A repetition is unrolled into a loop over the counter `i`."""
    kind, *rest = tree
    match kind, *rest:
        case "unit", target, tuple() as value:
            return f"{target}:={expression_text(value)}"
        case "now", target, tuple() as value:
            return f"({target}<=={expression_text(value)} and skip)"
        case "len", count:
            return f"len({count})"
        case "if", tuple() as condition, tuple() as then, tuple() as otherwise:
            return f"if({expression_text(condition)}) then {{{text(then)}}} else {{{text(otherwise)}}}"
        case "repeat", count, tuple() as body:
            loop = f"int i<=={count} and skip; while(i>0) {{{text(body)}; i:=i-1}}"
            return f"(local(i): {{frame(i) and ({loop})}})"
        case "units", *pairs:
            return "(" + " and ".join(text(("unit", *pair)) for pair in pairs if isinstance(pair, tuple)) + ")"
        case "chop", *parts:
            return "(" + "; ".join(text(part) for part in parts if isinstance(part, tuple)) + ")"
    return "empty"


def value(tree: Tree, at: Valuation) -> int:
    kind, *rest = tree
    if kind == "number":
        return int(str(rest[0]))
    if kind == "variable":
        return at[str(rest[0])]
    left, right = (value(part, at) for part in rest if isinstance(part, tuple))
    results = {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "<": left < right,
        "<=": left <= right,
        "=": left == right,
        "!=": left != right,
        ">": left > right,
        ">=": left >= right,
        "AND": bool(left and right),
        "OR": bool(left or right),
    }
    if kind == "/":
        return truncated(left, right)
    if kind == "%":
        return left - right * truncated(left, right)
    return int(results[str(kind)])


def trace(tree: Tree, start: Valuation) -> list[Valuation]:
    """The valuations of the interval; the first may differ from `start` where the statement assigns at once."""
    kind, *rest = tree
    match kind, *rest:
        case "unit", target, tuple() as assigned:
            return [start, {**start, str(target): value(assigned, start)}]
        case "now", target, tuple() as assigned:
            changed = {**start, str(target): value(assigned, start)}
            return [changed, changed]
        case "len", int() as count:
            return [start] * (count + 1)
        case "if", tuple() as condition, tuple() as then, tuple() as otherwise:
            return trace(then if value(condition, start) else otherwise, start)
        case "repeat", int() as count, tuple() as body:
            states = [start, start]
            for _ in range(count):
                states = [*states[:-1], *trace(body, states[-1])]
                states.append(states[-1])
            return states
        case "units", *pairs:
            updates = {str(p[0]): value(p[1], start) for p in pairs if isinstance(p, tuple)}
            return [start, {**start, **updates}]
        case "chop", *parts:
            states = [start]
            for part in parts:
                assert isinstance(part, tuple)
                states = [*states[:-1], *trace(part, states[-1])]
            return states
    return [start]
