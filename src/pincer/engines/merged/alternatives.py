"""What a word is chosen from: the leaves of its choices, whatever the conditions say.

A position in a buffer is a number on every path. Where paths have been merged so often that its cases are too many to
be told apart, it has become one term; but what it can be is still seen, and an address made of it leads somewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from pincer.engines.merged.limits import LIMITS
from pincer.logic import terms
from pincer.logic.terms import Term, children

Leaves = frozenset[Term]


class Alternatives:
    """The leaves of terms, each found once."""

    def __init__(self) -> None:
        self._known: dict[Term, Leaves] = {}

    def leaves(self, term: Term) -> Leaves:
        """Words without a choice in them, of which a word is always one; only itself where there would be too many."""
        waiting = [term]
        while waiting:
            part = waiting[-1]
            below = [word for word in _words(part) if word not in self._known]
            if part in self._known:
                waiting.pop()
            elif below:
                waiting += below
            else:
                self._known[part] = self._found(waiting.pop())
        return self._known[term]

    def _found(self, term: Term) -> Leaves:
        words = list(dict.fromkeys(_words(term)))
        sets = [self._known[word] for word in words]
        if term.op == "ite":
            found = frozenset().union(*sets)
        elif not words or 1 < prod(map(len, sets)) > LIMITS.product:
            found = frozenset((term,))
        else:
            chosen = product(*sets)
            found = frozenset(terms.rebuild(term, dict(zip(words, leaf, strict=True)).__getitem__) for leaf in chosen)
        return found if len(found) <= LIMITS.numbers else frozenset((term,))


def _words(term: Term) -> Iterator[Term]:
    """The words that a word is made of; conditions are none."""
    return (part for part in children(term) if part.sort.width is not None)
