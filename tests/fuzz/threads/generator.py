"""Random small programs with two or three threads: shared numbers, locks, waiting, asserts, inputs of tiny domains."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

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

FLAVOURS = ("plain", "locks", "waiting", "semaphores", "rwlocks", "barriers", "inputs", "mixed")


@dataclass
class _Maker:
    """The program being made, and how many shared accesses it may still get."""

    dice: random.Random
    flavour: str
    shared: list[Shared]
    mutexes: list[str]
    left: int = 0
    locals: list[Local] = field(default_factory=list)
    inputs: int = 0

    def operand(self, private: bool = False) -> Expression:
        roll = self.dice.random()
        if roll < 0.35 or (private and not self.locals):
            return Constant(self.dice.randint(0, 2))
        if self.locals and (roll < 0.6 or private):
            return self.dice.choice(self.locals)
        self.left -= 1
        return self.dice.choice(self.shared)

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
        if roll < 0.22:
            self.left -= 1
            return [Assign(self.variable(plain), self.expression())]
        if roll < 0.4:
            self.left -= 2
            return [Add(self.variable(plain), self.operand())]
        if roll < 0.5:
            return [self.to_local()]
        if roll < 0.57:
            return [Assert(self.condition())]
        if roll < 0.68 and depth < 2:
            no = self.block(depth + 1, 1, plain) if self.dice.random() < 0.5 else ()
            return [If(self.condition(), self.block(depth + 1, 2, plain), no)]
        if roll < 0.7 and not plain:
            return [Assume(self.condition())]
        if roll < 0.72 and not plain:
            return [If(self.condition(), (Return(),))]
        return self.synchronised(depth) if not plain and depth < 2 else []

    def variable(self, plain: bool) -> Shared:
        choices = [variable for variable in self.shared if not (plain and variable.atomic)]
        return self.dice.choice(choices)

    def to_local(self) -> Statement:
        target = Local(f"l{self.dice.randint(0, 1)}")
        if self.flavour in ("inputs", "mixed") and self.inputs < 2 and self.dice.random() < 0.6:
            self.inputs += 1
            made: Statement = Input(target, self.dice.randint(1, 2))
        else:
            made = Assign(target, self.expression())
        if target not in self.locals:
            self.locals.append(target)
        return made

    def synchronised(self, depth: int) -> list[Statement]:
        kinds = {
            "plain": ["section"], "locks": ["lock", "lock", "try"], "waiting": ["await", "notify", "lock"],
            "semaphores": ["post", "semwait", "lock"], "rwlocks": ["read", "write"], "barriers": ["barrier", "lock"],
            "inputs": ["lock", "section"],
            "mixed": ["lock", "try", "await", "notify", "post", "semwait", "read", "write", "section", "misuse"],
        }[self.flavour]  # fmt: skip
        kind = self.dice.choice(kinds)
        self.left -= 2
        mutex = self.dice.choice(self.mutexes)
        inside = self.block(depth + 1, self.dice.randint(1, 2), plain=kind == "section")
        match kind:
            case "lock":
                return [Operate("lock", mutex), *inside, Operate("unlock", mutex)]
            case "try":
                result = Local("taken")
                taken = Binary("==", result, Constant(0))
                return [Operate("trylock", mutex, result=result), If(taken, (*inside, Operate("unlock", mutex)))]
            case "section":
                return [Section(inside)] if inside else []
            case "await":
                return [Operate("lock", "m0"), self.waiting(), *inside, Operate("unlock", "m0")]
            case "notify":
                how = self.dice.choice(["signal", "broadcast"])
                change = Assign(self.shared[0], Constant(self.dice.randint(0, 2)))
                return [Operate("lock", "m0"), change, Operate(how, "c0"), Operate("unlock", "m0")]
            case "post" | "semwait":
                return [Operate(kind, "s0")]
            case "read" | "write":
                return [Operate("rdlock" if kind == "read" else "wrlock", "r0"), *inside, Operate("rwunlock", "r0")]
            case "barrier":
                return [Operate("barrier", "b0")]
        return [Operate("unlock", mutex)]

    def waiting(self) -> Statement:
        wait = Operate("wait", "c0", "m0")
        empty = Binary("==", self.shared[0], Constant(0))
        return While(empty, (wait,)) if self.dice.random() < 0.7 else If(empty, (wait,))


def generate(seed: int) -> Program:
    """The program of a seed."""
    dice = random.Random(seed)
    flavour = dice.choice(FLAVOURS)
    shared = [Shared(f"g{i}", dice.random() < 0.2) for i in range(dice.randint(1, 3))]
    if all(variable.atomic for variable in shared):
        shared[0] = Shared("g0")
    kinds = ["normal", "normal", "normal", "recursive", "checking"]
    mutexes = tuple((f"m{i}", dice.choice(kinds)) for i in range(2))
    maker = _Maker(dice, flavour, shared, [name for name, _ in mutexes])
    count = dice.choice([2, 2, 2, 3])
    bodies: list[tuple[Statement, ...]] = []
    for _ in range(count):
        maker.left, maker.locals = (7 if count == 2 else 4), []
        bodies.append(maker.block(0, dice.randint(1, 4)))
    return Program(
        tuple((variable, dice.randint(0, 1)) for variable in shared),
        mutexes,
        ("c0",),
        (("s0", dice.randint(0, 1)),),
        ("r0",),
        (("b0", 2),),
        (_main(maker, count), *bodies),
    )


def _main(maker: _Maker, count: int) -> tuple[Statement, ...]:
    maker.left, maker.locals = 3, []
    found: list[Statement] = []
    for number in range(1, count + 1):
        found.append(Create(number))
        if maker.dice.random() < 0.15:
            found += maker.block(1, 1)
    for number in range(1, count + 1):
        if maker.dice.random() < 0.9:
            found.append(Join(number))
    if maker.dice.random() < 0.6:
        found.append(Assert(maker.condition()))
    return tuple(found)
