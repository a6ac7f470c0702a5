"""Control-flow programs made by hand and at random, for the tests of the executor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from pincer.errors import Position
from pincer.execution.machine import State, World
from pincer.execution.stepping import Stop, enabled, step
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Check,
    ControlFlowProgram,
    Copy,
    Edge,
    Fill,
    Input,
    Label,
    Layout,
    Procedure,
    StaticObject,
    Store,
)
from pincer.program.registers import register_of

LAYOUT = Layout("LP64", 64, 32)
SLOT = LAYOUT.slot
HERE = Position("made.c", 1, 1)


def number(value: int, bits: int = 64) -> Term:
    return constant(value, bits)


def register(name: str, bits: int = 64) -> Term:
    return register_of("main", name, bits)


def edges_of(labels: Sequence[Label], first: int = 0) -> tuple[Edge, ...]:
    """A chain of edges that carry the labels."""
    return tuple(Edge(first + i, first + i + 1, label, HERE) for i, label in enumerate(labels))


def straight(labels: Sequence[Label], objects: Sequence[StaticObject] = ()) -> ControlFlowProgram:
    """A program whose entry procedure executes the labels one after the other."""
    edges = edges_of(labels)
    main = Procedure("main", (), None, 0, len(edges), edges, HERE)
    first_free = SLOT * (max((obj.address // SLOT for obj in objects), default=0) + 20)
    return ControlFlowProgram("made.c", LAYOUT, {"main": main}, "main", {}, tuple(objects), (), first_free)


def world_with(*objects: StaticObject) -> World:
    return World(straight((), objects))


def executed(state: State, edges: Sequence[Edge]) -> tuple[State, list[Term], Stop | None]:
    """The state after a chain of edges or before the one that stops it, and what its inputs must satisfy."""
    conditions: list[Term] = []
    for edge in edges:
        after = step(state, edge, conditions) if enabled(state, edge) else Stop("halt", "assumption", edge)
        if isinstance(after, Stop):
            return state, conditions, after
        state = after
    return state, conditions, None


def of_inputs(term: Term, values: Mapping[Term, int]) -> int:
    """The value of a term over input symbols."""
    return World.evaluate_symbols(term, values)


class RandomProgram:
    """Labels for one straight run over two global objects, a local one and heap objects, with inputs in between."""

    REGISTERS = tuple(register(name, bits) for bits in (8, 16, 32, 64) for name in (f"a{bits}", f"b{bits}"))
    POINTER = register("p")
    BUFFER = StaticObject("buffer", SLOT, 16, bytes(range(1, 9)))
    OTHER = StaticObject("other", 2 * SLOT, 16)
    LOCAL = 3 * SLOT

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.labels: list[Label] = [Begin(self.LOCAL, 16)]
        self.labels += [Input(each, "nondet") for each in self.REGISTERS]
        self.labels += [self._one() for _ in range(rng.randrange(4, 18))]

    def program(self) -> ControlFlowProgram:
        return straight(self.labels, (self.BUFFER, self.OTHER))

    def _one(self) -> Label:
        rng = self.rng
        target = rng.choice(self.REGISTERS)
        bits = bitvectors.width(target)
        match rng.randrange(10):
            case 0:
                return Input(target, "nondet")
            case 1 | 2 | 3:
                return Store(self.place(bits // 8), self.value(bits, 2))
            case 4:
                return Fill(self.place(6), number(rng.randrange(7)), self.value(8, 1))
            case 5:
                size = rng.randrange(9)
                return Copy(number(SLOT + rng.randrange(8)), number(2 * SLOT + rng.randrange(8)), number(size))
            case 6:
                return Assume(self._true_sometimes())
            case 7:
                return Check("division", self._true_sometimes(), "made up")
            case 8:
                return Allocate(self.POINTER, number(8 + rng.randrange(8)), rng.random() < 0.5, "heap")
        return Assign(target, self.value(bits, 3))

    def place(self, size: int) -> Term:
        """An address at which `size` bytes fit; sometimes it depends on an input."""
        rng = self.rng
        base = rng.choice((self.BUFFER.address, self.OTHER.address, self.LOCAL))
        fixed = number(base + rng.randrange(17 - size))
        if rng.random() < 0.3 and size <= 8:
            low = bitvectors.extend(bitvectors.extract(2, 0, register("a8", 8)), 61, False)
            return bitvectors.binary("bvadd", number(base), low)
        return fixed

    def value(self, bits: int, depth: int) -> Term:
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            leaf = rng.randrange(3)
            if leaf == 0:
                return number(rng.choice((0, 1, 2, 255, rng.getrandbits(bits))), bits)
            if leaf == 1:
                return bitvectors.load(self.place(bits // 8), bits // 8)
            return rng.choice([each for each in self.REGISTERS if bitvectors.width(each) == bits])
        left, right = self.value(bits, depth - 1), self.value(bits, depth - 1)
        operations = "bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvand bvor bvxor bvshl bvlshr bvashr"
        return bitvectors.binary(rng.choice(operations.split()), left, right)

    def _true_sometimes(self) -> Term:
        bits = self.rng.choice((8, 32))
        least = bitvectors.compare("bvule", number(1, bits), self.value(bits, 1))
        return terms.disjunction(least, terms.equal(self.value(bits, 1), self.value(bits, 1)))
