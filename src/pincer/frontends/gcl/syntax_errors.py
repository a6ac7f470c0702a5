"""Syntax errors in plain words: what stands there, and what could."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
        "a declaration (const, var, control, init, process, trans, safety)",
    ),
    ("BOOL", _TYPE, "a type (int, bool, {a, b, c} or low..high)"),
    ("INTEGER", _EXPRESSION, "an expression"),
    ("PLUS", _OPERATORS, "an operator"),
    ("NAME", {"NAME"}, "a name"),
)

_INSTEAD = {"&": "&&", "|": "||", "/": "div", "%": "mod", "~": "!", ".": ".."}


def unexpected_token(text: str, at: int, kind: str, value: str, accepted: set[str], spelling: Mapping[str, str]) -> str:
    """`accepted` holds the terminals that could stand here; `spelling` the text of those that have one."""
    found = "the text ends here" if kind == "$END" else f"unexpected {_shown(value)}"
    hint = _hint(text, at, kind, value, accepted)
    if hint:
        return f"{found}: {hint}"
    return f"{found}: expected {_alternatives(accepted, spelling)}"


def unknown_character(text: str, at: int) -> str:
    if text.startswith("/*", at):
        return "this comment is not closed; end it with `*/`"
    word = re.compile(r"[0-9]+[A-Za-z_][A-Za-z0-9_]*").match(text, at)
    if word:
        return f"{_shown(word[0])} is neither a number nor a name; names begin with a letter"
    character = text[at]
    shown = f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
    instead = f"; write `{_INSTEAD[character]}`" if character in _INSTEAD else ""
    return f"unexpected character {shown}{instead}"


def _shown(value: str) -> str:
    return f"`{value}`" if len(value) <= 40 else f"`{value[:37]}...`"


def _hint(text: str, at: int, kind: str, value: str, accepted: set[str]) -> str | None:
    if value == "=" and text[at - 1 : at] == "=":
        return "equality is written with one `=`"
    if kind == "RESERVED":
        return "negation is written `!`"
    if kind == "NONDET" and "INTEGER" in accepted:
        return "nondet stands alone on the right of `:=`; leave an initialiser out for any value"
    if kind == "SEMICOLON" and text[:at].rstrip().endswith("->"):
        return "expected an assignment; to change nothing, assign a variable to itself"
    if kind == "PROGRAM":
        return "the program line comes first, and only once"
    if accepted == {"NAME"} and value.isidentifier():
        return "this word is reserved; choose another name"
    return None


def _alternatives(accepted: set[str], spelling: Mapping[str, str]) -> str:
    words = []
    rest = set(accepted)
    for key, members, description in _GROUPS:
        if key in rest:
            words.append(description)
            rest -= members
    words += sorted(f"`{spelling[terminal]}`" for terminal in rest)
    if not words:
        return "the end"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
