"""Boolean functions as binary decision diagrams: equal functions are the same number.

A function is a number: twice the index of a node, plus one for its negation (Brace, Rudell, Bryant 1990). The variable
that was made first is asked first: what a program has seen of its input is followed as by an automaton that reads it,
and a function has as many nodes for a variable as there are cases to be told apart then. In the other order it would be
the automaton that reads the input from its end, which is often much larger.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import TypeAlias

Function: TypeAlias = int

_TOP = (1 << 40) - 1
"""The level of the first variable; each further one is a level below the last, constants are at -1."""
_PAIRS_PER_NODE = 4
"""Pairs of nodes that are looked at in vain for each new node: what they have in common is often nothing."""
TRUE: Function = 0
FALSE: Function = 1


class TooManyNodes(Exception):
    """The functions of a run have become too large."""


class Diagrams:
    """A table of nodes. `nodes` counts those made so far; more than `most` are not."""

    def __init__(self, most: int = 1 << 40) -> None:
        self._most = most
        self._most_pairs = 1 << 40
        self._level = [-1]
        self._high: list[Function] = [TRUE]
        self._low: list[Function] = [TRUE]
        self._table: dict[tuple[int, Function, Function], Function] = {}
        self._both: dict[tuple[Function, Function], Function] = {}
        self._choice: dict[tuple[Function, Function, Function], Function] = {}
        self._apart: dict[tuple[Function, Function], bool] = {}
        self._within: dict[tuple[Function, Function], Function] = {}
        self._variables = 0

    @property
    def nodes(self) -> int:
        return len(self._level)

    def new_variable(self) -> Function:
        """A variable that is asked after all others."""
        self._variables += 1
        return self._node(_TOP + 1 - self._variables, TRUE, FALSE)

    def variable(self, function: Function) -> int:
        """The number of the variable that a function asks first, -1 for a constant."""
        level = self._level[function >> 1]
        return level if level < 0 else _TOP - level

    def branches(self, function: Function) -> tuple[Function, Function]:
        """What is left of a function when its first variable is true, and when it is false."""
        node, negated = function >> 1, function & 1
        return self._high[node] ^ negated, self._low[node] ^ negated

    def _node(self, level: int, high: Function, low: Function) -> Function:
        if high == low:
            return high
        negated = high & 1
        key = (level, high ^ negated, low ^ negated)
        found = self._table.get(key)
        if found is None:
            index = len(self._level)
            if index > self._most:
                raise TooManyNodes
            self._level.append(level)
            self._high.append(high ^ negated)
            self._low.append(low ^ negated)
            found = self._table[key] = 2 * index
        return found ^ negated

    def bounded(self, build: Callable[[], Function | None], most: int) -> Function | None:
        """What is built, unless that takes more than so many new nodes, or looks at many more pairs of nodes."""
        limits = self._most, self._most_pairs
        self._most = min(self._most, len(self._level) + most)
        self._most_pairs = min(self._most_pairs, len(self._both) + _PAIRS_PER_NODE * most)
        try:
            return build()
        except TooManyNodes:
            if self._most == limits[0]:
                raise
            return None
        finally:
            self._most, self._most_pairs = limits

    def both(self, first: Function, second: Function) -> Function:
        """`first & second`."""
        if first == second or second == TRUE:
            return first
        if first == TRUE:
            return second
        if first == FALSE or second == FALSE or first == second ^ 1:
            return FALSE
        if first > second:
            first, second = second, first
        key = (first, second)
        found = self._both.get(key)
        if found is None:
            if len(self._both) > self._most_pairs:
                raise TooManyNodes
            level, first_high, first_low, second_high, second_low = self._split(first, second)
            high, low = self.both(first_high, second_high), self.both(first_low, second_low)
            found = self._both[key] = self._node(level, high, low)
        return found

    def _split(self, first: Function, second: Function) -> tuple[int, Function, Function, Function, Function]:
        """The first level of two functions, and their branches there."""
        node, other = first >> 1, second >> 1
        level, below = self._level[node], self._level[other]
        if level >= below:
            negated = first & 1
            first_high, first_low = self._high[node] ^ negated, self._low[node] ^ negated
            if level > below:
                return level, first_high, first_low, second, second
        else:
            first_high = first_low = first
            level = below
        negated = second & 1
        return level, first_high, first_low, self._high[other] ^ negated, self._low[other] ^ negated

    def either(self, first: Function, second: Function) -> Function:
        """`first | second`."""
        return self.both(first ^ 1, second ^ 1) ^ 1

    def choose(self, condition: Function, then: Function, otherwise: Function) -> Function:
        """`condition ? then : otherwise`."""
        if condition == TRUE or then == otherwise:
            return then
        if condition == FALSE:
            return otherwise
        if then in (TRUE, FALSE) or otherwise in (TRUE, FALSE) or then == otherwise ^ 1:
            return self._simple_choice(condition, then, otherwise)
        if condition & 1:
            condition, then, otherwise = condition ^ 1, otherwise, then
        key = (condition, then, otherwise)
        found = self._choice.get(key)
        if found is None:
            level = max(self._level[part >> 1] for part in key)
            highs, lows = zip(*(self._below(part, level) for part in key), strict=True)
            found = self._choice[key] = self._node(level, self.choose(*highs), self.choose(*lows))
        return found

    def _simple_choice(self, condition: Function, then: Function, otherwise: Function) -> Function:
        if then == TRUE:
            return self.either(condition, otherwise)
        if then == FALSE:
            return self.both(condition ^ 1, otherwise)
        if otherwise == TRUE:
            return self.either(condition ^ 1, then)
        if otherwise == FALSE:
            return self.both(condition, then)
        return self.either(self.both(condition, then), self.both(condition ^ 1, then ^ 1))

    def _below(self, function: Function, level: int) -> tuple[Function, Function]:
        return self.branches(function) if self._level[function >> 1] == level else (function, function)

    def are_apart(self, first: Function, second: Function) -> bool:
        """Whether two functions are never true together; makes no nodes."""
        if first == FALSE or second == FALSE or first == second ^ 1:
            return True
        if first in (TRUE, second) or second == TRUE:
            return False
        if first > second:
            first, second = second, first
        key = (first, second)
        found = self._apart.get(key)
        if found is None:
            known = self._both.get(key)
            if known is not None:
                found = known == FALSE
            else:
                _, first_high, first_low, second_high, second_low = self._split(first, second)
                found = self.are_apart(first_high, second_high) and self.are_apart(first_low, second_low)
            self._apart[key] = found
        return found

    def implies(self, first: Function, second: Function) -> bool:
        return self.are_apart(first, second ^ 1)

    def within(self, function: Function, care: Function) -> Function:
        """A function, simple if possible, that is the same wherever `care` holds (restrict: Coudert, Madre 1990)."""
        if care == TRUE or function in (TRUE, FALSE):
            return function
        if function == care:
            return TRUE
        if function == care ^ 1 or care == FALSE:
            return FALSE
        key = (function, care)
        found = self._within.get(key)
        if found is None:
            found = self._within[key] = self._restricted(function, care)
        return found

    def _restricted(self, function: Function, care: Function) -> Function:
        level, high, low, care_high, care_low = self._split(function, care)
        if self._level[function >> 1] < level:
            return self.within(function, self.either(care_high, care_low))
        if care_high == FALSE:
            return self.within(low, care_low)
        if care_low == FALSE:
            return self.within(high, care_high)
        return self._node(level, self.within(high, care_high), self.within(low, care_low))

    def shadow(self, function: Function, first: int, count: int) -> Function:
        """What a function says of `count` variables from one on: where it can be true, whatever the others are."""
        return self._shadow(function, _TOP - first, _TOP - first - count, {})

    def _shadow(self, function: Function, top: int, below: int, known: dict[Function, Function]) -> Function:
        level = self._level[function >> 1]
        if level <= below:
            return FALSE if function == FALSE else TRUE
        found = known.get(function)
        if found is None:
            high, low = (self._shadow(branch, top, below, known) for branch in self.branches(function))
            found = known[function] = self._node(level, high, low) if level <= top else self.either(high, low)
        return found

    def value(self, function: Function, is_true: Callable[[int], bool]) -> bool:
        """The value of a function where `is_true` gives that of each variable."""
        while function > FALSE:
            high, low = self.branches(function)
            function = high if is_true(self.variable(function)) else low
        return function == TRUE

    def unknown_first(self, function: Function, known: Container[int]) -> Iterator[int]:
        """The nodes of a function, by index, that are not `known`, each after those below it; the reader adds them to
        what is known as they come. The constant must be known."""
        waiting = [function >> 1]
        while waiting:
            node = waiting[-1]
            if node in known:
                waiting.pop()
                continue
            high, low = self._high[node] >> 1, self._low[node] >> 1
            if high in known and low in known:
                waiting.pop()
                yield node
            else:
                waiting += [below for below in (high, low) if below not in known]

    def is_larger(self, function: Function, most: int) -> bool:
        """Whether a function has more nodes than so many."""
        seen, waiting = {0}, [function >> 1]
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                if len(seen) > most:
                    return True
                waiting += (self._high[node] >> 1, self._low[node] >> 1)
        return False
