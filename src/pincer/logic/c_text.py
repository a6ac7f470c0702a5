"""Bit-vector terms as C expressions that a C compiler evaluates to the same value.

Every subterm is written in one of three ways: with its exact unsigned value, with its exact signed value, or with any
value that agrees with it modulo 2**width (enough for the operands of sums). Casts appear only where C's usual
conversions would not do the right thing; arithmetic that could overflow is done in unsigned types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec import Struct

from pincer.logic.bitvectors import constant_value
from pincer.logic.bitvectors import signed as signed_value
from pincer.logic.bitvectors import width as width_of
from pincer.logic.c_numbers import NoNumberInC, NumberTexts
from pincer.logic.limits import LIMITS
from pincer.logic.terms import BOOL, Term

_PLAIN = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)\w+|\[\w+\])*")
_CASTS = {8: "char", 16: "short", 32: "int", 64: "long long"}

_ATOM, _UNARY, _SUM, _RELATION, _LOGIC = 4, 3, 2, 1, 0
"""How tightly a text holds together. Bitwise operations and conditionals count as `_LOGIC`: always in parentheses."""


class NotInC(ValueError):
    """A term has no C expression: it reads what has no name, is wider than 64 bits, or would be too long."""


def _no_number(term: Term) -> str | None:
    return None


class _CText(Struct, frozen=True):
    """Text with the type of its value: 32 or 64 bits (narrower ones are promoted), signed or not."""

    text: str
    level: int
    bits: int
    signed: bool

    def at(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


def c_text(
    term: Term,
    names: Callable[[Term], str | None],
    signed: Callable[[Term], bool],
    numbers: Callable[[Term], str | None] = _no_number,
) -> str:
    """A C expression with the value of the term modulo 2**width, 0 or 1 for a formula.

    `names` gives the C text of registers and of `load` terms that are known lvalues, None for what has none; `signed`
    says whether the C type of a named one is signed, and `numbers` names those of the types float and double, which
    `names` does not. Raises `NotInC`.
    """
    writer = _CWriter(names, signed, numbers)
    try:
        piece = writer.formula(term) if term.sort is BOOL else writer.congruent(term)
    except RecursionError:
        raise NotInC("the expression is nested too deeply") from None
    except NoNumberInC as problem:
        raise NotInC(str(problem)) from None
    return piece.text


def _container(bits: int) -> int:
    if bits > 64:
        raise NotInC(f"C has no integer type of {bits} bits")
    return 32 if bits <= 32 else 64


def _type_name(bits: int, signed: bool) -> str:
    if signed:
        return "signed char" if bits == 8 else _CASTS[bits]
    return f"unsigned {_CASTS[bits]}"


def _cast(piece: _CText, bits: int, signed: bool) -> _CText:
    """A conversion to a type of 8, 16, 32 or 64 bits; the value is promoted again."""
    text = f"({_type_name(bits, signed)}){piece.at(_UNARY)}"
    return _CText(text, _UNARY, max(bits, 32), signed if bits >= 32 else True)


def _typed(piece: _CText, bits: int, signed: bool) -> _CText:
    return piece if (piece.bits, piece.signed) == (bits, signed) else _cast(piece, bits, signed)


def _number(value: int, bits: int, signed: bool) -> _CText:
    """A constant of a type with 32 or 64 bits."""
    suffix = ("" if signed else "u") + ("ll" if bits == 64 else "")
    if signed and value == -(1 << (bits - 1)):
        return _CText(f"-{-value - 1}{suffix} - 1", _SUM, bits, True)
    return _CText(f"{value}{suffix}", _UNARY if value < 0 else _ATOM, bits, signed)


def _plain_number(value: int) -> _CText:
    """A constant that is not negative, in the smallest type: conversions keep its value."""
    if value < 1 << 31:
        return _number(value, 32, True)
    return _number(value, 32 if value < 1 << 32 else 64, False)


class _CWriter:
    def __init__(
        self,
        names: Callable[[Term], str | None],
        signed: Callable[[Term], bool],
        numbers: Callable[[Term], str | None],
    ) -> None:
        self._names = names
        self._signed = signed
        self._numbers = NumberTexts(numbers, lambda term: self.formula(term).at(_RELATION), self._integer)
        self._written: dict[tuple[str, Term], _CText] = {}

    def _once(self, way: str, term: Term, write: Callable[[Term], _CText]) -> _CText:
        piece = self._written.get((way, term))
        if piece is None:
            piece = self._written[way, term] = write(term)
            if len(piece.text) > LIMITS.c_text:
                raise NotInC("the expression is too long to be read")
        return piece

    def unsigned(self, term: Term) -> _CText:
        """A piece with the term's exact unsigned value; its type may be signed where the value fits."""
        return self._once("unsigned", term, self._unsigned)

    def signed(self, term: Term) -> _CText:
        """A piece of a signed type with the term's exact signed value."""
        return self._once("signed", term, self._signed_piece)

    def congruent(self, term: Term) -> _CText:
        """A piece whose value agrees with the term modulo 2**width, in whatever type is at hand."""
        if self._named(term):
            return self._name(term)
        if term.op == "sign_extend":
            return self.signed(term)
        return self.unsigned(term)

    def formula(self, term: Term) -> _CText:
        return self._once("formula", term, self._formula)

    def _integer(self, term: Term, signed: bool) -> str:
        """A word with its exact value, for a conversion to a number."""
        return (self.signed(term) if signed else self.unsigned(term)).at(_UNARY)

    def _named(self, term: Term) -> bool:
        return term.op in ("var", "load", "room")

    def _name(self, term: Term) -> _CText:
        text = self._names(term)
        if text is None:
            raise NotInC(f"{term} has no name in the source")
        bits = width_of(term)
        if 32 < bits < 64 or bits > 64:
            raise NotInC(f"C has no integer type of {bits} bits")
        level = _ATOM if _PLAIN.fullmatch(text) else _LOGIC
        return _CText(text, level, _container(bits), bits < 32 or self._signed(term))

    def _unsigned(self, term: Term) -> _CText:
        bits = width_of(term)
        match term.op:
            case "var" | "load" | "room":
                piece = self._name(term)
                return self._reduced(piece, bits) if self._signed(term) else piece
            case "bvconst":
                _container(bits)
                return _plain_number(term.args[0])
            case "zero_extend":
                return self.unsigned(term.args[1])
            case "sign_extend":
                return self._reduced(self.signed(term.args[1]), bits)
            case "ite":
                return self._conditional(term, self.unsigned)
            case "bvlin":
                return self._reduced(self._sum(term), bits)
            case "extract":
                return self._part(*term.args)
            case "concat":
                return self._concatenation(*term.args)
        return self._operation(term, bits)

    def _reduced(self, piece: _CText, bits: int) -> _CText:
        """The value modulo 2**bits."""
        if bits in _CASTS:
            return _typed(piece, bits, False)
        unsigned = _typed(piece, max(piece.bits, _container(bits)), False)
        mask = _number((1 << bits) - 1, unsigned.bits, False)
        return _CText(f"{unsigned.at(_UNARY)} & {mask.text}", _LOGIC, unsigned.bits, False)

    def _signed_piece(self, term: Term) -> _CText:
        bits = width_of(term)
        match term.op:
            case "var" | "load" | "room" if self._signed(term):
                return self._name(term)
            case "bvconst":
                return _number(signed_value(term.args[0], bits), _container(bits), True)
            case "zero_extend":
                piece = self.unsigned(term.args[1])
                return piece if piece.signed else _cast(piece, _container(bits), True)
            case "sign_extend":
                return self.signed(term.args[1])
            case "ite":
                return self._conditional(term, self.signed)
            case "bvsrem" | "bvashr":
                return self._signed_operation(term, bits)
        return self._sign_restored(self._sum(term) if term.op == "bvlin" else self.congruent(term), bits)

    def _sign_restored(self, piece: _CText, bits: int) -> _CText:
        """The signed value of a piece that agrees with it modulo 2**bits."""
        if bits in _CASTS:
            return _typed(piece, bits, True) if bits >= 32 else _cast(piece, bits, True)
        reduced = self._reduced(piece, bits)
        sign = _number(1 << (bits - 1), reduced.bits, False).text
        flipped = f"(({reduced.text}) ^ {sign}) - {sign}"
        return _cast(_CText(flipped, _SUM, reduced.bits, False), reduced.bits, True)

    def _conditional(self, term: Term, write: Callable[[Term], _CText]) -> _CText:
        condition, then, otherwise = term.args
        first, second = write(then), write(otherwise)
        bits = max(first.bits, second.bits)
        signed = all(piece.signed or piece.bits < bits for piece in (first, second))
        test = self.formula(condition).at(_RELATION)
        return _CText(f"{test} ? {first.at(_SUM)} : {second.at(_SUM)}", _LOGIC, bits, signed)

    def _sum(self, term: Term) -> _CText:
        """A linear sum, computed in an unsigned type at least as wide as the term."""
        coefficients, offset = term.args
        bits = width_of(term)
        container = _container(bits)
        weights = [(factor, signed_value(c, bits) if bits > 1 else c) for factor, c in coefficients]
        weights.sort(key=lambda entry: entry[1] < 0)
        text = "" if weights[0][1] > 0 else _number(0, container, False).text
        for factor, weight in weights:
            piece = self.congruent(factor)
            if abs(weight) != 1:
                number = _number(abs(weight), container, False).text
                piece = _CText(f"{number} * {piece.at(_UNARY)}", _SUM, container, False)
            elif not text:
                piece = _typed(piece, container, False)
            if text:
                text += f" {'-' if weight < 0 else '+'} {piece.at(_UNARY if weight in (1, -1) else _SUM)}"
            else:
                text = piece.at(_SUM)
        if offset:
            shift = signed_value(offset, bits)
            text += f" {'-' if shift < 0 else '+'} {_plain_number(abs(shift)).text}"
        return _CText(text, _SUM, container, False)

    def _part(self, high: int, low: int, whole: Term) -> _CText:
        bits = high - low + 1
        if low == 0:
            return self._reduced(self.congruent(whole), bits)
        source = self.unsigned(whole)
        shifted = _CText(f"{source.at(_UNARY)} >> {low}", _LOGIC, source.bits, source.signed)
        if source.bits <= high or high == width_of(whole) - 1:
            return shifted if source.bits > low else _plain_number(0)
        mask = _number((1 << bits) - 1, _container(bits), False).text
        return _CText(f"({shifted.text}) & {mask}", _LOGIC, max(source.bits, _container(bits)), False)

    def _concatenation(self, high: Term, low: Term) -> _CText:
        split = width_of(low)
        container = _container(width_of(high) + split)
        if constant_value(low) == 0 and high.op == "extract" and high.args[1] == split:
            source = _typed(self.congruent(high.args[2]), _container(width_of(high.args[2])), False)
            mask = ((1 << width_of(high)) - 1) << split
            return _CText(f"{source.at(_UNARY)} & {_plain_number(mask).text}", _LOGIC, source.bits, False)
        upper = _typed(self.unsigned(high), container, False).at(_UNARY)
        return _CText(f"({upper} << {split}) | {self.unsigned(low).at(_UNARY)}", _LOGIC, container, False)

    def _operation(self, term: Term, bits: int) -> _CText:
        """A binary operation with its exact unsigned value."""
        if term.op.startswith("fp"):
            raise NotInC("the bits of a number are looked at")
        left, right = term.args
        container = _container(bits)
        if term.op in ("bvsdiv", "bvsrem", "bvashr"):
            return self._reduced(self._signed_operation(term, bits), bits)
        if term.op == "bvmul":
            first = _typed(self.congruent(left), container, False).at(_UNARY)
            product = f"{first} * {self.congruent(right).at(_UNARY)}"
            return self._reduced(_CText(product, _SUM, container, False), bits)
        if term.op in ("bvand", "bvor", "bvxor"):
            return self._bitwise(term.op, left, right, bits)
        a = _typed(self.unsigned(left), container, False).at(_UNARY)
        b = self.unsigned(right).at(_UNARY)
        divisor = constant_value(right)
        all_ones = _number((1 << bits) - 1, container, False).text
        zero = _number(0, container, False).text
        match term.op:
            case "bvudiv":
                text = f"{a} / {b}" if divisor else f"{b} ? {a} / {b} : {all_ones}"
            case "bvurem":
                text = f"{a} % {b}" if divisor else f"{b} ? {a} % {b} : {a}"
            case "bvlshr":
                text = f"{b} < {bits} ? {a} >> {b} : {zero}"
            case "bvshl":
                shifted = _CText(f"{b} < {bits} ? {a} << {b} : {zero}", _LOGIC, container, False)
                return self._reduced(shifted, bits)
            case _:
                raise NotInC(f"{term.op} has no C operator")
        return _CText(text, _LOGIC, container, False)

    def _bitwise(self, op: str, left: Term, right: Term, bits: int) -> _CText:
        container = _container(bits)
        if op == "bvxor" and constant_value(left) == (1 << bits) - 1:
            inner = _typed(self.congruent(right), container, False)
            return self._reduced(_CText(f"~{inner.at(_UNARY)}", _UNARY, container, False), bits)
        first, second = self.unsigned(left), self.unsigned(right)
        text = f"{first.at(_UNARY)} {_BITWISE[op]} {second.at(_UNARY)}"
        size = max(first.bits, second.bits)
        signed = all(piece.signed or piece.bits < size for piece in (first, second))
        return _CText(text, _LOGIC, size, signed)

    def _signed_operation(self, term: Term, bits: int) -> _CText:
        """Division, remainder and shift of signed values; exact and signed except for the quotient."""
        left, right = term.args
        container = _container(bits)
        a = _typed(self.signed(left), container, True).at(_UNARY)
        if term.op == "bvashr":
            amount = self.unsigned(right).at(_UNARY)
            return _CText(f"{a} >> ({amount} < {bits} ? {amount} : {bits - 1})", _LOGIC, container, True)
        b = self.signed(right).at(_UNARY)
        divisor = constant_value(right)
        sign = "/" if term.op == "bvsdiv" else "%"
        if divisor and divisor != (1 << bits) - 1:
            return _CText(f"{a} {sign} {b}", _SUM, container, True)
        if term.op == "bvsrem":
            return _CText(f"{b} == 0 ? {a} : {b} == -1 ? 0 : {a} % {b}", _LOGIC, container, True)
        negated = f"{_number(0, container, False).text} - {a}"
        return _CText(f"{b} == 0 ? ({a} < 0 ? 1 : -1) : {b} == -1 ? {negated} : {a} / {b}", _LOGIC, container, False)

    def _formula(self, term: Term) -> _CText:
        match term.op:
            case "true" | "false":
                return _number(int(term.op == "true"), 32, True)
            case "and" | "or":
                return self._connected(" && " if term.op == "and" else " || ", term.args)
            case "not" if term.args[0].op in _RELATIONS:
                return self._relation(term.args[0], 1)
            case "not":
                return _CText(f"!{self.formula(term.args[0]).at(_UNARY)}", _UNARY, 32, True)
            case "iff":
                first, second = (self.formula(arg).at(_UNARY) for arg in term.args)
                return _CText(f"{first} == {second}", _RELATION, 32, True)
            case "same" | "bvule" | "bvsle":
                return self._relation(term, 0)
            case "fplt" | "fple" | "fpeq":
                return _CText(self._numbers.relation(term), _RELATION, 32, True)
            case "var":
                name = self._names(term)
                if name is not None:
                    return _CText(f"({name}) != 0", _RELATION, 32, True)
        raise NotInC(f"{term.op} has no C operator")

    def _connected(self, sign: str, parts: Sequence[Term]) -> _CText:
        return _CText(sign.join(self.formula(part).at(_RELATION) for part in parts), _LOGIC, 32, True)

    def _relation(self, atom: Term, negated: int) -> _CText:
        left, right = atom.args
        if atom.op == "same" and self._numbers.is_number(left):
            said = _CText(self._numbers.relation(atom), _RELATION, 32, True)
            return _CText(f"!{said.at(_UNARY)}", _UNARY, 32, True) if negated else said
        if atom.op == "bvsle" or (atom.op == "same" and self._by_sign(left, right)):
            write = self.signed
        else:
            write = self.unsigned
        text = f"{write(left).at(_SUM)} {_RELATIONS[atom.op][negated]} {write(right).at(_SUM)}"
        return _CText(text, _RELATION, 32, True)

    def _by_sign(self, left: Term, right: Term) -> bool:
        """Whether an equality reads better between signed values."""
        natures = [self._nature(side) for side in (left, right)]
        return any(natures) and False not in natures

    def _nature(self, term: Term) -> bool | None:
        """Whether a term is naturally signed; None when it is a constant."""
        if term.op == "bvconst":
            return None
        if term.op == "ite":
            natures = {self._nature(term.args[1]), self._nature(term.args[2])} - {None}
            return None if not natures else natures == {True}
        return self._signed(term) if self._named(term) else term.op in ("sign_extend", "bvsdiv", "bvsrem", "bvashr")


_BITWISE = {"bvand": "&", "bvor": "|", "bvxor": "^"}
_RELATIONS = {"same": ("==", "!="), "bvule": ("<=", ">"), "bvsle": ("<=", ">")}
