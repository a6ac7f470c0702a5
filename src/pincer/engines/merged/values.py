"""Values of merged states: a number, a term over inputs, or cases under conditions that exclude each other.

The cases are the value summaries of MultiSE (Sen, Necula, Gong, Choi 2015): an index that is 1 on some paths and 2 on
the others has two cases, and what is computed from it is computed once for each different number, not for each path.
The conditions of cases are right where the guard of the state holds, and say nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from itertools import product
from typing import TypeAlias

from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.limits import LIMITS
from pincer.logic import bitvectors, terms
from pincer.logic.decision_diagrams import FALSE, TRUE, Function
from pincer.logic.terms import Term

Simple: TypeAlias = int | Term
"""A number, or a term over inputs that is no number."""
Case: TypeAlias = tuple[Function, Simple]


class Cases:
    """A value that differs between paths. Compared by identity."""

    __slots__ = ("cases",)

    def __init__(self, cases: tuple[Case, ...]) -> None:
        self.cases = cases

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{value} if {condition}" for condition, value in self.cases) + "}"


Value: TypeAlias = Simple | Cases


def simple(term: Term) -> Simple:
    """A term as a value."""
    return int(term.args[0]) if term.op == "bvconst" else term


class Values:
    """Operations on values."""

    def __init__(self, conditions: Conditions, slot: int) -> None:
        self.slot = slot
        self.conditions = conditions
        self._diagrams = conditions.diagrams
        self._words: dict[tuple[tuple[Case, ...], int], Term] = {}
        self._settled: dict[tuple[Value, Function], Value] = {}
        self._fresh = 0

    def fresh(self, bits: int) -> Term:
        """A symbol for a value that nothing is known of. By words, it is another than where bytes are looked into:
        terms are ordered by their age, and solvers are quicker where that is the order of the program."""
        self._fresh += 1
        return bitvectors.variable(f"{'word' if self.conditions.by_words else 'merged'}{self._fresh}", bits)

    def gathered(self, cases: Iterable[Case], bits: int) -> Value:
        """The value with these cases; equal ones are joined, and too many words become one term."""
        found: dict[Simple, Function] = {}
        either = self._diagrams.either
        for condition, value in cases:
            if condition != FALSE:
                known = found.get(value)
                found[value] = condition if known is None else either(known, condition)
        return self._limited(found, bits)

    def _limited(self, found: dict[Simple, Function], bits: int) -> Value:
        if not found:
            return self.fresh(bits)
        if len(found) == 1:
            return next(iter(found))
        numbers = [(condition, value) for value, condition in found.items() if isinstance(value, int)]
        words: list[Case] = [(own, value) for value, own in found.items() if not isinstance(value, int)]
        if len(numbers) > self.conditions.limits.numbers:
            return simple(self._word((*numbers, *words), bits))
        if len(words) > (LIMITS.words if all(self._is_easy(value) for _, value in words) else 1):
            joined = reduce(self._diagrams.either, (condition for condition, _ in words))
            words = [(joined, simple(self._word(tuple(words), bits)))]
        if not numbers and len(words) == 1:
            return words[0][1]
        return Cases((*numbers, *words))

    def _is_easy(self, value: Simple) -> bool:
        """Whether a word is worth a case of its own: it is an address, or over one byte, so that conditions on it are
        exact. Relations between other words are the solver's, which is faster about one word than about many."""
        assert not isinstance(value, int)
        if bitvectors.linear_parts(value)[1] >= self.slot or self._is_composed(value):
            return True
        return not self.conditions.by_words and sum(map(bitvectors.width, value.variables)) <= LIMITS.enumerated_bits

    def choose(self, condition: Function, then: Value, otherwise: Value, bits: int) -> Value:
        """`condition ? then : otherwise`."""
        if condition == TRUE:
            return then
        return otherwise if condition == FALSE else self.met((condition, condition ^ 1), then, otherwise, bits)

    def met(
        self, guards: tuple[Function, Function], first: Value, second: Value, bits: int, steers: bool = False
    ) -> Value:
        """The first value where the first guard holds and the second where the other does; they exclude each other. A
        value that `steers` keeps its cases for very long, and an address does for long."""
        if first is second:
            return first
        here, there = guards
        found: dict[Simple, Function] = {}

        def cases() -> Function:
            ours = {value: own for own, value in _cases(first)}
            theirs = {value: own for own, value in _cases(second)}
            for value in dict.fromkeys((*ours, *theirs)):
                own = self._diagrams.joined(ours.get(value, FALSE), here, theirs.get(value, FALSE), there)
                if own != FALSE:
                    found[value] = own
            return TRUE

        if self._diagrams.bounded(cases, self._growth(first, second, steers)) is None:
            chosen = self.word(first, bits), self.word(second, bits)
            return simple(terms.conditional(self.conditions.term(here), *chosen))
        return self._limited(found, bits)

    def _growth(self, first: Value, second: Value, steers: bool) -> int:
        if steers:
            return LIMITS.steering_growth
        is_address = self._is_address(first) or self._is_address(second)
        return self.conditions.limits.first_value_growth if is_address else self.conditions.value_growth

    def _is_address(self, value: Value) -> bool:
        """Whether one of the cases of a value looks like an address."""
        return any(isinstance(part, int) and part >= self.slot for _, part in _cases(value))

    def word(self, value: Value, bits: int) -> Term:
        """The value as one term."""
        if isinstance(value, int):
            return bitvectors.constant(value, bits)
        return self._word(value.cases, bits) if isinstance(value, Cases) else value

    def _word(self, cases: tuple[Case, ...], bits: int) -> Term:
        found = self._words.get((cases, bits))
        if found is None:
            (_, last), rest = cases[-1], cases[:-1]
            found = self.word(last, bits)
            for condition, value in reversed(rest):
                found = terms.conditional(self.conditions.term(condition), self.word(value, bits), found)
            self._words[cases, bits] = found
        return found

    def narrowed(self, value: Value, guard: Function) -> Value:
        """The value without the cases that a guard excludes."""
        if not isinstance(value, Cases):
            return value
        are_apart = self._diagrams.are_apart
        kept = tuple(case for case in value.cases if not are_apart(case[0], guard))
        if not kept or len(kept) == len(value.cases):
            return value
        return kept[0][1] if len(kept) == 1 else Cases(kept)

    def narrowed_cases(self, value: Value, guard: Function) -> tuple[Case, ...]:
        """The cases of a value that a guard allows."""
        return _cases(self.narrowed(value, guard))

    def spread(self, value: Value, guard: Function) -> tuple[Case, ...]:
        """The cases of a value that a guard allows; a word over few bits of inputs has one for each number that it can
        be, and one that is chosen from several words has one for each of them."""
        found: list[Case] = []
        for condition, part in self.narrowed_cases(value, guard):
            if isinstance(part, int):
                found.append((condition, part))
            else:
                here = self.conditions.both(guard, condition)
                found += ((self.conditions.both(condition, own), one) for own, one in self._alternatives(part, here))
        return tuple(case for case in found if case[0] != FALSE)

    def settled(self, value: Value, guard: Function) -> Value:
        """The value with its words made of several bytes of input as numbers, where the guard leaves few of them."""
        if isinstance(value, int) or not any(self._is_composed(part) for _, part in _cases(value)):
            return value
        key = value, guard
        found = self._settled.get(key)
        if found is None:
            found = self._settled[key] = self._with_numbers(value, guard)
        return found

    def _with_numbers(self, value: Value, guard: Function) -> Value:
        found: dict[Simple, Function] = {}
        for condition, part in _cases(value):
            numbers = None
            if self._is_composed(part):
                assert not isinstance(part, int)
                numbers = self.conditions.enumerated(part, self.conditions.both(guard, condition), LIMITS.settled)
            for number, own in ((part, TRUE),) if numbers is None else numbers:
                here = self.conditions.both(condition, own)
                found[number] = self._diagrams.either(found.get(number, FALSE), here)
        cases = tuple((condition, part) for part, condition in found.items() if condition != FALSE)
        return value if not cases else cases[0][1] if len(cases) == 1 else Cases(cases)

    def _is_composed(self, part: Simple) -> bool:
        """Whether a word is put together from several inputs that are bytes, or parts of them."""
        if isinstance(part, int) or len(part.variables) < 2:
            return False
        few = all(bitvectors.width(symbol) <= LIMITS.enumerated_bits for symbol in part.variables)
        return few and self.conditions.wires(part) is not None

    def concrete(self, value: Value, guard: Function) -> Value:
        """The value as numbers, where the guard leaves few of them."""
        if all(isinstance(part, int) for _, part in _cases(value)):
            return value
        found: dict[Simple, Function] = {}
        for condition, part in self.narrowed_cases(value, guard):
            if not isinstance(part, int) and self.conditions.numbers(part) is None:
                return value
            here = self.conditions.both(guard, condition)
            for own, number in [(TRUE, part)] if isinstance(part, int) else self._alternatives(part, here):
                known, own = found.get(number), self.conditions.both(condition, own)
                found[number] = own if known is None else self._diagrams.either(known, own)
            if len(found) > LIMITS.concrete:
                return value
        cases = tuple((condition, number) for number, condition in found.items())
        return value if not cases else cases[0][1] if len(cases) == 1 else Cases(cases)

    def _alternatives(self, word: Term, guard: Function) -> Iterable[Case]:
        exact = self.conditions.numbers(word)
        if exact is None:
            is_indexed = self.conditions.by_words and bitvectors.linear_parts(word)[1] >= self.slot
            return ((TRUE, word),) if is_indexed else self.alternatives(word)
        seen, are_apart = self.conditions.shadow(guard, word), self._diagrams.are_apart
        return [(own, number) for number, own in exact.items() if not are_apart(own, seen)]

    def alternatives(self, word: Term) -> Iterable[Case]:
        """The words that a word is chosen from, each with when it is the one."""
        leaves = sorted(self.conditions.alternatives.leaves(word), key=lambda leaf: (leaf.op != "bvconst", leaf.id))
        found: list[Case] = []
        left = TRUE
        for leaf in leaves[:-1]:
            own = self.conditions.function(terms.equal(word, leaf))
            found.append((self.conditions.both(left, own), simple(leaf)))
            left = self.conditions.both(left, own ^ 1)
        return (*found, (left, simple(leaves[-1])))

    def combined(self, guard: Function, operands: Sequence[Value]) -> list[tuple[Function, tuple[Simple, ...]]] | None:
        """All combinations of cases that a guard allows; None if there may be too many."""
        size = 1
        for operand in operands:
            size *= len(operand.cases) if isinstance(operand, Cases) else 1
        if size > self.conditions.limits.product:
            return None
        found: list[tuple[Function, tuple[Simple, ...]]] = []

        def combine() -> Function:
            for chosen in product(*map(_cases, operands)):
                condition = reduce(self._diagrams.both, (own for own, _ in chosen), TRUE)
                if condition != FALSE and not self._diagrams.are_apart(condition, guard):
                    found.append((condition, tuple(value for _, value in chosen)))
            return TRUE

        return found if self._diagrams.bounded(combine, self.conditions.value_growth) is not None else None

    def lifted(
        self,
        guard: Function,
        operands: Sequence[tuple[Value, int]],
        bits: int,
        on_numbers: Callable[..., int],
        on_words: Callable[..., Term],
    ) -> Value:
        """An operation on values with their widths: on numbers where all are, on terms elsewhere."""

        def result(values: Iterable[Simple]) -> Simple:
            chosen = tuple(values)
            if all(isinstance(value, int) for value in chosen):
                return on_numbers(*chosen)
            return simple(on_words(*(self.word(v, size) for v, (_, size) in zip(chosen, operands, strict=True))))

        if not any(isinstance(value, Cases) for value, _ in operands):
            return result(value for value, _ in operands)  # type: ignore[misc]
        combined = self.combined(guard, [value for value, _ in operands])
        if combined is None:
            return simple(on_words(*(self.word(value, size) for value, size in operands)))
        return self.gathered(((condition, result(values)) for condition, values in combined), bits)

    def part(self, guard: Function, value: Value, bits: int, high: int, low: int) -> Value:
        """Bits high..low of a value."""
        if high - low + 1 == bits:
            return value
        mask = (1 << (high - low + 1)) - 1
        return self.lifted(
            guard,
            ((value, bits),),
            high - low + 1,
            lambda number: number >> low & mask,
            lambda word: bitvectors.extract(high, low, word),
        )

    def joined(self, guard: Function, high: Value, high_bits: int, low: Value, low_bits: int) -> Value:
        """Two values as one, side by side."""
        return self.lifted(
            guard,
            ((high, high_bits), (low, low_bits)),
            high_bits + low_bits,
            lambda upper, lower: upper << low_bits | lower,
            bitvectors.concat,
        )


def _cases(value: Value) -> tuple[Case, ...]:
    return value.cases if isinstance(value, Cases) else ((TRUE, value),)
