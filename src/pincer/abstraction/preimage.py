"""Pre-images of formulas under the labels of a control-flow program, specialised to the aliasing of one state.

This is WP_alpha of the DASH paper (section 4.2.1). Where a label writes memory, whether a read of the formula sees the
written bytes is decided as it is in a given concrete state, and the decision is recorded as a formula, the alias
condition. For states that satisfy the alias condition the pre-image is exact (or larger, where a value that the label
leaves undefined cannot be projected out exactly); nothing is claimed of other states.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from pincer.execution.machine import State
from pincer.logic import bitvectors, terms
from pincer.logic.bitvector_projection import over_approximate, project
from pincer.logic.rewriting import rewrite
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Begin,
    Copy,
    End,
    Fill,
    Free,
    Input,
    Label,
    Layout,
    Store,
)


class Preimage(Struct, frozen=True):
    """States that satisfy `aliases` and not `formula` have no successor in the formula the pre-image was taken of."""

    formula: Term
    aliases: tuple[Term, ...] = ()

    @property
    def refinement(self) -> Term:
        """rho = not (alpha and not pre)."""
        return terms.disjunction(*map(terms.negate, self.aliases), self.formula)


def preimage(label: Label, formula: Term, state: State) -> Preimage:
    """The pre-image of a formula under a label that is not a call, with the aliasing of `state` (before the step).

    Conditions of `Assume` and `Check` are left to the caller.
    """
    match label:
        case Assign(register, value):
            return Preimage(terms.substitute(formula, {register: value}))
        case Input(register):
            return Preimage(_without(formula, register))
        case Store() | Fill() | Copy() | Allocate() | Begin() | End() | Free():
            return _Writing(state, label).preimage(formula)
    return Preimage(formula)


def open_preimage(label: Label, formula: Term, state: State) -> Preimage:
    """The pre-image with the values that the label leaves open still in it, as variables of their own."""
    match label:
        case Store() | Fill() | Copy() | Allocate() | Begin() | End() | Free():
            writing = _Writing(state, label)
            before = rewrite(formula, writing._leaf, writing.memo)
            return Preimage(before, tuple(writing.aliases))
    return Preimage(formula)


def _without(formula: Term, variable: Term) -> Term:
    if variable not in formula.variables:
        return formula
    exact = project(formula, variable)
    return over_approximate(formula, variable) if exact is None else exact


class _Writing(Struct):
    """The pre-image under a label that changes memory, being computed for one formula."""

    state: State
    label: Label
    aliases: dict[Term, None] = {}
    undefined: list[Term] = []
    memo: dict[Term, Term] = {}

    def preimage(self, formula: Term) -> Preimage:
        before = rewrite(formula, self._leaf, self.memo)
        for variable in self.undefined:
            before = _without(before, variable)
        known = [alias for alias in self.aliases if alias is not terms.TRUE]
        return Preimage(before, tuple(known))

    @property
    def _layout(self) -> Layout:
        return self.state.world.program.layout

    def _leaf(self, leaf: Term) -> Term:
        if leaf.op == "var":
            return self._register(leaf)
        address = rewrite(leaf.args[0], self._leaf, self.memo)
        if leaf.op == "room":
            return self._room(address)
        return self._load(address, leaf.args[1])

    def _register(self, register: Term) -> Term:
        if isinstance(self.label, Allocate):
            top = self.state.world.program.top
            if register is self.label.register:
                return top
            if register is top:
                return bitvectors.binary("bvadd", top, bitvectors.constant(self._layout.slot, bitvectors.width(top)))
        return register

    def _room(self, address: Term) -> Term:
        bits = self._layout.pointer_bits
        match self.label:
            case Allocate(_, size):
                if self._in_slot(address, self.state.world.program.top):
                    return size
            case Begin(base, extent):
                if self._in_slot(address, bitvectors.constant(base, bits)):
                    return bitvectors.constant(extent, bits)
            case End(ended) | Free(ended):
                if self._in_slot(address, ended):
                    return bitvectors.constant(0, bits)
        return bitvectors.room(address)

    def _load(self, address: Term, size: int) -> Term:
        match self.label:
            case Store(target, value):
                return self._load_after_store(address, size, target, value)
            case Allocate(zero=zero):
                if self._in_slot(address, self.state.world.program.top):
                    return bitvectors.constant(0, 8 * size) if zero else self._undefined(size)
            case Begin(base):
                if self._in_slot(address, bitvectors.constant(base, self._layout.pointer_bits)):
                    return self._undefined(size)
            case Fill(target, extent, byte):
                if self._inside(address, size, target, extent):
                    return _repeated(byte, size)
            case Copy(target, source, extent):
                if self._inside(address, size, target, extent):
                    moved = bitvectors.binary("bvadd", source, bitvectors.binary("bvsub", address, target))
                    return bitvectors.load(moved, size)
        return bitvectors.load(address, size)

    def _undefined(self, size: int) -> Term:
        variable = bitvectors.variable(f"~undefined{len(self.undefined)}", 8 * size)
        self.undefined.append(variable)
        return variable

    def _decide(self, condition: Term) -> bool:
        """Whether a condition holds in the state; its truth there becomes part of the alias condition."""
        if condition is terms.TRUE or condition is terms.FALSE:
            return condition is terms.TRUE
        holds = bool(self.state.value(condition))
        self.aliases[condition if holds else terms.negate(condition)] = None
        return holds

    def _in_slot(self, address: Term, base: Term) -> bool:
        difference = bitvectors.constant_value(bitvectors.binary("bvsub", address, base))
        if difference is not None and difference < self._layout.slot:
            return True
        return self._decide(same_slot(self._layout, address, base))

    def _inside(self, address: Term, size: int, target: Term, extent: Term) -> bool:
        """Whether a read lies inside a written block; a read that straddles its border is not supported."""
        delta = bitvectors.binary("bvsub", address, target)
        bits = bitvectors.width(delta)
        extent = _resized(extent, bits)
        fits = terms.conjunction(
            bitvectors.compare("bvule", bitvectors.constant(size, bits), extent),
            bitvectors.compare("bvule", delta, bitvectors.binary("bvsub", extent, bitvectors.constant(size, bits))),
        )
        if self._decide(fits):
            return True
        if not self._decide(apart(delta, size, extent)):
            raise StraddlingRead
        return False

    def _load_after_store(self, address: Term, size: int, target: Term, value: Term) -> Term:
        delta = bitvectors.binary("bvsub", address, target)
        bits, written = bitvectors.width(delta), bitvectors.width(value) // 8
        fixed = bitvectors.constant_value(delta)
        shift = bitvectors.signed(self.state.value(delta) if fixed is None else fixed, bits)
        separate = shift >= written or -shift >= size
        if fixed is None:
            beside = apart(delta, size, bitvectors.constant(written, bits))
            self._decide(beside if separate else terms.equal(delta, bitvectors.constant(shift, bits)))
        if separate:
            return bitvectors.load(address, size)
        return _spliced(address, size, shift, value, written)


class StraddlingRead(Exception):
    """A formula reads across the border of a block that was filled or copied at once."""


def same_slot(layout: Layout, address: Term, base: Term) -> Term:
    """Whether two addresses lie in the slot of one object."""
    mask = bitvectors.constant(-layout.slot, layout.pointer_bits)
    return terms.equal(bitvectors.binary("bvand", mask, address), bitvectors.binary("bvand", mask, base))


def apart(delta: Term, size: int, written: Term) -> Term:
    """Whether `size` bytes read at a distance from where `written` bytes were written are none of them."""
    bits = bitvectors.width(delta)
    return terms.conjunction(
        bitvectors.compare("bvule", written, delta),
        bitvectors.compare("bvule", bitvectors.constant(size, bits), bitvectors.negative(delta)),
    )


def _spliced(address: Term, size: int, shift: int, value: Term, written: int) -> Term:
    """The bytes at `address` after `value` was stored at `address - shift`."""
    low, high = max(0, -shift), min(size, written - shift)
    middle = bitvectors.extract(8 * (high + shift) - 1, 8 * (low + shift), value)
    if low > 0:
        middle = bitvectors.concat(middle, _loaded(address, 0, low))
    if high < size:
        middle = bitvectors.concat(_loaded(address, high, size), middle)
    return middle


def _loaded(address: Term, low: int, high: int) -> Term:
    """Bytes low..high of what is at an address, one by one, since they have no common alignment."""
    bits = bitvectors.width(address)
    byte: Callable[[int], Term] = lambda i: bitvectors.load(  # noqa: E731
        bitvectors.binary("bvadd", address, bitvectors.constant(i, bits)), 1
    )
    whole = byte(low)
    for i in range(low + 1, high):
        whole = bitvectors.concat(byte(i), whole)
    return whole


def _repeated(byte: Term, size: int) -> Term:
    low = bitvectors.extract(7, 0, byte)
    whole = low
    for _ in range(size - 1):
        whole = bitvectors.concat(low, whole)
    return whole


def _resized(term: Term, bits: int) -> Term:
    width = bitvectors.width(term)
    return bitvectors.extract(bits - 1, 0, term) if width > bits else bitvectors.extend(term, bits - width, False)
