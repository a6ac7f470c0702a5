"""Weakest preconditions in which an allocation tells nothing: what a run can rest on however often it allocates.

The memory model has finitely many places for objects. That they are used up some day is no reason for a program to end,
so in arguments about rounds nothing is known after an allocation, neither the address nor what memory holds.
"""

from __future__ import annotations

from pincer.abstraction.weakest import Weakest
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Label


class Forgetful(Weakest):
    """Weakest preconditions for rounds."""

    def _register(self, label: Label, register: Term) -> Term:
        if isinstance(label, Allocate) and register in (label.register, self.top):
            return self._fresh(bitvectors.width(register))
        return super()._register(label, register)

    def _room(self, label: Label, address: Term) -> Term:
        if isinstance(label, Allocate):
            return self._fresh(self.layout.pointer_bits)
        return super()._room(label, address)

    def _load(self, label: Label, address: Term, size: int) -> Term:
        if isinstance(label, Allocate):
            return self._fresh(8 * size)
        return super()._load(label, address, size)
