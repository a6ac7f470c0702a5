"""SMT-LIB text with sharing: every distinct operation is written once, as a definition with a short name.

Equal nodes are the same object, so equal obligations are recognised without a solver. The constructors know just
enough to keep memory reasoning small: a sum has one form, with all constants gathered, so that two addresses a known
distance apart are told apart here, and the bytes of a value put together again are the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypedDict, Unpack

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _quotient(left: int, right: int) -> int:
    """Division that rounds towards zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _signed_quotient(left: int, right: int, width: int) -> int:
    a, b = signed(left, width), signed(right, width)
    return _quotient(a, b) if b else (1 if a < 0 else -1)


def _signed_remainder(left: int, right: int, width: int) -> int:
    a, b = signed(left, width), signed(right, width)
    return a - b * _quotient(a, b) if b else a


VALUES: dict[str, Callable[[int, int, int], int]] = {
    "bvsub": lambda a, b, w: a - b,
    "bvmul": lambda a, b, w: a * b,
    "bvand": lambda a, b, w: a & b,
    "bvor": lambda a, b, w: a | b,
    "bvxor": lambda a, b, w: a ^ b,
    "bvudiv": lambda a, b, w: a // b if b else -1,
    "bvurem": lambda a, b, w: a % b if b else a,
    "bvsdiv": _signed_quotient,
    "bvsrem": _signed_remainder,
    "bvshl": lambda a, b, w: a << b if b < w else 0,
    "bvlshr": lambda a, b, w: a >> b,
    "bvashr": lambda a, b, w: signed(a, w) >> b,
}
ORDERS: dict[str, Callable[[int, int, int], bool]] = {
    "bvult": lambda a, b, w: a < b,
    "bvule": lambda a, b, w: a <= b,
    "bvslt": lambda a, b, w: signed(a, w) < signed(b, w),
    "bvsle": lambda a, b, w: signed(a, w) <= signed(b, w),
}


BOOL = 0
"""The width that stands for the sort Bool."""


Summands: TypeAlias = "tuple[tuple[Node, int], ...]"
"""Terms that are no sums themselves, each with the factor it is taken times, in order of their names."""


class Node(Struct, frozen=True, eq=False):
    """A term by name.

    `base` and `offset` say that it is a sum with a constant, `summands` that it is one without (terms and factors).
    `whole` and `low` say that it is a slice of another (or its negation), `halves` that it is two put together;
    `variables` names the variables in it, `noted` the reads about which there is a fact (`Script.noted_read`), `words`
    the constants that stand for results (`Script.pinned`).
    """

    text: str
    width: int
    value: int | None = None
    base: Node | None = None
    offset: int = 0
    summands: Summands = ()
    whole: Node | None = None
    low: int = 0
    halves: tuple[Node, Node] | None = None
    variables: frozenset[str] = frozenset()
    noted: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"Node({self.text!r})"

    @property
    def is_true(self) -> bool:
        return self.width == BOOL and self.value == 1

    @property
    def is_false(self) -> bool:
        return self.width == BOOL and self.value == 0


class _Form(TypedDict, total=False):
    """What is known of the form of a node."""

    base: Node
    offset: int
    summands: Summands
    whole: Node
    low: int
    halves: tuple[Node, Node]


def _sort(width: int) -> str:
    return "Bool" if width == BOOL else f"(_ BitVec {width})"


def _alike(left: Node, right: Node) -> None:
    """Refuse operands of different sorts: a proof about them would be a proof about nothing."""
    if left.width != right.width:
        raise PincerError(f"an operation on values of {left.width} and of {right.width} bits")


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """The union, shared with a part where it is the same."""
    result: frozenset[str] = frozenset()
    for part in sets:
        if not part <= result:
            result = part if result <= part else result | part
    return result


def _gathered(parts: Iterable[tuple[Node, int]]) -> tuple[Summands, int]:
    """Terms times factors as summands that are no sums, and a constant."""
    factors: dict[Node, int] = {}
    offset, modulus = 0, 1
    for node, factor in parts:
        modulus = 1 << node.width
        base = node.base or node
        offset += factor * (node.offset if node.value is None else node.value)
        for term, inner in base.summands or (() if node.value is not None else ((base, 1),)):
            factors[term] = (factors.get(term, 0) + factor * inner) % modulus
    kept = [(node, factor) for node, factor in factors.items() if factor]
    kept.sort(key=lambda summand: summand[0].text)
    return tuple(kept), offset % modulus


class Script:
    """The declarations and definitions made so far, and the constructors of terms over them."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._variables: dict[str, Node] = {}
        self._arrays: dict[str, str] = {}
        self._facts: dict[str, Node] = {}
        self._definitions: dict[str, str] = {}
        self._pinned: dict[str, tuple[str, frozenset[str]]] = {}
        self.faces: dict[str, object] = {}
        self._lines: list[str] = []
        self.true = Node("true", BOOL, 1)
        self.false = Node("false", BOOL, 0)

    def lines_after(self, count: int) -> tuple[str, int]:
        """The declarations and definitions after the first `count`, and how many there are now."""
        return "\n".join(self._lines[count:]), len(self._lines)

    @property
    def newest(self) -> Node | None:
        """The constant or operation that was made last."""
        return next(reversed(self._nodes.values()), None)

    def variable(self, name: str, width: int) -> Node:
        """A free bit-vector; the same name is the same variable."""
        node = self._variables.get(name)
        if node is None:
            text = f"v{len(self._variables)}"
            node = self._variables[name] = Node(text, width, variables=frozenset((text,)))
            self._lines.append(f"(declare-const {node.text} {_sort(width)})")
        if node.width != width:
            raise PincerError(f"{name} is used with {width} bits and with {node.width} bits")
        return node

    def array(self, name: str, index: int, element: int) -> str:
        """A free function from addresses to values: memory is only ever read, updates are written as conditionals."""
        known = self._arrays.get(name)
        if known is None:
            known = self._arrays[name] = f"m{len(self._arrays)}"
            self._lines.append(f"(declare-fun {known} ({_sort(index)}) {_sort(element)})")
        return known

    def read(self, array: str, index: Node, width: int) -> Node:
        return self._make(f"({array} {index.text})", width, (index,))

    def noted_read(self, array: str, index: Node, width: int, fact: Callable[[Node], Node]) -> Node:
        """A read with a fact about its value that comes along wherever it is mentioned."""
        text = f"({array} {index.text})"
        node = self._nodes.get(text)
        if node is None:
            node = self._make(text, width, (index,), noted=True)
            self._facts[node.text] = fact(node)
        return node

    def facts(self, node: Node) -> list[Node]:
        """The facts about the noted reads in a term."""
        return [self._facts[name] for name in sorted(node.noted)]

    def constant(self, value: int, width: int) -> Node:
        value &= (1 << width) - 1
        text = f"(_ bv{value} {width})"
        node = self._nodes.get(text)
        if node is None:
            node = self._nodes[text] = Node(text, width, value)
        return node

    def boolean(self, value: bool) -> Node:
        return self.true if value else self.false

    def _make(self, text: str, width: int, args: Sequence[Node], noted: bool = False, **form: Unpack[_Form]) -> Node:
        node = self._nodes.get(text)
        if node is None:
            name = f"t{len(self._nodes)}"
            self._lines.append(f"(define-fun {name} () {_sort(width)} {text})")
            reads = _union(arg.noted for arg in args)
            reads = reads | {name} if noted else reads
            variables = _union(arg.variables for arg in args)
            words = _union(arg.words for arg in args)
            node = self._nodes[text] = Node(name, width, variables=variables, noted=reads, words=words, **form)
        return node

    def define(self, text: str, sort: str) -> str:
        """A term of any sort, by a name."""
        name = self._definitions.get(text)
        if name is None:
            name = self._definitions[text] = f"d{len(self._definitions)}"
            self._lines.append(f"(define-fun {name} () {sort} {text})")
        return name

    def over_numbers(self, text: str, width: int, args: Sequence[Node], words: frozenset[str]) -> Node:
        """A term that looks at the numbers that `args` stand for; it mentions `words` only."""
        node = self._make(text, width, args)
        if node.words != words:
            node = self._nodes[text] = replace(node, words=words)
        return node

    def pinned(
        self, value: str, width: int, args: Sequence[Node], words: frozenset[str], fact: Callable[[str], str]
    ) -> Node:
        """A new constant for what `value` names; the fact about it comes along with every question that looks at it."""
        node = self._nodes.get(value)
        if node is None:
            name = f"w{len(self._pinned)}"
            self._lines.append(f"(declare-const {name} {_sort(width)})")
            self._pinned[name] = (self.define(fact(name), "Bool"), words)
            reads, variables = _union(arg.noted for arg in args), _union(arg.variables for arg in args)
            node = Node(name, width, variables=variables, noted=reads, words=frozenset((name,)))
            self._nodes[value] = node
        return node

    def question(self, formula: Node) -> str:
        """A formula with the facts about the constants in it, and in these facts."""
        if not formula.words:
            return formula.text
        facts: dict[str, str] = {}
        pending = sorted(formula.words)
        while pending:
            name = pending.pop()
            if name not in facts:
                facts[name], more = self._pinned[name]
                pending.extend(sorted(more))
        return f"(and {formula.text} {' '.join(facts.values())})"

    @property
    def has_numbers(self) -> bool:
        """Whether the theory of floating point is needed."""
        return bool(self._definitions)

    def operation(self, op: str, args: Sequence[Node], width: int) -> Node:
        """Any other operation of the theory, by its SMT-LIB name (indices included)."""
        return self._make(f"({op} {' '.join(arg.text for arg in args)})", width, args)

    def binary(self, op: str, left: Node, right: Node) -> Node:
        _alike(left, right)
        if op == "bvadd":
            return self.add(left, right)
        if op == "bvsub":
            return self.difference(left, right)
        if op == "bvmul" and (left.value is not None or right.value is not None):
            constant, other = (left, right) if left.value is not None else (right, left)
            return self.sum(((other, constant.value or 0),), 0, left.width)
        if left.value is not None and right.value is not None:
            return self.constant(VALUES[op](left.value, right.value, left.width), left.width)
        return self.operation(op, (left, right), left.width)

    def compare(self, op: str, left: Node, right: Node) -> Node:
        _alike(left, right)
        if left.value is not None and right.value is not None:
            return self.boolean(ORDERS[op](left.value, right.value, left.width))
        return self.at_most(left, right) if op == "bvule" else self.operation(op, (left, right), BOOL)

    def extend(self, op: str, by: int, node: Node) -> Node:
        """`zero_extend` or `sign_extend` by some bits."""
        width = node.width + by
        if by == 0:
            return node
        if node.value is not None:
            return self.constant(signed(node.value, node.width) if op == "sign_extend" else node.value, width)
        if op == "zero_extend":
            return self.concat(self.constant(0, by), node)
        return self.operation(f"(_ {op} {by})", (node,), width)

    def add(self, left: Node, right: Node) -> Node:
        _alike(left, right)
        return self.sum(((left, 1), (right, 1)), 0, left.width)

    def difference(self, left: Node, right: Node) -> Node:
        """`left - right`."""
        _alike(left, right)
        return self.sum(((left, 1), (right, -1)), 0, left.width)

    def sum(self, parts: Sequence[tuple[Node, int]], constant: int, width: int) -> Node:
        """The sum of terms times factors and a constant, modulo 2**width, in its one form."""
        if any(node.width != width for node, _ in parts):
            raise PincerError(f"a sum of {width} bits over values of other widths")
        summands, offset = _gathered(parts)
        return self.shifted(self._without_constant(summands, width), offset + constant)

    def _without_constant(self, summands: Summands, width: int) -> Node:
        if not summands:
            return self.constant(0, width)
        if len(summands) == 1 and summands[0][1] == 1:
            return summands[0][0]
        text = ""
        for node, factor in summands:
            taken = node.text if factor == 1 else f"(bvmul {self.constant(factor, width).text} {node.text})"
            text = f"(bvadd {text} {taken})" if text else taken
        return self._make(text, width, [node for node, _ in summands], summands=summands)

    def shifted(self, node: Node, by: int) -> Node:
        """`node + by`."""
        if node.value is not None:
            return self.constant(node.value + by, node.width)
        base = node.base or node
        offset = (node.offset + by) & ((1 << node.width) - 1)
        if offset == 0:
            return base
        constant = self.constant(offset, node.width)
        return self._make(f"(bvadd {base.text} {constant.text})", node.width, (base,), base=base, offset=offset)

    def distance(self, left: Node, right: Node) -> int | None:
        """`left - right` modulo 2**width when it is known, None otherwise."""
        if left.width != right.width:
            return None
        modulus = 1 << left.width
        if left.value is not None and right.value is not None:
            return (left.value - right.value) % modulus
        if (left.base or left) is (right.base or right):
            return (left.offset - right.offset) % modulus
        return None

    def extract(self, high: int, low: int, node: Node) -> Node:
        if low == 0 and high == node.width - 1:
            return node
        width = high - low + 1
        if node.value is not None:
            return self.constant(node.value >> low, width)
        if node.whole is not None:
            return self.extract(node.low + high, node.low + low, node.whole)
        if node.halves is not None:
            return self._part_of_halves(high, low, *node.halves)
        return self._make(f"((_ extract {high} {low}) {node.text})", width, (node,), whole=node, low=low)

    def _part_of_halves(self, high: int, low: int, upper: Node, lower: Node) -> Node:
        split = lower.width
        if high < split:
            return self.extract(high, low, lower)
        if low >= split:
            return self.extract(high - split, low - split, upper)
        return self.concat(self.extract(high - split, 0, upper), self.extract(split - 1, low, lower))

    def concat(self, high: Node, low: Node) -> Node:
        width = high.width + low.width
        if high.value is not None and low.value is not None:
            return self.constant(high.value << low.width | low.value, width)
        if high.whole is not None and high.whole is low.whole and high.low == low.low + low.width:
            return self.extract(low.low + width - 1, low.low, high.whole)
        return self._make(f"(concat {high.text} {low.text})", width, (high, low), halves=(high, low))

    def equal(self, left: Node, right: Node) -> Node:
        if left is right:
            return self.true
        _alike(left, right)
        if left.width == BOOL:
            return self._equivalent(left, right)
        apart = self._apart(left, right)
        if apart is not None:
            return self.boolean(apart == 0)
        summands, offset = _gathered(((left, 1), (right, -1)))
        half = 1 << left.width >> 1
        if summands[0][1] > half:
            summands, offset = _gathered(((left, -1), (right, 1)))
        above = tuple((node, factor) for node, factor in summands if factor <= half)
        below = tuple((node, -factor % (2 * half)) for node, factor in summands if factor > half)
        left = self._without_constant(above, left.width)
        return self.operation("=", (left, self.shifted(self._without_constant(below, left.width), -offset)), BOOL)

    def _apart(self, left: Node, right: Node) -> int | None:
        """By how much two values differ, if that is known: the same bits of two terms differ as the terms do there."""
        known = self.distance(left, right)
        if known is None and left.whole is not None and right.whole is not None and left.low == right.low:
            between = self.distance(left.whole, right.whole)
            if between is not None and between % (1 << left.low) == 0:
                return (between >> left.low) % (1 << left.width)
        return known

    def _equivalent(self, left: Node, right: Node) -> Node:
        for constant, other in ((left, right), (right, left)):
            if constant.value is not None:
                return other if constant.value else self.negation(other)
        return self.operation("=", sorted((left, right), key=lambda node: node.text), BOOL)

    def at_most(self, left: Node, right: Node) -> Node:
        """Unsigned `left <= right`."""
        _alike(left, right)
        if left.value is not None and right.value is not None:
            return self.boolean(left.value <= right.value)
        if left is right or left.value == 0:
            return self.true
        if left.value is not None:
            return self.negation(self.at_most(right, self.constant(left.value - 1, left.width)))
        return self.operation("bvule", (left, right), BOOL)

    def below(self, left: Node, right: Node) -> Node:
        """Unsigned `left < right`."""
        return self.negation(self.at_most(right, left))

    def negation(self, node: Node) -> Node:
        if node.value is not None:
            return self.boolean(not node.value)
        return node.whole if node.whole is not None else self._make(f"(not {node.text})", BOOL, (node,), whole=node)

    def conjunction(self, parts: Iterable[Node]) -> Node:
        kept = [part for part in dict.fromkeys(parts) if not part.is_true]
        if any(part.is_false for part in kept):
            return self.false
        if not kept:
            return self.true
        return kept[0] if len(kept) == 1 else self.operation("and", kept, BOOL)

    def disjunction(self, parts: Iterable[Node]) -> Node:
        kept = [part for part in dict.fromkeys(parts) if not part.is_false]
        if any(part.is_true for part in kept):
            return self.true
        if not kept:
            return self.false
        return kept[0] if len(kept) == 1 else self.operation("or", kept, BOOL)

    def implication(self, left: Node, right: Node) -> Node:
        return self.disjunction((self.negation(left), right))

    def conditional(self, condition: Node, then: Node, otherwise: Node) -> Node:
        _alike(then, otherwise)
        if condition.value is not None:
            return then if condition.value else otherwise
        if then is otherwise:
            return then
        return self.operation("ite", (condition, then, otherwise), then.width)
