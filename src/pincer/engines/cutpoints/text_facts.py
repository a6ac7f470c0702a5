"""Guesses about texts: the last byte of an object is its end, or there is an end from a pointer on.

A text is walked until a zero byte is read. That there is one ahead keeps the walk inside, and the object says where to
look for it: what was put at the end of a buffer is in its last byte, and otherwise somewhere up to there.
"""

from __future__ import annotations

from collections.abc import Iterator

from pincer.engines.cutpoints.candidates import pointers_of
from pincer.engines.cutpoints.contents import Tried
from pincer.engines.cutpoints.view import View
from pincer.logic import bitvectors, ranges, terms
from pincer.logic.bitvectors import binary, constant
from pincer.logic.terms import Term


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
    """Some byte from a pointer on, up to the end of its object, is zero."""
    bits, states = view.layout.pointer_bits, view.states.get(cut, ())
    bound = ranges.index(bits)
    for pointer in _read_bytewise(view, cut):
        base = _start(view, cut, pointer)
        body, offset, room = _is_end(base, bound), binary("bvsub", pointer, base), bitvectors.room(base)
        if states and Tried(body, states).some_in([(state.value(offset), state.value(room)) for state in states]):
            yield ranges.some(offset, room, body)


def _is_end(base: Term, at: Term) -> Term:
    return terms.equal(bitvectors.load(binary("bvadd", base, at), 1), constant(0, 8))


def _read_bytewise(view: View, cut: int) -> list[Term]:
    """The pointers with which addresses of single bytes begin, and what they may be equal to."""
    is_text = any(part.op == "load" and part.args[1] == 1 for term in view.terms() for part in terms.postorder(term))
    return pointers_of(view, cut) if is_text else []


def _start(view: View, cut: int, pointer: Term) -> Term:
    """Where the object begins that a pointer points into: a pointer that always points there, if there is one."""
    layout, states = view.layout, view.states.get(cut, ())
    places = [state.value(pointer) for state in states]
    for other in (pointer, *pointers_of(view, cut)):
        if all(state.value(other) == place & -layout.slot for state, place in zip(states, places, strict=True)):
            return other
    return binary("bvsub", pointer, layout.offset(pointer))
