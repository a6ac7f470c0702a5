"""Formulas at the beginning of a program, where registers, objects and memory are what they are given to be."""

from __future__ import annotations

from pincer.logic.bitvectors import constant, load, room, width
from pincer.logic.rewriting import rewrite
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram


class Beginning:
    """Replaces what is read by what is there when the program begins, as far as that is known."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self._slot = program.layout.slot
        self._registers = {**program.initial, program.top: program.first_free}
        self._objects = {item.address: item for item in program.objects}
        self._done: dict[Term, Term] = {}

    def __call__(self, formula: Term) -> Term:
        return rewrite(formula, self._leaf, self._done)

    def _leaf(self, read: Term) -> Term:
        if read.op == "var":
            value = self._registers.get(read)
            return read if value is None else constant(value, width(read))
        address = rewrite(read.args[0], self._leaf, self._done)
        if address.op == "bvconst":
            offset = address.args[0] % self._slot
            item = self._objects.get(address.args[0] - offset)
            if item is not None and read.op == "room":
                return constant(item.size, width(read))
            size = 0 if read.op == "room" else read.args[1]
            if item is not None and offset + size <= item.size:
                there = item.contents[offset : offset + size].ljust(size, b"\0")
                return constant(int.from_bytes(there, "little"), 8 * size)
        return room(address) if read.op == "room" else load(address, read.args[1])
