"""Guesses about all objects that were made at one place: lists that are built and walked in loops.

Objects of the heap have consecutive slots. So what is known of all nodes is a range fact whose index counts slots:
their size, what their fields hold, and where their pointers lead, to nodes made earlier or later. Its range begins with
the first slot, or behind an object that a pointer leads to, and ends before the next free one, or with a node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from pincer.engines.cutpoints.candidates import pointers_of
from pincer.engines.cutpoints.contents import Tried, claims, replaced
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.view import View
from pincer.logic import bitvectors, ranges
from pincer.logic.bitvectors import compare, constant, linear_parts, state_reads, width
from pincer.logic.terms import Term, conjunction, disjunction, equal
from pincer.program.control_flow import Allocate, Store


def node_candidates(view: View, cut: int) -> Iterator[Term]:
    """Range facts over objects of the heap that no test refutes: up to the last object, or else up to where pointers
    lead. Objects of one size show where nodes begin."""
    if not view.states.get(cut) or not _sizes(view):
        return
    slots = _Slots(view, cut)
    node = bitvectors.binary("bvmul", constant(view.layout.slot, slots.bits), ranges.index(slots.bits))
    begin: dict[Term, None] = {}
    for size in _sizes(view):
        for lower, fact in slots.facts(equal(bitvectors.room(node), size), slots.numbered):
            begin[lower] = None
            yield fact
    for start in [start for start in begin if start in slots.numbered]:
        first = bitvectors.binary("bvmul", constant(view.layout.slot, slots.bits), start)
        for pointer in pointers_of(view, cut):
            yield disjunction(equal(pointer, constant(0, slots.bits)), compare("bvule", first, pointer))
        for body in _bodies(view, cut, node, first):
            yield from (fact for _, fact in slots.facts(body, [start]))


class _Slots:
    """What bounds ranges of slots: the first slots of the heap, where pointers lead, and the next free slot."""

    def __init__(self, view: View, cut: int) -> None:
        self.bits = bits = view.layout.pointer_bits
        one, first = constant(1, bits), view.program.first_free >> view.layout.slot_bits
        self._behind = [
            bitvectors.binary("bvadd", _slot(view, pointer), one) for pointer in pointers_of(view, cut)[: LIMITS.bounds]
        ]
        self.numbered = [constant(first + others, bits) for others in range(LIMITS.objects_before)]
        self._top = _slot(view, view.program.top)
        self._states = view.states[cut]
        self._values = {
            end: [state.value(end) for state in self._states] for end in (self._top, *self._behind, *self.numbered)
        }

    def facts(self, body: Term, numbered: Sequence[Term]) -> Iterator[tuple[Term, Term]]:
        """Where a property of all slots begins, and the fact."""
        tried = Tried(body, self._states)
        for upper in (self._top, *self._behind):
            found = [
                lower
                for lowers in (numbered, self._behind)
                for lower in islice((lower for lower in lowers if self._fits(tried, lower, upper)), 1)
            ]
            yield from ((lower, ranges.every(lower, upper, body)) for lower in found)
            if found and upper is self._top:
                return

    def _fits(self, tried: Tried, lower: Term, upper: Term) -> bool:
        bounds = list(zip(self._values[lower], self._values[upper], strict=True))
        return lower is not upper and tried.all_in(bounds)


def _sizes(view: View) -> list[Term]:
    """The constant sizes of objects of the heap."""
    labels = [edge.label for edge in view.procedure.edges]
    made = [label.size for label in labels if isinstance(label, Allocate) and label.storage == "heap"]
    return list(dict.fromkeys(size for size in made if size.op == "bvconst" and size.args[0]))


def _slot(view: View, address: Term) -> Term:
    """The number of an address's slot, at the width of addresses."""
    bits, low = view.layout.pointer_bits, view.layout.slot_bits
    return bitvectors.extend(bitvectors.extract(bits - 1, low, address), low, False)


def _bodies(view: View, cut: int, node: Term, first: Term) -> list[Term]:
    """What may be known of the fields of a node, where there is a first one."""
    index = ranges.index(width(node))
    found: dict[Term, None] = {}
    for field in _links(view, node):
        found |= dict.fromkeys(_leading(view, node, field, first))
    live = view.live[cut] | {index}
    for claim in claims(view):
        for pointer in _bases(view, claim):
            body = replaced(claim, {pointer: node}, {})
            if index in body.variables and body.variables <= live:
                found[body] = None
    return list(found)[: LIMITS.bodies]


def _bases(view: View, claim: Term) -> list[Term]:
    """The registers that addresses of cells in a claim begin with."""
    found: dict[Term, None] = {}
    for read in state_reads(claim):
        parts = linear_parts(read.args[0])[0]
        if len(parts) == 1 and parts[0][0].op == "var" and parts[0][1] == 1 and read.op == "load":
            found[parts[0][0]] = None
    return list(found)


def _links(view: View, node: Term) -> list[Term]:
    """The fields of nodes that pointers are stored to."""
    found: dict[Term, None] = {}
    for edge in view.procedure.edges:
        if isinstance(edge.label, Store) and width(edge.label.value) == view.layout.pointer_bits:
            parts, offset = linear_parts(edge.label.address)
            if len(parts) == 1 and parts[0][0].op == "var" and parts[0][1] == 1:
                address = bitvectors.binary("bvadd", node, constant(offset, width(node)))
                found[bitvectors.load(address, width(node) // 8)] = None
    return list(found)


def _leading(view: View, node: Term, field: Term, first: Term) -> Iterator[Term]:
    """Where a pointer may lead: nowhere, or to the start of a node that was made earlier, or later, or at any time."""
    bits, low = view.layout.pointer_bits, view.layout.slot_bits
    top = view.program.top
    starts = equal(bitvectors.extract(low - 1, 0, field), constant(0, low))
    null = equal(field, constant(0, bits))
    for least, below in ((first, node), (node, top), (first, top)):
        beyond = "bvult" if least is node else "bvule"
        inside = conjunction(compare(beyond, least, field), compare("bvult", field, below))
        yield disjunction(null, conjunction(starts, inside))
