"""Predicates as text: SMT-LIB expressions over quoted symbols, with forms of our own for memory and ranges.

`(load 4 a)` is a little-endian read of four bytes at address a, `(room a)` the size of the object a points into.
`(every a b p)` says that p holds for every `(_ index 64)` from a on and below b, as unsigned numbers. What
occurs more than once is written once, as a definition; `p7` refers to the seventh. The reader is strict: everything it
does not know, or that does not fit in width, is refused with a `PincerError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pincer.errors import PincerError
from pincer.evidence.c_proof.float_values import FIELDS
from pincer.evidence.c_proof.floating import ARITHMETIC, CONVERSIONS, MODES, RELATIONS
from pincer.evidence.c_proof.term_data import BINARY, COMPARISON, children
from pincer.logic import bitvectors, floating_point, ranges, terms
from pincer.logic.machine_floats import Rounding
from pincer.logic.terms import BOOL, Term

_WIDEST = 1 << 12
_DEEPEST = 40
"""Levels of nesting after which a term becomes a definition, so that readers need not nest deeply."""


class Writer:
    """The text of terms that share parts; `registers` are the variables in them with their widths."""

    def __init__(self, roots: Sequence[Term]) -> None:
        self.registers: dict[str, int] = {}
        self.definitions: list[str] = []
        self._texts: dict[Term, str] = {}
        self._uses: dict[Term, int] = {}
        order = self._ordered(roots)
        heights: dict[Term, int] = {}
        for term in order:
            heights[term] = 1 + max((heights[child] for child in children(term)), default=0)
            text = self._written(term)
            leaf = not term.args or term.op in ("var", "bvconst")
            if not leaf and (self._uses[term] > 1 or heights[term] >= _DEEPEST):
                heights[term] = 0
                self.definitions.append(text)
                text = f"p{len(self.definitions) - 1}"
            self._texts[term] = text

    def text(self, term: Term) -> str:
        """The text of one of the roots, or of a part of them."""
        return self._texts[term]

    def _ordered(self, roots: Sequence[Term]) -> list[Term]:
        """All parts, each after its own; counts how often each is used."""
        done: dict[Term, None] = {}
        for root in roots:
            self._uses[root] = self._uses.get(root, 0) + 1
            pending = [root]
            while pending:
                current = pending[-1]
                waiting = [child for child in children(current) if child not in done]
                if waiting and current not in done:
                    pending.extend(waiting)
                    continue
                pending.pop()
                if current not in done:
                    done[current] = None
                    for child in children(current):
                        self._uses[child] = self._uses.get(child, 0) + 1
        return list(done)

    def _written(self, term: Term) -> str:
        op, width = term.op, term.sort.width
        parts = [self._texts[child] for child in children(term)]
        match op:
            case "true" | "false":
                return op
            case "var" if width is not None and term.args[0] == ranges.NAME:
                return f"(_ index {width})"
            case "every":
                return f"(every {' '.join(parts[1:])})"
            case "var" if width is not None:
                return self._symbol(str(term.args[0]), width)
            case "bvconst" if width is not None:
                return _constant_text(term.args[0], width)
            case "bvlin" if width is not None:
                return _sum_text([c for _, c in term.args[0]], parts, term.args[1], width)
            case "load":
                return f"(load {term.args[1]} {parts[0]})"
            case "extract":
                return f"((_ extract {term.args[0]} {term.args[1]}) {parts[0]})"
            case "zero_extend" | "sign_extend":
                return f"((_ {op} {term.args[0]}) {parts[0]})"
            case "same" | "iff":
                return f"(= {' '.join(parts)})"
            case "fpround":
                return f"((_ {op} {term.args[0]}) {parts[0]})"
        if op in CONVERSIONS:
            return f"((_ {op} {term.args[0]}) {parts[0]})"
        if op in ARITHMETIC or op in RELATIONS:
            return f"({op} {' '.join(parts)})"
        if op in BINARY or op in COMPARISON or op in ("and", "or", "not", "ite", "concat", "room"):
            return f"({op} {' '.join(parts)})"
        raise PincerError(f"the operation {op} has no place in a proof about C")

    def _symbol(self, name: str, width: int) -> str:
        if "|" in name or "\\" in name:
            raise PincerError(f"the name {name!r} cannot be written in a proof")
        if self.registers.setdefault(name, width) != width:
            raise PincerError(f"{name} is used with {width} bits and with {self.registers[name]} bits")
        return f"|{name}|"


def _constant_text(value: int, width: int) -> str:
    return f"(_ bv{value % (1 << width)} {width})"


def _sum_text(coefficients: Sequence[int], parts: Sequence[str], constant: int, width: int) -> str:
    summands = [
        part if c == 1 else f"(bvmul {_constant_text(c, width)} {part})"
        for c, part in zip(coefficients, parts, strict=True)
    ]
    return f"(bvadd {' '.join([_constant_text(constant, width), *summands])})"


_Item: TypeAlias = "Term | str | tuple[str, ...]"
_TOKEN = re.compile(r"\s*(?:(\()|(\))|\|([^|\\]*)\||([^\s()|\\]+))")
_NUMERAL = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_VALUE = re.compile(r"bv(0|[1-9][0-9]{0,4000})", re.ASCII)
_REFERENCE = re.compile(r"p(0|[1-9][0-9]{0,8})", re.ASCII)


class Reader:
    """Reads terms over registers of given widths and over definitions, each of which may use the earlier ones."""

    def __init__(self, registers: Mapping[str, int], definitions: Sequence[str]) -> None:
        if any(not 0 < width <= _WIDEST for width in registers.values()):
            raise PincerError("malformed proof: a register has an impossible width")
        self._registers = registers
        self._defined: list[Term] = []
        for text in definitions:
            self._defined.append(self._term(text))

    def predicate(self, text: str) -> Term:
        term = self._term(text)
        if term.sort is not BOOL:
            raise _refusal(text, "is not a condition")
        return term

    def value(self, text: str) -> Term:
        term = self._term(text)
        if term.sort is BOOL:
            raise _refusal(text, "is not a value")
        return term

    def _term(self, text: str) -> Term:
        stack: list[list[_Item]] = [[]]
        at, end = 0, len(text.rstrip())
        while at < end:
            token = _TOKEN.match(text, at)
            if token is None:
                raise _refusal(text, f"has a stray character at {at}")
            at = token.end()
            opening, closing, quoted, plain = token.groups()
            if opening:
                stack.append([])
            elif closing:
                if len(stack) < 2:
                    raise _refusal(text, "has a bracket too many")
                stack[-2].append(self._reduced(stack.pop(), text))
            else:
                stack[-1].append(self._variable(quoted, text) if plain is None else self._plain(plain))
        if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], Term):
            raise _refusal(text, "is not one expression")
        return stack[0][0]

    def _variable(self, name: str, text: str) -> Term:
        width = self._registers.get(name)
        if width is None:
            raise _refusal(text, f"mentions {name}, which has no width")
        return bitvectors.variable(name, width)

    def _plain(self, word: str) -> _Item:
        if word in ("true", "false"):
            return terms.boolean(word == "true")
        reference = _REFERENCE.fullmatch(word)
        if reference is not None:
            index = int(reference.group(1))
            if index < len(self._defined):
                return self._defined[index]
        return word

    def _reduced(self, items: list[_Item], text: str) -> _Item:
        """What a bracketed list stands for."""
        head = items[0] if items else ""
        try:
            if head == "_":
                return _indexed(items[1:])
            if head == "load" and len(items) == 3:
                return _load(items[1], items[2])
            args = items[1:]
            if isinstance(head, str) and args and all(isinstance(arg, Term) for arg in args):
                return _applied(head, [arg for arg in args if isinstance(arg, Term)])
            if isinstance(head, tuple) and len(args) == 1 and isinstance(args[0], Term):
                return _indexed_applied(head, args[0])
        except (ValueError, KeyError, AssertionError) as error:
            raise _refusal(text, f"has an operation that does not fit: {error}") from error
        raise _refusal(text, f"has an unknown form beginning with {head}")


def _refusal(text: str, what: str) -> PincerError:
    shown = text if len(text) <= 80 else text[:77] + "..."
    return PincerError(f"malformed proof: {shown!r} {what}")


def _numeral(item: _Item) -> int:
    if not isinstance(item, str) or not _NUMERAL.fullmatch(item):
        raise ValueError(f"{item} is not a numeral")
    return int(item)


def _indexed(items: list[_Item]) -> _Item:
    """`(_ bv5 32)` is a constant; `(_ extract 7 0)` and its like wait for their argument."""
    if not items or not all(isinstance(item, str) for item in items):
        raise ValueError("an index is not a numeral")
    words = tuple(item for item in items if isinstance(item, str))
    value = _VALUE.fullmatch(words[0])
    if words[0] == "index" and len(words) == 2 and 0 < _numeral(words[1]) <= _WIDEST:
        return ranges.index(_numeral(words[1]))
    if value is None:
        return words
    (width,) = map(_numeral, words[1:])
    number = int(value.group(1))
    if not 0 < width <= _WIDEST or number >> width:
        raise ValueError(f"{words[0]} does not have {width} bits")
    return bitvectors.constant(number, width)


def _indexed_applied(head: tuple[str, ...], argument: Term) -> Term:
    if head[0].startswith("fp"):
        return _conversion(head, argument)
    indices = [_numeral(word) for word in head[1:]]
    width = _bits(argument)
    if head[0] == "extract" and len(indices) == 2 and width > indices[0] >= indices[1]:
        return bitvectors.extract(indices[0], indices[1], argument)
    if head[0] in ("zero_extend", "sign_extend") and len(indices) == 1 and width + indices[0] <= _WIDEST:
        return bitvectors.extend(argument, indices[0], head[0] == "sign_extend")
    raise ValueError(f"{' '.join(head)} of {width} bits")


def _conversion(head: tuple[str, ...], argument: Term) -> Term:
    """`(_ fpconvert 64)` and its like, or `(_ fpround RTZ)`."""
    width = _bits(argument)
    if head[0] == "fpround" and len(head) == 2 and head[1] in MODES and width in FIELDS:
        return floating_point.to_integral(Rounding(head[1]), argument)
    if head[0] in CONVERSIONS and len(head) == 2:
        wanted = _numeral(head[1])
        if head[0] == "fpconvert" and width in FIELDS and wanted in FIELDS:
            return floating_point.convert(argument, wanted)
        if head[0] in ("fpfromsigned", "fpfromunsigned") and wanted in FIELDS:
            return floating_point.from_integer(argument, wanted, head[0] == "fpfromsigned")
        if head[0] in ("fptosigned", "fptounsigned") and width in FIELDS and 0 < wanted <= _WIDEST:
            return floating_point.to_integer(argument, wanted, head[0] == "fptosigned")
    raise ValueError(f"{' '.join(head)} of {width} bits")


def _load(size: _Item, address: _Item) -> Term:
    count = _numeral(size)
    if not isinstance(address, Term) or not 1 <= count <= 64:
        raise ValueError("load needs a size and an address")
    _bits(address)
    return bitvectors.load(address, count)


def _bits(term: Term) -> int:
    if term.sort.width is None:
        raise ValueError("a condition where a value is needed")
    return term.sort.width


def _same_bits(args: Sequence[Term]) -> None:
    if len({_bits(arg) for arg in args}) != 1:
        raise ValueError("values of different widths")


def _conditions(args: Sequence[Term]) -> None:
    if any(arg.sort is not BOOL for arg in args):
        raise ValueError("a value where a condition is needed")


def _applied(op: str, args: list[Term]) -> Term:
    connective = _CONNECTIVES.get(op)
    if connective is not None:
        _conditions(args)
        return connective(*args)
    if op == "ite" and len(args) == 3 and args[1].sort is args[2].sort:
        _conditions(args[:1])
        return terms.conditional(*args)
    if op == "=" and len(args) == 2 and args[0].sort is args[1].sort:
        return terms.equal(*args)
    if op == "every" and len(args) == 3 and args[2].sort is BOOL:
        _same_bits(args[:2])
        return ranges.every(*args)
    if op == "room" and len(args) == 1:
        _bits(args[0])
        return bitvectors.room(args[0])
    return _bit_vector(op, args)


def _bit_vector(op: str, args: list[Term]) -> Term:
    for arg in args:
        _bits(arg)
    if op == "concat" and len(args) == 2:
        return bitvectors.concat(*args)
    _same_bits(args)
    if op in ARITHMETIC and len(args) == _OPERANDS.get(op, 2) and _bits(args[0]) in FIELDS:
        return floating_point.arithmetic(op, *args)
    if op in RELATIONS and len(args) == 2 and _bits(args[0]) in FIELDS:
        return floating_point.compare(op, *args)
    if op in COMPARISON and len(args) == 2:
        return bitvectors.compare(op, *args)
    if op in BINARY and (len(args) == 2 or op in ("bvadd", "bvmul")):
        total = args[0]
        for arg in args[1:]:
            total = bitvectors.binary(op, total, arg)
        return total
    raise ValueError(f"{op} of {len(args)} arguments")


_OPERANDS = {"fpneg": 1, "fpabs": 1, "fpsqrt": 1, "fpfma": 3}
"""How many operands floating-point operations take that do not take two."""


def _negation(*args: Term) -> Term:
    (argument,) = args
    return terms.negate(argument)


_CONNECTIVES: Mapping[str, Callable[..., Term]] = {
    "and": terms.conjunction,
    "or": terms.disjunction,
    "not": _negation,
}
