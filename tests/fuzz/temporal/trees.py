"""Random formulas as plain tuples, and their text in one of the two spellings."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TypeAlias

Tree: TypeAlias = tuple[object, ...]
"""An operator and its operands: `("chop", ("prop", "p"), ("len", 2))`."""

Letters: TypeAlias = tuple[frozenset[str], ...]

_UNARY = ("not", "next", "wnext", "always", "some", "fin", "keep", "halt", "star", "plus")
_BINARY = ("and", "or", "implies", "iff", "chop", "chop", "until", "prj1", "par")
_LEAVES = ("prop", "prop", "prop", "prop", "true", "false", "empty", "skip", "more", "len")
_LTL_UNARY = ("not", "next", "wnext", "always", "some")
_LTL_BINARY = ("and", "or", "implies", "until", "release", "weak_until")

_SYMBOLS = {"not": "!", "next": "()", "wnext": "(.)", "always": "[]", "some": "<>", "star": "*", "plus": "+"}
_SYMBOLS |= {"and": "&&", "or": "||", "implies": "->", "iff": "<->", "chop": ";", "until": "U"}
_SYMBOLS |= {"fin": "fin", "keep": "keep", "halt": "halt"}
_WORDS = _SYMBOLS | {"not": "not ", "next": "next", "wnext": "wnext", "always": "alw", "some": "som"}
_WORDS |= {"star": "#", "and": "and", "or": "or"}
_LTL_SYMBOLS = _SYMBOLS | {"next": "X", "wnext": "WX", "always": "G", "some": "F", "release": "R", "weak_until": "W"}


@dataclass(frozen=True, slots=True)
class Shape:
    """How many operators and leaves a formula has, and over which propositions."""

    size: int
    propositions: tuple[str, ...] = ("p", "q")
    longest: int = 3


def random_tree(random: Random, shape: Shape) -> Tree:
    return _tree(random, shape, random.randint(1, shape.size))


def _tree(random: Random, shape: Shape, size: int) -> Tree:
    if size <= 1:
        return _leaf(random, shape)
    if size == 2 or random.random() < 0.35:
        return (random.choice(_UNARY), _tree(random, shape, size - 1))
    left = random.randint(1, size - 2)
    if size > 3 and random.random() < 0.06:
        middle = random.randint(1, max(1, size - 2 - left))
        parts = (_tree(random, shape, left), _tree(random, shape, middle))
        return ("prj", parts, _tree(random, shape, max(1, size - 1 - left - middle)))
    operator = random.choice(_BINARY)
    first, second = _tree(random, shape, left), _tree(random, shape, size - 1 - left)
    return ("prj", (first,), second) if operator == "prj1" else (operator, first, second)


def _leaf(random: Random, shape: Shape) -> Tree:
    operator = random.choice(_LEAVES)
    if operator == "prop":
        return ("prop", random.choice(shape.propositions))
    return ("len", random.randint(0, shape.longest)) if operator == "len" else (operator,)


def random_ltl(random: Random, size: int, propositions: tuple[str, ...] = ("p", "q")) -> Tree:
    if size <= 1:
        return ("prop", random.choice(propositions))
    if size == 2 or random.random() < 0.4:
        return (random.choice(_LTL_UNARY), random_ltl(random, size - 1, propositions))
    left = random.randint(1, size - 2)
    operator = random.choice(_LTL_BINARY)
    return (operator, random_ltl(random, left, propositions), random_ltl(random, size - 1 - left, propositions))


def random_letters(random: Random, count: int, propositions: tuple[str, ...] = ("p", "q")) -> Letters:
    return tuple(frozenset(name for name in propositions if random.random() < 0.5) for _ in range(count))


def text(tree: Tree, words: bool = False) -> str:
    """Fully parenthesised PPTL."""
    return _text(tree, _WORDS if words else _SYMBOLS)


def ltl_text(tree: Tree) -> str:
    return _text(tree, _LTL_SYMBOLS)


def _text(tree: Tree, spelling: dict[str, str]) -> str:
    match tree:
        case ("prop", name):
            return str(name)
        case ("len", steps):
            return f"len({steps})"
        case (str(leaf),):
            return leaf
        case ("prj", tuple(parts), tuple(projected)):
            return f"(({', '.join(_text(part, spelling) for part in parts)}) prj {_text(projected, spelling)})"
        case ("par", tuple(left), tuple(right)):
            return f"par({_text(left, spelling)}, {_text(right, spelling)})"
        case ("star" | "plus" as operator, tuple(body)):
            return f"({_text(body, spelling)}){spelling[operator]}"
        case (str(operator), tuple(body)):
            return f"{spelling[operator]}({_text(body, spelling)})"
        case (str(operator), tuple(left), tuple(right)):
            return f"({_text(left, spelling)} {spelling[operator]} {_text(right, spelling)})"
    raise ValueError(tree)
