"""Guesses about texts: the last byte of an object is its end, or there is an end from a pointer on.

A text is walked until a zero byte is read. That there is one ahead keeps the walk inside, and the object says where to
look for it: what was put at the end of a buffer is in its last byte, and otherwise somewhere up to there.
"""

from __future__ import annotations

from collections.abc import Iterator

from pincer.engines.cutpoints.buffer_facts import fixed_objects
from pincer.engines.cutpoints.candidates import pointers_of
from pincer.engines.cutpoints.contents import Tried
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.view import View
from pincer.logic import bitvectors, ranges, terms
from pincer.logic.bitvectors import binary, constant, linear_parts, width
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign


def last_byte_candidates(view: View, cut: int) -> Iterator[Term]:
    """The last byte of what a pointer points into is zero."""
    bits, states = view.layout.pointer_bits, view.states.get(cut, ())
    bound = ranges.index(bits)
    for base in dict.fromkeys(_start(view, cut, pointer) for pointer in _read_bytewise(view, cut)):
        last = binary("bvsub", bitvectors.room(base), constant(1, bits))
        seen = [state.value(last) for state in states]
        if Tried(_is_end(base, bound), states).at(seen):
            yield _is_end(base, last)


def end_candidates(view: View, cut: int) -> Iterator[Term]:
    """Some byte from a pointer on, up to the end of its object, is zero; or from as far behind it as an index says."""
    pointers = _read_bytewise(view, cut)
    indexed = [place for place in _read_by_index(view, cut) if place[0] in pointers]
    for pointer, index in (*((pointer, None) for pointer in pointers), *indexed):
        base = _start(view, cut, pointer)
        offset = binary("bvsub", pointer, base)
        yield from _end_from(view, cut, base, offset if index is None else binary("bvadd", offset, index))
    for pointer in _stepped_over(view, pointers):
        yield terms.negate(terms.equal(bitvectors.load(pointer, 1), constant(0, 8)))
    for address in fixed_objects(view)[: LIMITS.texts]:
        yield from _end_from(
            view, cut, constant(address, view.layout.pointer_bits), constant(0, view.layout.pointer_bits)
        )


def _end_from(view: View, cut: int, base: Term, offset: Term) -> Iterator[Term]:
    """Some byte of the object at `base` is zero, from an offset on."""
    states, room = view.states.get(cut, ()), bitvectors.room(base)
    body = _is_end(base, ranges.index(view.layout.pointer_bits))
    if states and Tried(body, states).some_in([(state.value(offset), state.value(room)) for state in states]):
        yield ranges.some(offset, room, body)


def _stepped_over(view: View, pointers: list[Term]) -> list[Term]:
    """The pointers behind which others begin: `end + 1` is the start of what follows a sign."""
    found: dict[Term, None] = {}
    for edge in view.procedure.edges:
        if isinstance(edge.label, Assign) and width(edge.label.value) == view.layout.pointer_bits:
            factors, distance = linear_parts(edge.label.value)
            if len(factors) == 1 and factors[0][1] == 1 and distance == 1 and factors[0][0] in pointers:
                found[factors[0][0]] = None
    return list(found)


def _read_by_index(view: View, cut: int) -> list[tuple[Term, Term]]:
    """Pointers with the numbers that are added to them where single bytes are read."""
    found: dict[tuple[Term, Term], None] = {}
    for part in (part for term in view.terms() for part in terms.postorder(term)):
        if part.op == "load" and part.args[1] == 1 and part.args[0].variables <= view.live[cut]:
            plain = [term for term, factor in linear_parts(part.args[0])[0] if factor == 1]
            if len(plain) == 2:
                found |= {(plain[0], plain[1]): None, (plain[1], plain[0]): None}
    return list(found)


def _is_end(base: Term, at: Term) -> Term:
    return terms.equal(bitvectors.load(binary("bvadd", base, at), 1), constant(0, 8))


def _read_bytewise(view: View, cut: int) -> list[Term]:
    """The pointers with which addresses of single bytes begin, and what they may be equal to."""
    is_text = any(part.op == "load" and part.args[1] == 1 for term in view.terms() for part in terms.postorder(term))
    return pointers_of(view, cut) if is_text else []


def _start(view: View, cut: int, pointer: Term) -> Term:
    """Where the object begins that a pointer points into: a fixed address or a pointer that always points there, if
    there is one."""
    layout, states = view.layout, view.states.get(cut, ())
    places = [state.value(pointer) for state in states]
    starts = {place & -layout.slot for place in places}
    if len(starts) == 1 and starts <= set(fixed_objects(view)):
        return constant(starts.pop(), layout.pointer_bits)
    for other in (pointer, *pointers_of(view, cut)):
        if all(state.value(other) == place & -layout.slot for state, place in zip(states, places, strict=True)):
            return other
    return binary("bvsub", pointer, layout.offset(pointer))
