"""Small heaps with words that point into them, and what of them can be reached by definition."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from pincer.logic.bitvectors import binary, constant
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assign, ControlFlowProgram, Label, StaticObject, Store
from pincer.program.registers import global_register
from tests.execution.straight_programs import SLOT, register, straight

STATIC = StaticObject("table", SLOT, 20)
ROOT = global_register("root", 64)
WORD = 8


class RandomHeap:
    """Objects of zeros, a static one first; words of eight bytes are written anywhere, also where no word begins."""

    def __init__(self, rng: Random) -> None:
        self.sizes = [STATIC.size, *(rng.randrange(8, 30) for _ in range(rng.randrange(2, 6)))]
        self.words = []
        for _ in range(rng.randrange(1, 9)):
            where = rng.randrange(len(self.sizes))
            place = rng.choice((0, 8, 16, rng.randrange(17)))
            if place + WORD <= self.sizes[where]:
                self.words.append((where, place, *self._target(rng)))
        self.root = self._target(rng)
        self.program = self._program()

    def _target(self, rng: Random) -> tuple[int, int]:
        """An object of the heap, and an offset that may lie behind its end."""
        target = rng.randrange(1, len(self.sizes))
        size = self.sizes[target]
        return target, rng.choice((0, 0, 0, rng.randrange(size), size, size - 1))

    @staticmethod
    def _address(number: int, offset: int) -> Term:
        base = register(f"p{number}") if number else constant(STATIC.address, 64)
        return binary("bvadd", base, constant(offset, 64))

    def _program(self) -> ControlFlowProgram:
        labels: list[Label] = [
            Allocate(register(f"p{i}"), constant(size, 64), True, "heap") for i, size in enumerate(self.sizes) if i
        ]
        labels += [Store(self._address(w, place), self._address(t, offset)) for w, place, t, offset in self.words]
        labels.append(Assign(ROOT, self._address(*self.root)))
        return replace(straight(labels, (STATIC,)), initial={ROOT: 0})

    def lost(self) -> set[int]:
        """The objects that neither the static one nor the register leads to, by the bytes that are there at the end."""
        contents = [bytearray(size) for size in self.sizes]
        for where, place, target, offset in self.words:
            contents[where][place : place + WORD] = (self._base(target) + offset).to_bytes(WORD, "little")
        reached, before = {0, *self._pointed_to(self._base(self.root[0]) + self.root[1])}, set[int]()
        while reached != before:
            before = set(reached)
            for number in before:
                known = contents[number]
                for start in range(0, len(known) - WORD + 1, WORD):
                    reached |= self._pointed_to(int.from_bytes(known[start : start + WORD], "little"))
        return set(range(len(self.sizes))) - reached

    def _base(self, number: int) -> int:
        return self.program.first_free + (number - 1) * SLOT

    def _pointed_to(self, value: int) -> set[int]:
        return {i for i, size in enumerate(self.sizes) if i and 0 <= value - self._base(i) < size}
