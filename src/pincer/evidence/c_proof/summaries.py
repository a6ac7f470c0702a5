"""Values of merged paths: what a register or a byte holds, under which guard it holds what.

A value is a sequence of words, each with the guard under which the value is this word. Where the state is, exactly one
of the guards holds; elsewhere they mean nothing. Numbers and words of a single byte of input stay apart, so that what
a condition on them means is known exactly (Sen, Necula, Gong, Choi: MultiSE, 2015). All other words become one, a
conditional of the script; addresses only where they lie in the same slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeAlias

from pincer.evidence.c_proof.diagrams import FALSE, TRUE, TooLarge
from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.words import Guard, Words

Value: TypeAlias = tuple[tuple[Node, Guard], ...]
"""Words with guards; of a single word the guard is `true`."""

MOST_WORDS = 300
"""Words of one value; with more it becomes a conditional of the script. A table of bytes has 256."""
MOST_PAIRS = 1_200
"""Combinations of the words of operands that are looked at; with more the operands become conditionals first."""
FEW_PAIRS = 16
"""Pairs of bytes of input between which a relation is asked about one by one: each is asked about often."""
FEW = 32
"""Numbers that a wide input may still be to become these numbers."""
MOST_CASES = 256
"""Numbers that a word of input bits is split into, to have an address that is one."""


def one(node: Node) -> Value:
    """A value that is a single word."""
    return ((node, TRUE),)


class Summaries:
    """Operations on values. `slot_bits` and `bits` are those of addresses."""

    def __init__(self, words: Words, bits: int, slot_bits: int) -> None:
        self.words = words
        self.script: Script = words.script
        self._bits = bits
        self._slot_bits = slot_bits
        self._settled: dict[tuple[Node, Guard], Value] = {}
        self._numbers: dict[tuple[Node, Guard], Value] = {}

    def number(self, value: int, width: int) -> Value:
        return one(self.words.constant(value, width))

    def pruned(self, value: Value, here: Guard) -> Value:
        """Without the words that a value does not have where `here` holds."""
        if len(value) == 1:
            return value
        both = self.words.both
        kept = tuple(entry for entry in value if both(entry[1], here) != FALSE)
        if len(kept) == len(value):
            return value
        return one(kept[0][0]) if len(kept) == 1 else kept or value[:1]

    def applied(self, operation: Operation, values: Sequence[Value], here: Guard) -> Value:
        """The result of an operation on words, where `here` holds."""
        words = self.words
        if all(len(value) == 1 for value in values):
            return one(words.result(operation, tuple(value[0][0] for value in values)))
        found: dict[Node, Guard] = {}
        for nodes, guard in self._combinations(values, here):
            node = words.result(operation, nodes)
            found[node] = words.either(found.get(node, FALSE), guard)
        # Nothing is found only where no state is: then any word will do.
        return self.value(found) if found else one(words.fresh("value of no state", operation.width))

    def holds(self, operation: Operation, values: Sequence[Value], here: Guard) -> Guard:
        """Where a relation between two words holds."""
        words, (left, right) = self.words, values
        if len(left) == 1 and len(right) == 1:
            return words.condition(operation, left[0][0], right[0][0])
        found, mixed = FALSE, list[tuple[tuple[Node, ...], Guard]]()
        for pair, guard in self._combinations(values, here):
            if pair[0] is pair[1] or len(pair[0].variables | pair[1].variables) <= 1 or self._has_number(pair):
                found = words.either(found, words.both(guard, words.condition(operation, *pair)))
            else:
                mixed.append((pair, guard))
        if len(mixed) <= FEW_PAIRS and all(self._is_simple(node) for pair, _ in mixed for node in pair):
            for pair, guard in mixed:
                found = words.either(found, words.both(guard, words.condition(operation, *pair)))
            return found
        # Between words of different inputs the relation is opaque: one question, not one for each pair.
        sides = [self._joined([(pair[i], guard) for pair, guard in mixed]) for i in (0, 1)]
        where = words.any_of(guard for _, guard in mixed)
        return words.either(found, words.both(where, words.condition(operation, *sides)))

    @staticmethod
    def _has_number(nodes: tuple[Node, ...]) -> bool:
        return any(node.value is not None for node in nodes)

    def _combinations(self, values: Sequence[Value], here: Guard) -> Iterable[tuple[tuple[Node, ...], Guard]]:
        both, count = self.words.both, 1
        for value in values:
            count *= len(value)
        if count > MOST_PAIRS:
            values = [one(self.node(value)) if len(value) > 1 else value for value in values]
        for chosen in product(*values):
            guard = TRUE
            for _, more in chosen:
                guard = both(guard, more)
            if both(guard, here) != FALSE:
                yield tuple(node for node, _ in chosen), guard

    def chosen(self, guard: Guard, then: Value, otherwise: Value, here: Guard = TRUE) -> Value:
        """One value where a guard holds, another elsewhere; guards are made simpler by what holds `here`."""
        if guard == TRUE or then == otherwise:
            return then
        if guard == FALSE:
            return otherwise
        mixed, others = self.words.mixed, dict(otherwise)
        found = {node: mixed(guard, inner, others.pop(node, FALSE), here) for node, inner in then}
        found |= {node: mixed(guard, FALSE, inner, here) for node, inner in others.items()}
        return self.value({node: inner for node, inner in found.items() if inner != FALSE} or found)

    def value(self, found: dict[Node, Guard]) -> Value:
        """Words with guards as a value: of those that are neither numbers nor about one byte, one of a kind stays."""
        if len(found) <= 1:
            return tuple((node, TRUE) for node in found)
        kinds: dict[int, list[tuple[Node, Guard]]] = {}
        kept: list[tuple[Node, Guard]] = []
        for node, guard in found.items():
            if self._is_simple(node):
                kept.append((node, guard))
            else:
                kinds.setdefault(self._kind(node), []).append((node, guard))
        kept += [(self._joined(group), self.words.any_of(guard for _, guard in group)) for group in kinds.values()]
        if len(kept) > MOST_WORDS:
            return one(self._joined(kept))
        return tuple(kept) if len(kept) > 1 else one(kept[0][0])

    def _is_simple(self, node: Node) -> bool:
        return node.value is not None or self.words.byte_of(node) is not None

    def _kind(self, node: Node) -> int:
        """The slot that an address lies in; -1 for all other words."""
        low, high = self.words.range(node)
        slot = low >> self._slot_bits
        return slot if node.width == self._bits and slot == high >> self._slot_bits else -1

    def _joined(self, entries: Sequence[tuple[Node, Guard]]) -> Node:
        """A conditional of the script over words; the last needs no guard."""
        node = entries[-1][0]
        for other, guard in reversed(entries[:-1]):
            node = self.words.selected(guard, other, node)
        return node

    def node(self, value: Value) -> Node:
        """A value as a single word."""
        return self._joined(value)

    def settled(self, value: Value, here: Guard) -> Value:
        """A wide input that is one of few numbers where `here` holds, as these numbers: they make conditions exact."""
        node = value[0][0]
        if len(value) > 1 or node.value is not None or len(node.variables) < 2:
            return value
        key = (node, here)
        if key not in self._settled:
            bits = self.words.bits(node)
            try:
                found = None if bits is None else self._enumerated(bits, here, FEW)
            except TooLarge:
                found = None
            numbers = {self.words.constant(number, node.width): guard for number, guard in found or ()}
            self._settled[key] = self.value(numbers) if numbers else value
        return self._settled[key]

    def placed(self, value: Value, here: Guard) -> Value:
        """Addresses in one slot that are few numbers where `here` holds, as these numbers."""
        if value[0][0].width != self._bits or all(self._kind(node) < 0 or node.value is not None for node, _ in value):
            return value
        found: dict[Node, Guard] = {}
        for node, guard in value:
            for word, own in self._few(node, self.words.both(guard, here)):
                more = self.words.both(guard, own)
                if more != FALSE:
                    found[word] = self.words.either(found.get(word, FALSE), more)
        return self.value(found) if found else value

    def _few(self, node: Node, here: Guard) -> Value:
        """A word as the few numbers it is where `here` holds, or as it is."""
        if node.value is not None or self._kind(node) < 0:
            return one(node)
        key = (node, here)
        if key not in self._numbers:
            split = self._split(node, here)
            few = split is not None and 0 < len(split) <= FEW
            numbers = [(self.words.constant(number, node.width), guard) for number, guard in split or ()]
            self._numbers[key] = tuple(numbers) if few else one(node)
        return self._numbers[key]

    def cases(self, value: Value, here: Guard) -> tuple[list[tuple[int, Guard]], list[tuple[Node, Guard]]]:
        """The numbers that a value can be where `here` holds, and words of it that are not split into numbers."""
        numbers: dict[int, Guard] = {}
        others: list[tuple[Node, Guard]] = []
        for node, guard in value:
            split = self._split(node, self.words.both(guard, here) if len(value) > 1 else here)
            if split is None:
                others.append((node, guard))
                continue
            for number, more in split:
                more = self.words.both(guard, more)
                numbers[number] = self.words.either(numbers.get(number, FALSE), more)
        return list(numbers.items()), others

    def _split(self, node: Node, here: Guard) -> Sequence[tuple[int, Guard]] | None:
        if node.value is not None:
            return ((node.value, TRUE),)
        words = self.words
        table, byte = words.table(node), words.byte_of(node)
        if table is not None and byte is not None:
            return [(number, guard) for number, guard in words.cases(byte, table) if words.both(guard, here) != FALSE]
        bits = words.bits(node)
        try:
            return None if bits is None else self._enumerated(bits, here, MOST_CASES)
        except TooLarge:
            return None

    def _enumerated(self, bits: Sequence[Guard], here: Guard, most: int) -> list[tuple[int, Guard]] | None:
        """The numbers that bits can make where `here` holds, from the highest bit down; None for too many."""
        diagrams = self.words.diagrams
        # Of a guard over many inputs only what it says of these bits matters, and is asked for each number.
        here = diagrams.projected(here, frozenset().union(*map(diagrams.support, bits)))
        found = [(0, TRUE)]
        for i in reversed(range(len(bits))):
            following = []
            for number, guard in found:
                for bit, case in ((bits[i] ^ 1, number), (bits[i], number | 1 << i)):
                    more = diagrams.conjunction(guard, bit)
                    if more != FALSE and diagrams.conjunction(more, here) != FALSE:
                        following.append((case, more))
            found = following
            if len(found) > most:
                return None
        return found
