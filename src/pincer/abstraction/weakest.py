"""Weakest preconditions under the labels of control-flow programs, for all aliasings at once.

Where a label leaves a value open (an input, undefined contents, a partial overlap), a fresh variable stands for it: a
formula is established by a label if its weakest precondition follows for all values of the fresh variables.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from msgspec import Struct, field

from pincer.abstraction.preimage import apart, same_slot
from pincer.logic import bitvectors, terms
from pincer.logic.rewriting import rewrite
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    Copy,
    End,
    Fill,
    Free,
    Input,
    Label,
    Layout,
    Skip,
    Store,
)
from pincer.program.effects import ProcedureEffects


class Weakest(Struct):
    """Weakest preconditions in one program: its layout, its `$top`, and what its procedures change."""

    layout: Layout
    top: Term
    effects: Callable[[str], ProcedureEffects]
    _numbers: count[int] = field(default_factory=count)

    def __call__(self, label: Label, formula: Term) -> Term:
        """What must hold before the label for the formula to hold after it, conditions of branches apart."""
        if isinstance(label, Assume | Check | Skip):
            return formula
        if isinstance(label, Assign | Input) and label.register not in formula.variables:
            return formula
        memo: dict[Term, Term] = {}

        def leaf(term: Term) -> Term:
            if term.op == "var":
                return self._register(label, term)
            address = rewrite(term.args[0], leaf, memo)
            return self._room(label, address) if term.op == "room" else self._load(label, address, term.args[1])

        return rewrite(formula, leaf, memo)

    def _fresh(self, bits: int) -> Term:
        return bitvectors.variable(f"~any{next(self._numbers)}", bits)

    def _register(self, label: Label, register: Term) -> Term:
        match label:
            case Assign(target, value) if target is register:
                return value
            case Input(target) if target is register:
                return self._fresh(bitvectors.width(register))
            case Allocate(target) if target is register:
                return self.top
            case Allocate() if register is self.top:
                slot = bitvectors.constant(self.layout.slot, self.layout.pointer_bits)
                return bitvectors.binary("bvadd", self.top, slot)
            case Call(procedure, _, result) if register is result or register in self.effects(procedure).registers:
                return self._fresh(bitvectors.width(register))
        return register

    def _in_slot(self, address: Term, base: Term) -> Term:
        return same_slot(self.layout, address, base)

    def _room(self, label: Label, address: Term) -> Term:
        bits, before = self.layout.pointer_bits, bitvectors.room(address)
        match label:
            case Allocate(_, size):
                return terms.conditional(self._in_slot(address, self.top), size, before)
            case Begin(base, size):
                here = self._in_slot(address, bitvectors.constant(base, bits))
                return terms.conditional(here, bitvectors.constant(size, bits), before)
            case End(ended) | Free(ended):
                return terms.conditional(self._in_slot(address, ended), bitvectors.constant(0, bits), before)
            case Call(procedure) if self.effects(procedure).objects:
                return self._fresh(bits)
        return before

    def _load(self, label: Label, address: Term, size: int) -> Term:
        before = bitvectors.load(address, size)
        match label:
            case Store(target, value):
                return self._load_after_store(address, size, target, value)
            case Allocate(zero=zero):
                inside = bitvectors.constant(0, 8 * size) if zero else self._fresh(8 * size)
                return terms.conditional(self._in_slot(address, self.top), inside, before)
            case Begin(base):
                here = self._in_slot(address, bitvectors.constant(base, self.layout.pointer_bits))
                return terms.conditional(here, self._fresh(8 * size), before)
            case Fill(target) | Copy(target):
                return terms.conditional(self._in_slot(address, target), self._fresh(8 * size), before)
            case Call(procedure) if self.effects(procedure).writes:
                return self._fresh(8 * size)
        return before

    def _load_after_store(self, address: Term, size: int, target: Term, value: Term) -> Term:
        delta = bitvectors.binary("bvsub", address, target)
        bits, written = bitvectors.width(delta), bitvectors.width(value) // 8
        overlapping = self._fresh(8 * size)
        if size == written:
            overlapping = terms.conditional(terms.equal(address, target), value, overlapping)
        beside = apart(delta, size, bitvectors.constant(written, bits))
        return terms.conditional(beside, bitvectors.load(address, size), overlapping)
