"""Values of terms as sets of addresses, in a given assignment of such sets to registers and memory.

Numbers that are computed, or come from outside, are `UNKNOWN`; used as an address they may be anything. An address plus
a number stays inside its object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd

from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Layout
from pincer.program.memory_regions import UNKNOWN, AbstractObject, AbstractPointer, MemoryRegion, Pointers

NOTHING: Pointers = frozenset()
_MOST_OFFSETS = 16
"""Exact offsets kept for one object in one set; more are summarised by a stride."""


def as_address(term: Term, pointers: Pointers) -> Pointers:
    """The places that a term with these values denotes when it is used as an address."""
    return pointers if pointers or term.op == "bvconst" else frozenset((UNKNOWN,))


@dataclass(eq=False, repr=False)
class PointerEvaluation:
    """The value of a term in a (partial) solution."""

    layout: Layout
    by_slot: Mapping[int, AbstractObject]
    values: Mapping[Term, Pointers]
    contents: Mapping[AbstractObject, Mapping[MemoryRegion, Pointers]]
    everywhere: Pointers

    def value(self, term: Term, memo: dict[Term, Pointers]) -> Pointers:
        known = memo.get(term)
        if known is None:
            known = memo[term] = self._value(term, memo)
        return known

    def _value(self, term: Term, memo: dict[Term, Pointers]) -> Pointers:
        match term.op:
            case "bvconst":
                return self.constant(term.args[0], bitvectors.width(term))
            case "var":
                return self.register(term)
            case "load":
                address, size = term.args
                return self.load(self.place(address, self.value(address, memo)), size)
            case "bvlin":
                return self._sum(term, memo)
            case "ite":
                return self.value(term.args[1], memo) | self.value(term.args[2], memo)
        if term.sort.width is None:
            return NOTHING
        parts = [self.value(part, memo) for part in term.args if isinstance(part, Term)]
        return self._number(term, frozenset(p.anywhere() for part in parts for p in part if p is not UNKNOWN))

    def place(self, term: Term, pointers: Pointers) -> Pointers:
        """The places that a term with these values denotes when it is used as an address."""
        return as_address(term, pointers)

    def register(self, term: Term) -> Pointers:
        return self.values.get(term, NOTHING)

    def constant(self, value: int, width: int) -> Pointers:
        """The object whose slot a number falls into."""
        slot = value >> self.layout.slot_bits
        found = self.by_slot.get(slot)
        if found is None or width != self.layout.pointer_bits:
            return NOTHING
        return frozenset((AbstractPointer(found, value - (slot << self.layout.slot_bits)),))

    def _number(self, term: Term, kept: Pointers) -> Pointers:
        """A computed value: the addresses it was computed from, or any number that is wide enough for an address."""
        if kept or bitvectors.width(term) != self.layout.pointer_bits:
            return kept
        return frozenset((UNKNOWN,))

    def _sum(self, term: Term, memo: dict[Term, Pointers]) -> Pointers:
        factors, constant = term.args
        width = bitvectors.width(term)
        found: set[AbstractPointer] = set()
        base = self.constant(constant, width)
        steps = [c if 2 * c <= 1 << width else (1 << width) - c for _, c in factors]
        found.update(pointer.moved(0, gcd(*steps)) for pointer in base)
        by = 0 if base else constant - (1 << width) if 2 * constant > 1 << width else constant
        for i, (factor, c) in enumerate(factors):
            pointers = self.value(factor, memo)
            addresses = [pointer for pointer in pointers if pointer is not UNKNOWN]
            if c != 1 or base:
                found.update(pointer.anywhere() for pointer in addresses)
                continue
            others = gcd(*(steps[:i] + steps[i + 1 :]))
            found.update(pointer.moved(by, others) for pointer in addresses)
            if addresses and UNKNOWN in pointers:
                found.add(UNKNOWN)
        return self._number(term, frozenset(found))

    def load(self, address: Pointers, size: int) -> Pointers:
        """What `size` bytes may hold."""
        if UNKNOWN in address:
            return frozenset((UNKNOWN,))
        found = set(self.everywhere)
        for pointer in address:
            region = MemoryRegion(pointer, size)
            for cell, held in self.cells(pointer.object).items():
                if cell.overlaps(region):
                    found.update(held)
        if 8 * size == self.layout.pointer_bits:
            return frozenset(found)
        return frozenset(pointer.anywhere() for pointer in found if pointer is not UNKNOWN)

    def cells(self, target: AbstractObject) -> Mapping[MemoryRegion, Pointers]:
        return self.contents.get(target, {})


def joined(before: Pointers, more: Pointers) -> Pointers:
    """A set that grows, summarised; the same object where it does not grow."""
    new = more - before
    if not new:
        return before
    wide = {pointer.object: pointer for pointer in before if pointer.stride}
    if wide and all(p.object in wide and wide[p.object].includes(p) for p in new):
        return before
    after = summarised(before | new)
    return before if after == before else after


def summarised(pointers: Pointers) -> Pointers:
    """At most so many exact offsets for one object: pointers that walk through an object end up with a stride."""
    if len(pointers) <= _MOST_OFFSETS and all(pointer.stride == 0 for pointer in pointers):
        return pointers
    by_object: dict[AbstractObject, list[AbstractPointer]] = {}
    for pointer in pointers:
        by_object.setdefault(pointer.object, []).append(pointer)
    kept: set[AbstractPointer] = set()
    for group in by_object.values():
        if len(group) == 1:
            kept.update(group)
            continue
        strided = [pointer for pointer in group if pointer.stride]
        group = [p for p in group if not any(p is not wide and wide.includes(p) for wide in strided)]
        if len(group) > _MOST_OFFSETS:
            first = group[0]
            step = gcd(*(p.stride for p in group), *(p.offset - first.offset for p in group))
            kept.add(first.moved(0, step))
        else:
            kept.update(group)
    return frozenset(kept)
