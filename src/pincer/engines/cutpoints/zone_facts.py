"""Guesses from the numeric analysis: what zones know at cut points, of numbers and of places in buffers."""

from __future__ import annotations

from collections.abc import Iterator

from pincer.analysis.numbers import Numbers, numbers_at, offset_of
from pincer.engines.cutpoints.candidates import grouped, orders, pointers_of
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.view import View
from pincer.logic.bitvectors import room, width
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate


class ZoneFacts:
    """The facts at all cut points of a procedure, as unsigned and, where the program looks at signs, signed numbers."""

    def __init__(self, view: View) -> None:
        self._facts: dict[int, dict[Term, None]] = {cut: {} for cut in view.live}
        numbers = _numbers(view)
        for op in orders(view):
            known = Numbers(view.layout, {term: x for x, term in enumerate(numbers, 1)}, op == "bvsle")
            for cut, zone in numbers_at(view.procedure, known).items():
                if cut in self._facts:
                    self._facts[cut] |= dict.fromkeys(known.facts(zone))

    def candidates(self, view: View, cut: int) -> Iterator[Term]:
        """What is known at a cut point, about what is live there."""
        for fact in self._facts[cut]:
            if fact.variables <= view.live[cut]:
                yield fact


def _numbers(view: View) -> list[Term]:
    """The numbers that are followed: registers, offsets of pointers, and sizes of what they point into."""
    found: dict[Term, None] = {}
    made = [edge.label.register for edge in view.procedure.edges if isinstance(edge.label, Allocate)]
    pointers = dict.fromkeys(pointer for cut in sorted(view.live) for pointer in pointers_of(view, cut))
    for pointer in dict.fromkeys((*pointers, *made)):
        if pointer.op == "var":
            found |= {offset_of(pointer, view.layout): None, room(pointer): None}
    for cut in sorted(view.live):
        for group in grouped(view, cut):
            found |= {value: None for value in group if value.op == "var" and width(value) >= 32}
    return list(found)[: LIMITS.zone]
