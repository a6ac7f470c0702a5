"""All executions of a threaded program, by brute force: every step of every thread may come next.

This shares nothing with the package under test. A thread is a list of instructions; each reads or writes at most one
shared variable. All states are visited once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .syntax import (
    Add,
    Assert,
    Assign,
    Assume,
    Binary,
    Constant,
    Create,
    Expression,
    If,
    Input,
    Join,
    Local,
    Operate,
    Program,
    Return,
    Section,
    Shared,
    Statement,
    While,
)

EDEADLK, EBUSY = 35, 16
Instruction = tuple[Any, ...]


class TooLarge(Exception):
    """The program has more states than we want to see."""


@dataclass
class Outcomes:
    """Everything that can happen: values of the shared variables when `main` returns, failures, deadlocks, races."""

    finals: set[tuple[int, ...]] = field(default_factory=set)
    fails: bool = False
    deadlocks: bool = False
    races: bool = False
    misuse: bool = False
    states: int = 0


class _Compiler:
    """A thread's statements to instructions."""

    def __init__(self) -> None:
        self.code: list[Instruction] = []
        self._temporaries = 0

    def body(self, statements: tuple[Statement, ...]) -> list[Instruction]:
        for statement in statements:
            self.statement(statement)
        self.code.append(("end",))
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
            case Operate(action, name, other, result):
                self.emit(action, name, other, None if result is None else result.name)
            case Create(thread):
                self.emit("create", thread)
            case Join(thread):
                self.emit("join", thread)
            case Return():
                self.emit("end")

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


def _evaluate(tree: tuple[Any, ...], local: dict[str, int]) -> int:
    if tree[0] == "constant":
        return int(tree[1])
    if tree[0] == "local":
        return local.get(tree[1], 0)
    left, right = _evaluate(tree[1], local), _evaluate(tree[2], local)
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


@dataclass(frozen=True)
class _State:
    """`threads` holds for each thread (counter, locals, mood); a mood is new, ready, over, stuck, or what it waits for
    in the second half of a wait. `objects` holds everything about synchronisation objects, by name."""

    threads: tuple[tuple[int, tuple[tuple[str, int], ...], Any], ...]
    shared: tuple[int, ...]
    objects: tuple[tuple[str, Any], ...]
    inside: int | None = None


class Interpreter:
    """Runs a program in every way."""

    def __init__(self, program: Program, most: int = 60_000) -> None:
        self._codes = [_Compiler().body(body) for body in program.threads]
        self._names = [variable.name for variable, _ in program.shared]
        self._kinds = dict(program.mutexes)
        self._needed = dict(program.barriers)
        self._most = most
        objects: list[tuple[str, Any]] = [(name, (None, 0)) for name, _ in program.mutexes]
        objects += [(name, ()) for name in program.conditions]
        objects += list(program.semaphores)
        objects += [(name, (None, ())) for name in program.locks]
        objects += [(name, ((), 0)) for name, _ in program.barriers]
        threads = [(0, (), "ready")] + [(0, (), "new")] * (len(program.threads) - 1)
        self._first = _State(tuple(threads), tuple(value for _, value in program.shared), tuple(sorted(objects)))
        self.outcomes = Outcomes()

    def run(self) -> Outcomes:
        seen = {self._first}
        pending = [self._first]
        while pending:
            state = pending.pop()
            self.outcomes.states += 1
            if self.outcomes.states > self._most:
                raise TooLarge
            following = [after for number in self._able(state) for after in self._step(state, number)]
            self._judge(state)
            for after in following:
                if after not in seen:
                    seen.add(after)
                    pending.append(after)
        return self.outcomes

    def _able(self, state: _State) -> list[int]:
        if state.inside is not None:
            return [state.inside]
        return [number for number in range(len(state.threads)) if self._holder(state, number) == "nobody"]

    def _holder(self, state: _State, number: int) -> Any:
        """Whom a thread waits for: "nobody" when it can run, "new", "stuck", "over", other threads, or "something"."""
        counter, _, mood = state.threads[number]
        if mood in ("new", "over", "stuck"):
            return mood
        objects = dict(state.objects)
        if isinstance(mood, tuple):
            return self._half(objects, mood, number)
        action, *rest = self._codes[number][counter]
        if action == "lock":
            owner, _ = objects[rest[0]]
            if owner is None or (owner == number and self._kinds[rest[0]] != "normal"):
                return "nobody"
            return (owner,)
        if action == "join":
            return "nobody" if state.threads[rest[0]][2] == "over" else (rest[0],)
        if action == "semwait":
            return "nobody" if objects[rest[0]] else "something"
        if action in ("rdlock", "wrlock"):
            writer, readers = objects[rest[0]]
            if action == "rdlock":
                return "nobody" if writer in (None, number) else (writer,)
            if (writer is None and not readers) or writer == number:
                return "nobody"
            return readers if writer is None else (writer,)
        return "nobody"

    @staticmethod
    def _half(objects: dict[str, Any], mood: tuple[Any, ...], number: int) -> Any:
        if mood[0] == "barrier":
            return "nobody" if objects[mood[1]][1] != mood[2] else "something"
        if number in objects[mood[1]]:
            return "something"
        owner = objects[mood[2]][0]
        return "nobody" if owner is None else (owner,)

    def _step(self, state: _State, number: int) -> Iterator[_State]:
        counter, local, mood = state.threads[number]
        values = dict(local)
        objects = dict(state.objects)
        if isinstance(mood, tuple):
            if mood[0] == "condition":
                objects[mood[2]] = (number, mood[3])
            yield self._after(state, number, counter + 1, values, objects=objects)
            return
        action, *rest = self._codes[number][counter]
        match action:
            case "read":
                values[rest[0]] = state.shared[self._names.index(rest[1])]
                yield self._after(state, number, counter + 1, values)
            case "write":
                shared = list(state.shared)
                shared[self._names.index(rest[0])] = _evaluate(rest[1], values)
                yield self._after(state, number, counter + 1, values, shared=tuple(shared))
            case "set":
                values[rest[0]] = _evaluate(rest[1], values)
                yield self._after(state, number, counter + 1, values)
            case "unless":
                yield self._after(state, number, counter + 1 if _evaluate(rest[0], values) else rest[1], values)
            case "jump":
                yield self._after(state, number, rest[0], values)
            case "input":
                for value in range(rest[1] + 1):
                    yield self._after(state, number, counter + 1, {**values, rest[0]: value})
            case "assert":
                if _evaluate(rest[0], values):
                    yield self._after(state, number, counter + 1, values)
                else:
                    self.outcomes.fails = True
            case "assume":
                if _evaluate(rest[0], values):
                    yield self._after(state, number, counter + 1, values)
                elif state.inside is None:
                    yield self._after(state, number, counter, values, mood="stuck")
            case "begin" | "finish":
                yield self._after(state, number, counter + 1, values, inside=number if action == "begin" else None)
            case "create":
                threads = list(self._after(state, number, counter + 1, values).threads)
                threads[rest[0]] = (0, (), "ready")
                yield _State(tuple(threads), state.shared, state.objects, state.inside)
            case "join":
                yield self._after(state, number, counter + 1, values)
            case "end":
                if number == 0:
                    self.outcomes.finals.add(state.shared)
                else:
                    yield self._after(state, number, counter, {}, mood="over")
            case _:
                yield from self._operate(state, number, action, rest, values, objects)

    def _operate(
        self, state: _State, number: int, action: str, rest: list[Any], values: dict[str, int], objects: dict[str, Any]
    ) -> Iterator[_State]:
        name, other, result = rest
        following = state.threads[number][0] + 1
        mood: Any = "ready"
        match action:
            case "lock" | "trylock":
                objects[name], code = self._locked(objects[name], number, self._kinds[name], action)
                if result is not None:
                    values[result] = code
            case "unlock":
                owner, count = objects[name]
                if owner != number:
                    if self._kinds[name] == "normal":
                        self.outcomes.misuse = True
                        return
                else:
                    objects[name] = (number, count - 1) if count > 1 else (None, 0)
            case "wait":
                owner, count = objects[other]
                if owner != number:
                    self.outcomes.misuse = True
                    return
                objects[other] = (None, 0)
                objects[name] = (*objects[name], number)
                mood, following = ("condition", name, other, count), following - 1
            case "signal":
                for woken in objects[name] or (None,):
                    left = tuple(waiter for waiter in objects[name] if waiter != woken)
                    yield self._after(state, number, following, values, objects={**objects, name: left})
                return
            case "broadcast":
                objects[name] = ()
            case "post":
                objects[name] += 1
            case "semwait":
                objects[name] -= 1
            case "rdlock":
                writer, readers = objects[name]
                if writer is None:
                    objects[name] = (None, tuple(sorted((*readers, number))))
            case "wrlock":
                if objects[name] == (None, ()):
                    objects[name] = (number, ())
            case "rwunlock":
                writer, readers = objects[name]
                if writer == number:
                    objects[name] = (None, ())
                elif number in readers:
                    at = readers.index(number)
                    objects[name] = (None, readers[:at] + readers[at + 1 :])
                else:
                    self.outcomes.misuse = True
                    return
            case "barrier":
                arrived, times = objects[name]
                if len(arrived) + 1 < self._needed[name]:
                    objects[name] = (tuple(sorted((*arrived, number))), times)
                    mood, following = ("barrier", name, times), following - 1
                else:
                    objects[name] = ((), times + 1)
        yield self._after(state, number, following, values, objects=objects, mood=mood)

    @staticmethod
    def _locked(mutex: Any, number: int, kind: str, action: str) -> tuple[Any, int]:
        owner, count = mutex
        if owner is None:
            return (number, 1), 0
        if owner == number and kind == "recursive":
            return (number, count + 1), 0
        return mutex, EBUSY if action == "trylock" else EDEADLK

    @staticmethod
    def _after(
        state: _State,
        number: int,
        counter: int,
        values: dict[str, int],
        shared: tuple[int, ...] | None = None,
        objects: dict[str, Any] | None = None,
        mood: Any = "ready",
        inside: int | str | None = "same",
    ) -> _State:
        threads = list(state.threads)
        threads[number] = (counter, tuple(sorted(values.items())), mood)
        kept = state.objects if objects is None else tuple(sorted(objects.items()))
        where = state.inside if inside == "same" else inside
        assert not isinstance(where, str)
        return _State(tuple(threads), state.shared if shared is None else shared, kept, where)

    def _judge(self, state: _State) -> None:
        """Deadlocks and races that a state shows."""
        if state.inside is not None:
            return
        holders = {number: self._holder(state, number) for number in range(len(state.threads))}
        if self._is_dead(state, holders):
            self.outcomes.deadlocks = True
        if not self.outcomes.races:
            touched = [self._touches(state, number) for number, who in holders.items() if who == "nobody"]
            self.outcomes.races = any(
                a[0] == b[0] and (a[1] or b[1]) and not (a[2] and b[2])
                for i, left in enumerate(touched)
                for right in touched[i + 1 :]
                for a in left
                for b in right
            )

    @staticmethod
    def _is_dead(state: _State, holders: dict[int, Any]) -> bool:
        living = {n: who for n, who in holders.items() if who not in ("new", "over")}
        if living and all(who not in ("nobody", "stuck") for who in living.values()):
            return True
        doomed = {n for n, who in living.items() if isinstance(who, tuple)}
        while True:
            kept = {n for n in doomed if any(m in doomed or state.threads[m][2] == "over" for m in living[n])}
            if kept == doomed:
                return bool(doomed)
            doomed = kept

    def _touches(self, state: _State, number: int) -> list[tuple[str, bool, bool]]:
        """The variables a thread is about to access, whether it writes them, and whether atomically."""
        counter, _, mood = state.threads[number]
        if isinstance(mood, tuple):
            return []
        action, *rest = self._codes[number][counter]
        if action == "read":
            return [(rest[1], False, rest[2])]
        if action == "write":
            return [(rest[0], True, rest[2])]
        if action != "begin":
            return []
        found: list[tuple[str, bool, bool]] = []
        while True:
            states = list(self._step(state, number))
            if not states:
                return found
            state = states[0]
            if state.inside is None:
                return found
            counter = state.threads[number][0]
            action, *rest = self._codes[number][counter]
            if action == "read":
                found.append((rest[1], False, True))
            elif action == "write":
                found.append((rest[0], True, True))
