"""Random states, labels and formulas over two objects in memory."""

from __future__ import annotations

import random
from collections.abc import Callable

from pincer.errors import Position
from pincer.execution.machine import State, World
from pincer.logic import bitvectors as bv
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Begin,
    ControlFlowProgram,
    Copy,
    Fill,
    Free,
    Input,
    Label,
    Layout,
    Procedure,
    StaticObject,
    Store,
)

HERE = Position("p.c", 1, 1)

LAYOUT = Layout("LP64", 64, 32)

SLOT = LAYOUT.slot

REGISTERS = [bv.variable(name, 64) for name in ("p", "q", "r")]

NUMBERS = [bv.variable(name, 32) for name in ("x", "y")]


def program() -> ControlFlowProgram:
    main = Procedure("main", (), None, 0, 1, (), HERE)
    objects = tuple(StaticObject(f"o{i}", i * SLOT, 16) for i in (1, 2))
    return ControlFlowProgram("p.c", LAYOUT, {"main": main}, "main", {}, objects, (), 3 * SLOT)


def random_state(rng: random.Random) -> State:
    state = World(program()).initial_state()
    for register in REGISTERS:
        state = state.with_register(register, rng.choice((1, 2)) * SLOT + rng.choice((0, 0, 2, 4, 8)), None)
    for number in NUMBERS:
        state = state.with_register(number, rng.choice((0, 1, 2, 0xFFFFFFFF, 0x01020304)), None)
    for _ in range(4):
        address = rng.choice((1, 2)) * SLOT + rng.choice((0, 4, 8, 12))
        state = state.with_store(address, 4, rng.getrandbits(32) if rng.random() < 0.5 else 1, None)
    return state


def address(rng: random.Random) -> Term:
    return bv.binary("bvadd", rng.choice(REGISTERS), bv.constant(rng.choice((0, 0, 1, 4)), 64))


def number(rng: random.Random, depth: int = 2) -> Term:
    if depth and rng.random() < 0.4:
        return bv.binary(rng.choice(("bvadd", "bvsub", "bvmul")), number(rng, depth - 1), number(rng, depth - 1))
    if rng.random() < 0.6:
        return bv.load(address(rng), 4)
    return rng.choice([*NUMBERS, bv.constant(1, 32)])


def formula(rng: random.Random) -> Term:
    kinds: list[Callable[[], Term]] = [
        lambda: terms.equal(number(rng), number(rng)),
        lambda: bv.compare("bvsle", number(rng), number(rng)),
        lambda: terms.equal(rng.choice(REGISTERS), address(rng)),
        lambda: terms.equal(bv.load(address(rng), 1), bv.constant(rng.choice((0, 1, 4)), 8)),
        lambda: terms.equal(bv.room(address(rng)), bv.constant(rng.choice((0, 16)), 64)),
    ]
    parts = [rng.choice(kinds)() for _ in range(rng.choice((1, 1, 2)))]
    parts = [terms.negate(part) if rng.random() < 0.3 else part for part in parts]
    return rng.choice((terms.conjunction, terms.disjunction))(*parts)


def label(rng: random.Random) -> Label:
    kinds: list[Callable[[], Label]] = [
        lambda: Assign(rng.choice(NUMBERS), number(rng)),
        lambda: Assign(rng.choice(REGISTERS), address(rng)),
        lambda: Store(rng.choice(REGISTERS), number(rng)),
        lambda: Store(rng.choice(REGISTERS), bv.extract(7, 0, number(rng))),
        lambda: Fill(rng.choice(REGISTERS), bv.constant(rng.choice((4, 8)), 64), bv.constant(1, 8)),
        lambda: Copy(rng.choice(REGISTERS), rng.choice(REGISTERS), bv.constant(4, 64)),
        lambda: Allocate(rng.choice(REGISTERS), bv.constant(16, 64), rng.random() < 0.5, "heap"),
        lambda: Begin(2 * SLOT, 16),
        lambda: Free(bv.constant(2 * SLOT, 64)),
        lambda: Input(rng.choice(NUMBERS), "__VERIFIER_nondet_int"),
    ]
    return rng.choice(kinds)()
