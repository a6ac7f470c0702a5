"""Temporal formulas about C programs as users write them: predicates in C stand in braces, or are defined before.

`AP(e)` is `{e}` and `end` is `empty` in the files of competitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pincer.errors import PincerError, Position
from pincer.frontends.c.asked_formula import CFormula
from pincer.frontends.parsing import put_in_place
from pincer.temporal.parser import Parsed, parse_formula, parse_ltl
from pincer.temporal.property import stated_blocks
from pincer.temporal.stutter import repeating_the_last
from pincer.temporal.text import formula_text

LTL = "ltl:"
MOST_NODES = 256
"""Operators and propositions of a formula."""
_PREDICATE = re.compile(r"\{([^{}]*)\}")
_PREDICATE_OR_END = re.compile(r"\{[^{}]*\}|\bend\b")
_PROPOSED = re.compile(r"[A-Za-z_$][\w$]*")
_PROPOSITION = re.compile(r"\bAP\s*\(")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*|\[\]|<>|->|<->|&&?|\|\|?|[!~;*+#]|\(\)|\(\.\)")


def c_formula(shown: str, defines: Mapping[str, str] | None = None, place: Position | None = None) -> CFormula:
    """A formula from its text; mistakes in it are `PincerError`s."""
    place, defines = place or Position("<--property>", 1, 1), defines or {}
    known: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        predicate = " ".join(match[1].split())
        if not predicate:
            raise PincerError(f"{shown}: there is nothing between these braces", place)
        found = known.setdefault(predicate, f"${len(known) + 1}")
        return put_in_place(shown, match.start(), match.end(), found)

    text = _PREDICATE.sub(name, shown)
    if "{" in text or "}" in text:
        raise PincerError(f"{shown}: this predicate is not closed; write it in one pair of braces", place)
    if len(_SYMBOL.findall(text)) > MOST_NODES:
        raise PincerError(f"the formula has more than {MOST_NODES} operators and propositions; split it up", place)
    named = {number: predicate for predicate, number in known.items()}
    read = parsed(text, place)
    predicates = {symbol: named.get(symbol) or defines.get(symbol, symbol) for symbol in read.propositions}
    return CFormula(shown, text, tuple(predicates.items()), tuple(defines.items()), read.warnings)


def parsed(text: str, place: Position) -> Parsed:
    """The formula that a text says: PPTL, or LTL after `ltl:`."""
    if text.startswith(LTL):
        return parse_ltl(text.removeprefix(LTL), place.file, (place.line, place.column + len(LTL)))
    return parse_formula(text, place.file, (place.line, place.column))


def formulas_in(path: Path) -> Iterator[tuple[str, CFormula]]:
    """The formulas of a property file, each with its name."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise PincerError(f"{path} is not a text file in UTF-8 that can be read; save it as UTF-8") from None
    blocks = stated_blocks(text, str(path))
    for number, block in enumerate(blocks, 1):
        defines = {define.name: define.text for define in block.defines}
        is_ltl = path.suffix == ".ltl" and not block.text.startswith(LTL)
        name = path.stem if len(blocks) == 1 else f"{path.stem} {number}"
        yield name, c_formula(LTL + block.text if is_ltl else block.text, defines, block.position)


def with_last_repeated(formula: CFormula) -> CFormula:
    """The formula for words that end, where its last state is to be repeated for ever."""
    text = formula_text(repeating_the_last(parsed(formula.text, Position("<--property>", 1, 1)).formula))
    defined = dict(formula.defines)
    braced = {name: f"{{{predicate}}}" for name, predicate in formula.predicates if name not in defined}
    shown = _PROPOSED.sub(lambda match: braced.get(match[0], match[0]), text)
    return c_formula(shown, defined)


def of_competition(formula: str) -> CFormula:
    """The formula that a property file of a competition states, in LTL."""
    text = formula
    while (found := _PROPOSITION.search(text)) is not None:
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = f"{text[: found.start()]}{{{text[found.end() : end - 1]}}}{text[end:]}"
    return c_formula(LTL + _PREDICATE_OR_END.sub(lambda match: match[0] if match[0] != "end" else "(!X true)", text))
