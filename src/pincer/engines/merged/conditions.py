"""Conditions on inputs as decision diagrams, exact about each input alone.

A variable of the diagrams is a byte of an input, or a relation that is not followed further (between two inputs, or of
what is computed from several). A comparison of an input with a number is a function of its bytes: so
intervals, sets of characters and known bits of inputs are all exact, and what contradicts itself is false without a
solver. Only where relations between inputs matter has a solver to say which combinations are possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from itertools import product

from msgspec import Struct

from pincer.engines.merged.alternatives import Alternatives
from pincer.engines.merged.limits import BY_WORDS, LIMITS
from pincer.engines.merged.ranges import Ranges
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import width
from pincer.logic.compilation import compile_expression
from pincer.logic.decision_diagrams import FALSE, TRUE, Diagrams, Function
from pincer.logic.machine_arithmetic import operation_value
from pincer.logic.terms import BOOL, Term, children, unknown_first

_CHUNK = 8
_RELATIONS = ("same", "bvule", "bvsle")


class Chunk(Struct, frozen=True):
    """Some bits of an input, at most a byte, that are one variable of the diagrams."""

    symbol: Term
    low: int
    bits: int

    @property
    def word(self) -> Term:
        return bitvectors.extract(self.low + self.bits - 1, self.low, self.symbol)

    def of(self, value: int) -> int:
        """The chunk of the input's value."""
        return value >> self.low & (1 << self.bits) - 1


class Conditions:
    """Boolean terms over symbols as functions, and functions as terms. One for a whole run.

    `by_words`, inputs are not looked into: every condition on them is a relation, about which the solver knows."""

    def __init__(self, by_words: bool = False) -> None:
        self.by_words = by_words
        self.limits = BY_WORDS if by_words else LIMITS
        self.diagrams = Diagrams(LIMITS.nodes)
        self.ranges = Ranges()
        self.alternatives = Alternatives()
        self._functions: dict[Term, Function] = {terms.TRUE: TRUE, terms.FALSE: FALSE}
        self._literals: dict[int, Term] = {}
        self._chunks: dict[int, Chunk] = {}
        self._members: dict[tuple[Term, int], Term] = {}
        self._bits: dict[Term, tuple[Function, ...]] = {}
        self._wires: dict[Term, tuple[Function, ...] | None] = {}
        self._named: dict[tuple[Function, ...], Function] = {}
        self._defined: dict[int, tuple[Function, ...]] = {}
        self._terms: dict[int, Term] = {0: terms.TRUE}
        self._open: dict[int, bool] = {0: False}
        self._numbers: dict[Term, Mapping[int, Function] | None] = {}
        self._tables: dict[int, dict[Term, tuple[int, ...]]] = {}

    def function(self, term: Term) -> Function:
        """The condition that a Boolean term states; one that would be large is a variable."""
        found = self._functions.get(term)
        if found is None:
            made = self.diagrams.bounded(lambda: self._made(term), self.limits.condition)
            found = self._functions[term] = self._literal(term) if made is None else made
        return found

    def _made(self, term: Term) -> Function:
        diagrams = self.diagrams
        match term.op:
            case "not":
                return self.function(term.args[0]) ^ 1
            case "and" | "or":
                negated = int(term.op == "or")
                whole = TRUE
                for part in term.args:
                    whole = diagrams.both(whole, self.function(part) ^ negated)
                return whole ^ negated
            case "iff":
                first, second = map(self.function, term.args)
                return diagrams.choose(first, second, second ^ 1)
            case "ite":
                return diagrams.choose(*map(self.function, term.args))
        return self._atom(term)

    def _atom(self, term: Term) -> Function:
        known = self.ranges.relation(term)
        if known is not None:
            return TRUE if known else FALSE
        if self.by_words:
            return self._literal(term)
        if term.op in _RELATIONS and term.args[1].op == "bvconst":
            bits = self.wires(term.args[0])
            if bits is not None:
                return self._compared(term.op, bits, term.args[1].args[0])
        if sum(map(width, term.variables)) <= LIMITS.enumerated_bits:
            return self._values(term).get(1, FALSE)
        return self._literal(term)

    def _literal(self, term: Term) -> Function:
        variable = self.diagrams.new_variable()
        self._literals[variable] = term
        return self.diagrams.member(variable, 0b10)

    @property
    def relates(self) -> bool:
        """Whether some relation was not followed into the bytes of inputs."""
        return bool(self._literals)

    @property
    def growth(self) -> int:
        """New nodes that one operation on guards may take."""
        return self.limits.first_growth if self.diagrams.nodes < LIMITS.exact_nodes else self.limits.growth

    @property
    def value_growth(self) -> int:
        """New nodes that one operation on the cases of a value may take."""
        limits = self.limits
        return limits.first_value_growth if self.diagrams.nodes < LIMITS.exact_nodes else limits.value_growth

    def both(self, guard: Function, condition: Function) -> Function:
        """`guard & condition`; where that would be large, the condition becomes a variable."""
        found = self.diagrams.bounded(lambda: self.diagrams.both(guard, condition), self.growth)
        return self.diagrams.both(guard, self.named((condition,))) if found is None else found

    def union(self, guards: Sequence[Function]) -> Function:
        """One of the guards; where that would be large, a variable."""
        found = self.diagrams.bounded(lambda: reduce(self.diagrams.either, guards), self.growth)
        return self.named(guards) if found is None else found

    def named(self, functions: Sequence[Function]) -> Function:
        """A variable that is true where one of the functions is: only the solver knows more about it."""
        key = tuple(functions)
        found = self._named.get(key)
        if found is None:
            found = self._named[key] = self._literal(terms.disjunction(*map(self.term, key)))
            self._defined[self.diagrams.variable(found)] = key
        return found

    def definition(self, variable: int) -> tuple[Function, ...] | None:
        """The conditions of which a variable of the diagrams is the union."""
        return self._defined.get(variable)

    def bits(self, symbol: Term) -> tuple[Function, ...]:
        """The bits of an input, the lowest first; its highest byte is asked first."""
        found = self._bits.get(symbol)
        if found is None:
            made = list[Function]()
            for low in reversed(range(0, width(symbol), _CHUNK)):
                made = self._bits_of(Chunk(symbol, low, min(_CHUNK, width(symbol) - low))) + made
            found = self._bits[symbol] = tuple(made)
        return found

    def _bits_of(self, chunk: Chunk) -> list[Function]:
        variable = self.diagrams.new_variable(1 << chunk.bits)
        self._chunks[variable] = chunk
        return [self.diagrams.member(variable, values) for values in _values_with_bits(chunk.bits)]

    def wires(self, term: Term) -> tuple[Function, ...] | None:
        """The bits of a word, the lowest first, where each is a simple function of the bits of one input."""
        if term not in self._wires:
            is_followed = not self.by_words and width(term) <= LIMITS.wired_bits
            self._wires[term] = self._wired(term) if is_followed else None
        return self._wires[term]

    def _wired(self, term: Term) -> tuple[Function, ...] | None:
        match term.op:
            case "var":
                return self.bits(term)
            case "bvconst":
                return _constant_bits(term.args[0], width(term))
            case "extract":
                whole = self.wires(term.args[2])
                return None if whole is None else whole[term.args[1] : term.args[0] + 1]
            case "concat":
                high, low = map(self.wires, term.args)
                return None if high is None or low is None else low + high
            case "zero_extend" | "sign_extend":
                inner = self.wires(term.args[1])
                added = FALSE if term.op == "zero_extend" or inner is None else inner[-1]
                return None if inner is None else inner + (added,) * term.args[0]
            case "bvxor" | "bvand" | "bvor" if term.args[0].op == "bvconst":
                inner = self.wires(term.args[1])
                return None if inner is None else self._masked(term.op, term.args[0].args[0], inner)
            case "bvxor" | "bvand" | "bvor":
                first, second = map(self.wires, term.args)
                return None if first is None or second is None else self._bitwise(term.op, first, second)
            case "bvlin":
                return self._placed(term) or self._sum(term)
        return None

    @staticmethod
    def _masked(op: str, mask: int, bits: tuple[Function, ...]) -> tuple[Function, ...]:
        if op == "bvxor":
            return tuple(bit ^ (mask >> i & 1) for i, bit in enumerate(bits))
        kept, other = (1, FALSE) if op == "bvand" else (0, TRUE)
        return tuple(bit if mask >> i & 1 == kept else other for i, bit in enumerate(bits))

    def _bitwise(
        self, op: str, first: tuple[Function, ...], second: tuple[Function, ...]
    ) -> tuple[Function, ...] | None:
        """Two words bit by bit, as long as no bit is made of two: words from parts of several inputs."""
        found = []
        for one, other in zip(first, second, strict=True):
            if one > FALSE and other > FALSE:
                return None
            constant, bit = (one, other) if one <= FALSE else (other, one)
            if op == "bvxor":
                found.append(bit ^ (constant ^ 1))
            else:
                found.append(bit if (constant == TRUE) == (op == "bvand") else constant)
        return tuple(found)

    def _placed(self, term: Term) -> tuple[Function, ...] | None:
        """A sum of shifted words that have no bit in common."""
        coefficients, offset = term.args
        bits = width(term)
        whole = _constant_bits(offset, bits)
        for factor, c in coefficients:
            inner = self.wires(factor)
            if inner is None or c & (c - 1):
                return None
            shifted = ((FALSE,) * (c.bit_length() - 1) + inner)[:bits]
            if any(one != FALSE and other != FALSE for one, other in zip(whole, shifted, strict=True)):
                return None
            whole = tuple(other if one == FALSE else one for one, other in zip(whole, shifted, strict=True))
        return whole

    def _sum(self, term: Term) -> tuple[Function, ...] | None:
        """An input plus or minus a number."""
        coefficients, offset = term.args
        largest = (1 << width(term)) - 1
        if len(coefficients) != 1 or coefficients[0][1] not in (1, largest):
            return None
        inner = self.wires(coefficients[0][0])
        if inner is None:
            return None
        if coefficients[0][1] == largest:
            inner, offset = tuple(bit ^ 1 for bit in inner), offset + 1
        diagrams, carry, result = self.diagrams, FALSE, []
        for i, bit in enumerate(inner):
            if offset >> i & 1:
                result.append(diagrams.choose(bit, carry, carry ^ 1))
                carry = diagrams.either(bit, carry)
            else:
                result.append(diagrams.choose(bit, carry ^ 1, carry))
                carry = diagrams.both(bit, carry)
        return tuple(result)

    def _compared(self, op: str, bits: Sequence[Function], value: int) -> Function:
        both, either = self.diagrams.both, self.diagrams.either
        wanted = [value >> i & 1 for i in range(len(bits))]
        result = TRUE
        if op == "same":
            for bit, digit in zip(bits, wanted, strict=True):
                result = both(bit ^ 1 ^ digit, result)
            return result
        if op == "bvsle":
            bits = (*bits[:-1], bits[-1] ^ 1)
            wanted[-1] ^= 1
        for bit, digit in zip(bits, wanted, strict=True):
            result = either(bit ^ 1, result) if digit else both(bit ^ 1, result)
        return result

    def _values(self, term: Term) -> dict[int, Function]:
        """The values of a term over few bits, and when each arises: all are tried."""
        symbols = sorted(term.variables, key=lambda symbol: symbol.id)
        variables = [self.diagrams.variable(self.bits(symbol)[0]) for symbol in symbols]
        if len(symbols) == 1:
            places: dict[int, int] = {}
            for number, value in enumerate(self._table(term, 1 << width(symbols[0]))):
                places[value] = places.get(value, 0) | 1 << number
            return {value: self.diagrams.member(variables[0], numbers) for value, numbers in places.items()}
        evaluated = compile_expression(term)
        ends: dict[int, dict[tuple[int, ...], int]] = {}
        for first in product(*(range(1 << width(symbol)) for symbol in symbols[:-1])):
            chosen = dict(zip(symbols, first, strict=False))
            for last in range(1 << width(symbols[-1])):
                value = evaluated({**chosen, symbols[-1]: last}, _no_read, _no_read)
                sets = ends.setdefault(value, {})
                sets[first] = sets.get(first, 0) | 1 << last
        both, either, member = self.diagrams.both, self.diagrams.either, self.diagrams.member
        found: dict[int, Function] = {}
        for value, sets in ends.items():
            for first, values in sets.items():
                ones = map(member, variables, (*(1 << number for number in first), values))
                found[value] = either(found.get(value, FALSE), reduce(both, ones))
        return found

    def _table(self, term: Term, size: int) -> tuple[int, ...]:
        """The values of a term over one symbol, by the symbol's. What terms share is looked at once: an accumulator
        grows by a few operations in each round."""
        known = self._tables.setdefault(size, {})
        for part in unknown_first(term, known):
            if part.op == "var":
                known[part] = tuple(range(size))
                continue
            operands = tuple(dict.fromkeys(children(part)))
            results: dict[tuple[int, ...], int] = {}
            rows = zip(*(known[operand] for operand in operands), strict=True) if operands else ((),) * size
            found = []
            for row in rows:
                if row not in results:
                    results[row] = operation_value(part, dict(zip(operands, row, strict=True)))
                found.append(results[row])
            known[part] = tuple(found)
        return known[term]

    def numbers(self, term: Term) -> Mapping[int, Function] | None:
        """The values that a word over few bits of inputs may have, and when; None if it is over more."""
        if term not in self._numbers:
            few = not self.by_words and sum(map(width, term.variables)) <= LIMITS.enumerated_bits
            self._numbers[term] = self._values(term) if few else None
        return self._numbers[term]

    def enumerated(self, word: Term, guard: Function, most: int) -> list[tuple[int, Function]] | None:
        """The numbers that a word made of bits of inputs may be where a guard holds, and when; None for too many, or if
        it is made in another way."""
        bits = self.wires(word)
        if bits is None:
            return None
        both, are_apart = self.diagrams.both, self.diagrams.are_apart
        found = [(0, TRUE)]
        for place in reversed(range(len(bits))):
            bit = bits[place]
            cases = ((number, both(when, bit ^ 1), number | 1 << place, both(when, bit)) for number, when in found)
            found = [
                (number, when)
                for zero, off, one, on in cases
                for number, when in ((zero, off), (one, on))
                if not are_apart(when, guard)
            ]
            if len(found) > most:
                return None
        return found

    def shadow(self, guard: Function, term: Term) -> Function:
        """What a guard says of the inputs that a word over few bits is made of, whatever the others are."""
        first = [self.diagrams.variable(bit) for symbol in term.variables for bit in self.bits(symbol)]
        return self.diagrams.shadow(guard, min(first), max(first) + 1 - min(first))

    def term(self, function: Function) -> Term:
        """A Boolean term that states a condition."""
        known = self._terms
        if function >> 1 not in known:
            for node in self.diagrams.unknown_first(function, known):
                known[node] = self._stated(node)
        return terms.literal(known[function >> 1], not function & 1)

    def _stated(self, node: int) -> Term:
        diagrams = self.diagrams
        chunk = self._chunks.get(diagrams.variable(2 * node))
        cases = [
            (values, terms.literal(self._terms[left >> 1], not left & 1)) for values, left in diagrams.cases(2 * node)
        ]
        if chunk is None:
            (_, low), (_, high) = cases
            return _choice(self._literals[diagrams.variable(2 * node)], high, low)
        # The set that is hardest to state needs no condition.
        *others, (_, found) = sorted(cases, key=lambda case: _changes(case[0]))
        for values, left in others:
            found = _choice(self._member(chunk.word, chunk.bits, values), left, found)
        return found

    def _member(self, word: Term, bits: int, values: int) -> Term:
        """That a word is one of some numbers: bit by bit, the highest first."""
        if not values or values == (1 << (1 << bits)) - 1:
            return terms.TRUE if values else terms.FALSE
        key = word, values << 4 | bits
        found = self._members.get(key)
        if found is None:
            half = 1 << (bits - 1)
            high, low = values >> half, values & (1 << half) - 1
            bit = terms.equal(bitvectors.extract(bits - 1, bits - 1, word), bitvectors.constant(1, 1))
            if values & (values - 1):
                found = _choice(bit, self._member(word, bits - 1, high), self._member(word, bits - 1, low))
            else:
                whole = bitvectors.extract(bits - 1, 0, word)
                found = terms.equal(whole, bitvectors.constant(values.bit_length() - 1, bits))
            self._members[key] = found
        return found

    def is_open(self, function: Function) -> bool:
        """Whether relations between inputs stand in a condition: then a solver has to say whether it can hold."""
        known = self._open
        if function >> 1 not in known:
            diagrams = self.diagrams
            for node in diagrams.unknown_first(function, known):
                is_relation = diagrams.variable(2 * node) not in self._chunks
                known[node] = is_relation or any(known[left >> 1] for _, left in diagrams.cases(2 * node))
        return known[function >> 1]

    def chunk(self, variable: int) -> Chunk | None:
        """The byte of an input that a variable of the diagrams is; None for a relation."""
        return self._chunks.get(variable)

    def literal(self, variable: int) -> Term:
        """The relation that a variable of the diagrams stands for."""
        return self._literals[variable]


def _choice(condition: Term, then: Term, otherwise: Term) -> Term:
    """`condition ? then : otherwise` for conditions."""
    if terms.TRUE in (then, otherwise) or terms.FALSE in (then, otherwise):
        return terms.conditional(condition, then, otherwise)
    if then is terms.negate(otherwise):
        return terms.iff(condition, then)
    return then if then is otherwise else terms.intern("ite", (condition, then, otherwise), BOOL)


@cache
def _values_with_bits(bits: int) -> tuple[int, ...]:
    """For each bit of a word, the lowest first, the set of values in which it is set."""
    return tuple(sum(1 << value for value in range(1 << bits) if value >> i & 1) for i in range(bits))


def _changes(values: int) -> int:
    """How often a set of numbers begins or ends."""
    return (values ^ values << 1).bit_count()


def _constant_bits(value: int, bits: int) -> tuple[Function, ...]:
    return tuple(TRUE if value >> i & 1 else FALSE for i in range(bits))


def _no_read(*_: int) -> int:
    raise AssertionError("a value of an input reads no state")
