"""Reading PPTL formulas as they stand in evidence, in both spellings, and LTL, by recursive descent."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pincer.errors import PincerError
from pincer.evidence.pptl import formula as f
from pincer.evidence.pptl.formula import EMPTY, TRUE, Formula

_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.*?\*/|(\(\)|\(\.\)|\[\]|<->|<>|->|&&?|\|\|?|[A-Za-z_$][A-Za-z0-9_$]*|[0-9]+|[-!~();,*#+])",
    re.DOTALL,
)
_PREFIX_WORDS = ("not", "next", "wnext", "fin", "keep", "halt", "always", "alw", "sometimes", "som")
_OTHER_WORDS = ("true", "false", "empty", "eps", "skip", "more", "len", "prj", "par", "and", "or")
_WORDS = (*_PREFIX_WORDS, *_OTHER_WORDS)
_SPELLINGS = {word.upper(): word for word in _WORDS} | {
    "&&": "and", "||": "or", "!": "not", "~": "not", "()": "next", "(.)": "wnext", "[]": "always", "<>": "sometimes",
    "alw": "always", "ALW": "always", "som": "sometimes", "SOM": "sometimes", "eps": "empty", "EPS": "empty", "#": "*",
}  # fmt: skip
_RESERVED = {*_WORDS, "U"}
_LTL_SPELLINGS = {
    "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "~": "not", "X": "next", "WX": "wnext",
    "G": "always", "[]": "always", "F": "sometimes", "<>": "sometimes",
}  # fmt: skip
_LTL_WORDS = {"true", "false", "and", "or", "not", "U", "R", "W", *_LTL_SPELLINGS}
LTL = "ltl:"
"""What stands before a formula of LTL."""


def read_formula(text: str) -> Formula:
    """The formula that the text says: PPTL, or LTL after `ltl:`."""
    is_ltl = text.startswith(LTL)
    reader = _LtlReader(_tokens(text.removeprefix(LTL), _LTL_SPELLINGS)) if is_ltl else _FormulaReader(_tokens(text))
    try:
        found = reader.sequence()
    except RecursionError:
        raise PincerError("the formula of the evidence is nested too deeply") from None
    if reader.here:
        raise reader.mistake("an operator or the end")
    return found


def _tokens(text: str, spellings: Mapping[str, str] = _SPELLINGS) -> list[str]:
    found, at = [], 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise PincerError(f"the formula of the evidence has the unexpected character `{text[at]}`")
        if match[1]:
            found.append(spellings.get(match[1], match[1]))
        at = match.end()
    return found


class _FormulaReader:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = [*tokens, ""]
        self._at = 0

    @property
    def here(self) -> str:
        return self._tokens[self._at]

    def mistake(self, wanted: str) -> PincerError:
        shown = f"`{self.here}`" if self.here else "the end"
        return PincerError(f"the formula of the evidence has {shown} where {wanted} should be")

    def _takes(self, *tokens: str) -> bool:
        if self.here not in tokens or not self.here:
            return False
        self._at += 1
        return True

    def _expect(self, token: str) -> None:
        if not self._takes(token):
            raise self.mistake(f"`{token}`")

    def sequence(self) -> Formula:
        parts = [self._arrows()]
        while self._takes(";"):
            parts.append(self._arrows())
        return f.chain(tuple(parts))

    def _arrows(self) -> Formula:
        left = self._disjunction()
        while (arrow := self.here) in ("->", "<->"):
            self._at += 1
            right = self._disjunction()
            left = f.implies(left, right) if arrow == "->" else f.iff(left, right)
        return left

    def _disjunction(self) -> Formula:
        parts = [self._conjunction()]
        while self._takes("or"):
            parts.append(self._conjunction())
        return f.or_(parts)

    def _conjunction(self) -> Formula:
        parts = [self._until()]
        while self._takes("and"):
            parts.append(self._until())
        return f.and_(parts)

    def _until(self) -> Formula:
        left = self._prefixed()
        return f.until(left, self._until()) if self._takes("U") else left

    def _prefixed(self) -> Formula:
        build = _PREFIXES.get(self.here)
        if build is not None:
            self._at += 1
            return build(self._prefixed())
        found = self._atom()
        while self.here in ("*", "+"):
            found = f.plus(found) if self.here == "+" else f.or_((EMPTY, f.plus(found)))
            self._at += 1
        return found

    def _atom(self) -> Formula:
        if self.here in _CONSTANTS:
            self._at += 1
            return _CONSTANTS[self._tokens[self._at - 1]]
        if self._takes("len"):
            return self._length()
        if self._takes("par"):
            self._expect("(")
            left, right = self._listed(2)
            return _parallel(left, right)
        if self._takes("("):
            parts = self._listed()
            if self._takes("prj"):
                return f.project(parts, self.sequence())
            if len(parts) > 1:
                raise self.mistake("`prj`")
            return parts[0]
        name = self.here
        if not re.match(r"[A-Za-z_$]", name) or name in _RESERVED:
            raise self.mistake("a formula")
        self._at += 1
        return f.proposition(name)

    def _listed(self, count: int | None = None) -> tuple[Formula, ...]:
        """Formulas separated by commas, and the closing parenthesis."""
        parts = [self.sequence()]
        while self._takes(","):
            parts.append(self.sequence())
        self._expect(")")
        if count is not None and len(parts) != count:
            raise self.mistake(f"{count} formulas")
        return tuple(parts)

    def _length(self) -> Formula:
        closing = self._takes("(")
        if not self.here.isdigit():
            raise self.mistake("a number")
        steps = int(self.here)
        self._at += 1
        if closing:
            self._expect(")")
        return f.length(steps)


class _LtlReader(_FormulaReader):
    """Arrows to the right; `R` and `W` beside `U`; no operator that cuts intervals."""

    def sequence(self) -> Formula:
        left = self._implication()
        return f.iff(left, self.sequence()) if self._takes("<->") else left

    def _implication(self) -> Formula:
        left = self._disjunction()
        return f.implies(left, self._implication()) if self._takes("->") else left

    def _until(self) -> Formula:
        left = self._prefixed()
        if self._takes("U"):
            return f.until(left, self._until())
        if self._takes("R"):
            return f.not_(f.until(f.not_(left), f.not_(self._until())))
        if self._takes("W"):
            return f.or_((f.until(left, self._until()), f.always(left)))
        return left

    def _prefixed(self) -> Formula:
        if self.here in ("not", "next", "wnext", "always", "sometimes"):
            self._at += 1
            return _PREFIXES[self._tokens[self._at - 1]](self._prefixed())
        if self.here in ("true", "false"):
            self._at += 1
            return _CONSTANTS[self._tokens[self._at - 1]]
        if self._takes("("):
            found = self.sequence()
            self._expect(")")
            return found
        name = self.here
        if not re.match(r"[A-Za-z_$]", name) or name in _LTL_WORDS:
            raise self.mistake("a formula")
        self._at += 1
        return f.proposition(name)


_CONSTANTS = {
    "true": TRUE, "false": f.FALSE, "empty": EMPTY, "more": f.not_(EMPTY), "skip": f.length(1)
}  # fmt: skip
_PREFIXES: dict[str, Callable[[Formula], Formula]] = {
    "not": f.not_,
    "next": f.next_,
    "wnext": lambda body: f.or_((EMPTY, f.next_(body))),
    "always": f.always,
    "sometimes": f.sometimes,
    "fin": lambda body: f.always(f.implies(EMPTY, body)),
    "keep": lambda body: f.always(f.or_((EMPTY, body))),
    "halt": lambda body: f.always(f.iff(EMPTY, body)),
}


def _parallel(left: Formula, right: Formula) -> Formula:
    for_ever = f.and_((left, right, f.always(f.not_(EMPTY))))
    return f.or_((f.and_((f.chop(left, TRUE), right)), f.and_((left, f.chop(right, TRUE))), for_ever))
