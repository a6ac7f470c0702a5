"""Syntax errors in plain words: what stands there, and what could."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from difflib import get_close_matches

from pincer.frontends.parsing import Misplaced, shown

_DECLARATIONS = {"CONST", "VAR", "CONTROL", "INIT", "PROCESS", "TRANS", "SAFETY"}
_EXPRESSION = {
    *("NAME", "INTEGER", "LPAR", "TRUE", "FALSE", "DEADLOCK", "IF", "FORALL", "EXISTS", "NOT", "MINUS"),
}
_OPERATORS = {"LOGICAL", "RELATION", "EQUAL", "PLUS", "MINUS", "TIMES", "DIV", "MOD"}
_TYPE = {"INT", "BOOL", "LBRACE", *_EXPRESSION}

# A group is named when its first terminal is acceptable; its other terminals then go without saying.
_GROUPS = (
    (
        "SAFETY",
        _DECLARATIONS | {"PROGRAM", "$END"},
        "a declaration (const, var, control, init, process, trans, safety, temporal, fairness)",
    ),
    ("BOOL", _TYPE, "a type (int, bool, {a, b, c} or low..high)"),
    ("INTEGER", _EXPRESSION, "an expression"),
    ("PLUS", _OPERATORS, "an operator"),
    ("NAME", {"NAME"}, "a name"),
)

_INSTEAD = {"&": "&&", "|": "||", "/": "div", "%": "mod", "~": "!", ".": ".."}


_WORDS = ("const", "var", "control", "init", "process", "trans", "safety", "temporal", "fairness")
_MEANT = {
    **dict.fromkeys(("property", "invariant", "assert", "assertion", "inv", "spec"), "safety"),
    **dict.fromkeys(("ltl", "liveness", "ctl"), "temporal"),
    **dict.fromkeys(("variable", "variables", "int", "bool"), "var"),
    **dict.fromkeys(("proctype", "proc", "thread", "module"), "process"),
    **dict.fromkeys(("transition", "action", "rule"), "trans"),
    **dict.fromkeys(("initial", "initially"), "init"),
    **dict.fromkeys(("fair", "justice", "compassion"), "fairness"),
    "constant": "const",
}
"""What other languages call a declaration."""


def unknown_character(text: str, at: int) -> str:
    if text.startswith("/*", at):
        return "this comment is not closed; end it with `*/`"
    word = re.compile(r"[0-9]+[A-Za-z_][A-Za-z0-9_]*").match(text, at)
    if word:
        return f"{shown(word[0])} is neither a number nor a name; names begin with a letter"
    character = text[at]
    instead = f"; write `{_INSTEAD[character]}`" if character in _INSTEAD else ""
    return f"unexpected character {shown(character)}{instead}"


def hint(misplaced: Misplaced) -> str | None:
    """Advice about a mistake that authors make often."""
    text, at, value = misplaced.text, misplaced.at, misplaced.value
    match misplaced.kind:
        case "RESERVED":
            return "negation is written `!`"
        case "NONDET" if "INTEGER" in misplaced.accepted:
            return "nondet stands alone on the right of `:=`; leave an initialiser out for any value"
        case "SEMICOLON" if text[:at].rstrip().endswith("->"):
            return "expected an assignment; to change nothing, assign a variable to itself"
        case "PROGRAM":
            return "the program line comes first, and only once"
    if "SAFETY" in misplaced.accepted and value.isidentifier():
        return _declaration_like(value)
    if value == "=" and text[at - 1 : at] == "=":
        return "equality is written with one `=`"
    if misplaced.accepted == {"NAME"} and value.isidentifier():
        return "this word is reserved; choose another name"
    return None


def _declaration_like(word: str) -> str | None:
    """What a word that begins no declaration may have been meant to be."""
    meant = _MEANT.get(word.lower()) or next(iter(get_close_matches(word, _WORDS, n=1)), None)
    return None if meant is None else f"no declaration begins so; did you mean `{meant}`?"


def alternatives(accepted: Set[str], spelling: Mapping[str, str]) -> list[str]:
    """What could stand in a place, by groups where many could."""
    words = []
    rest = set(accepted)
    for key, members, description in _GROUPS:
        if key in rest:
            words.append(description)
            rest -= members
    symbols = sorted(f"`{spelling[terminal]}`" for terminal in rest - {"$END"})
    return words + symbols + (["the end"] if "$END" in rest else [])
