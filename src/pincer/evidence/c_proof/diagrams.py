"""Binary decision diagrams: Boolean functions in one form each, so that a condition that never holds is seen at once.

A function is a number. Its lowest bit says that it is the negation of the node that the other bits name; node 0 is
`true`. Of a node's two functions the one for its variable being true is never a negation, which makes the form unique
(Brace, Rudell, Bryant: Efficient implementation of a BDD package, 1990). Variables are ordered as they are made.
"""

from __future__ import annotations

from collections.abc import Sequence

TRUE, FALSE = 0, 1

_LAST = 1 << 60
"""The level of the constants: below all variables."""


class TooLarge(Exception):
    """An operation took more steps than it may."""


class Diagrams:
    """The nodes made so far. An operation that takes more than `most` steps is given up with `TooLarge`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._left = 0
        self._level = [_LAST]
        self._high = [TRUE]
        self._low = [TRUE]
        self._known: dict[tuple[int, int, int], int] = {}
        self._conjunctions: dict[tuple[int, int], int] = {}
        self.variables = 0

    def __len__(self) -> int:
        return len(self._level)

    def variable(self) -> int:
        """A new variable, below all others."""
        self.variables += 1
        return self._node(self.variables - 1, TRUE, FALSE)

    def parts(self, function: int) -> tuple[int, int, int]:
        """The variable that a function (no constant) looks at first, and what is left of it in either case."""
        node, sign = function >> 1, function & 1
        return self._level[node], self._high[node] ^ sign, self._low[node] ^ sign

    def _node(self, level: int, high: int, low: int) -> int:
        if high == low:
            return high
        sign = high & 1
        key = (level, high ^ sign, low ^ sign)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self._level) << 1
            self._level.append(level)
            self._high.append(key[1])
            self._low.append(key[2])
        return found | sign

    def conjunction(self, left: int, right: int) -> int:
        self._left = self._most
        return self._both(left, right)

    def disjunction(self, left: int, right: int) -> int:
        self._left = self._most
        return self._both(left ^ 1, right ^ 1) ^ 1

    def choice(self, condition: int, then: int, otherwise: int) -> int:
        """`then` where the condition holds, `otherwise` elsewhere."""
        if then == otherwise or condition == TRUE:
            return then
        if condition == FALSE:
            return otherwise
        self._left = self._most
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
        found = self._conjunctions.get(key)
        if found is not None:
            return found
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        first, second = left >> 1, right >> 1
        a, b = self._level[first], self._level[second]
        if a < b:
            sign = left & 1
            found = self._node(
                a, self._both(self._high[first] ^ sign, right), self._both(self._low[first] ^ sign, right)
            )
        elif b < a:
            sign = right & 1
            found = self._node(
                b, self._both(left, self._high[second] ^ sign), self._both(left, self._low[second] ^ sign)
            )
        else:
            one, other = left & 1, right & 1
            high = self._both(self._high[first] ^ one, self._high[second] ^ other)
            found = self._node(a, high, self._both(self._low[first] ^ one, self._low[second] ^ other))
        self._conjunctions[key] = found
        return found

    def within(self, function: int, care: int) -> int:
        """A function, mostly a smaller one, that is the same where `care` holds (Coudert and Madre's `restrict`)."""
        self._left = self._most
        return self._restricted(function, care, {})

    def _restricted(self, function: int, care: int, known: dict[tuple[int, int], int]) -> int:
        if function < 2 or care < 2:
            return function
        if function >> 1 == care >> 1:
            return TRUE if function == care else FALSE
        found = known.get((function, care))
        if found is not None:
            return found
        level, then, otherwise = self.parts(function)
        above, high, low = self.parts(care)
        if above < level:
            found = self._restricted(function, self._both(high ^ 1, low ^ 1) ^ 1, known)
        elif level < above:
            found = self._node(level, self._restricted(then, care, known), self._restricted(otherwise, care, known))
        elif high == FALSE:
            found = self._restricted(otherwise, low, known)
        elif low == FALSE:
            found = self._restricted(then, high, known)
        else:
            found = self._node(level, self._restricted(then, high, known), self._restricted(otherwise, low, known))
        known[function, care] = found
        return found

    def member(self, bits: Sequence[int], mask: int) -> int:
        """That the number with these bits (functions, lowest first) is in a set: k is where bit k of the mask is."""
        self._left = self._most
        return self._member(bits, len(bits), mask, {})

    def _member(self, bits: Sequence[int], count: int, mask: int, known: dict[tuple[int, int], int]) -> int:
        size = 1 << count
        if mask == 0:
            return FALSE
        if mask == (1 << size) - 1:
            return TRUE
        found = known.get((count, mask))
        if found is None:
            half = size >> 1
            low = self._member(bits, count - 1, mask & ((1 << half) - 1), known)
            high = self._member(bits, count - 1, mask >> half, known)
            top = bits[count - 1]
            found = self._both(self._both(top, high) ^ 1, self._both(top ^ 1, low) ^ 1) ^ 1
            known[count, mask] = found
        return found
