"""Words whose bits are sums of bits of inputs, over the field with two elements.

A checksum, a shift register or a parity is one: whatever is shifted, cut, put together, added without carry, or chosen
by such a bit where the two sides differ by a constant. Two words with the same sums are equal, without a solver; for
solvers the same is among the hardest questions.

A sum is a number: its lowest bit is the constant one, each other bit stands for an *atom*, which is a bit of a word
that is no such sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.smt import Node

Sum: TypeAlias = int
Sums: TypeAlias = tuple[Sum, ...]
"""The bits of a word, the lowest first."""
Made: TypeAlias = Callable[[Node], "tuple[Operation, tuple[Node, ...]] | None"]

MOST_INDEX_BITS = 8
"""Bits of an index into a table that is looked at."""


class LinearBits:
    """The sums of words, each found once. `made` tells the operation and the operands that a word is made of."""

    def __init__(self, made: Made) -> None:
        self._made = made
        self._known: dict[Node, Sums] = {}
        self._atoms = 0

    def of(self, node: Node) -> Sums:
        """The sums that the bits of a word are."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._found(node)
        return found

    def _found(self, node: Node) -> Sums:
        if node.value is not None:
            return tuple(node.value >> i & 1 for i in range(node.width))
        made = self._made(node)
        if made is not None and made[1]:
            operation, args = made
            found = _combined(operation, [self.of(arg) for arg in args])
            if found is not None and len(found) == node.width:
                return found
        return tuple(self._atom() for _ in range(node.width))

    def _atom(self) -> Sum:
        self._atoms += 1
        return 1 << self._atoms

    def chosen(self, node: Node, condition: Sum | None, then: Node, otherwise: Node) -> None:
        """A word is one of two; the condition is a sum, if that is known."""
        if node in self._known or node.value is not None or condition is None:
            return
        bits = []
        for one, other in zip(self.of(then), self.of(otherwise), strict=True):
            if one == other:
                bits.append(one)
            elif one ^ other == 1:
                bits.append(other ^ condition)
            else:
                bits.append(self._atom())
        self._known[node] = tuple(bits)

    def looked_up(self, node: Node, address: Node, cells: Mapping[int, int]) -> None:
        """A word is the number that a table has at an address, where `cells` has it for all addresses there can be."""
        sums = self.of(address)
        places = [i for i, bit in enumerate(sums) if bit > 1]
        if node in self._known or len(places) > MOST_INDEX_BITS:
            return
        base = sum((bit & 1) << i for i, bit in enumerate(sums) if bit <= 1)
        numbers = []
        for chosen in range(1 << len(places)):
            found = cells.get(base | sum((chosen >> k & 1) << place for k, place in enumerate(places)))
            if found is None:
                return
            numbers.append(found)
        steps = [numbers[1 << k] ^ numbers[0] for k in range(len(places))]
        if all(number == _summed(numbers[0], steps, chosen) for chosen, number in enumerate(numbers)):
            index = [sums[place] for place in places]
            self._known[node] = tuple(
                _summed(
                    numbers[0] >> i & 1, [bit if step >> i & 1 else 0 for bit, step in zip(index, steps, strict=True)]
                )
                for i in range(node.width)
            )

    def relation(self, op: str, left: Node, right: Node) -> Sum | None:
        """When a comparison holds, as a sum; None if it is none, or if that is not seen."""
        if op == "same":
            return _none_of([one ^ other for one, other in zip(self.of(left), self.of(right), strict=True)])
        if op == "bvule" and right.value is not None and right.value & (right.value + 1) == 0:
            return _none_of(self.of(left)[right.value.bit_length() :])
        if op == "bvsle" and right.value == (1 << right.width) - 1:
            return self.of(left)[-1]
        if op == "bvsle" and left.value == 0:
            return self.of(right)[-1] ^ 1
        return None


def _summed(first: Sum, others: Sequence[Sum], chosen: int = -1) -> Sum:
    """The sum of the first and of those among the others that are chosen."""
    for k, other in enumerate(others):
        if chosen >> k & 1:
            first ^= other
    return first


def _none_of(bits: Sequence[Sum]) -> Sum | None:
    """When no bit is set, if that depends on one of them only."""
    if 1 in bits:
        return 0
    open_bits = {bit for bit in bits if bit}
    return None if len(open_bits) > 1 else 1 ^ sum(open_bits)


def _combined(operation: Operation, parts: Sequence[Sums]) -> Sums | None:
    numbers = operation.numbers
    match operation.op:
        case "concat":
            return (*parts[1], *parts[0])
        case "extract":
            return parts[0][numbers[1] : numbers[0] + 1]
        case "zero_extend":
            return (*parts[0], *(0,) * numbers[0])
        case "sign_extend":
            return (*parts[0], *(parts[0][-1],) * numbers[0])
        case "bvxor":
            return tuple(one ^ other for one, other in zip(*parts, strict=True))
        case "bvand" | "bvor":
            return _joined(operation.op == "bvor", *parts)
        case "bvlin" if len(parts) == 1:
            return _moved(parts[0], numbers[0] % (1 << operation.width), numbers[1], operation.width)
    return None


def _joined(either: bool, first: Sums, second: Sums) -> Sums | None:
    """Two words bit by bit, as long as of each two bits one is known or both are the same."""
    found = []
    for one, other in zip(first, second, strict=True):
        if one > 1 and other > 1 and one != other:
            return None
        known, bit = (one, other) if one <= 1 else (other, one)
        found.append(bit if known > 1 or known != either else known)
    return tuple(found)


def _moved(bits: Sums, factor: int, offset: int, width: int) -> Sums | None:
    """A word times a power of two, or times minus one such, plus a number that meets no carry."""
    inverse = factor.bit_count() != 1
    if inverse:
        factor, offset = -factor % (1 << width), offset + 1
        if factor.bit_count() != 1:
            return None
    shifted = ((0,) * (factor.bit_length() - 1) + bits)[:width]
    if inverse:
        shifted = tuple(bit ^ 1 for bit in shifted)
    offset %= 1 << width
    if any(offset >> i & 1 and bit for i, bit in enumerate(shifted)):
        return None
    return tuple(bit | offset >> i & 1 for i, bit in enumerate(shifted))
