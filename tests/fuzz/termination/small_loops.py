"""Random small C programs with loops over values of few bits, and what all their runs do.

A program is a tree that is written as C for Pincer and flattened to jumps for the oracle, which visits all states and
looks for a cycle. The oracle has its own idea of C: integers are exact and converted when they are stored.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

Expression = tuple[object, ...]
Statement = tuple[object, ...]
Values = tuple[int, ...]

MOST_STATES = 400_000
_TYPES = {"unsigned char": (0, 255), "signed char": (-128, 127)}
OPERATORS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@dataclass
class Program:
    """`types` of the variables by their names; `body` is what main does."""

    types: dict[str, str]
    body: list[Statement]
    helper: bool = False

    def text(self) -> str:
        lines = [
            "extern unsigned char __VERIFIER_nondet_uchar(void);",
            "extern _Bool __VERIFIER_nondet_bool(void);",
            "extern void __VERIFIER_assume(int);",
            "extern void abort(void);",
        ]
        declared = [f"{type_} {name} = 0;" for name, type_ in self.types.items()]
        inside = [line for statement in self.body for line in _written(statement, 1)]
        if not self.helper:
            return "\n".join(
                [*lines, "int main(void) {", *(f"  {d}" for d in declared), *inside, "  return 0;", "}", ""]
            )
        globals_ = [*lines, *declared, "static void work(void) {", *inside, "}"]
        return "\n".join([*globals_, "int main(void) {", "  work();", "  return 0;", "}", ""])


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        count = rng.choice((1, 2, 2, 3))
        self.types = {name: rng.choice(tuple(_TYPES)) for name in "xyz"[:count]}
        self.loops = rng.choice((1, 1, 2, 3))

    def program(self) -> Program:
        start = [self._first(name) for name in self.types]
        if self.rng.random() < 0.3:
            start.append(("assume", self.condition()))
        body = [*start, self.loop(0)]
        while self.loops > 0 and self.rng.random() < 0.5:
            body += [*self.block(0, False), self.loop(0)]
        return Program(self.types, body, self.rng.random() < 0.25)

    def _first(self, name: str) -> Statement:
        if self.rng.random() < 0.6:
            return ("input", name, self.rng.choice((3, 15, 15, 31, 255)) if len(self.types) < 3 else 15)
        return ("set", name, ("number", self.rng.choice((0, 1, 2, 5, 10, 100))))

    def name(self) -> str:
        return self.rng.choice(tuple(self.types))

    def number(self) -> int:
        return self.rng.choice((0, 1, 1, 2, 3, 4, 7, 10, 15, 16, 100, 127))

    def operand(self) -> Expression:
        return ("var", self.name()) if self.rng.random() < 0.7 else ("number", self.number())

    def condition(self) -> Expression:
        left: Expression = ("var", self.name())
        if self.rng.random() < 0.25:
            left = ("+" if self.rng.random() < 0.5 else "-", left, self.operand())
        found: Expression = ("compare", self.rng.choice(tuple(OPERATORS)), left, self.operand())
        if self.rng.random() < 0.2:
            found = (self.rng.choice(("&&", "||")), found, ("compare", ">", ("var", self.name()), ("number", 0)))
        return found

    def change(self) -> Statement:
        name, draw = self.name(), self.rng.random()
        here: Expression = ("var", name)
        if draw < 0.3:
            return ("set", name, ("-", here, ("number", self.rng.choice((1, 1, 1, 2, 3)))))
        if draw < 0.55:
            return ("set", name, ("+", here, ("number", self.rng.choice((1, 1, 1, 2, 3, 5)))))
        if draw < 0.65:
            return ("set", name, (self.rng.choice(("+", "-")), here, ("var", self.name())))
        if draw < 0.75:
            return ("set", name, (self.rng.choice(("/", "%", "*")), here, ("number", self.rng.choice((2, 3)))))
        if draw < 0.82:
            return ("set", name, (self.rng.choice(("&", "^", "|")), here, ("number", self.rng.choice((1, 3, 7, 15)))))
        if draw < 0.9:
            return ("input", name, self.rng.choice((1, 3, 7)))
        return ("set", name, self.operand())

    def loop(self, depth: int) -> Statement:
        self.loops -= 1
        kind = self.rng.choice(("while", "while", "do"))
        body = self.block(depth + 1, True)
        forever = self.rng.random() < 0.08
        return (kind, ("number", 1) if forever else self.condition(), body)

    def block(self, depth: int, in_loop: bool) -> list[Statement]:
        return [self.statement(depth, in_loop) for _ in range(self.rng.randint(1, 3))]

    def statement(self, depth: int, in_loop: bool) -> Statement:
        draw = self.rng.random()
        if draw < 0.6 or depth > 3:
            return self.change()
        if draw < 0.82:
            condition: Expression = ("any",) if self.rng.random() < 0.3 else self.condition()
            other = self.block(depth + 1, in_loop) if self.rng.random() < 0.5 else []
            return ("if", condition, self.block(depth + 1, in_loop), other)
        if draw < 0.9 and in_loop:
            return ("if", self.condition(), [("break",)], [])
        if draw < 0.93:
            return ("if", self.condition(), [("abort",)], [])
        if draw < 0.95:
            return ("assume", self.condition())
        return self.loop(depth) if self.loops > 0 else self.change()


def random_program(seed: int) -> Program:
    return _Writer(random.Random(seed)).program()


def random_turns(seed: int) -> Program:
    """A loop in which two or three numbers are made of each other, minus something, in one of two ways: what gets
    smaller is now one of them and now another."""
    rng = random.Random(f"turns {seed}")
    names = "xyz"[: rng.choice((2, 2, 3))]
    types = dict.fromkeys((*names, *(f"old_{name}" for name in names)), rng.choice(tuple(_TYPES)))

    def step() -> list[Statement]:
        kept: list[Statement] = [("set", f"old_{name}", ("var", name)) for name in names]
        taken = [(name, ("var", f"old_{rng.choice(names)}"), rng.choice((0, 0, 1, 1, 1, 2))) for name in names]
        return [*kept, *(("set", name, ("-", other, ("number", less))) for name, other, less in taken)]

    positive: Expression = ("compare", ">", ("var", names[0]), ("number", 0))
    for name in names[1:]:
        positive = ("&&", positive, ("compare", ">", ("var", name), ("number", 0)))
    start: list[Statement] = [("input", name, 15 if len(names) < 3 else 7) for name in names]
    return Program(types, [*start, ("while", positive, [("if", ("any",), step(), step())])])


def _written(statement: Statement, depth: int) -> Iterator[str]:
    """A statement as lines of C."""
    indent = "  " * depth
    match statement:
        case ("set", name, value):
            yield f"{indent}{name} = {_c(value)};"
        case ("input", name, mask):
            yield f"{indent}{name} = __VERIFIER_nondet_uchar() & {mask};"
        case ("assume", condition):
            yield f"{indent}__VERIFIER_assume({_c(condition)});"
        case ("break",):
            yield f"{indent}break;"
        case ("abort",):
            yield f"{indent}abort();"
        case ("if", condition, then, other):
            yield f"{indent}if ({_c(condition)}) {{"
            yield from _block(then, depth + 1)
            if other:
                yield f"{indent}}} else {{"
                yield from _block(other, depth + 1)
            yield f"{indent}}}"
        case ("while", condition, body):
            yield f"{indent}while ({_c(condition)}) {{"
            yield from _block(body, depth + 1)
            yield f"{indent}}}"
        case ("do", condition, body):
            yield f"{indent}do {{"
            yield from _block(body, depth + 1)
            yield f"{indent}}} while ({_c(condition)});"
        case _:
            raise AssertionError(statement)


def _block(statements: object, depth: int) -> Iterator[str]:
    assert isinstance(statements, list)
    for statement in statements:
        yield from _written(statement, depth)


def _c(expression: object) -> str:
    match expression:
        case ("var", name):
            return str(name)
        case ("number", value):
            return str(value)
        case ("any",):
            return "__VERIFIER_nondet_bool()"
        case ("compare", op, left, right):
            return f"({_c(left)} {op} {_c(right)})"
        case (op, left, right):
            return f"({_c(left)} {op} {_c(right)})"
    raise AssertionError(expression)


@dataclass
class _Code:
    """The program as numbered instructions; targets of jumps are filled in later."""

    names: dict[str, int]
    lines: list[list[object]] = field(default_factory=list)

    def add(self, *line: object) -> int:
        self.lines.append([*line])
        return len(self.lines) - 1

    def block(self, statements: object, leave: list[int] | None) -> None:
        assert isinstance(statements, list)
        for statement in statements:
            self.statement(statement, leave)

    def statement(self, statement: Statement, leave: list[int] | None) -> None:
        match statement:
            case ("break",):
                assert leave is not None
                leave.append(self.add("jump", None))
            case ("if", condition, then, other):
                branch = self.add("unless", condition, None)
                self.block(then, leave)
                over = self.add("jump", None)
                self.lines[branch][2] = len(self.lines)
                self.block(other, leave)
                self.lines[over][1] = len(self.lines)
            case ("while", condition, body):
                head = self.add("unless", condition, None)
                inner: list[int] = []
                self.block(body, inner)
                self.add("jump", head)
                self.lines[head][2] = len(self.lines)
                self._leave(inner)
            case ("do", condition, body):
                head, inner = len(self.lines), []
                self.block(body, inner)
                end = self.add("unless", condition, None)
                self.add("jump", head)
                self.lines[end][2] = len(self.lines)
                self._leave(inner)
            case _:
                self.add(*statement)

    def _leave(self, jumps: list[int]) -> None:
        for jump in jumps:
            self.lines[jump][1] = len(self.lines)


State = tuple[int, Values]


@dataclass
class Graph:
    """All states that runs pass, which follow each, and those in which an assumption fails."""

    start: State
    after: dict[State, list[State]]
    failed: set[State]


def all_states(program: Program, most: int) -> Graph | None:
    """The states of a program; None when there are more than some."""
    code = _Code({name: number for number, name in enumerate(program.types)})
    code.block(program.body, None)
    ranges = [_TYPES[type_] for type_ in program.types.values()]
    start = (0, tuple(0 for _ in program.types))
    found = Graph(start, {}, set())
    pending = [start]
    while pending:
        state = pending.pop()
        if state in found.after:
            continue
        if len(found.after) >= most:
            return None
        found.after[state] = list(dict.fromkeys(_following(code, ranges, state)))
        pending += found.after[state]
        if not found.after[state] and state[0] < len(code.lines) and code.lines[state[0]][0] == "assume":
            found.failed.add(state)
    return found


def runs_for_ever(program: Program) -> bool | None:
    """Whether some run does not end; None when there are too many states to tell."""
    code = _Code({name: number for number, name in enumerate(program.types)})
    code.block(program.body, None)
    ranges = [_TYPES[type_] for type_ in program.types.values()]
    start = (0, tuple(0 for _ in program.types))
    done: set[tuple[int, Values]] = set()
    open_: set[tuple[int, Values]] = {start}
    stack = [(start, iter(_following(code, ranges, start)))]
    while stack:
        state, following = stack[-1]
        after = next(following, None)
        if after is None:
            stack.pop()
            open_.discard(state)
            done.add(state)
        elif after in open_:
            return True
        elif after not in done:
            if len(done) + len(open_) > MOST_STATES:
                return None
            open_.add(after)
            stack.append((after, iter(_following(code, ranges, after))))
    return False


def _following(
    code: _Code, ranges: list[tuple[int, int]], state: tuple[int, Values]
) -> list[tuple[int, Values]]:  # fmt: skip
    """The states after one instruction."""
    at, values = state
    if at >= len(code.lines):
        return []
    match code.lines[at]:
        case ["jump", int(target)]:
            return [(target, values)]
        case ["unless", ["any"] | ("any",), int(target)]:
            return [(at + 1, values), (target, values)]
        case ["unless", condition, int(target)]:
            return [(at + 1 if _value(code, condition, values) else target, values)]
        case ["assume", condition]:
            return [(at + 1, values)] if _value(code, condition, values) else []
        case ["abort"]:
            return []
        case ["set", str(name), value]:
            return [(at + 1, _stored(code, ranges, values, name, _value(code, value, values)))]
        case ["input", str(name), int(mask)]:
            drawn = sorted({number & mask for number in range(256)})
            return [(at + 1, _stored(code, ranges, values, name, number)) for number in drawn]
    raise AssertionError(code.lines[at])


def _stored(code: _Code, ranges: list[tuple[int, int]], values: Values, name: str, number: int) -> Values:
    at = code.names[name]
    low = ranges[at][0]
    return (*values[:at], (number - low) % 256 + low, *values[at + 1 :])


def _value(code: _Code, expression: object, values: Values) -> int:
    match expression:
        case ("var", str(name)):
            return values[code.names[name]]
        case ("number", int(number)):
            return number
        case ("&&" | "||" as op, left, right):
            first, second = bool(_value(code, left, values)), bool(_value(code, right, values))
            return int(first and second if op == "&&" else first or second)
        case ("compare", str(op), left, right):
            return int(OPERATORS[op](_value(code, left, values), _value(code, right, values)))
        case (str(op), left, right):
            return _arithmetic(op, _value(code, left, values), _value(code, right, values))
    raise AssertionError(expression)


def _arithmetic(op: str, a: int, b: int) -> int:
    match op:
        case "/":
            return abs(a) // b * (1 if a >= 0 else -1)
        case "%":
            return abs(a) % b * (1 if a >= 0 else -1)
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "*":
            return a * b
    return a + b if op == "+" else a - b
