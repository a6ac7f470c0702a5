"""Guesses about numbers at cut points: conditions of the program, comparisons of its values, bounds, equations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.view import View
from pincer.engines.invariants.relations import linear_equations
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant, linear_parts, signed, width
from pincer.logic.terms import BOOL, Term, postorder
from pincer.program.control_flow import Allocate, Assign, Assume, Store
from pincer.program.labels import written_register


def numeric_candidates(view: View, cut: int) -> Iterator[Term]:
    """What may be known about numbers at a cut point, the likeliest first."""
    yield from _unchanged(view, cut)
    yield from conditions(view, cut)
    yield from definitions(view, cut)
    for values in grouped(view, cut):
        yield from comparisons(values, orders(view))
        yield from _bounds(view, cut, values)
        yield from _equations(view, cut, values)


def _unchanged(view: View, cut: int) -> Iterator[Term]:
    """Registers that nobody assigns are what they are at first, whether a test comes here or not."""
    assigned = {written_register(edge.label) for edge in view.procedure.edges}
    for register, value in view.program.initial.items():
        if register in view.live[cut] and register not in assigned:
            yield terms.equal(register, constant(value, width(register)))


def combined_candidates(view: View, cut: int) -> Iterator[Term]:
    """How numbers at a cut point may depend on several others, or on a multiple of one."""
    for values in grouped(view, cut):
        yield from _multiples(view, cut, values)
        yield from _sums(view, cut, values)


def conditions(view: View, cut: int) -> Iterator[Term]:
    """The conditions of branches as they are written, and their parts."""
    live = view.live[cut]
    for edge in view.procedure.edges:
        if isinstance(edge.label, Assume):
            for part in dict.fromkeys((edge.label.condition, *terms.atoms(edge.label.condition))):
                if part.variables and part.variables <= live:
                    yield part
                    yield terms.negate(part)
                    yield from _reached(part)


def _reached(condition: Term) -> Iterator[Term]:
    """A count that is stepped while it is below a number, or up to one, goes no further than just there."""
    if condition.op not in ("bvule", "bvsle"):
        return
    first, second = condition.args
    if first.op == "bvconst":
        yield bitvectors.compare(condition.op, second, first)
    elif second.op == "bvconst":
        yield bitvectors.compare(condition.op, second, first)
        step = constant(1, width(second))
        yield bitvectors.compare(condition.op, first, bitvectors.binary("bvadd", second, step))


def definitions(view: View, cut: int) -> Iterator[Term]:
    """What was assigned to a register, or stored, is still there."""
    live = view.live[cut]
    for edge in view.procedure.edges:
        if isinstance(edge.label, Store):
            stored = bitvectors.load(edge.label.address, width(edge.label.value) // 8)
            if stored.variables | edge.label.value.variables <= live:
                yield terms.equal(stored, edge.label.value)
        if isinstance(edge.label, Assign) and edge.label.register in live:
            value = edge.label.value
            if value.variables <= live and edge.label.register not in value.variables:
                yield from _quotients(edge.label.register, value)
                if value.op != "bvudiv":
                    yield terms.equal(edge.label.register, value)


def _quotients(register: Term, value: Term) -> Iterator[Term]:
    """What a quotient means, without the division that solvers find hard."""
    if value.op == "bvudiv" and value.args[1].op == "bvconst" and value.args[1].args[0]:
        dividend, divisor = value.args
        product = bitvectors.binary("bvmul", divisor, register)
        yield bitvectors.compare("bvule", product, dividend)
        yield bitvectors.compare("bvult", bitvectors.binary("bvsub", dividend, product), divisor)


def orders(view: View) -> list[str]:
    """The orders that the program uses; the unsigned one always."""
    is_signed = any(part.op in ("bvsle", "sign_extend") for term in view.terms() for part in postorder(term))
    return ["bvule", "bvsle"] if is_signed else ["bvule"]


def values(view: View, cut: int) -> list[Term]:
    """Registers, fields of objects and what they are widened to, as far as the program looks at them."""
    live = view.live[cut]
    found: dict[Term, None] = {}
    for term in view.terms():
        for part in postorder(term):
            if part.sort is BOOL or not part.variables <= live or width(part) < 8:
                continue
            widened = _is_widened(part) and part.args[1] in found
            if widened or part.op == "var" or (part.op == "load" and is_field(part.args[0])):
                found[part] = None
    return list(found)


def is_field(address: Term) -> bool:
    """Whether an address is a fixed distance from a register, or constant."""
    factors, _ = linear_parts(address)
    return all(part.op == "var" and factor == 1 for part, factor in factors) and len(factors) < 2


def sizes(view: View, cut: int) -> list[Term]:
    """The sizes of allocated objects, as terms over what is live."""
    made, live = _made_once(view), view.live[cut]
    found = dict.fromkeys(
        _in_terms_of(live, _widened(edge.label.size, view.layout.pointer_bits), made)
        for edge in view.procedure.edges
        if isinstance(edge.label, Allocate) and not edge.label.mark
    )
    return [size for size in found if size.variables <= live]


def _made_once(view: View) -> dict[Term, Term]:
    """What is assigned to registers that are assigned at one place only, such as parameters of a call."""
    assigned: dict[Term, dict[Term, None]] = {}
    for edge in view.procedure.edges:
        if isinstance(edge.label, Assign):
            assigned.setdefault(edge.label.register, {})[edge.label.value] = None
    return {register: next(iter(values)) for register, values in assigned.items() if len(values) == 1}


def _in_terms_of(live: frozenset[Term], term: Term, made: dict[Term, Term]) -> Term:
    """A term with other registers replaced by what they were computed from, a few steps back."""
    for _ in range(LIMITS.steps_back):
        others = {register: made[register] for register in term.variables - live if register in made}
        if not others:
            break
        term = terms.substitute(term, others)
    return term


def _widened(term: Term, bits: int) -> Term:
    return bitvectors.extend(term, bits - width(term), False)


def grouped(view: View, cut: int) -> list[list[Term]]:
    """The values by width, pointers apart, those that vary in tests first."""
    groups: dict[int, list[Term]] = {}
    pointers = set(pointers_of(view, cut))
    for value in values(view, cut):
        if value not in pointers and value is not view.program.top:
            groups.setdefault(width(value), []).append(value)
    return [group[: LIMITS.values] for _, group in sorted(groups.items()) if not all(map(_is_widened, group))]


def _is_widened(value: Term) -> bool:
    return bool(value.op in ("zero_extend", "sign_extend"))


def pointers_of(view: View, cut: int) -> list[Term]:
    """Registers and fields that addresses begin with, what they are compared with, and what is assigned to them or from
    them."""
    found: dict[Term, None] = {}
    equals = [
        (edge.label.register, edge.label.value) for edge in view.procedure.edges if isinstance(edge.label, Assign)
    ]
    for part in (part for term in view.terms() for part in postorder(term)):
        if part.op in ("load", "room"):
            parts = linear_parts(part.args[0])[0]
            found |= {term: None for term, factor in parts if factor == 1 and _may_be_pointer(view, term)}
        elif part.op in ("bvule", "same"):
            equals.append(part.args)
    equals = [sides for sides in equals if all(_may_be_pointer(view, side) for side in sides)]
    for _ in range(2):
        for sides in equals:
            if any(side in found for side in sides):
                found |= dict.fromkeys(sides)
    found.pop(view.program.top, None)
    return [pointer for pointer in found if pointer.variables <= view.live[cut] and not _is_index(view, pointer)]


def _is_index(view: View, term: Term) -> bool:
    """Whether tests show a number that is no address: there are no objects in the first slot."""
    slot = view.layout.slot
    return any(
        0 < state.value(term) < slot for cut, states in view.states.items() for state in states
        if term.variables <= view.live[cut]
    )  # fmt: skip


def _may_be_pointer(view: View, term: Term) -> bool:
    plain = term.op == "var" or (term.op == "load" and is_field(term.args[0]))
    return plain and width(term) == view.layout.pointer_bits


def comparisons(group: Sequence[Term], orders: Sequence[str]) -> Iterator[Term]:
    """Any value at most any other, or not."""
    for x, y in permutations(group, 2):
        for op in orders:
            claim = bitvectors.compare(op, x, y)
            yield claim
            yield terms.negate(claim)


def _bounds(view: View, cut: int, group: Sequence[Term]) -> Iterator[Term]:
    """The nearest numbers of the program above and below what tests show, and the sign."""
    states = view.states.get(cut, ())
    if not states:
        return
    for value in group:
        bits = width(value)
        seen = [state.value(value) for state in states]
        for op in orders(view):
            known = seen if op == "bvule" else [signed(n, bits) for n in seen]
            numbers = sorted(n if op == "bvule" else signed(n, bits) for n in constants_of(view, bits))
            for number in [n for n in numbers if n >= max(known)][:2]:
                yield bitvectors.compare(op, value, constant(number, bits))
            for number in [n for n in numbers if n <= min(known)][-2:]:
                yield bitvectors.compare(op, constant(number, bits), value)


def constants_of(view: View, bits: int) -> set[int]:
    """Numbers of a width that the program mentions, with their neighbours."""
    found = {0, 1}
    for term in view.terms():
        for part in postorder(term):
            if part.op == "bvconst" and width(part) == bits:
                found.add(part.args[0])
            elif part.op == "bvlin" and width(part) == bits:
                found.add(part.args[1])
    return {(number + by) & ((1 << bits) - 1) for number in found for by in (-1, 0, 1)}


def _multiples(view: View, cut: int, group: Sequence[Term]) -> Iterator[Term]:
    """A value that is at most a few times another one, where it is more than once that."""
    seen = _seen(view, cut, group)
    for x, y in permutations(seen, 2):
        pairs = list(zip(seen[x], seen[y], strict=True))
        if all(a <= b for a, b in pairs):
            continue
        factor = next((c for c in LIMITS.multiples if all(a <= c * b for a, b in pairs)), None)
        if factor is not None:
            yield bitvectors.compare("bvule", x, bitvectors.binary("bvmul", constant(factor, width(y)), y))


def _sums(view: View, cut: int, group: Sequence[Term]) -> Iterator[Term]:
    """A value that two others together do not pass, though they come to it."""
    seen = _seen(view, cut, group)
    for (x, first), (y, second) in combinations(seen.items(), 2):
        sums = [a + b for a, b in zip(first, second, strict=True)]
        for z, most in seen.items():
            pairs = list(zip(sums, most, strict=True))
            if z not in (x, y) and all(a <= b for a, b in pairs) and any(a == b for a, b in pairs):
                yield bitvectors.compare("bvule", bitvectors.binary("bvadd", x, y), z)


def _seen(view: View, cut: int, group: Sequence[Term]) -> dict[Term, list[int]]:
    """The values that vary in tests, and what they are there."""
    states = view.states.get(cut, ())
    seen = {value: [state.value(value) for state in states] for value in group}
    return {value: numbers for value, numbers in seen.items() if len(set(numbers)) > 1}


def _equations(view: View, cut: int, group: Sequence[Term]) -> Iterator[Term]:
    states = view.states.get(cut, ())
    if states and group:
        bits = width(group[0])
        samples = sorted({tuple(signed(state.value(value), bits) for value in group) for state in states})
        yield from linear_equations(group, samples, bits)
