"""LTL by its definition, on finite words and on lassos, position by position."""

from __future__ import annotations

from .trees import Letters, Tree


def ltl_holds(tree: Tree, prefix: Letters, loop: Letters = ()) -> bool:
    return _truth(tree, prefix + loop, len(prefix) if loop else None)[0]


def _truth(tree: Tree, letters: Letters, loop_start: int | None) -> list[bool]:
    """The truth at every position; the position after the last is `loop_start`, or there is none."""
    positions = range(len(letters))
    match tree:
        case ("prop", name):
            return [name in letter for letter in letters]
        case ("not", tuple(body)):
            return [not value for value in _truth(body, letters, loop_start)]
        case ("next" | "wnext" as operator, tuple(body)):
            inner = _truth(body, letters, loop_start)
            after_last = operator == "wnext" if loop_start is None else inner[loop_start]
            return [*inner[1:], after_last]
        case ("always" | "some" as operator, tuple(body)):
            inner = _truth(body, letters, loop_start)
            test = all if operator == "always" else any
            return [test(inner[later] for later in _reachable(at, len(letters), loop_start)) for at in positions]
        case (str(operator), tuple(left), tuple(right)):
            first, second = _truth(left, letters, loop_start), _truth(right, letters, loop_start)
            if operator == "and":
                return [one and other for one, other in zip(first, second, strict=True)]
            if operator == "or":
                return [one or other for one, other in zip(first, second, strict=True)]
            if operator == "implies":
                return [not one or other for one, other in zip(first, second, strict=True)]
            return [_binary(operator, first, second, list(_walk(at, len(letters), loop_start))) for at in positions]
    raise ValueError(tree)


def _walk(at: int, count: int, loop_start: int | None) -> list[int]:
    """The positions from here on, the loop twice, so that everything that ever happens happens on the way."""
    if loop_start is None:
        return list(range(at, count))
    return [*range(at, count), *range(loop_start, count), *range(loop_start, count)]


def _reachable(at: int, count: int, loop_start: int | None) -> set[int]:
    return set(_walk(at, count, loop_start))


def _binary(operator: str, first: list[bool], second: list[bool], walk: list[int]) -> bool:
    if operator == "until":
        return any(second[end] and all(first[at] for at in walk[:index]) for index, end in enumerate(walk))
    if operator == "weak_until":
        return all(first[at] for at in walk) or _binary("until", first, second, walk)
    if operator == "release":
        return all(second[end] or any(first[at] for at in walk[:index]) for index, end in enumerate(walk))
    raise ValueError(operator)
