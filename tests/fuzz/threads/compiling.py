"""Threads as lists of instructions, each of which reads or writes at most one shared variable."""

from __future__ import annotations

from typing import Any

from .syntax import (
    Add,
    Assert,
    Assign,
    Assume,
    Atomic,
    Binary,
    Constant,
    Create,
    Detach,
    Expression,
    If,
    Input,
    Join,
    Local,
    Operate,
    Return,
    Section,
    Shared,
    Spawn,
    Statement,
    While,
)

Instruction = tuple[Any, ...]


class Compiler:
    """A thread's statements to instructions."""

    def __init__(self, once: tuple[Statement, ...]) -> None:
        self.code: list[Instruction] = []
        self._once = once
        self._temporaries = 0

    def body(self, statements: tuple[Statement, ...]) -> list[Instruction]:
        for statement in statements:
            self.statement(statement)
        self.emit("end", ("constant", 0))
        return self.code

    def emit(self, *parts: Any) -> int:
        self.code.append(parts)
        return len(self.code) - 1

    def patch(self, at: int, target: int) -> None:
        self.code[at] = (*self.code[at][:-1], target)

    def read(self, variable: Shared) -> tuple[Any, ...]:
        self._temporaries += 1
        name = f"%{self._temporaries}"
        self.emit("read", name, variable.name, variable.atomic)
        return ("local", name)

    def value(self, tree: Expression) -> tuple[Any, ...]:
        match tree:
            case Constant(value):
                return ("constant", value)
            case Local(name):
                return ("local", name)
            case Shared():
                return self.read(tree)
            case Binary("&&" | "||", _, _):
                return self.decision(tree)
            case Binary(operator, left, right):
                first = self.value(left)
                return (operator, first, self.value(right))

    def decision(self, tree: Binary) -> tuple[Any, ...]:
        self._temporaries += 1
        name = f"%{self._temporaries}"
        left = self.value(tree.left)
        self.emit("set", name, ("!=", left, ("constant", 0)))
        stay = ("local", name) if tree.operator == "&&" else ("==", ("local", name), ("constant", 0))
        skip = self.emit("unless", stay, None)
        right = self.value(tree.right)
        self.emit("set", name, ("!=", right, ("constant", 0)))
        self.patch(skip, len(self.code))
        return ("local", name)

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign(Local(name), value):
                self.emit("set", name, self.value(value))
            case Assign(Shared(name, atomic), value):
                self.emit("write", name, self.value(value), atomic)
            case Add(target, value):
                self.addition(target, value)
            case Atomic():
                self.builtin(statement)
            case Input(Local(name), most):
                self.emit("input", name, most)
            case Assert(condition):
                self.emit("assert", self.value(condition))
            case Assume(condition):
                self.emit("assume", self.value(condition))
            case If(condition, yes, no):
                self.choice(condition, yes, no)
            case While(condition, body):
                start = len(self.code)
                leave = self.emit_unless(condition)
                for inner in body:
                    self.statement(inner)
                self.emit("jump", start)
                self.patch(leave, len(self.code))
            case Section(body):
                self.emit("begin")
                for inner in body:
                    self.statement(inner)
                self.emit("finish")
            case Operate("once", name):
                call = self.emit("once", name, None)
                for inner in self._once:
                    self.statement(inner)
                self.emit("done", name, "", None)
                self.patch(call, len(self.code))
            case Operate(action, name, other, result):
                self.emit(action, name, other, None if result is None else result.name)
            case _:
                self.life(statement)

    def life(self, statement: Statement) -> None:
        match statement:
            case Create(thread):
                self.emit("create", thread, 0)
            case Spawn(first, count):
                for argument in range(count):
                    self.emit("create", first + argument, argument)
            case Join(thread, result):
                self.emit("join", thread, None if result is None else result.name)
            case Detach():
                pass
            case Return(value, exits):
                self.emit("exit" if exits else "end", self.value(value))
            case _:
                raise AssertionError(statement)

    def builtin(self, statement: Atomic) -> None:
        """The operands come before the step, the last one first as gcc has it; what a failed exchange found is stored
        after it."""
        action, result, seen = statement.action, statement.result.name, statement.seen.name
        operand = ("constant", 0) if action == "load" else self.value(statement.value)
        wanted = self.value(statement.expected) if action in ("swap_value", "swap_hit") else ("local", seen)
        self.emit("begin")
        old = ("constant", 0) if action == "store" else self.read(statement.target)
        swaps = action in ("swap_value", "swap_hit", "compare_exchange")
        hit = self.kept(("==", old, wanted))
        skip = self.emit("unless", hit, None) if swaps else None
        if action != "load":
            new = ("+", old, operand) if "add" in action else operand
            self.emit("write", statement.target.name, new, True)
        if skip is not None:
            self.patch(skip, len(self.code))
        self.emit("finish")
        if action == "compare_exchange":
            skip = self.emit("unless", ("==", hit, ("constant", 0)), None)
            self.emit("set", seen, old)
            self.patch(skip, len(self.code))
        if action != "store":
            given = ("+", old, operand) if action == "add_fetch" else old
            self.emit("set", result, hit if action in ("swap_hit", "compare_exchange") else given)

    def kept(self, tree: tuple[Any, ...]) -> tuple[Any, ...]:
        """A value at this moment."""
        self._temporaries += 1
        name = f"%{self._temporaries}"
        self.emit("set", name, tree)
        return ("local", name)

    def addition(self, target: Shared, value: Expression) -> None:
        operand = self.value(value)
        if target.atomic:
            self.emit("begin")
        old = self.read(target)
        self.emit("write", target.name, ("+", old, operand), target.atomic)
        if target.atomic:
            self.emit("finish")

    def emit_unless(self, condition: Expression) -> int:
        return self.emit("unless", self.value(condition), None)

    def choice(self, condition: Expression, yes: tuple[Statement, ...], no: tuple[Statement, ...]) -> None:
        otherwise = self.emit_unless(condition)
        for inner in yes:
            self.statement(inner)
        over = self.emit("jump", None)
        self.patch(otherwise, len(self.code))
        for inner in no:
            self.statement(inner)
        self.patch(over, len(self.code))


def evaluate(tree: tuple[Any, ...], local: dict[str, int]) -> int:
    if tree[0] == "constant":
        return int(tree[1])
    if tree[0] == "local":
        return local.get(tree[1], 0)
    left, right = evaluate(tree[1], local), evaluate(tree[2], local)
    match tree[0]:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
    raise AssertionError(tree)
