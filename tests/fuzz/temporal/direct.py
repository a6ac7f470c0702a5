"""PPTL by its definition: every way to split an interval is tried. Slow, simple, and shares nothing with Pincer.

An interval is a pair (prefix, loop): `loop` is empty for a finite one. On an infinite interval pieces of up to
`horizon` steps are tried; a larger horizon makes the answer more reliable and slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from .trees import Letters, Tree

Interval: TypeAlias = tuple[Letters, Letters]


def satisfies_directly(tree: Tree, prefix: Letters, loop: Letters = (), horizon: int = 12) -> bool:
    return Direct(horizon).holds(tree, canonical(prefix, loop))


def canonical(prefix: Letters, loop: Letters) -> Interval:
    """The same interval with the shortest prefix."""
    while loop and prefix and prefix[-1] == loop[-1]:
        prefix, loop = prefix[:-1], (loop[-1], *loop[:-1])
    return prefix, loop


def suffix(interval: Interval, start: int) -> Interval:
    prefix, loop = interval
    if start <= len(prefix):
        return canonical(prefix[start:], loop)
    turn = (start - len(prefix)) % len(loop)
    return (), loop[turn:] + loop[:turn]


def state(interval: Interval, at: int) -> frozenset[str]:
    prefix, loop = interval
    return prefix[at] if at < len(prefix) else loop[(at - len(prefix)) % len(loop)]


def piece(interval: Interval, start: int, end: int) -> Interval:
    return tuple(state(interval, at) for at in range(start, end + 1)), ()


@dataclass
class Direct:
    horizon: int
    known: dict[tuple[Tree, Interval], bool] = field(default_factory=dict)

    def holds(self, tree: Tree, interval: Interval) -> bool:
        asked = (tree, interval)
        found = self.known.get(asked)
        if found is None:
            found = self.known[asked] = self._decide(tree, interval)
        return found

    def _decide(self, tree: Tree, interval: Interval) -> bool:
        prefix, loop = interval
        last = None if loop else len(prefix) - 1
        match tree:
            case ("prop", name):
                return name in state(interval, 0)
            case ("true",):
                return True
            case ("false",):
                return False
            case ("empty",):
                return last == 0
            case ("more",):
                return last != 0
            case ("skip",):
                return last == 1
            case ("len", steps):
                return last == steps
            case ("not", tuple(body)):
                return not self.holds(body, interval)
            case ("and", tuple(left), tuple(right)):
                return self.holds(left, interval) and self.holds(right, interval)
            case ("or", tuple(left), tuple(right)):
                return self.holds(left, interval) or self.holds(right, interval)
            case ("implies", tuple(left), tuple(right)):
                return not self.holds(left, interval) or self.holds(right, interval)
            case ("iff", tuple(left), tuple(right)):
                return self.holds(left, interval) == self.holds(right, interval)
            case ("next", tuple(body)):
                return last != 0 and self.holds(body, suffix(interval, 1))
            case ("wnext", tuple(body)):
                return last == 0 or self.holds(body, suffix(interval, 1))
        return self._decide_suffixes(tree, interval)

    def _decide_suffixes(self, tree: Tree, interval: Interval) -> bool:
        """Operators that speak about suffixes."""
        match tree:
            case ("always", tuple(body)):
                return all(self.holds(body, rest) for rest, _ in _suffixes(interval))
            case ("some", tuple(body)):
                return any(self.holds(body, rest) for rest, _ in _suffixes(interval))
            case ("fin", tuple(body)):
                return all(self.holds(body, rest) for rest, is_last in _suffixes(interval) if is_last)
            case ("keep", tuple(body)):
                return all(self.holds(body, rest) for rest, is_last in _suffixes(interval) if not is_last)
            case ("halt", tuple(body)):
                return all(self.holds(body, rest) == is_last for rest, is_last in _suffixes(interval))
            case ("until", tuple(left), tuple(right)):
                for rest, _ in _suffixes(interval):
                    if self.holds(right, rest):
                        return True
                    if not self.holds(left, rest):
                        return False
                return False
        return self._decide_pieces(tree, interval)

    def _decide_pieces(self, tree: Tree, interval: Interval) -> bool:
        """Operators that cut the interval into pieces."""
        match tree:
            case ("chop", tuple(left), tuple(right)):
                return any(
                    self.holds(left, piece(interval, 0, cut)) and self.holds(right, suffix(interval, cut))
                    for cut in self._cuts(interval)
                )
            case ("plus", tuple(body)):
                return self._iterates(body, interval)
            case ("star", tuple(body)):
                return self.holds(("empty",), interval) or self.holds(("plus", body), interval)
            case ("par", tuple(left), tuple(right)):
                return (
                    (self.holds(("chop", left, ("true",)), interval) and self.holds(right, interval))
                    or (self.holds(left, interval) and self.holds(("chop", right, ("true",)), interval))
                    or (bool(interval[1]) and self.holds(left, interval) and self.holds(right, interval))
                )
            case ("prj", tuple(parts), tuple(projected)):
                return self._projects(cast(tuple[Tree, ...], parts), projected, interval)
        raise ValueError(tree)

    def _cuts(self, interval: Interval, start: int = 0) -> range:
        prefix, loop = interval
        return range(start, len(prefix) + self.horizon + 1 if loop else len(prefix))

    def _iterates(self, body: Tree, interval: Interval) -> bool:
        if not interval[1]:
            return self.holds(body, interval) or any(
                self.holds(body, piece(interval, 0, cut)) and self._iterates(body, suffix(interval, cut))
                for cut in self._cuts(interval, 1)[:-1]
            )
        following: dict[Interval, set[Interval]] = {}
        frontier = [interval]
        while frontier:
            here = frontier.pop()
            if here not in following:
                following[here] = {
                    suffix(here, cut) for cut in self._cuts(here, 1) if self.holds(body, piece(here, 0, cut))
                }
                frontier += following[here]
        if any(self.holds(body, here) for here in following):
            return True
        layer = {interval}
        for _ in following:
            layer = {there for here in layer for there in following[here]}
        return bool(layer)

    def _projects(self, parts: tuple[Tree, ...], projected: Tree, interval: Interval) -> bool:
        last = None if interval[1] else len(interval[0]) - 1
        for ends in self._runs(parts, interval, (0,)):
            if ends[-1] == last:
                if any(self.holds(projected, _met(interval, ends[: count + 1])) for count in range(len(ends))):
                    return True
            elif self.holds(projected, _met(interval, ends, ends[-1] + 1)):
                return True
        if last is not None:
            return False
        return any(
            self.holds(parts[-1], suffix(interval, ends[-1]))
            and any(self.holds(projected, _met(interval, ends[: count + 1])) for count in range(len(ends)))
            for ends in self._runs(parts[:-1], interval, (0,))
        )

    def _runs(self, parts: tuple[Tree, ...], interval: Interval, ends: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Where the parts may end one after another, all of them finite."""
        if not parts:
            yield ends
            return
        for cut in self._cuts(interval, ends[-1]):
            if self.holds(parts[0], piece(interval, ends[-1], cut)):
                yield from self._runs(parts[1:], interval, (*ends, cut))


def _met(interval: Interval, ends: tuple[int, ...], rest: int | None = None) -> Interval:
    """The states where parts meet, each once, then the interval from `rest` on."""
    states = tuple(state(interval, at) for at in sorted(set(ends)))
    if rest is None:
        return states, ()
    prefix, loop = suffix(interval, rest)
    return canonical(states + prefix, loop)


def _suffixes(interval: Interval) -> Iterator[tuple[Interval, bool]]:
    """All different suffixes in order, and whether each has one state only."""
    prefix, loop = interval
    for start in range(len(prefix) + len(loop)):
        yield suffix(interval, start), not loop and start == len(prefix) - 1
