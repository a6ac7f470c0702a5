"""PPTL on finite words by its definition: every way to cut an interval is tried. Random formulas with their texts."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from random import Random
from typing import Any, TypeAlias

Tree: TypeAlias = tuple[Any, ...]
Word: TypeAlias = tuple[frozenset[str], ...]
_UNARY = {"not": "!({})", "next": "()({})", "always": "[]({})", "some": "<>({})", "plus": "({})+", "fin": "fin({})"}
_BINARY = {"and": "({}) && ({})", "or": "({}) || ({})", "implies": "({}) -> ({})", "chop": "({}) ; ({})"}
_BINARY |= {"until": "({}) U ({})", "par": "par(({}), ({}))"}


def random_tree(random: Random, size: int) -> Tree:
    if size <= 1:
        return random.choice([("prop", "p"), ("prop", "q"), ("empty",), ("len", 2), ("true",)])
    kind = random.choice([*_UNARY, *_BINARY, "prj"])
    if kind in _UNARY:
        return kind, random_tree(random, size - 1)
    left, right = random_tree(random, size // 2), random_tree(random, size - size // 2 - 1)
    if kind == "prj":
        return "prj", (left, random_tree(random, 2)), right
    return kind, left, right


def text(tree: Tree) -> str:
    match tree:
        case ("prop", name):
            return str(name)
        case ("len", steps):
            return f"len({steps})"
        case ("prj", (first, second), whole):
            return f"(({text(first)}, {text(second)}) prj ({text(whole)}))"
        case (kind,):
            return str(kind)
        case (kind, *parts):
            return (_UNARY | _BINARY)[kind].format(*map(text, parts))
    raise AssertionError(tree)


@cache
def holds(tree: Tree, word: Word) -> bool:
    last = len(word) - 1
    match tree:
        case ("prop", name):
            return name in word[0]
        case ("true",):
            return True
        case ("empty",):
            return last == 0
        case ("len", steps):
            return bool(last == steps)
        case ("not", body):
            return not holds(body, word)
        case ("and", left, right):
            return holds(left, word) and holds(right, word)
        case ("or", left, right):
            return holds(left, word) or holds(right, word)
        case ("implies", left, right):
            return not holds(left, word) or holds(right, word)
        case ("next", body):
            return last > 0 and holds(body, word[1:])
        case ("always", body):
            return all(holds(body, word[i:]) for i in range(last + 1))
        case ("some", body):
            return any(holds(body, word[i:]) for i in range(last + 1))
        case ("fin", body):
            return holds(body, word[last:])
        case ("until", left, right):
            return any(holds(right, word[i:]) and all(holds(left, word[j:]) for j in range(i)) for i in range(last + 1))
        case ("chop", left, right):
            return any(holds(left, word[: i + 1]) and holds(right, word[i:]) for i in range(last + 1))
        case ("plus", body):
            return holds(body, word) or any(
                holds(body, word[: i + 1]) and holds(tree, word[i:]) for i in range(1, last + 1)
            )
        case ("par", left, right):
            one, other = holds(("chop", left, ("true",)), word), holds(("chop", right, ("true",)), word)
            return (one and holds(right, word)) or (other and holds(left, word))
        case ("prj", parts, whole):
            return _projects(parts, whole, word)
    raise AssertionError(tree)


def _projects(parts: tuple[Tree, ...], whole: Tree, word: Word) -> bool:
    last = len(word) - 1
    for ends in combinations_with_replacement(range(last + 1), len(parts)):
        cuts = (0, *ends)
        if not all(holds(part, word[cuts[i] : cuts[i + 1] + 1]) for i, part in enumerate(parts)):
            continue
        if cuts[-1] < last:
            views = [(*dict.fromkeys(cuts), *range(cuts[-1] + 1, last + 1))]
        else:
            views = [tuple(dict.fromkeys(cuts[: kept + 1])) for kept in range(len(cuts))]
        if any(holds(whole, tuple(word[i] for i in view)) for view in views):
            return True
    return False


def random_word(random: Random, longest: int) -> Word:
    letters = [frozenset(name for name in "pq" if random.random() < 0.5) for _ in range(random.randint(1, longest))]
    return tuple(letters)
