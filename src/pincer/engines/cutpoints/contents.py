"""Guesses about the contents of buffers: all cells of a range have a property, or some cell of it has.

Properties of cells are read off the conditions and stores of the program: where one speaks of the cell at an index, the
same may hold at every index of a range. The ends of ranges are the numbers that the program counts with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

from msgspec import Struct

from pincer.engines.cutpoints.candidates import grouped, pointers_of
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.view import View
from pincer.execution.machine import State
from pincer.logic import bitvectors, ranges, terms
from pincer.logic.bitvectors import constant, linear_parts, state_reads, width
from pincer.logic.compilation import compile_expression
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Check, Store


def content_candidates(view: View, cut: int) -> Iterator[Term]:
    """Range facts that no test refutes, and that are about some cell in one of them."""
    states = view.states.get(cut, ())
    if not states:
        return
    ends = _ends(view, cut)
    starts = [*(constant(number, view.layout.pointer_bits) for number in (0, 1)), *ends]
    bounds = [[state.value(end) for state in states] for end in starts]
    for body in _bodies(view, cut):
        tried = Tried(body, states)
        for i, lower in enumerate(starts):
            for j, upper in enumerate(starts):
                if j > 1 and i != j and lower is not upper:
                    pairs = list(zip(bounds[i], bounds[j], strict=True))
                    if tried.all_in(pairs):
                        yield ranges.every(lower, upper, body)
                    if body.op == "same" and tried.some_in(pairs):
                        yield ranges.some(lower, upper, body)


def cell_candidates(view: View, cut: int) -> Iterator[Term]:
    """What is known of the cell at an index, or of the one before it, as far as the index is in bounds."""
    bits, states = view.layout.pointer_bits, view.states.get(cut, ())
    bound, one, ends = ranges.index(bits), constant(1, bits), _ends(view, cut)
    seen = {end: [state.value(end) for state in states] for end in ends}
    for body in _bodies(view, cut):
        tried = Tried(body, states)
        for index in ends:
            here = terms.substitute(body, {bound: index})
            if tried.at(seen[index]):
                yield here
            for end in ends:
                if tried.at(x if x < y else None for x, y in zip(seen[index], seen[end], strict=True)):
                    yield terms.disjunction(bitvectors.compare("bvule", end, index), here)
            if tried.at(x - 1 if x else None for x in seen[index]):
                before = terms.substitute(body, {bound: bitvectors.binary("bvsub", index, one)})
                yield terms.disjunction(terms.equal(index, constant(0, bits)), before)


def neighbour_candidates(view: View, cut: int) -> Iterator[Term]:
    """Cells are in order in a range; and one cell is in order, or in an order with a number, unless a number is at most
    another: while something is moved, there is one place where nothing is known."""
    states, ends = view.states.get(cut, ()), _ends(view, cut)
    if not states:
        return
    bits, bound = view.layout.pointer_bits, ranges.index(view.layout.pointer_bits)
    starts = [*(constant(number, bits) for number in (0, 1)), *ends]
    seen = {end: [state.value(end) for state in states] for end in starts}
    pairs = list(permutations(ends, 2))
    for body in _ordered(view, cut):
        tried = Tried(body, states)
        for lower, upper in product(starts, ends):
            if lower is not upper and tried.all_in(list(zip(seen[lower], seen[upper], strict=True))):
                yield ranges.every(lower, upper, body)
        for index, (x, y) in product(ends, pairs):
            numbers = list(zip(seen[index], seen[x], seen[y], strict=True))
            if any(a <= b for _, a, b in numbers) and tried.at(None if a <= b else at for at, a, b in numbers):
                here = terms.substitute(body, {bound: index})
                yield terms.disjunction(bitvectors.compare("bvule", x, y), here)


def _ordered(view: View, cut: int) -> list[Term]:
    """Comparisons of the cell at an index with a number, or with cells before it."""
    bound, found = ranges.index(view.layout.pointer_bits), dict[Term, None]()
    for body in _bodies(view, cut):
        if not _is_equation(body):
            wide = replaced(body, _widened(body, bound), {})
            ahead = max((_cells_ahead(factor, rest) for factor, rest, _ in ranges.strides_of(bound, wide)), default=0)
            first = bitvectors.binary("bvsub", bound, constant(max(ahead, 0), width(bound)))
            found[terms.substitute(wide, {bound: first})] = None
    return list(found)


def _is_equation(body: Term) -> bool:
    return bool(body.op == "same" or (body.op == "not" and body.args[0].op == "same"))


def _widened(body: Term, bound: Term) -> dict[Term, Term]:
    """What is computed from a narrow part of the index and widened again, computed from the index."""
    found: dict[Term, Term] = {}
    for part in terms.postorder(body):
        if part.op == "zero_extend":
            factors, offset = linear_parts(part.args[1])
            if len(factors) == 1 and factors[0][1] == 1:
                [(narrow, _)] = factors
                if narrow.op == "extract" and narrow.args[1] == 0 and narrow.args[2] is bound:
                    by = bitvectors.signed(offset, width(narrow))
                    found[part] = bitvectors.combination([(bound, 1)], by, width(bound))
    return found


def _cells_ahead(factor: int, rest: Term) -> int:
    """How many cells behind the one at the index a cell lies."""
    return bitvectors.signed(linear_parts(rest)[1], width(rest)) // factor


class Tried(Struct):
    """Where a property of cells holds in the states of tests."""

    body: Term
    states: Sequence[State]
    _known: dict[tuple[int, int], bool] = {}

    def _holds(self, number: int, index: int) -> bool:
        known = self._known.get((number, index))
        if known is None:
            state, bits = self.states[number], _address_bits(self.body)
            registers = state.registers.set(ranges.index(bits), index)
            function = compile_expression(self.body)
            try:
                known = bool(function(registers, state.written, state.room))
            except LookupError:
                known = False
            self._known[number, index] = known
        return known

    def at(self, indices: Iterable[int | None]) -> bool:
        """In every state the cell at its index has the property, as far as there is an index, and in some there is."""
        found = [self._holds(number, index) for number, index in enumerate(indices) if index is not None]
        return bool(found) and all(found)

    def all_in(self, pairs: Sequence[tuple[int, int]]) -> bool:
        """In every state all cells between two numbers have the property, and in some state there are any."""
        if all(low >= high for low, high in pairs):
            return False
        return all(
            self._holds(number, index)
            for number, (low, high) in enumerate(pairs)
            for index in range(low, min(high, low + LIMITS.cells))
        )

    def some_in(self, pairs: Sequence[tuple[int, int]]) -> bool:
        """In every state some cell between two numbers has the property."""
        return all(
            any(self._holds(number, index) for index in range(low, min(high, low + LIMITS.cells)))
            for number, (low, high) in enumerate(pairs)
        )


def _address_bits(body: Term) -> int:
    return width(state_reads(body)[0].args[0])


def _ends(view: View, cut: int) -> list[Term]:
    """What the program counts cells with, at the width of addresses."""
    bits, counting = view.layout.pointer_bits, _counting(view)
    found: dict[Term, None] = {}
    for group in grouped(view, cut):
        for value in group:
            if 32 <= width(value) <= bits and value in counting:
                found[bitvectors.extend(value, bits - width(value), False)] = None
    return list(found)[: LIMITS.bounds]


def _counting(view: View) -> set[Term]:
    """Indices of cells, and what they are compared with or assigned."""
    found: set[Term] = set()
    for term in view.terms():
        for part in terms.postorder(term):
            if part.op in ("load", "room"):
                for factor, _ in linear_parts(part.args[0])[0]:
                    found |= set(_leaves(factor))
    linked = [
        set(_leaves(part))
        for edge in view.procedure.edges
        if isinstance(edge.label, Assume)
        for part in terms.atoms(edge.label.condition)
    ]
    linked += [
        {edge.label.register, *_leaves(edge.label.value)}
        for edge in view.procedure.edges
        if isinstance(edge.label, Assign)
    ]
    for _ in range(2):
        found |= set().union(*(group for group in linked if not group.isdisjoint(found)))
    return found


def _leaves(term: Term) -> Iterator[Term]:
    """The registers and reads that a number is computed from; nothing of how addresses of reads are."""
    if term.op in ("var", "load"):
        yield term
    else:
        for part in terms.children(term):
            yield from _leaves(part)


def _bodies(view: View, cut: int) -> list[Term]:
    """Properties of the cell at an index, over what is live."""
    found: dict[Term, None] = {}
    live = view.live[cut]
    bound = ranges.index(view.layout.pointer_bits)
    pointers = set(pointers_of(view, cut))
    for claim in claims(view):
        for body in _at_any_index(claim, bound, pointers):
            if bound in body.variables and body.variables - {bound} <= live:
                found[body] = None
    return list(found)[: LIMITS.bodies]


def claims(view: View) -> Iterator[Term]:
    """What the program asks of cells, and what it puts into them."""
    for edge in view.procedure.edges:
        match edge.label:
            case Assume(condition) | Check("assertion", condition):
                for atom in terms.atoms(condition):
                    if any(read.op == "load" for read in state_reads(atom)):
                        yield atom
                        yield terms.negate(atom)
            case Store(address, value):
                yield terms.equal(bitvectors.load(address, width(value) // 8), value)


def _at_any_index(claim: Term, bound: Term, pointers: set[Term]) -> Iterator[Term]:
    """The claim with the index of a cell in it replaced by any index."""
    places: dict[Term, None] = {}
    for read in state_reads(claim):
        if read.op == "load":
            places |= {part: None for part, _ in linear_parts(read.args[0])[0] if part not in pointers}
    for place in places:
        values = {place: bound}
        if place.op in ("zero_extend", "sign_extend"):
            narrow = place.args[1]
            values[narrow] = bitvectors.extract(width(narrow) - 1, 0, bound)
        yield replaced(claim, values, {})


def replaced(term: Term, values: dict[Term, Term], memo: dict[Term, Term]) -> Term:
    known = memo.get(term)
    if known is None:
        known = values.get(term)
        if known is None:
            known = term if term.op == "var" else terms.rebuild(term, lambda part: replaced(part, values, memo))
        memo[term] = known
    return known
