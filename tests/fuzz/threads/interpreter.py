"""All executions of a threaded program, by brute force: every step of every thread may come next.

This shares nothing with the package under test. A thread is a list of instructions; each reads or writes at most one
shared variable. All states are visited once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .compiling import Compiler, evaluate
from .syntax import Program

EPERM, EBUSY, EDEADLK, ETIMEDOUT = 1, 16, 35, 110
DESTROYED = ("destroyed", 0)


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
        self._codes = [Compiler(program.once).body(body) for body in program.threads]
        self._names = [variable.name for variable, _ in program.shared]
        self._kinds = dict(program.mutexes)
        self._needed = dict(program.barriers)
        self._most = most
        objects: list[tuple[str, Any]] = [(name, (None, 0)) for name, _ in program.mutexes]
        objects += [(name, ()) for name in program.conditions]
        objects += list(program.semaphores)
        objects += [(name, (None, ())) for name in program.locks]
        objects += [(name, ((), 0, ())) for name, _ in program.barriers]
        objects += [(name, None) for name in program.spins]
        objects += [("o0", "new")] if program.once else []
        self._own, self._spurious = program.own, program.spurious
        threads = [(0, (("own", program.own),), "ready")] + [(0, (), "new")] * (len(program.threads) - 1)
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
            if owner in (None, "destroyed") or (owner == number and self._kinds[rest[0]] != "normal"):
                return "nobody"
            return (owner,)
        if action == "spinlock":
            return "nobody" if objects[rest[0]] is None else (objects[rest[0]],)
        if action == "once":
            return (objects[rest[0]],) if isinstance(objects[rest[0]], int) else "nobody"
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

    def _half(self, objects: dict[str, Any], mood: tuple[Any, ...], number: int) -> Any:
        if mood[0] == "barrier":
            return "nobody" if objects[mood[1]][1] != mood[2] else "something"
        if number in objects[mood[1]]:
            return "something" if mood[0] == "condition" and not self._spurious else "nobody"
        owner = objects[mood[2]][0]
        return "nobody" if owner is None else (owner,)

    def _step(self, state: _State, number: int) -> Iterator[_State]:
        counter, local, mood = state.threads[number]
        values = dict(local)
        objects = dict(state.objects)
        if isinstance(mood, tuple):
            if mood[0] in ("condition", "timed") and number in objects[mood[1]]:
                yield from self._leave(state, number, mood, objects)
                return
            self._resume(number, mood, values, objects)
            yield self._after(state, number, counter + 1, values, objects=objects)
            return
        action, *rest = self._codes[number][counter]
        match action:
            case "read":
                values[rest[0]] = state.shared[self._names.index(rest[1])]
                yield self._after(state, number, counter + 1, values)
            case "write":
                shared = list(state.shared)
                shared[self._names.index(rest[0])] = evaluate(rest[1], values)
                yield self._after(state, number, counter + 1, values, shared=tuple(shared))
            case "set":
                values[rest[0]] = evaluate(rest[1], values)
                yield self._after(state, number, counter + 1, values)
            case "unless":
                yield self._after(state, number, counter + 1 if evaluate(rest[0], values) else rest[1], values)
            case "jump":
                yield self._after(state, number, rest[0], values)
            case "input":
                for value in range(rest[1] + 1):
                    yield self._after(state, number, counter + 1, {**values, rest[0]: value})
            case "assert":
                if evaluate(rest[0], values):
                    yield self._after(state, number, counter + 1, values)
                else:
                    self.outcomes.fails = True
            case "assume":
                if evaluate(rest[0], values):
                    yield self._after(state, number, counter + 1, values)
                elif state.inside is None:
                    yield self._after(state, number, counter, values, mood="stuck")
            case "begin" | "finish":
                yield self._after(state, number, counter + 1, values, inside=number if action == "begin" else None)
            case "create":
                threads = list(self._after(state, number, counter + 1, values).threads)
                threads[rest[0]] = (0, (("me", rest[1]), ("own", self._own)), "ready")
                yield _State(tuple(threads), state.shared, state.objects, state.inside)
            case "join":
                if rest[1] is not None:
                    values[rest[1]] = dict(state.threads[rest[0]][1])["result"]
                yield self._after(state, number, counter + 1, values)
            case "end" | "exit":
                if number == 0 and action == "end":
                    self.outcomes.finals.add(state.shared)
                else:
                    yield self._after(state, number, counter, {"result": evaluate(rest[0], values)}, mood="over")
            case "once":
                fresh = objects[rest[0]] == "new"
                objects[rest[0]] = number if fresh else "done"
                yield self._after(state, number, counter + 1 if fresh else rest[1], values, objects=objects)
            case _:
                yield from self._operate(state, number, action, rest, values, objects)

    def _leave(self, state: _State, number: int, mood: tuple[Any, ...], objects: dict[str, Any]) -> Iterator[_State]:
        """A wait ends without a signal; the mutex is still to be taken."""
        counter, local, _ = state.threads[number]
        objects[mood[1]] = tuple(other for other in objects[mood[1]] if other != number)
        ends = [("late", *mood[1:])] if mood[0] == "timed" else []
        ends += [("condition", *mood[1:])] if self._spurious else []
        for end in ends:
            yield self._after(state, number, counter, dict(local), objects=objects, mood=end)

    @staticmethod
    def _resume(number: int, mood: tuple[Any, ...], values: dict[str, int], objects: dict[str, Any]) -> None:
        """The last part of a wait."""
        kind, name, *rest = mood
        if kind == "barrier":
            arrived, times, owed = objects[name]
            code = -1 if number in owed else 0
            objects[name] = arrived, times, tuple(other for other in owed if other != number)
        else:
            code = ETIMEDOUT if kind == "late" else 0
            objects[rest[0]] = (number, rest[1])
        if rest[-1] is not None:
            values[rest[-1]] = code

    def _operate(
        self, state: _State, number: int, action: str, rest: list[Any], values: dict[str, int], objects: dict[str, Any]
    ) -> Iterator[_State]:
        name, other, result = rest
        following = state.threads[number][0] + 1
        mood: Any = "ready"
        code = 0
        if objects[name] == DESTROYED:
            self.outcomes.misuse = True
            return
        match action:
            case "lock" | "trylock" | "timedlock":
                objects[name], code = self._locked(objects[name], number, self._kinds[name], action)
            case "unlock":
                owner, count = objects[name]
                if owner == number:
                    objects[name] = (number, count - 1) if count > 1 else (None, 0)
                elif self._kinds[name] != "normal":
                    code = EPERM
                else:
                    self.outcomes.misuse = True
                    return
            case "destroy":
                if objects[name][0] is not None:
                    self.outcomes.misuse = True
                    return
                objects[name] = DESTROYED
            case "spinlock" | "spintry":
                code = 0 if objects[name] is None else EBUSY
                objects[name] = number if objects[name] is None else objects[name]
            case "spinunlock":
                if objects[name] != number:
                    self.outcomes.misuse = True
                    return
                objects[name] = None
            case "done":
                objects[name] = "done"
            case "wait" | "timedwait":
                owner, count = objects[other]
                if owner != number:
                    self.outcomes.misuse = True
                    return
                objects[other] = (None, 0)
                objects[name] = (*objects[name], number)
                kind = "timed" if action == "timedwait" else "condition"
                mood, following = (kind, name, other, count, result), following - 1
            case "signal":
                for woken in objects[name] or (None,):
                    left = tuple(waiter for waiter in objects[name] if waiter != woken)
                    yield self._after(state, number, following, values, objects={**objects, name: left})
                return
            case "broadcast":
                objects[name] = ()
            case "post":
                objects[name] += 1
            case "semwait" | "semtry":
                code = 0 if objects[name] else -1
                objects[name] += -1 if objects[name] else 0
            case "semvalue":
                code = objects[name]
            case "rdlock" | "rdtry":
                writer, readers = objects[name]
                if writer is None:
                    objects[name] = (None, tuple(sorted((*readers, number))))
                else:
                    code = EBUSY if action == "rdtry" else EDEADLK
            case "wrlock" | "wrtry":
                if objects[name] == (None, ()):
                    objects[name] = (number, ())
                else:
                    code = EBUSY if action == "wrtry" else EDEADLK
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
                arrived, times, owed = objects[name]
                everyone = tuple(sorted((*arrived, number)))
                if len(everyone) == self._needed[name]:
                    for chosen in everyone:
                        given = {**values, result: -1 if chosen == number else 0} if result is not None else values
                        due = owed if chosen == number else (*owed, chosen)
                        opened = {**objects, name: ((), times + 1, due)}
                        yield self._after(state, number, following, given, objects=opened)
                    return
                objects[name] = (everyone, times, owed)
                mood, following = ("barrier", name, times, result), following - 1
        if result is not None and mood == "ready":
            values[result] = code
        yield self._after(state, number, following, values, objects=objects, mood=mood)

    @staticmethod
    def _locked(mutex: Any, number: int, kind: str, action: str) -> tuple[Any, int]:
        owner, count = mutex
        if owner is None:
            return (number, 1), 0
        if owner == number and kind == "recursive":
            return (number, count + 1), 0
        if action == "trylock":
            return mutex, EBUSY
        return mutex, EDEADLK if owner == number and kind == "checking" else ETIMEDOUT

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

    @staticmethod
    def _sleeps(state: _State, number: int) -> bool:
        """Whether a thread waits for a signal: it may wake up without one, but need not."""
        mood = state.threads[number][2]
        return isinstance(mood, tuple) and mood[0] == "condition" and number in dict(state.objects)[mood[1]]

    def _judge(self, state: _State) -> None:
        """Deadlocks and races that a state shows."""
        if state.inside is not None:
            return
        holders = {number: self._holder(state, number) for number in range(len(state.threads))}
        asleep = {number: "something" for number in holders if self._sleeps(state, number)}
        if self._is_dead(state, holders | asleep):
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
