"""Floating-point terms as C expressions of the type float or double, with the same value.

A compiler that computes floats in their own precision evaluates them to the same number; what a NaN looks like is not
kept.
"""

from __future__ import annotations

from collections.abc import Callable

from pincer.logic.bitvector_sums import width
from pincer.logic.machine_floats import decimal_text, is_infinite, is_nan
from pincer.logic.terms import Term

_INFIX = {"fpadd": "+", "fpsub": "-", "fpmul": "*", "fpdiv": "/"}
_RELATIONS = {"fplt": "<", "fple": "<=", "fpeq": "=="}
_FUNCTIONS = {"fpabs": "fabs", "fpsqrt": "sqrt", "fpfma": "fma"}
_ROUNDINGS = {"RNE": "rint", "RNA": "round", "RTP": "ceil", "RTN": "floor", "RTZ": "trunc"}
_TYPES = {32: "float", 64: "double"}


class NoNumberInC(ValueError):
    """A term has no C expression as a number."""


class NumberTexts:
    """Texts of numbers: `named` gives the lvalue of a floating type that a term is, if it is one.

    `formula` and `integer` give the texts of conditions, and of words as integers with or without a sign; all texts
    are in parentheses where they need some."""

    def __init__(
        self,
        named: Callable[[Term], str | None],
        formula: Callable[[Term], str],
        integer: Callable[[Term, bool], str],
    ) -> None:
        self._named = named
        self._formula = formula
        self._integer = integer

    def relation(self, term: Term) -> str:
        """A comparison; for `same`, one of a number with a constant that only one pattern stands for."""
        left, right = term.args
        if term.op == "same" and (right.op != "bvconst" or right.args[0] << 1 & ((1 << width(right)) - 1) == 0):
            raise NoNumberInC("two patterns are compared")
        return f"{self.text(left)} {_RELATIONS.get(term.op, '==')} {self.text(right)}"

    def is_number(self, term: Term) -> bool:
        """Whether a term is a number of C's by the look of it."""
        return (term.op.startswith("fp") and not term.op.startswith("fpto")) or self._named(term) is not None

    def text(self, term: Term) -> str:
        bits = width(term)
        if bits not in _TYPES:
            raise NoNumberInC(f"a number of {bits} bits")
        suffix = "f" if bits == 32 else ""
        args = term.args
        if term.op in _INFIX:
            return f"({self.text(args[0])} {_INFIX[term.op]} {self.text(args[1])})"
        if term.op in _FUNCTIONS:
            return f"__builtin_{_FUNCTIONS[term.op]}{suffix}({', '.join(map(self.text, args))})"
        match term.op:
            case "bvconst":
                return _literal(args[0], bits) + suffix
            case "fpneg":
                return f"(-{self.text(args[0])})"
            case "fpround":
                return f"__builtin_{_ROUNDINGS[args[0]]}{suffix}({self.text(args[1])})"
            case "fpconvert":
                return f"(({_TYPES[bits]}){self.text(args[1])})"
            case "fpfromsigned" | "fpfromunsigned":
                return f"(({_TYPES[bits]}){self._integer(args[1], term.op == 'fpfromsigned')})"
            case "ite":
                return f"({self._formula(args[0])} ? {self.text(args[1])} : {self.text(args[2])})"
        name = self._named(term)
        if name is None:
            raise NoNumberInC(f"{term.op} has no name in the source")
        return name


def _literal(pattern: int, bits: int) -> str:
    if is_nan(pattern, bits) or is_infinite(pattern, bits):
        raise NoNumberInC("no literal stands for it")
    shown = decimal_text(pattern, bits)
    return shown if "e" not in shown or "." in shown else shown.replace("e", ".0e")
