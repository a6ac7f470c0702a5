"""The condition of an `#if`: macros expanded and questions (`defined X`, `__has_include(<x.h>)`) answered."""

from __future__ import annotations

from collections.abc import Callable

from pincer.frontends.c.preprocessing.conditionals import evaluate
from pincer.frontends.c.preprocessing.definitions import BadMacro
from pincer.frontends.c.preprocessing.expansion import Expander
from pincer.frontends.c.preprocessing.predefined import has_feature
from pincer.frontends.c.preprocessing.tokens import Token

# Names that count as defined although they are no macros.
KNOWN = frozenset(
    (
        "__has_include",
        "__has_include_next",
        "__has_attribute",
        "__has_builtin",
        "__has_c_attribute",
        "__has_cpp_attribute",
        "_Pragma",
    )
)


def condition_holds(line: Expander, defined: Callable[[str], bool], included: Callable[[str], bool]) -> bool:
    """Whether the condition that `line` reads is true. Raises BadMacro and NoExpression.

    `defined` says of a name whether it is a macro, `included` of a header in quotes or brackets whether it is there.
    """
    texts: list[str] = []
    while (token := line.next()).kind != "end":
        if token.kind == "name" and token.text == "defined":
            texts.append(str(int(defined(_defined_name(line)))))
        elif token.kind == "name" and token.text.startswith("__has_") and token.text in KNOWN:
            texts.append(str(int(_answer(token.text, line, included))))
        elif token.text:
            texts.append(token.text)
    return evaluate(" ".join(texts))


def _plain(read: Callable[[], Token]) -> Token:
    """The next token that is no padding."""
    while (token := read()).kind in ("padding", "gap"):
        pass
    return token


def _defined_name(line: Expander) -> str:
    token = _plain(line.read)
    enclosed = token.text == "("
    if enclosed:
        token = _plain(line.read)
    if token.kind == "end":
        raise BadMacro("`defined` has no operand; write a name behind it")
    if token.kind != "name":
        raise BadMacro(f"`defined` is followed by {token.text}, which is no name")
    if enclosed and _plain(line.read).text != ")":
        raise BadMacro("`defined(` has no closing `)`")
    return token.text


def _answer(question: str, line: Expander, included: Callable[[str], bool]) -> bool:
    if _plain(line.read).text != "(":
        raise BadMacro(f"`{question}` has no operand; write it in parentheses")
    operand = _operand(line, question)
    if question == "__has_include":
        if operand[0] + operand[-1] not in ("<>", '""'):
            raise BadMacro(f'`__has_include` is followed by {operand}; write <name> or "name"')
        return included(operand)
    known = has_feature(question, operand)
    if known is None:
        raise BadMacro(f"whether compilers know `{operand}` is not known here; preprocess the file with `gcc -E`")
    return known


def _operand(line: Expander, question: str) -> str:
    """The text up to the closing parenthesis; only its first token may be a macro, as names in <> are none."""
    token = _plain(line.next)
    text = ""
    depth = 0
    while token.kind != "end" and (token.text != ")" or depth):
        depth += (token.text == "(") - (token.text == ")")
        text += " " + token.text if token.space and text else token.text
        token = _plain(line.read)
    if token.kind == "end" or not text:
        raise BadMacro(f"`{question}` has no operand, or no closing `)`")
    return text
