"""Random small programs with two or three threads: shared numbers, locks, waiting, asserts, inputs of tiny domains."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from .printing import BUILTINS
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
    Program,
    Return,
    Section,
    Shared,
    Spawn,
    Statement,
    While,
)

KINDS = {
    "plain": ["section"],
    "locks": ["lock", "lock", "try"],
    "waiting": ["await", "notify", "lock"],
    "semaphores": ["post", "semwait", "semtry", "semvalue", "lock"],
    "rwlocks": ["read", "write", "tryread", "trywrite"],
    "barriers": ["barrier", "barrier", "lock"],
    "inputs": ["lock", "section"],
    "atomics": ["atomic", "atomic", "atomic", "section"],
    "spins": ["spin", "spin", "tryspin"],
    "once": ["once", "once", "lock"],
    "lives": ["return", "atomic", "lock"],
    "misuse": ["misuse", "lock", "lock", "destroy"],
    "guarded": ["guarded", "guarded", "guarded", "guarded", "await", "notify", "post", "semwait"],
    "mixed": [
        "lock", "try", "await", "notify", "post", "semwait", "semtry", "read", "write", "section", "misuse", "atomic",
        "once", "spin", "barrier", "return",
    ],
}  # fmt: skip


@dataclass
class _Maker:
    """The program being made, and how many shared accesses it may still get."""

    dice: random.Random
    flavour: str
    shared: list[Shared]
    mutexes: list[str]
    spurious: bool
    left: int = 0
    locals: list[Local] = field(default_factory=list)
    inputs: int = 0
    main: bool = False
    reach: list[Shared] | None = None
    """What may be touched now, where only some of the shared variables may."""

    @property
    def near(self) -> list[Shared]:
        return self.shared if self.reach is None else self.reach

    def operand(self) -> Expression:
        roll = self.dice.random()
        if roll < 0.35:
            return Constant(self.dice.randint(0, 2))
        if self.locals and roll < 0.6:
            return self.dice.choice(self.locals)
        self.left -= 1
        return self.dice.choice(self.near) if self.near else Constant(self.dice.randint(0, 2))

    def expression(self) -> Expression:
        if self.dice.random() < 0.5:
            return self.operand()
        return Binary(self.dice.choice("+-+*"), self.operand(), self.operand())

    def condition(self) -> Expression:
        simple = Binary(self.dice.choice(["<", "<=", "==", "!="]), self.operand(), self.operand())
        if self.dice.random() < 0.2:
            other = Binary(self.dice.choice(["==", "!="]), self.operand(), self.operand())
            return Binary(self.dice.choice(["&&", "||"]), simple, other)
        return simple

    def block(self, depth: int, size: int, plain: bool = False) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for _ in range(size):
            if self.left > 0:
                found += self.statement(depth, plain)
        return tuple(found)

    def statement(self, depth: int, plain: bool) -> list[Statement]:
        roll = self.dice.random()
        if plain or roll < 0.35:
            return [self.change(plain)]
        if roll < 0.38:
            return [Assert(self.condition())]
        if roll < 0.48 and depth < 2:
            no = self.block(depth + 1, 1) if self.dice.random() < 0.5 else ()
            return [If(self.condition(), self.block(depth + 1, 2), no)]
        if roll < 0.5:
            return [Assume(self.condition())]
        if roll < 0.52:
            return [If(self.condition(), (self.leave(),))]
        return self.synchronised(depth) if depth < 2 else []

    def change(self, plain: bool) -> Statement:
        """Something happens to a variable."""
        roll = self.dice.random() if self.near else 1.0
        if roll < 0.3:
            self.left -= 1
            return Assign(self.variable(plain), self.expression())
        if roll < 0.7:
            self.left -= 2
            return Add(self.variable(plain), self.operand())
        return self.to_local()

    def variable(self, plain: bool) -> Shared:
        choices = [variable for variable in self.near if not (plain and variable.atomic)]
        return self.dice.choice(choices)

    def local(self) -> Local:
        """A local variable to be set."""
        target = Local(self.dice.choice(["l0", "l1", "own"]))
        if target not in self.locals:
            self.locals.append(target)
        return target

    def result(self) -> Local | None:
        """Where the result of a call goes, if it is not ignored."""
        return self.local() if self.dice.random() < 0.4 else None

    def to_local(self) -> Statement:
        target = self.local()
        if self.flavour in ("inputs", "mixed") and self.inputs < 2 and self.dice.random() < 0.6:
            return self.input(target)
        return Assign(target, self.expression())

    def input(self, target: Local) -> Statement:
        self.inputs += 1
        return Input(target, self.dice.randint(1, 2))

    def leave(self) -> Statement:
        exits = self.dice.random() < 0.4
        return Return(exits=exits) if self.main else Return(self.operand(), exits)

    def synchronised(self, depth: int) -> list[Statement]:
        kind = self.dice.choice(KINDS[self.flavour])
        self.left -= 2
        if kind in (
            "atomic",
            "post",
            "semwait",
            "semtry",
            "semvalue",
            "barrier",
            "once",
            "misuse",
            "destroy",
            "return",
        ):
            return self.single(kind)
        mutex = self.dice.choice(self.mutexes)
        if kind == "guarded":
            return self.guarded(depth)
        inside = self.block(depth + 1, self.dice.randint(1, 2), plain=kind == "section")
        match kind:
            case "lock":
                return [Operate("lock", mutex, result=self.result()), *inside, Operate("unlock", mutex)]
            case "try":
                return self.tried(self.dice.choice(["trylock", "timedlock"]), "unlock", mutex, inside)
            case "spin":
                return [Operate("spinlock", "p0"), *inside, Operate("spinunlock", "p0")]
            case "tryspin":
                return self.tried("spintry", "spinunlock", "p0", inside)
            case "section":
                return [Section(inside)] if inside else []
            case "await":
                return [Operate("lock", "m0"), self.waiting(), *inside, Operate("unlock", "m0")]
            case "notify":
                how = self.dice.choice(["signal", "broadcast"])
                change = Assign(self.shared[0], Constant(self.dice.randint(0, 2)))
                return [Operate("lock", "m0"), change, Operate(how, "c0"), Operate("unlock", "m0")]
            case "read" | "write":
                taken = Operate("rdlock" if kind == "read" else "wrlock", "r0", result=self.result())
                return [taken, *inside, Operate("rwunlock", "r0")]
            case "tryread" | "trywrite":
                return self.tried("rdtry" if kind == "tryread" else "wrtry", "rwunlock", "r0", inside)
        raise AssertionError(kind)

    def guarded(self, depth: int) -> list[Statement]:
        """Accesses to one variable under the mutex that is meant for it, nearly always."""
        number = self.dice.randrange(len(self.shared))
        mutex = self.mutexes[number % len(self.mutexes)] if self.dice.random() < 0.95 else self.mutexes[0]
        before, self.reach = self.reach, [*(self.reach or ()), self.shared[number]]
        inside = self.block(depth + 1, self.dice.randint(1, 3))
        self.reach = before
        return [Operate("lock", mutex), *inside, *([Operate("unlock", mutex)] if self.dice.random() < 0.98 else ())]

    def single(self, kind: str) -> list[Statement]:
        """Statements that are one call."""
        mutex = self.dice.choice(self.mutexes)
        match kind:
            case "atomic":
                action = self.dice.choice(list(BUILTINS))
                seen = Local(self.dice.choice(["l0", "l1"]))
                value, expected = self.operand(), self.operand()
                return [Atomic(action, self.variable(True), value, self.local(), expected, seen)]
            case "semtry" | "semvalue" | "barrier":
                return [Operate(kind, "b0" if kind == "barrier" else "s0", result=self.local())]
            case "post" | "semwait":
                return [Operate(kind, "s0")]
            case "once":
                return [Operate("once", "o0")]
            case "misuse":
                return [Operate("unlock", mutex, result=self.result())]
            case "destroy":
                return [Operate("destroy", mutex)]
        return [self.leave()]

    @staticmethod
    def tried(attempt: str, release: str, name: str, inside: tuple[Statement, ...]) -> list[Statement]:
        result = Local("taken")
        taken = If(Binary("==", result, Constant(0)), (*inside, Operate(release, name)))
        return [Operate(attempt, name, result=result), taken]

    def waiting(self) -> Statement:
        """A wait that may end by itself is not repeated: a search without memory of states would never end."""
        empty = Binary("==", self.shared[0], Constant(0))
        if self.spurious or self.dice.random() < 0.4:
            how = self.dice.choice(["wait", "timedwait"])
            return If(empty, (Operate(how, "c0", "m0", self.result()),))
        return While(empty, (Operate("wait", "c0", "m0"),))


def generate(seed: int | str) -> Program:
    """The program of a seed."""
    dice = random.Random(seed)
    flavour = dice.choice([*KINDS, "waiting", "atomics", "inputs"])
    layout = dice.choice(["separate", "separate", "array", "struct"])
    shared = [Shared(f"g{i}", layout == "separate" and dice.random() < 0.2) for i in range(dice.randint(1, 3))]
    if all(variable.atomic for variable in shared):
        shared[0] = Shared("g0")
    kinds = ["normal", "normal", "normal", "recursive", "checking"]
    mutexes = tuple((f"m{i}", dice.choice(kinds)) for i in range(2))
    maker = _Maker(dice, flavour, shared, [name for name, _ in mutexes], dice.random() < 0.3)
    maker.reach = [] if flavour == "guarded" else None
    threads = _threads(maker, dice.choice([2, 2, 2, 3]))
    return Program(
        tuple((variable, dice.randint(0, 1)) for variable in shared),
        mutexes,
        ("c0",) if flavour in ("waiting", "mixed", "guarded") else (),
        (("s0", dice.randint(0, 1)),) if flavour in ("semaphores", "mixed", "guarded") else (),
        ("r0",) if flavour in ("rwlocks", "mixed") else (),
        (("b0", 2),) if flavour in ("barriers", "mixed") else (),
        threads,
        ("p0",) if flavour in ("spins", "mixed") else (),
        _routine(maker) if flavour in ("once", "mixed") else (),
        dice.randint(0, 1),
        layout,
        maker.spurious,
    )


def _routine(maker: _Maker) -> tuple[Statement, ...]:
    add = Add(maker.variable(True), Constant(maker.dice.randint(1, 2)))
    mutex = maker.dice.choice(maker.mutexes)
    return (add,) if maker.dice.random() < 0.5 else (Operate("lock", mutex), add, Operate("unlock", mutex))


def _threads(maker: _Maker, count: int) -> tuple[tuple[Statement, ...], ...]:
    """How threads come to be: one by one, in a loop with the same code, or the second one from the first."""
    dice = maker.dice
    bodies = [_body(maker, count) for _ in range(count)]
    roll = dice.random()
    if roll < 0.25:
        return (_main(maker, [Spawn(1, count)], range(1, count + 1)), *bodies[:1] * count)
    if roll < 0.4:
        bodies[0] = (Create(2), *bodies[0], Join(2, maker.result()))
        starts: list[Statement] = [Create(number) for number in range(1, count + 1) if number != 2]
        return (_main(maker, starts, [number for number in range(1, count + 1) if number != 2]), *bodies)
    return (_main(maker, [Create(number) for number in range(1, count + 1)], range(1, count + 1)), *bodies)


def _body(maker: _Maker, count: int) -> tuple[Statement, ...]:
    maker.left, maker.locals = (6 if count == 2 else 4), [Local("own"), Local("me")]
    given = (maker.input(maker.local()),) if maker.flavour == "inputs" and maker.inputs < 2 else ()
    found = (*given, *maker.block(0, maker.dice.randint(1, 3)))
    return (*found, maker.leave()) if maker.dice.random() < 0.2 else found


def _main(maker: _Maker, starts: list[Statement], numbers: range | list[int]) -> tuple[Statement, ...]:
    maker.left, maker.locals, maker.main = 3, [], True
    found: list[Statement] = []
    for start in starts:
        found.append(start)
        if maker.dice.random() < 0.15:
            found += maker.block(1, 1)
    for number in numbers:
        roll = maker.dice.random()
        if roll < 0.9:
            found.append(Join(number, maker.result()))
        elif roll < 0.95:
            found.append(Detach(number))
    maker.reach = None
    if maker.dice.random() < 0.4:
        found.append(Assert(maker.condition()))
    return tuple(found)
