"""Boolean functions of variables with few values as decision diagrams: equal functions are the same number.

A function is a number: twice the index of a node, plus one for its negation (Brace, Rudell, Bryant 1990). A node asks
for one variable, and its cases are sets of values of that variable, each with what is left of the function there: a
byte of input is asked for at once, where diagrams over bits would take some ten nodes. A set is a mask, in which bit k
stands for the value k.

The variable that was made first is asked first: what a program has seen of its input is followed as by an automaton
that reads it, and a function has as many nodes for a variable as there are cases to be told apart then. In the other
order it would be the automaton that reads the input from its end, which is often much larger.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import reduce
from typing import TypeAlias

Function: TypeAlias = int
Cases: TypeAlias = tuple[tuple[int, Function], ...]
"""Sets of values of a variable, and what is left of a function there. No two of them leave the same; the first of them,
which has the least value, leaves no negation."""

_NO_VARIABLE = 1 << 40
"""What constants ask for: it comes after all variables."""
_PAIRS_PER_NODE = 4
"""Pairs of nodes that are looked at in vain for each new node: what they have in common is often nothing, and where two
functions are put together, they are often what is known already."""
TRUE: Function = 0
FALSE: Function = 1


class TooManyNodes(Exception):
    """The functions of a run have become too large."""


class Diagrams:
    """A table of nodes. `nodes` counts those made so far; more than `most` are not."""

    def __init__(self, most: int = 1 << 40) -> None:
        self._most = most
        self._most_pairs = self._most_joined = 1 << 40
        self._variable = [_NO_VARIABLE]
        self._cases: list[Cases] = [()]
        self._negated: dict[Function, Cases] = {}
        self._table: dict[tuple[int, Cases], Function] = {}
        self._both: dict[tuple[Function, Function], Function] = {}
        self._choice: dict[tuple[Function, Function, Function], Function] = {}
        self._apart: dict[tuple[Function, Function], bool] = {}
        self._within: dict[tuple[Function, Function], Function] = {}
        self._joined: dict[tuple[Function, Function, Function, Function], Function] = {}
        self._whole: list[int] = []

    @property
    def nodes(self) -> int:
        return len(self._cases)

    @property
    def work(self) -> int:
        """What has been done, in nodes: those made, and functions put together without making any."""
        return len(self._cases) + len(self._joined) // _PAIRS_PER_NODE

    def new_variable(self, values: int = 2) -> int:
        """A variable with the values 0, 1, 2... that is asked after all others."""
        self._whole.append((1 << values) - 1)
        return len(self._whole) - 1

    def member(self, variable: int, values: int) -> Function:
        """When a variable has one of some values, given as a mask."""
        others = self._whole[variable] & ~values
        if not others:
            return TRUE
        return self._node(variable, {TRUE: values, FALSE: others}) if values else FALSE

    def variable(self, function: Function) -> int:
        """The number of the variable that a function asks first, -1 for a constant."""
        return self._variable[function >> 1] if function > FALSE else -1

    def cases(self, function: Function) -> Cases:
        """What is left of a function for the values of its first variable."""
        if not function & 1:
            return self._cases[function >> 1]
        found = self._negated.get(function)
        if found is None:
            found = self._negated[function] = tuple([(values, left ^ 1) for values, left in self._cases[function >> 1]])
        return found

    def _node(self, variable: int, found: dict[Function, int]) -> Function:
        """The function with the values of a variable by what is left there."""
        if len(found) == 1:
            return next(iter(found))
        if len(found) == 2:
            (first, values), (second, others) = found.items()
            if values & -values > others & -others:
                first, values, second, others = second, others, first, values
            negated = first & 1
            key: tuple[int, Cases] = variable, ((values, first ^ negated), (others, second ^ negated))
        else:
            ordered = sorted([(values & -values, values, left) for left, values in found.items()])
            negated = ordered[0][2] & 1
            key = variable, tuple([(values, left ^ negated) for _, values, left in ordered])
        known = self._table.get(key)
        if known is None:
            index = len(self._cases)
            if index > self._most:
                raise TooManyNodes
            self._variable.append(variable)
            self._cases.append(key[1])
            known = self._table[key] = 2 * index
        return known ^ negated

    def bounded(self, build: Callable[[], Function | None], most: int) -> Function | None:
        """What is built, unless that takes more than so many new nodes, or looks at many more pairs of nodes."""
        limits = self._most, self._most_pairs, self._most_joined
        self._most = min(self._most, len(self._cases) + most)
        self._most_pairs = min(self._most_pairs, len(self._both) + _PAIRS_PER_NODE * most)
        self._most_joined = min(self._most_joined, len(self._joined) + _PAIRS_PER_NODE * most)
        try:
            return build()
        except TooManyNodes:
            if self._most == limits[0]:
                raise
            return None
        finally:
            self._most, self._most_pairs, self._most_joined = limits

    def both(self, first: Function, second: Function) -> Function:
        """`first & second`."""
        if first == second or second == TRUE:
            return first
        if first == TRUE:
            return second
        if first == FALSE or second == FALSE or first == second ^ 1:
            return FALSE
        key = (first, second) if first < second else (second, first)
        known = self._both.get(key)
        if known is None:
            if len(self._both) > self._most_pairs:
                raise TooManyNodes
            known = self._both[key] = self._conjunction(first, second)
        return known

    def _conjunction(self, first: Function, second: Function) -> Function:
        both, found = self.both, dict[Function, int]()
        variable, other = self._variable[first >> 1], self._variable[second >> 1]
        if variable > other:
            first, second, variable, other = second, first, other, variable
        negated = first & 1
        if variable < other:
            for values, left in self._cases[first >> 1]:
                left = both(left ^ negated, second)
                found[left] = found.get(left, 0) | values
            return self._node(variable, found)
        cases = self.cases(second)
        for values, left in self._cases[first >> 1]:
            for others, right in cases:
                shared = values & others
                if shared:
                    joined = both(left ^ negated, right)
                    found[joined] = found.get(joined, 0) | shared
        return self._node(variable, found)

    def either(self, first: Function, second: Function) -> Function:
        """`first | second`."""
        return self.both(first ^ 1, second ^ 1) ^ 1

    def choose(self, condition: Function, then: Function, otherwise: Function) -> Function:
        """`condition ? then : otherwise`."""
        if condition == TRUE or then == otherwise:
            return then
        if condition == FALSE:
            return otherwise
        if then <= FALSE or otherwise <= FALSE:
            return self._simple_choice(condition, then, otherwise)
        if condition & 1:
            condition, then, otherwise = condition ^ 1, otherwise, then
        key = (condition, then, otherwise)
        known = self._choice.get(key)
        if known is None:
            known = self._choice[key] = self._chosen(condition, then, otherwise)
        return known

    def _simple_choice(self, condition: Function, then: Function, otherwise: Function) -> Function:
        if then == TRUE:
            return self.either(condition, otherwise)
        if then == FALSE:
            return self.both(condition ^ 1, otherwise)
        return self.either(condition ^ 1, then) if otherwise == TRUE else self.both(condition, then)

    def _chosen(self, condition: Function, then: Function, otherwise: Function) -> Function:
        choose, found = self.choose, dict[Function, int]()
        variable = min(self._variable[part >> 1] for part in (condition, then, otherwise))
        yes, no = self._below(then, variable), self._below(otherwise, variable)
        for values, left in self._below(condition, variable):
            for others, first in yes:
                shared = values & others
                if shared:
                    for rest, second in no:
                        if shared & rest:
                            joined = choose(left, first, second)
                            found[joined] = found.get(joined, 0) | shared & rest
        return self._node(variable, found)

    def _below(self, function: Function, variable: int) -> Cases:
        """What is left of a function for the values of a variable that is not behind its first one."""
        asked = self._variable[function >> 1] == variable
        return self.cases(function) if asked else ((self._whole[variable], function),)

    def are_apart(self, first: Function, second: Function) -> bool:
        """Whether two functions are never true together; makes no nodes."""
        if first == FALSE or second == FALSE or first == second ^ 1:
            return True
        if first in (TRUE, second) or second == TRUE:
            return False
        key = (first, second) if first < second else (second, first)
        found = self._apart.get(key)
        if found is None:
            known = self._both.get(key)
            found = self._are_apart(first, second) if known is None else known == FALSE
            self._apart[key] = found
        return found

    def _are_apart(self, first: Function, second: Function) -> bool:
        variable, other = self._variable[first >> 1], self._variable[second >> 1]
        if variable > other:
            first, second, variable, other = second, first, other, variable
        if variable < other:
            return all(self.are_apart(left, second) for _, left in self.cases(first))
        cases = self.cases(second)
        return all(
            self.are_apart(left, right)
            for values, left in self.cases(first)
            for others, right in cases
            if values & others
        )

    def implies(self, first: Function, second: Function) -> bool:
        return self.are_apart(first, second ^ 1)

    def within(self, function: Function, care: Function) -> Function:
        """A function, simple if possible, that is the same wherever `care` holds (restrict: Coudert, Madre 1990)."""
        if care == TRUE or function <= FALSE:
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
        within, found = self.within, dict[Function, int]()
        variable, other = self._variable[function >> 1], self._variable[care >> 1]
        if variable > other:
            return within(function, reduce(self.either, (left for _, left in self.cases(care))))
        if variable < other:
            for values, left in self.cases(function):
                left = within(left, care)
                found[left] = found.get(left, 0) | values
            return self._node(variable, found)
        free, cared = 0, self.cases(care)
        for values, left in self.cases(function):
            for others, here in cared:
                shared = values & others
                if shared and here == FALSE:
                    free |= shared
                elif shared:
                    simple = within(left, here)
                    found[simple] = found.get(simple, 0) | shared
        return self._node_with_free(variable, found, free)

    def _node_with_free(self, variable: int, found: dict[Function, int], free: int) -> Function:
        """The same with values that do not matter: they leave what most others do."""
        if free:
            most = max(found, key=lambda left: found[left].bit_count())
            found[most] |= free
        return self._node(variable, found)

    def joined(self, first: Function, here: Function, second: Function, there: Function) -> Function:
        """A function, simple if possible, that is the first where `here` holds and the second where `there` does, which
        never hold together."""
        if there == FALSE or here == TRUE:
            return self.within(first, here)
        if here == FALSE or there == TRUE:
            return self.within(second, there)
        if first == second and first <= FALSE:
            return first
        key = (first, here, second, there)
        found = self._joined.get(key)
        if found is None:
            if len(self._joined) > self._most_joined:
                raise TooManyNodes
            found = self._joined[key] = self._put_together(first, here, second, there)
        return found

    def _put_together(self, first: Function, here: Function, second: Function, there: Function) -> Function:
        variable = min([self._variable[part >> 1] for part in (first, here, second, there)])
        ours, theirs = self._below(first, variable), self._below(second, variable)
        thens = self._below(there, variable)
        free, found = 0, dict[Function, int]()
        for values, now in self._below(here, variable):
            for others, then in thens:
                both = values & others
                if both and now == FALSE and then == FALSE:
                    free |= both
                elif both:
                    self._joined_cases(found, both, (ours, now), (theirs, then))
        return self._node_with_free(variable, found, free)

    def _joined_cases(
        self, found: dict[Function, int], values: int, first: tuple[Cases, Function], second: tuple[Cases, Function]
    ) -> None:
        """Add what is left for some values, where each of two functions has cases and a condition."""
        (ours, now), (theirs, then) = first, second
        if now == FALSE or then == FALSE:
            cases, care = (theirs, then) if now == FALSE else (ours, now)
            for others, left in cases:
                shared = values & others
                if shared:
                    left = self.within(left, care)
                    found[left] = found.get(left, 0) | shared
            return
        for others, left in ours:
            part = values & others
            if part:
                for rest, right in theirs:
                    shared = part & rest
                    if shared:
                        made = self.joined(left, now, right, then)
                        found[made] = found.get(made, 0) | shared

    def shadow(self, function: Function, first: int, count: int) -> Function:
        """What a function says of `count` variables from one on: where it can be true, whatever the others are."""
        return self._shadow(function, first, first + count, {})

    def _shadow(self, function: Function, first: int, behind: int, known: dict[Function, Function]) -> Function:
        variable = self._variable[function >> 1]
        if variable >= behind:
            return FALSE if function == FALSE else TRUE
        made = known.get(function)
        if made is None:
            found: dict[Function, int] = {}
            for values, left in self.cases(function):
                left = self._shadow(left, first, behind, known)
                found[left] = found.get(left, 0) | values
            made = self._node(variable, found) if variable >= first else reduce(self.either, found)
            known[function] = made
        return made

    def value(self, function: Function, value_of: Callable[[int], int]) -> bool:
        """The value of a function where `value_of` gives that of each variable."""
        while function > FALSE:
            value = value_of(self._variable[function >> 1])
            negated = function & 1
            for values, left in self._cases[function >> 1]:
                if values >> value & 1:
                    function = left ^ negated
                    break
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
            below = [left >> 1 for _, left in self._cases[node] if left >> 1 not in known]
            if below:
                waiting += below
            else:
                waiting.pop()
                yield node
