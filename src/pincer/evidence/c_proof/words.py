"""Words that depend on inputs, and conditions on them as decision diagrams: what most questions about input need.

A condition becomes a *guard*, a function of a decision diagram. Its variables are the bits of inputs, as far as a
condition is about one byte of input, or compares a word made of input bits with a number: such guards are exact, and
one that is `false` holds for no input. Any other condition is an *opaque* variable that stands for a node of the
script: whether a guard with such variables can hold, a solver must say.

Three things are known of a node, found when somebody asks: a range; where it depends on a single byte of input, its
value for each of that byte's values (a *table*); where it is made of bits of inputs, these (functions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from pincer.errors import PincerError
from pincer.evidence.c_proof import floating
from pincer.evidence.c_proof.diagrams import FALSE, TRUE, Cases, Diagrams, TooLarge
from pincer.evidence.c_proof.linear_bits import LinearBits, Sum
from pincer.evidence.c_proof.operations import (
    Numbers,
    Operation,
    Range,
    node_of,
    on_numbers,
    on_ranges,
    order_by_ranges,
)
from pincer.evidence.c_proof.smt import BOOL, Node, Script

Guard: TypeAlias = int
"""A function of the decision diagrams: where something holds."""

MOST_STEPS = 20_000
"""Steps of one operation on guards; what takes more becomes opaque, and is left to solvers."""
MOST_OPAQUE_STEPS = 400
"""The same where all conditions are opaque: what diagrams say of them solvers find out anyway."""
CHEAP_STEPS = 100
"""Steps of a choice that is made whatever is cared for: its parts are often known from other choices."""
MOST_RUNS = 6
"""Intervals of a byte that are told apart by comparisons; more cases are by its bits."""
POLLED = 2_000
"""Operations on guards after which the time is looked at: one step of a program may take many."""
MOST_CARRIES = 4_000
"""Nodes of the diagrams that the sum of a word of input bits and a number may take."""


class Words:
    """The nodes of one check, what is known of them, and the guards over them; long work polls.

    Where words are taken as a `whole`, no byte of input is looked into: each condition on inputs is opaque."""

    def __init__(self, script: Script, poll: Callable[[], None] = lambda: None, whole: bool = False) -> None:
        self.script = script
        self._whole = whole
        self._poll = poll
        self._operations = 0
        self.diagrams = Diagrams(MOST_OPAQUE_STEPS if whole else MOST_STEPS)
        self._made: dict[Node, tuple[Operation, tuple[Node, ...]]] = {}
        self._results: dict[tuple[Operation, tuple[Node, ...]], Node] = {}
        self._conditions: dict[tuple[Operation, Node, Node], Guard] = {}
        self._ranges: dict[Node, Range] = {}
        self._tables: dict[Node, tuple[int, ...] | None] = {}
        self._bits: dict[Node, tuple[Guard, ...] | None] = {}
        self._bytes: dict[str, Node] = {}
        self._tabulated: dict[tuple[Node, tuple[int, ...], int], Node] = {}
        self._atoms: dict[Node, Guard] = {}
        self._meanings: list[Node] = []
        self._levels: dict[Node, int] = {}
        self._opaque: dict[int, bool] = {0: False}
        self._formulas: dict[int, Node] = {0: script.true}
        self._linear = LinearBits(lambda node: self._made.get(node) or _form_of(node)) if whole else None
        self._sums: dict[Guard, Sum] = {}
        self._fresh = 0

    def fresh(self, what: str, width: int) -> Node:
        """A value nothing is known of."""
        self._fresh += 1
        return self.variable(f"merged {what} {self._fresh}", width)

    def variable(self, name: str, width: int) -> Node:
        """A free word; one of several bytes is made of as many variables."""
        whole: Node | None = None
        for start in range(0, width, 8):
            size = min(8, width - start)
            byte = self.script.variable(f"{name} bits {start} to {start + size}", size)
            self._bytes[byte.text] = byte
            whole = byte if whole is None else self.script.concat(byte, whole)
        if whole is None:
            raise PincerError(f"{name} has no bits")
        return whole

    def constant(self, value: int, width: int) -> Node:
        return self.script.constant(value, width)

    def result(self, operation: Operation, args: tuple[Node, ...]) -> Node:
        """The word that an operation yields."""
        key = (operation, args)
        node = self._results.get(key)
        if node is None:
            before = self.script.newest
            node = node_of(self.script, operation, args)
            if node.value is None:
                low, high = on_ranges(operation, [self.range(arg) for arg in args], [arg.width for arg in args])
                if low == high:
                    node = self.constant(low, node.width)
                else:
                    if node is self.script.newest and node is not before:
                        self._made[node] = key
                    known = self._ranges.get(node, (0, (1 << node.width) - 1))
                    self._ranges[node] = max(low, known[0]), min(high, known[1])
            self._results[key] = node
        return node

    def range(self, node: Node) -> Range:
        """The least and the greatest value."""
        if node.value is not None:
            return node.value, node.value
        known = self._ranges.get(node)
        if known is None:
            known = self._ranges[node] = self._range_of_parts(node)
        return known

    def _range_of_parts(self, node: Node) -> Range:
        """From the form of a node that nobody has asked for as the result of an operation."""
        form = _form_of(node)
        if form is None:
            return 0, (1 << node.width) - 1
        operation, args = form
        return on_ranges(operation, [self.range(arg) for arg in args], [arg.width for arg in args])

    def byte_of(self, node: Node) -> Node | None:
        """The one byte of input that a node depends on, if bytes are looked into."""
        if self._whole or len(node.variables) != 1:
            return None
        [name] = node.variables
        return self._bytes.get(name)

    def table(self, node: Node) -> tuple[int, ...] | None:
        """The values of a node for each value of the byte it depends on."""
        if node in self._tables:
            return self._tables[node]
        byte, found = self.byte_of(node), None
        if byte is not None:
            found = tuple(range(1 << byte.width)) if node is byte else self._table_of_parts(node, 1 << byte.width)
        self._tables[node] = found
        return found

    def _table_of_parts(self, node: Node, size: int) -> tuple[int, ...] | None:
        made = self._made.get(node) or _form_of(node)
        if made is None:
            return None
        operation, args = made
        compute = on_numbers(operation, [arg.width for arg in args])
        columns = [self._column(arg, size) for arg in args]
        return None if compute is None else _tabulated(compute, columns)

    def _column(self, node: Node, size: int) -> tuple[int, ...] | None:
        return (node.value,) * size if node.value is not None else self.table(node)

    def tabulated(self, byte: Node, values: tuple[int, ...], width: int) -> Node:
        """A word whose value depends on one byte of input."""
        key = (byte, values, width)
        node = self._tabulated.get(key)
        if node is None:
            node = self._decided(byte, values, width, byte.width)
            if node.value is None:
                self._tables[node] = values
                self._ranges[node] = min(values), max(values)
            self._tabulated[key] = node
        return node

    def _decided(self, byte: Node, values: tuple[int, ...], width: int, bits: int) -> Node:
        """The word by the lowest `bits` of the byte, of which the others are decided already."""
        if min(values) == max(values):
            return self.constant(values[0], width)
        half = len(values) // 2
        low = self._decided(byte, values[:half], width, bits - 1)
        high = self._decided(byte, values[half:], width, bits - 1)
        one = self.script.equal(self.script.extract(bits - 1, bits - 1, byte), self.constant(1, 1))
        return self.script.conditional(one, high, low)

    def bits(self, node: Node) -> tuple[Guard, ...] | None:
        """The bits of a node that is made of bits of inputs, lowest first."""
        if self._whole:
            return None
        if node in self._bits:
            return self._bits[node]
        try:
            found = self._bits_of_parts(node)
        except TooLarge:
            found = None
        self._bits[node] = found
        return found

    def _bits_of_parts(self, node: Node) -> tuple[Guard, ...] | None:
        if node.value is not None:
            return tuple(TRUE if node.value >> i & 1 else FALSE for i in range(node.width))
        if node.text in self._bytes:
            return self._new_bits(node)
        made = self._made.get(node) or _form_of(node)
        if made is None or not made[1]:
            return None
        operation, args = made
        parts = [self.bits(arg) for arg in args]
        return None if None in parts else self._combined(operation, [part for part in parts if part is not None])

    def _new_bits(self, byte: Node) -> tuple[Guard, ...]:
        level = self._new_variable(byte, 1 << byte.width)
        self._levels[byte] = level
        return tuple(self.diagrams.member(level, mask) for mask in _bit_masks(byte.width))

    def _new_variable(self, meaning: Node, values: int) -> int:
        self._meanings.append(meaning)
        return self.diagrams.variable(values)

    def _combined(self, operation: Operation, parts: Sequence[tuple[Guard, ...]]) -> tuple[Guard, ...] | None:
        numbers, width = operation.numbers, operation.width
        match operation.op:
            case "concat":
                return (*parts[1], *parts[0])
            case "extract":
                return parts[0][numbers[1] : numbers[0] + 1]
            case "zero_extend":
                return (*parts[0], *(FALSE,) * numbers[0])
            case "sign_extend":
                return (*parts[0], *(parts[0][-1],) * numbers[0])
            case "bvlin" if len(parts) == 1 and numbers[0].bit_count() == 1:
                shift = numbers[0].bit_length() - 1
                return self._moved(((FALSE,) * shift + parts[0])[:width], numbers[1])
            case "bvlin" if len(parts) == 1 and (-numbers[0] % (1 << width)).bit_count() == 1:
                shift = (-numbers[0] % (1 << width)).bit_length() - 1
                inverse = (*(TRUE,) * shift, *(bit ^ 1 for bit in parts[0]))[:width]
                return self._moved(inverse, numbers[1] + 1)
            case "bvand":
                return tuple(map(self.diagrams.conjunction, parts[0], parts[1]))
            case "bvor":
                return tuple(map(self.diagrams.disjunction, parts[0], parts[1]))
        return None

    def _moved(self, bits: tuple[Guard, ...], by: int) -> tuple[Guard, ...] | None:
        """The bits of a sum with a number."""
        diagrams, carry = self.diagrams, FALSE
        moved, before = [], len(diagrams)
        for i, bit in enumerate(bits):
            one = TRUE if by >> i & 1 else FALSE
            both = diagrams.choice(bit, one ^ 1, one)
            moved.append(diagrams.choice(carry, both ^ 1, both))
            carry = diagrams.choice(bit, diagrams.disjunction(one, carry), diagrams.conjunction(one, carry))
            if len(diagrams) - before > MOST_CARRIES:
                return None
        return tuple(moved)

    def both(self, left: Guard, right: Guard) -> Guard:
        self._operations += 1
        if self._operations % POLLED == 0:
            self._poll()
        try:
            return self.diagrams.conjunction(left, right)
        except TooLarge:
            return self.opaque(self.script.conjunction((self.formula(left), self.formula(right))))

    def either(self, left: Guard, right: Guard) -> Guard:
        return self.both(left ^ 1, right ^ 1) ^ 1

    def choice(self, condition: Guard, then: Guard, otherwise: Guard) -> Guard:
        if then == otherwise:
            return then
        if otherwise == FALSE:
            return self.both(condition, then)
        return self.either(self.both(condition, then), self.both(condition ^ 1, otherwise))

    def mixed(self, condition: Guard, then: Guard, otherwise: Guard, care: Guard) -> Guard:
        """A choice, made simpler where `care` does not hold: afterwards if the choice is cheap, or on the way."""
        try:
            return self.within(self.diagrams.choice(condition, then, otherwise, CHEAP_STEPS), care)
        except TooLarge:
            pass
        try:
            return self.diagrams.mixed(condition, then, otherwise, care)
        except TooLarge:
            return self.within(self.choice(condition, then, otherwise), care)

    def within(self, guard: Guard, care: Guard) -> Guard:
        """A simpler guard that is the same where `care` holds."""
        try:
            return self.diagrams.within(guard, care)
        except TooLarge:
            return guard

    def any_of(self, guards: Iterable[Guard]) -> Guard:
        found = FALSE
        for guard in guards:
            found = self.either(found, guard)
        return found

    def condition(self, operation: Operation, left: Node, right: Node) -> Guard:
        """Where a comparison of two words holds."""
        op = operation.op
        if op in ("bvult", "bvslt"):
            return self.condition(Operation("bvule" if op == "bvult" else "bvsle", 0), right, left) ^ 1
        key = (operation, left, right)
        found = self._conditions.get(key)
        if found is None:
            found = self._conditions[key] = self._compared(operation, left, right)
        return found

    def _compared(self, operation: Operation, left: Node, right: Node) -> Guard:
        op = operation.op
        if op in ("bvule", "bvsle", "same"):
            said = order_by_ranges(op, self.range(left), self.range(right), left.width)
            if said is None and left is right:
                said = True
            if said is not None:
                return TRUE if said else FALSE
        if self._linear is not None:
            return self._related(self._linear, operation, left, right)
        exact = self._tabulated_condition(operation, left, right)
        if exact is None:
            exact = self._condition_on_bits(op, left, right)
        return self.opaque(node_of(self.script, operation, (left, right))) if exact is None else exact

    def _related(self, linear: LinearBits, operation: Operation, left: Node, right: Node) -> Guard:
        """Where a comparison holds that is opaque, unless sums of bits settle it."""
        known = linear.relation(operation.op, left, right)
        if known in (0, 1):
            return TRUE if known else FALSE
        guard = self.opaque(node_of(self.script, operation, (left, right)))
        if known is not None:
            self._sums[guard], self._sums[guard ^ 1] = known, known ^ 1
        return guard

    def looked_up(self, node: Node, address: Node, cells: Mapping[int, int]) -> None:
        """A word is what stands at an address, where `cells` has the number for each place with one."""
        if self._linear is not None:
            self._linear.looked_up(node, address, cells)

    def _tabulated_condition(self, operation: Operation, left: Node, right: Node) -> Guard | None:
        bytes_ = {self.byte_of(node) for node in (left, right) if node.value is None}
        compute = on_numbers(operation, (left.width, right.width))
        if len(bytes_) != 1 or compute is None:
            return None
        [byte] = bytes_
        if byte is None:
            return None
        size = 1 << byte.width
        table = _tabulated(compute, [self._column(left, size), self._column(right, size)])
        return None if table is None else self.where(byte, table)

    def where(self, byte: Node, table: Sequence[int]) -> Guard:
        """Where a table of truth values of a byte says so."""
        self.bits(byte)
        return self.diagrams.member(self._levels[byte], _mask(table))

    def cases(self, byte: Node, table: Sequence[int]) -> list[tuple[int, Guard]]:
        """The numbers in a table of a byte, and where it has each of them."""
        self.bits(byte)
        masks: dict[int, int] = {}
        for value, number in enumerate(table):
            masks[number] = masks.get(number, 0) | 1 << value
        return [(number, self.diagrams.member(self._levels[byte], mask)) for number, mask in masks.items()]

    def _condition_on_bits(self, op: str, left: Node, right: Node) -> Guard | None:
        """Of a word made of input bits and a number."""
        if (left.value is None) == (right.value is None) or op not in ("bvule", "bvsle", "same"):
            return None
        word, number = (left, right) if right.value is not None else (right, left)
        bits, value = self.bits(word), number.value or 0
        if bits is None:
            return None
        try:
            if op == "same":
                return self._equals(bits, value)
            if op == "bvsle":
                bits, value = (*bits[:-1], bits[-1] ^ 1), value ^ 1 << (word.width - 1)
            return self._at_most(bits, value) if word is left else self._below(bits, value) ^ 1
        except TooLarge:
            return None

    def _equals(self, bits: Sequence[Guard], value: int) -> Guard:
        found = TRUE
        for i in reversed(range(len(bits))):
            found = self.diagrams.conjunction(found, bits[i] if value >> i & 1 else bits[i] ^ 1)
        return found

    def _at_most(self, bits: Sequence[Guard], value: int) -> Guard:
        found = TRUE
        for i, bit in enumerate(bits):
            join = self.diagrams.disjunction if value >> i & 1 else self.diagrams.conjunction
            found = join(bit ^ 1, found)
        return found

    def _below(self, bits: Sequence[Guard], value: int) -> Guard:
        return self._at_most(bits, value - 1) if value else FALSE

    def opaque(self, node: Node) -> Guard:
        """A condition that only a solver understands."""
        if node.value is not None:
            return TRUE if node.value else FALSE
        if node.whole is not None and node.width == BOOL and node.whole.width == BOOL:
            return self.opaque(node.whole) ^ 1
        found = self._atoms.get(node)
        if found is None:
            found = self._atoms[node] = self.diagrams.member(self._new_variable(node, 2), 2)
        return found

    def is_exact(self, guard: Guard) -> bool:
        """Whether a guard speaks of bits of inputs only: unless it is `false`, it holds for some input."""
        return not self._mentions_opaque(guard >> 1)

    def _mentions_opaque(self, name: int) -> bool:
        found = self._opaque.get(name)
        if found is None:
            level, cases = self.diagrams.parts(name << 1)
            found = self._meanings[level].width == BOOL or any(self._mentions_opaque(left >> 1) for _, left in cases)
            self._opaque[name] = found
        return found

    def formula(self, guard: Guard) -> Node:
        """A guard as a node of the script."""
        name = guard >> 1
        node = self._formulas.get(name)
        if node is None:
            level, cases = self.diagrams.parts(name << 1)
            # The case that is hardest to say comes last, and needs no condition.
            *others, (_, last) = sorted(cases, key=lambda case: len(_runs(case[0])))
            meaning = self._meanings[level]
            if sum(len(_runs(mask)) for mask, _ in others) > MOST_RUNS:
                node = self._by_bits(meaning, meaning.width, cases, {})
            else:
                node = self.formula(last)
                for mask, left in others:
                    node = self._branching(self._is_in(meaning, mask), self.formula(left), node)
            self._formulas[name] = node
        return self.script.negation(node) if guard & 1 else node

    def _by_bits(self, byte: Node, bits: int, cases: Cases, known: dict[tuple[int, Cases], Node]) -> Node:
        """What is left in each case of a byte, by its lowest `bits`, of which the others are decided already."""
        if len(cases) == 1:
            return self.formula(cases[0][1])
        node = known.get((bits, cases))
        if node is None:
            half = 1 << (bits - 1)
            low = tuple((mask & (1 << half) - 1, left) for mask, left in cases if mask & (1 << half) - 1)
            high = tuple((mask >> half, left) for mask, left in cases if mask >> half)
            node = self._by_bits(byte, bits - 1, low, known)
            if low != high:
                one = self.script.equal(self.script.extract(bits - 1, bits - 1, byte), self.constant(1, 1))
                node = self._branching(one, self._by_bits(byte, bits - 1, high, known), node)
            known[bits, cases] = node
        return node

    def _is_in(self, meaning: Node, mask: int) -> Node:
        """That a byte is in a set, or that a condition has a value."""
        script = self.script
        if meaning.width == BOOL:
            return meaning if mask == 2 else script.negation(meaning)
        parts = []
        for low, high in _runs(mask):
            above = script.at_most(self.constant(low, meaning.width), meaning)
            below = script.at_most(meaning, self.constant(high, meaning.width))
            same = script.equal(meaning, self.constant(low, meaning.width))
            parts.append(same if low == high else script.conjunction((above, below)))
        return script.disjunction(parts)

    def _branching(self, condition: Node, then: Node, otherwise: Node) -> Node:
        script = self.script
        if then.is_true:
            return script.disjunction((condition, otherwise))
        if then.is_false:
            return script.conjunction((script.negation(condition), otherwise))
        if otherwise.is_true:
            return script.disjunction((script.negation(condition), then))
        return (
            script.conjunction((condition, then))
            if otherwise.is_false
            else script.conditional(condition, then, otherwise)
        )

    def selected(self, guard: Guard, then: Node, otherwise: Node) -> Node:
        """One word where a guard holds, another elsewhere."""
        if guard in (TRUE, FALSE) or then is otherwise:
            return then if guard == TRUE else otherwise
        condition = self.formula(guard)
        node = self.script.conditional(condition, then, otherwise)
        if self._linear is not None:
            self._linear.chosen(node, self._sums.get(guard), then, otherwise)
        if self.script.faces:
            floating.choice(self.script, condition, (then, otherwise), node)
        first, second = self.range(then), self.range(otherwise)
        self._ranges.setdefault(node, (min(first[0], second[0]), max(first[1], second[1])))
        return node


def _tabulated(compute: Numbers, columns: Sequence[tuple[int, ...] | None]) -> tuple[int, ...] | None:
    known = [column for column in columns if column is not None]
    return tuple(map(compute, *known)) if len(known) == len(columns) else None


@cache
def _bit_masks(width: int) -> tuple[int, ...]:
    """For each bit, lowest first, the values of a word that have it."""
    return tuple(_mask(value >> i & 1 for value in range(1 << width)) for i in range(width))


def _mask(values: Iterable[int]) -> int:
    """The set of places with a one."""
    return sum(1 << place for place, value in enumerate(values) if value)


def _runs(mask: int) -> list[tuple[int, int]]:
    """A set of numbers as intervals."""
    found: list[tuple[int, int]] = []
    while mask:
        low = (mask & -mask).bit_length() - 1
        length = (~(mask >> low) & (mask >> low) + 1).bit_length() - 1
        found.append((low, low + length - 1))
        mask &= ~(((1 << length) - 1) << low)
    return found


def _form_of(node: Node) -> tuple[Operation, tuple[Node, ...]] | None:
    """The operation that the form of a node tells."""
    if node.width == BOOL:
        return None
    if node.base is not None:
        return Operation("bvlin", node.width, (1, node.offset)), (node.base,)
    if node.summands:
        factors = tuple(factor for _, factor in node.summands)
        return Operation("bvlin", node.width, (*factors, 0)), tuple(part for part, _ in node.summands)
    if node.halves is not None:
        return Operation("concat", node.width), node.halves
    if node.whole is not None:
        return Operation("extract", node.width, (node.low + node.width - 1, node.low)), (node.whole,)
    return None
