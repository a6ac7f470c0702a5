"""Memory that only one activation knows, and the constants that registers and such memory hold at each location.

An object is an activation's own where its address is used for nothing but reading and writing there: it is handed to
nobody and never stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from pincer.analysis.dataflow import forward
from pincer.logic import bitvectors, terms
from pincer.logic.terms import FALSE, Term, conjuncts
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    ControlFlowProgram,
    Edge,
    End,
    Fail,
    Halt,
    Label,
    Procedure,
    Store,
    Unsupported,
)
from pincer.program.labels import read_terms, written_register
from pincer.program.registers import THREAD, Role, has_role, is_local

Known: TypeAlias = Mapping[Term, Term]
"""Registers, and reads of own memory, with their constants."""

Base: TypeAlias = Term | int
"""An object: the register that holds its address, or the number of its slot."""


class Place(Struct, frozen=True):
    """An address whose object is known."""

    base: Base
    offset: int


class OwnMemory(Struct, frozen=True, eq=False, dict=True):
    """Which objects of a program are known to one activation only."""

    program: ControlFlowProgram

    def place(self, address: Term) -> Place | None:
        """The place at an address, if its object can be told from the text."""
        parts, offset = bitvectors.linear_parts(address)
        bits = self.program.layout.slot_bits
        if not parts:
            return Place(offset >> bits, offset & (self.program.layout.slot - 1))
        if len(parts) == 1 and parts[0][0].op == "var" and parts[0][1] == 1:
            return Place(parts[0][0], offset)
        return None

    def own(self, address: Term) -> Place | None:
        """The place at an address in an object that is an activation's own."""
        place = self.place(address)
        return place if place is not None and place.base in self._own else None

    @cached_property
    def _own(self) -> frozenset[Base]:
        found: set[Base] = set()
        shown: set[Base] = set()
        for edge in self.program.edges():
            match edge.label:
                case Begin(address, given=False):
                    found.add(address >> self.program.layout.slot_bits)
                case Allocate(register, storage="stack") if has_role(register, Role.ADDRESS):
                    found.add(register)
            for term in self._shown_terms(edge.label):
                shown.update(self._shown(term))
            written = written_register(edge.label)
            if written is not None and not isinstance(edge.label, Allocate):
                shown.add(written)
        return frozenset(found - shown)

    def _shown_terms(self, label: Label) -> Iterator[Term]:
        """What an edge evaluates, without addresses it only writes to or ends."""
        match label:
            case Store(address, value):
                yield from () if self.place(address) is not None else (address,)
                yield value
            case End(address) if self.place(address) is not None:
                return
            case _:
                yield from read_terms(label)

    def _shown(self, term: Term) -> Iterator[Base]:
        """The objects whose addresses are in a term, other than to be read from."""
        waiting, seen = [term], set[Term]()
        while waiting:
            part = waiting.pop()
            if part in seen:
                continue
            seen.add(part)
            if part.op == "var":
                yield part
            elif part.op == "bvconst":
                yield part.args[0] >> self.program.layout.slot_bits
            elif part.op == "bvlin":
                yield part.args[1] >> self.program.layout.slot_bits
            if part.op not in ("load", "room") or self.place(part.args[0]) is None:
                waiting += _arguments(part.args)


def of_activation(register: Term) -> bool:
    """Whether only the procedure itself assigns a register; those of a thread are assigned by its other procedures."""
    return is_local(register) and register.args[0].owner != THREAD


def _arguments(given: tuple[object, ...]) -> Iterator[Term]:
    for each in given:
        if isinstance(each, Term):
            yield each
        elif isinstance(each, tuple):
            yield from _arguments(each)


def evaluated(term: Term, known: Known) -> Term:
    """A term with constants for what is known."""
    memo: dict[Term, Term] = {}

    def visit(part: Term) -> Term:
        done = memo.get(part)
        if done is None:
            if part.op == "var":
                done = known.get(part, part)
            else:
                done = terms.rebuild(part, visit)
                done = known.get(done, done) if done.op == "load" else done
            memo[part] = done
        return done

    return visit(term)


def constants_of(procedure: Procedure, given: Known, own: OwnMemory) -> Mapping[int, Known]:
    """What is constant at the locations of one activation that begins with what is given."""
    return forward(procedure, dict(given), lambda edge, known: behind(edge, known, own), _common)


def _common(left: Known, right: Known) -> Known:
    return {term: value for term, value in left.items() if right.get(term) is value}


def behind(edge: Edge, known: Known, own: OwnMemory) -> Known | None:
    """What is known behind an edge, None if it cannot be passed."""
    match edge.label:
        case Fail() | Halt() | Unsupported():
            return None
        case Assume(condition):
            return _assumed(evaluated(condition, known), known)
        case Store(address, value):
            return _stored(address, evaluated(value, known), known, own)
        case Begin(address):
            return without_object(known, address >> own.program.layout.slot_bits, own)
        case End(address):
            place = own.own(address)
            return known if place is None else without_object(known, place.base, own)
        case Assign(register, value):
            return _assigned(register, evaluated(value, known), known)
    written = written_register(edge.label)
    return known if written is None else without_object(_assigned(written, written, known), written, own)


def _assumed(condition: Term, known: Known) -> Known | None:
    if condition is FALSE:
        return None
    equations = (part.args for part in conjuncts(condition) if part.op == "same")
    sides = (pair for left, right in equations for pair in ((left, right), (right, left)))
    found = {term: value for term, value in sides if term.op == "var" and value.op == "bvconst" and of_activation(term)}
    return {**known, **found}


def _assigned(register: Term, value: Term, known: Known) -> Known:
    kept = {term: constant for term, constant in known.items() if term is not register}
    if value.op == "bvconst" and of_activation(register):
        kept[register] = value
    return kept


def _stored(address: Term, value: Term, known: Known, own: OwnMemory) -> Known:
    place = own.own(address)
    if place is None:
        return known
    size = bitvectors.width(value) // 8
    kept = {term: constant for term, constant in known.items() if not _meets(term, place, size, own)}
    if value.op == "bvconst":
        kept[bitvectors.load(address, size)] = value
    return kept


def _meets(term: Term, written: Place, size: int, own: OwnMemory) -> bool:
    if term.op != "load":
        return False
    place = own.place(term.args[0])
    if place is None or place.base != written.base:
        return False
    return place.offset < written.offset + size and written.offset < place.offset + int(term.args[1])


def without_object(known: Known, base: Base, own: OwnMemory) -> Known:
    """What is known of all but one object."""

    def concerns(term: Term) -> bool:
        place = own.place(term.args[0]) if term.op == "load" else None
        return place is not None and place.base == base

    return {term: constant for term, constant in known.items() if not concerns(term)}
