"""Intervals and differences of the numbers of a procedure, at every location: zones with widening and narrowing.

Variables are registers, offsets of pointers in their objects, and the sizes of these objects; all are read as unsigned
numbers, or all as signed ones. Arithmetic that wraps around splits a zone into its cases. What the analysis does not
follow (memory, products, calls) it forgets. Its facts are formulas for others to prove: nothing rests on them unproved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from pincer.analysis.zones import ZERO, Zone, anything, split_sum, union
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant, linear_parts, width
from pincer.logic.terms import FALSE, TRUE, Term
from pincer.program.control_flow import Allocate, Assign, Assume, Check, Label, Layout, Procedure
from pincer.program.graphs import postorder
from pincer.program.labels import NOT_FOLLOWED, written_register


class NumbersLimits(Struct, frozen=True):
    """Heuristic numbers; none of them decides what a verdict means."""

    rounds_before_widening: int = 2
    """Arrivals at a loop head before what still grows is given up."""
    narrowing: int = 2
    """Rounds in which bounds that widening gave up are looked for again."""
    arrivals: int = 40
    """Arrivals at one location; where there are more, nothing is known any more."""
    cases: int = 8
    """Sides of a condition that are followed one by one."""


LIMITS = NumbersLimits()


class Numbers(Struct, frozen=True):
    """The variables, by the term that each is the value of; `signed` is how all of them are read."""

    layout: Layout
    numbers: Mapping[Term, int]
    signed: bool

    def top(self) -> Zone:
        return self.in_range(anything(len(self.numbers) + 1))

    def in_range(self, zone: Zone) -> Zone:
        """The zone with the bounds that widths set."""
        for term, x in self.numbers.items():
            bounded = zone.between(x, *self._range(width(term)))
            assert bounded is not None
            zone = bounded
        return zone

    def _range(self, bits: int) -> tuple[int, int]:
        return (-(1 << bits - 1), (1 << bits - 1) - 1) if self.signed else (0, (1 << bits) - 1)

    def sum_of(self, term: Term, zone: Zone) -> tuple[int, int] | None:
        """The term as a variable and a number, where it has that value without wrapping around."""
        while term.op == ("sign_extend" if self.signed else "zero_extend"):
            term = term.args[1]
        known = self.numbers.get(term)
        if known is not None:
            return known, 0
        factors, offset = linear_parts(term)
        bits = width(term)
        by = bitvectors.signed(offset, bits)
        if not factors:
            return ZERO, by if self.signed else offset
        if len(factors) == 1 and factors[0][1] == 1 and factors[0][0] is not term:
            inner = self.sum_of(factors[0][0], zone)
            if inner is not None:
                low, high = self._range(bits)
                x, before = inner
                if zone.lower(x) + before + by >= low and zone.upper(x) + before + by <= high:
                    return x, before + by
        return None

    def after(self, label: Label, zone: Zone) -> Zone | None:
        """What is known behind a step; None where nothing comes through."""
        match label:
            case Assume(condition) | Check(_, condition):
                return self._where(condition, True, zone)
            case Assign(register, value):
                return self._assigned(register, value, zone)
            case Allocate(register, size):
                return self._allocated(register, size, zone)
        written = written_register(label)
        return zone if written is None else self._forgotten(written, zone)

    def _forgotten(self, register: Term, zone: Zone | None) -> Zone | None:
        for term, x in self.numbers.items():
            if register in term.variables and zone is not None:
                zone = zone.without(x).between(x, *self._range(width(term)))
        return zone

    def _assigned(self, register: Term, value: Term, zone: Zone) -> Zone | None:
        after: Zone | None = zone
        for term, x in self.numbers.items():
            if register in term.variables and after is not None:
                after = self._given(x, term, terms.substitute(term, {register: value}), after)
        return after

    def _given(self, x: int, term: Term, value: Term, zone: Zone) -> Zone | None:
        """After the variable of a term got the value that another term has before."""
        low, high = self._range(width(term))
        known = self.sum_of(value, zone)
        if known is not None:
            return split_sum(zone, x, known[0], known[1], (low, high))
        factors, offset = linear_parts(value)
        if len(factors) == 1 and factors[0][1] == 1:
            inner = self.sum_of(factors[0][0], zone)
            if inner is not None:
                by = inner[1] + bitvectors.signed(offset, width(value))
                return split_sum(zone, x, inner[0], by, (low, high))
        return zone.without(x).between(x, low, high)

    def _allocated(self, register: Term, size: Term, zone: Zone) -> Zone | None:
        after = self._forgotten(register, zone)
        offset, room = offset_of(register, self.layout), bitvectors.room(register)
        if after is not None and offset in self.numbers:
            after = after.without(self.numbers[offset]).between(self.numbers[offset], 0, 0)
        if after is not None and room in self.numbers:
            after = self._given(self.numbers[room], room, size, after)
        return after

    def _where(self, condition: Term, holds: bool, zone: Zone | None) -> Zone | None:
        """The zone where a condition holds, or does not."""
        if zone is None or condition is (FALSE if holds else TRUE):
            return None
        if condition.op == "not":
            return self._where(condition.args[0], not holds, zone)
        if condition.op in ("and", "or"):
            if (condition.op == "and") == holds:
                for part in condition.args:
                    zone = self._where(part, holds, zone)
                return zone
            if len(condition.args) > LIMITS.cases:
                return zone
            return union(self._where(part, holds, zone) for part in condition.args)
        if condition.op == ("bvsle" if self.signed else "bvule"):
            return self._ordered(condition.args, holds, zone)
        if condition.op == "same":
            return self._same(condition.args, holds, zone)
        return zone

    def _ordered(self, sides: Sequence[Term], holds: bool, zone: Zone) -> Zone | None:
        left, right = (self.sum_of(side, zone) for side in sides)
        if left is None or right is None:
            return zone
        (x, a), (y, b) = left, right
        return zone.with_difference(x, y, b - a) if holds else zone.with_difference(y, x, a - b - 1)

    def _same(self, sides: Sequence[Term], holds: bool, zone: Zone) -> Zone | None:
        left, right = (self.sum_of(side, zone) for side in sides)
        if left is None or right is None:
            return zone
        (x, a), (y, b) = left, right
        below, above = zone.with_difference(x, y, b - a), zone.with_difference(y, x, a - b)
        if holds:
            return None if below is None else below.with_difference(y, x, a - b)
        return union(
            (
                None if below is None else zone.with_difference(x, y, b - a - 1),
                None if above is None else zone.with_difference(y, x, a - b - 1),
            )
        )

    def facts(self, zone: Zone) -> Iterator[Term]:
        """What a zone knows beyond the widths of its variables, as formulas over machine integers."""
        op = "bvsle" if self.signed else "bvule"
        named = list(self.numbers.items())
        for term, x in named:
            low, high = self._range(width(term))
            if zone.upper(x) < high:
                yield bitvectors.compare(op, term, constant(zone.upper(x), width(term)))
            if zone.lower(x) > low:
                yield bitvectors.compare(op, constant(zone.lower(x), width(term)), term)
        for term, x in named:
            for other, y in named:
                most = zone.bounds[x][y]
                bits = max(width(term), width(other))
                fits = max(zone.upper(y) + most, zone.upper(x) - most) <= self._range(bits)[1]
                if x != y and most < zone.upper(x) - zone.lower(y) and (fits or most in (-1, 0)):
                    yield self._difference(op, term, other, most)

    def _difference(self, op: str, term: Term, other: Term, most: int) -> Term:
        """`term - other <= most`, with the number on the side on which it is added."""
        bits = max(width(term), width(other))
        left, right = (bitvectors.extend(side, bits - width(side), self.signed) for side in (term, other))
        if most == -1:
            return bitvectors.compare("bvslt" if self.signed else "bvult", left, right)
        if most < 0:
            return bitvectors.compare(op, bitvectors.binary("bvadd", left, constant(-most, bits)), right)
        return bitvectors.compare(op, left, bitvectors.binary("bvadd", right, constant(most, bits)))


def offset_of(pointer: Term, layout: Layout) -> Term:
    """Where in its object a pointer points to, in as many bits as that takes."""
    return bitvectors.extract(layout.slot_bits - 1, 0, pointer)


def numbers_at(procedure: Procedure, numbers: Numbers) -> dict[int, Zone]:
    """What is known at every location that is reached: widened at loop heads, then narrowed again."""
    # Bodies of loops before what follows them: what grows in a loop should be known before it goes on.
    last_first = postorder(procedure.entry, lambda place: procedure.following(place)[::-1])
    order = {place: i for i, place in enumerate(reversed(last_first))}
    found: dict[int, Zone] = {procedure.entry: numbers.top()}
    arrivals = Counter[int]()
    waiting = {procedure.entry}
    while waiting:
        place = min(waiting, key=order.__getitem__)
        waiting.discard(place)
        for edge in procedure.outgoing.get(place, ()):
            if isinstance(edge.label, NOT_FOLLOWED):
                continue
            after = numbers.after(edge.label, found[place])
            if after is None:
                continue
            known = found.get(edge.target)
            joined = after if known is None else known.joined(after)
            if known is not None and joined != known:
                arrivals[edge.target] += 1
                joined = _hastened(numbers, known, joined, arrivals[edge.target], edge.target in procedure.loop_heads)
            if joined != known:
                found[edge.target] = joined
                waiting.add(edge.target)
    for _ in range(LIMITS.narrowing):
        _narrow(procedure, numbers, found, order)
    return found


def _hastened(numbers: Numbers, known: Zone, joined: Zone, count: int, is_head: bool) -> Zone:
    """What is known where something new has arrived so often, so that an end is reached."""
    if count > LIMITS.arrivals:
        return numbers.top()
    widened = is_head and count > LIMITS.rounds_before_widening
    return numbers.in_range(known.widened(joined)) if widened else joined


def _narrow(procedure: Procedure, numbers: Numbers, found: dict[int, Zone], order: Mapping[int, int]) -> None:
    for place in sorted(found, key=lambda place: order.get(place, 0)):
        if place == procedure.entry:
            continue
        arriving = union(
            numbers.after(edge.label, found[edge.source])
            for edge in procedure.incoming.get(place, ())
            if edge.source in found and not isinstance(edge.label, NOT_FOLLOWED)
        )
        if arriving is not None:
            is_head = place in procedure.loop_heads
            found[place] = found[place].narrowed(arriving, numbers.top()) if is_head else arriving
