"""From text to formula: PPTL in both of its spellings, and LTL.

LTL is read over finite and infinite intervals alike: `X` is the strong next (false in the last state), `WX` the weak
one (true there), `F`, `G`, `U`, `R` and `W` range over the states that exist. On infinite intervals that is the usual
meaning, and `X` and `WX` agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lark import Lark, Token, Transformer_NonRecursive, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError
from msgspec import Struct

from pincer.errors import PincerError, Position, UnsupportedError
from pincer.temporal import formula as core
from pincer.temporal import operators
from pincer.temporal.formula import Formula
from pincer.temporal.limits import DEFAULT_LIMITS, TemporalLimits, TooLarge, metered

_PPTL_WORDS = {word: f"_{word.upper()}" for word in ("true", "false", "empty", "skip", "more", "len", "prj", "par")}
_PPTL_WORDS |= {word: f"_{word.upper()}" for word in ("and", "or", "not", "next", "wnext", "fin", "keep", "halt")}
_PPTL_WORDS |= {word: f"_{word.upper()}" for word in ("always", "sometimes")}
_PPTL_WORDS |= {"eps": "_EMPTY", "alw": "_ALWAYS", "som": "_SOMETIMES"}
_PPTL_RESERVED = {**_PPTL_WORDS, **{word.upper(): kind for word, kind in _PPTL_WORDS.items()}, "U": "_UNTIL"}
_LTL_RESERVED = {word: f"_{word.upper()}" for word in ("true", "false", "and", "or", "not")}
_LTL_RESERVED |= {"X": "_NEXT", "WX": "_WNEXT", "F": "_SOMETIMES", "G": "_ALWAYS"}
_LTL_RESERVED |= {"U": "_UNTIL", "R": "_RELEASE", "W": "_WUNTIL"}
_TOO_DEEP = f"the formula is nested more than {DEFAULT_LIMITS.nesting} operators deep; split it into smaller formulas"


class Parsed(Struct, frozen=True):
    """A formula with the place where each proposition is first named, and what the author should know."""

    formula: Formula
    propositions: Mapping[str, Position]
    warnings: tuple[str, ...]


def parse_formula(
    text: str, file: str = "<formula>", origin: tuple[int, int] = (1, 1), limits: TemporalLimits = DEFAULT_LIMITS
) -> Parsed:
    """A PPTL formula. The text begins at `origin` (line, column) of the file."""
    return _parse(text, "pptl", _Place(file, *origin), limits)


def parse_ltl(
    text: str, file: str = "<formula>", origin: tuple[int, int] = (1, 1), limits: TemporalLimits = DEFAULT_LIMITS
) -> Parsed:
    """An LTL formula, as the PPTL formula with the same models."""
    return _parse(text, "ltl", _Place(file, *origin), limits)


class _Place(Struct, frozen=True):
    file: str
    line: int
    column: int

    def of(self, line: int, column: int) -> Position:
        return Position(self.file, self.line + line - 1, column + (self.column - 1 if line == 1 else 0))


def _parse(text: str, grammar: str, place: _Place, limits: TemporalLimits) -> Parsed:
    try:
        tree = _parser(grammar).parse(text)
    except UnexpectedInput as error:
        raise _syntax_error(error, text, place) from None
    builder = _FormulaBuilder(place)
    try:
        with metered(limits):
            formula = builder.transform(tree)
    except VisitError as error:
        cause = error.orig_exc
        if isinstance(cause, RecursionError):
            cause = PincerError(_TOO_DEEP, place.of(1, 1))
        elif isinstance(cause, TooLarge):
            cause = UnsupportedError(cause.reason, place.of(1, 1))
        raise cause from None
    if formula.depth > DEFAULT_LIMITS.nesting:
        raise PincerError(_TOO_DEEP, place.of(1, 1))
    return Parsed(formula, builder.propositions, tuple(builder.warnings))


@cache
def _parser(grammar: str) -> Lark:
    reserved = _PPTL_RESERVED if grammar == "pptl" else _LTL_RESERVED

    def tell_words_apart(token: Token) -> Token:
        token.type = reserved.get(str(token), "NAME")
        return token

    return Lark(
        (Path(__file__).parent / f"{grammar}.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        lexer_callbacks={"NAME": tell_words_apart},
    )


def _syntax_error(error: UnexpectedInput, text: str, place: _Place) -> PincerError:
    if not text.strip():
        return PincerError("there is no formula here; write one, such as `alw(p -> som(q))`", place.of(1, 1))
    if isinstance(error, UnexpectedCharacters):
        character = str(error.char)
        return PincerError(
            f"unexpected character {_shown(character)}{_INSTEAD.get(character, '')}", place.of(error.line, error.column)
        )
    assert isinstance(error, UnexpectedToken)
    ended = error.token.type == "$END"
    wanted = _wanted(error.accepts, ended)
    if ended:
        last = text.rsplit("\n", 1)[-1]
        where = place.of(text.count("\n") + 1, len(last) + 1)
        return PincerError(f"the formula ends too early: expected {wanted}", where)
    where = place.of(error.line, error.column)
    return PincerError(f"unexpected {_shown(str(error.token))}: expected {wanted}", where)


def _wanted(accepted: set[str], ended: bool) -> str:
    """What could stand at the place of the mistake."""
    if "INT" in accepted:
        return "a number of steps, as in `len(2)`"
    if accepted == {"_PRJ"}:
        return "`prj` after a list of formulas"
    if accepted == {"LPAR"}:
        return "`(`"
    if accepted & _OPERATORS:
        return "`)`" if ended and "RPAR" in accepted else "an operator or the end"
    return "a formula"


_OPERATORS = {"SEMICOLON", "ARROW", "_AND", "RPAR", "_UNTIL", "_PRJ"}
_INSTEAD = {
    "=": "; comparisons belong into a `define`",
    "<": "; comparisons belong into a `define`",
    ">": "; comparisons belong into a `define`",
    "&": "; conjunction is written `&&` or `and`",
    "|": "; disjunction is written `||` or `or`",
    "{": "; parentheses are round",
    "[": "; always is written `[]` or `alw`",
}


def _shown(text: str) -> str:
    if not text.isprintable():
        return f"U+{ord(text[0]):04X}"
    return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}...`"


@v_args(inline=True)
class _FormulaBuilder(Transformer_NonRecursive[Token, Formula]):
    """One method for each rule of the two grammars."""

    def __init__(self, place: _Place) -> None:
        super().__init__()
        self.place = place
        self.propositions: dict[str, Position] = {}
        self.warnings: list[str] = []

    def _position(self, token: Token) -> Position:
        assert token.line is not None and token.column is not None
        return self.place.of(token.line, token.column)

    def start(self, formula: Formula) -> Formula:
        return formula

    def chop(self, *formulas: Formula) -> Formula:
        return operators.chop_chain(formulas)

    def arrows(self, left: Formula, *rest: Formula | Token) -> Formula:
        for arrow, right in zip(rest[::2], rest[1::2], strict=True):
            assert isinstance(arrow, Token) and isinstance(right, Formula)
            left = core.implies(left, right) if arrow == "->" else core.iff(left, right)
        if len(rest) > 2:
            second = rest[2]
            assert isinstance(second, Token)
            where = self._position(second)
            self.warnings.append(
                f"{where}: arrows in a row are read from the left; add parentheses to say what is meant"
            )
        return left

    def implies(self, left: Formula, right: Formula) -> Formula:
        return core.implies(left, right)

    def iff(self, left: Formula, right: Formula) -> Formula:
        return core.iff(left, right)

    def disj(self, *formulas: Formula) -> Formula:
        return core.disjunction(formulas)

    def conj(self, *formulas: Formula) -> Formula:
        return core.conjunction(formulas)

    def until_(self, left: Formula, right: Formula) -> Formula:
        return operators.until(left, right)

    def release_(self, left: Formula, right: Formula) -> Formula:
        return operators.release(left, right)

    def weak_until_(self, left: Formula, right: Formula) -> Formula:
        return operators.weak_until(left, right)

    def not_(self, formula: Formula) -> Formula:
        return core.not_(formula)

    def next_(self, formula: Formula) -> Formula:
        return operators.next_(formula)

    def wnext(self, formula: Formula) -> Formula:
        return operators.weak_next(formula)

    def always_(self, formula: Formula) -> Formula:
        return operators.always(formula)

    def some(self, formula: Formula) -> Formula:
        return operators.sometimes(formula)

    def fin_(self, formula: Formula) -> Formula:
        return operators.fin(formula)

    def keep_(self, formula: Formula) -> Formula:
        return operators.keep(formula)

    def halt_(self, formula: Formula) -> Formula:
        return operators.halt(formula)

    def star_(self, formula: Formula) -> Formula:
        return operators.star(formula)

    def plus_(self, formula: Formula) -> Formula:
        return operators.plus(formula)

    def true_(self) -> Formula:
        return core.TRUE

    def false_(self) -> Formula:
        return core.FALSE

    def empty_(self) -> Formula:
        return core.EMPTY

    def skip_(self) -> Formula:
        return operators.length(1)

    def more_(self) -> Formula:
        return core.MORE

    def len_(self, steps: Token) -> Formula:
        digits = steps.lstrip("0") or "0"
        if len(digits) > DEFAULT_LIMITS.digits:
            raise PincerError("this length is out of reach; write a number below 1000000000", self._position(steps))
        return operators.length(int(digits))

    def prop_(self, name: Token) -> Formula:
        self.propositions.setdefault(str(name), self._position(name))
        return operators.prop(str(name))

    def prj_(self, *formulas: Formula) -> Formula:
        return operators.projection(formulas[:-1], formulas[-1])

    def par_(self, left: Formula, right: Formula) -> Formula:
        return operators.parallel(left, right)
