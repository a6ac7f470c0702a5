"""Decision diagrams over variables with several values: Boolean functions in one form each, so that a condition that
never holds is seen at once.

A function is a number. Its lowest bit says that it is the negation of the node that the other bits name; node 0 is
`true`. A node looks at one variable: its cases are sets of values of that variable, as masks, each with the function
that is left there. Equal functions share a case, cases are ordered, and the first leaves no negation, which makes the
form unique (Srinivasan, Kam, Malik, Brayton: Algorithms for discrete function manipulation, 1990; negations as in
Brace, Rudell, Bryant: Efficient implementation of a BDD package, 1990). Variables are ordered as they are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

TRUE, FALSE = 0, 1

_LAST = 1 << 60
"""The level of the constants: below all variables."""

Cases: TypeAlias = tuple[tuple[int, int], ...]
"""Sets of values of a variable, each with the function that is left."""


class TooLarge(Exception):
    """An operation took more steps than it may."""


class Diagrams:
    """The nodes made so far. An operation that takes more than `most` steps is given up with `TooLarge`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = 0
        self._level = [_LAST]
        self._cases: list[Cases] = [()]
        self._known: dict[tuple[int, Cases], int] = {}
        self._conjunctions: dict[tuple[int, int], int] = {}
        self._restrictions: dict[tuple[int, int], int] = {}
        self._mixtures: dict[tuple[int, int, int, int], int] = {}
        self._projections: dict[tuple[int, frozenset[int]], int] = {}
        self._full: list[int] = []

    def __len__(self) -> int:
        return len(self._level)

    def variable(self, values: int) -> int:
        """The level of a new variable with so many values, below all others."""
        self._full.append((1 << values) - 1)
        return len(self._full) - 1

    def member(self, level: int, mask: int) -> int:
        """That a variable has a value k for which bit k of the mask is set."""
        rest = self._full[level] ^ mask
        if mask == 0 or rest == 0:
            return FALSE if mask == 0 else TRUE
        return self._node(level, {TRUE: mask, FALSE: rest})

    def parts(self, function: int) -> tuple[int, Cases]:
        """The variable that a function (no constant) looks at first, and what is left of it in each case."""
        node, sign = function >> 1, function & 1
        cases = self._cases[node]
        return self._level[node], tuple((mask, left ^ 1) for mask, left in cases) if sign else cases

    def _node(self, level: int, found: dict[int, int]) -> int:
        """The function with these cases: masks by what is left."""
        if len(found) == 1:
            return next(iter(found))
        if len(found) == 2:
            (one, first), (other, second) = found.items()
            if first & -first > second & -second:
                one, first, other, second = other, second, one, first
            sign = one & 1
            key: tuple[int, Cases] = level, ((first, one ^ sign), (second, other ^ sign))
        else:
            cases = sorted((mask & -mask, mask, left) for left, mask in found.items())
            sign = cases[0][2] & 1
            key = level, tuple([(mask, left ^ sign) for _, mask, left in cases])
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = len(self._level) << 1
            self._level.append(level)
            self._cases.append(key[1])
        return node | sign

    def conjunction(self, left: int, right: int) -> int:
        self._left = self._most
        return self._both(left, right)

    def disjunction(self, left: int, right: int) -> int:
        self._left = self._most
        return self._both(left ^ 1, right ^ 1) ^ 1

    def choice(self, condition: int, then: int, otherwise: int, most: int | None = None) -> int:
        """`then` where the condition holds, `otherwise` elsewhere; given up after fewer steps if that is wanted."""
        if then == otherwise or condition == TRUE:
            return then
        if condition == FALSE:
            return otherwise
        self._left = self._most if most is None else most
        chosen, other = self._both(condition, then), self._both(condition ^ 1, otherwise)
        return self._both(chosen ^ 1, other ^ 1) ^ 1

    def _both(self, left: int, right: int) -> int:
        if left == right or right == TRUE:
            return left
        if left == TRUE:
            return right
        if left ^ right == 1 or left == FALSE or right == FALSE:
            return FALSE
        key = (left, right) if left < right else (right, left)
        result = self._conjunctions.get(key)
        if result is not None:
            return result
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        level, other = self._level[left >> 1], self._level[right >> 1]
        if level > other:
            left, right, level, other = right, left, other, level
        cases = self._cases[left >> 1]
        found = (
            self._both_below(cases, left & 1, right)
            if level < other
            else self._both_here(cases, left & 1, self._cases[right >> 1], right & 1)
        )
        result = self._conjunctions[key] = self._node(level, found)
        return result

    def _both_below(self, cases: Cases, sign: int, other: int) -> dict[int, int]:
        """The cases of a conjunction with a function that does not look at their variable."""
        found: dict[int, int] = {}
        for mask, rest in cases:
            rest ^= sign
            left = other if rest == TRUE else FALSE if rest == FALSE else self._both(rest, other)
            found[left] = found.get(left, 0) | mask
        return found

    def _both_here(self, cases: Cases, sign: int, others: Cases, opposite: int) -> dict[int, int]:
        """The cases of a conjunction of two functions that look at the same variable."""
        found: dict[int, int] = {}
        for mask, rest in cases:
            rest ^= sign
            if rest == FALSE:
                found[FALSE] = found.get(FALSE, 0) | mask
                continue
            for more, second in others:
                shared = mask & more
                if shared:
                    second ^= opposite
                    left = second if rest == TRUE or second == FALSE else self._both(rest, second)
                    found[left] = found.get(left, 0) | shared
        return found

    def within(self, function: int, care: int) -> int:
        """A function, mostly a smaller one, that is the same where `care` holds (Coudert and Madre's `restrict`)."""
        self._left = self._most
        return self._restricted(function, care)

    def _restricted(self, function: int, care: int) -> int:
        if function < 2 or care < 2:
            return function
        if function >> 1 == care >> 1:
            return TRUE if function == care else FALSE
        result = self._restrictions.get((function, care))
        if result is None:
            level, above = self._level[function >> 1], self._level[care >> 1]
            if above < level:
                cared = FALSE
                for _, rest in self.parts(care)[1]:
                    cared = self._both(cared ^ 1, rest ^ 1) ^ 1
                result = self._restricted(function, cared)
            elif level < above:
                found: dict[int, int] = {}
                for mask, rest in self.parts(function)[1]:
                    left = self._restricted(rest, care)
                    found[left] = found.get(left, 0) | mask
                result = self._node(level, found)
            else:
                result = self._restricted_cases(level, self.parts(function)[1], self.parts(care)[1])
            self._restrictions[function, care] = result
        return result

    def _restricted_cases(self, level: int, cases: Cases, care: Cases) -> int:
        """Values that do not matter go to the case that has most of them already."""
        found: dict[int, int] = {}
        free = 0
        for mask, cared in care:
            if cared == FALSE:
                free |= mask
                continue
            for more, rest in cases:
                shared = mask & more
                if shared:
                    left = self._restricted(rest, cared)
                    found[left] = found.get(left, 0) | shared
        return self._freely(level, found, free)

    def _freely(self, level: int, found: dict[int, int], free: int) -> int:
        if free:
            most = max(found, key=lambda left: found[left].bit_count())
            found[most] |= free
        return self._node(level, found)

    def mixed(self, condition: int, then: int, otherwise: int, care: int) -> int:
        """A function, mostly a small one, that is the same as a choice wherever `care` holds."""
        self._left = self._most
        return self._mixed(condition, then, otherwise, care)

    def _mixed(self, condition: int, then: int, otherwise: int, care: int) -> int:
        if care < 2:
            care = TRUE
        if condition in (TRUE, care) or then == otherwise:
            return self._restricted(then, care)
        if condition in (FALSE, care ^ 1):
            return self._restricted(otherwise, care)
        key = (condition, then, otherwise, care)
        result = self._mixtures.get(key)
        if result is None:
            self._left -= 1
            if self._left < 0:
                raise TooLarge
            result = self._mixtures[key] = self._mixed_cases(condition, then, otherwise, care)
        return result

    def _mixed_cases(self, condition: int, then: int, otherwise: int, care: int) -> int:
        level = min([self._level[part >> 1] for part in (condition, then, otherwise, care)])
        found: dict[int, int] = {}
        free = 0
        yes, no = self._split(then, level), self._split(otherwise, level)
        decisions = self._split(condition, level)
        for mask, cared in self._split(care, level):
            if cared == FALSE:
                free |= mask
                continue
            for more, decision in decisions:
                here = mask & more
                if here:
                    for left, values in self._mixed_here(here, decision, (yes, no), cared):
                        found[left] = found.get(left, 0) | values
        return self._freely(level, found, free)

    def _mixed_here(self, mask: int, decision: int, sides: tuple[Cases, Cases], care: int) -> Iterator[tuple[int, int]]:
        """What is left of a choice for some values of a variable, whatever its two sides are there."""
        yes, no = sides
        if decision < 2:
            for values, rest in yes if decision == TRUE else no:
                if mask & values:
                    yield self._restricted(rest, care), mask & values
            return
        for values, rest in yes:
            shared = mask & values
            if shared:
                for others, other in no:
                    if shared & others:
                        yield self._mixed(decision, rest, other, care), shared & others

    def support(self, function: int) -> set[int]:
        """The variables that a function looks at."""
        seen, waiting, found = set[int](), [function >> 1], set[int]()
        while waiting:
            node = waiting.pop()
            if node and node not in seen:
                seen.add(node)
                found.add(self._level[node])
                waiting += (left >> 1 for _, left in self._cases[node])
        return found

    def projected(self, function: int, onto: frozenset[int]) -> int:
        """The least function of some variables alone that holds wherever this one does."""
        self._left = self._most
        return self._projected(function, onto, max(onto, default=-1))

    def _projected(self, function: int, onto: frozenset[int], last: int) -> int:
        if function == FALSE:
            return FALSE
        level = self._level[function >> 1]
        if level > last:
            # Only what never holds is `false`: this holds for some values of the variables left out.
            return TRUE
        key = (function, onto)
        result = self._projections.get(key)
        if result is None:
            self._left -= 1
            if self._left < 0:
                raise TooLarge
            result = self._projections[key] = self._projected_cases(level, self.parts(function)[1], onto, last)
        return result

    def _projected_cases(self, level: int, cases: Cases, onto: frozenset[int], last: int) -> int:
        if level in onto:
            found: dict[int, int] = {}
            for mask, rest in cases:
                left = self._projected(rest, onto, last)
                found[left] = found.get(left, 0) | mask
            return self._node(level, found)
        result = FALSE
        for _, rest in cases:
            result = self._both(result ^ 1, self._projected(rest, onto, last) ^ 1) ^ 1
            if result == TRUE:
                break
        return result

    def _split(self, function: int, level: int) -> Cases:
        """What is left of a function for the values of a variable that it does not look behind."""
        return self.parts(function)[1] if self._level[function >> 1] == level else ((self._full[level], function),)
