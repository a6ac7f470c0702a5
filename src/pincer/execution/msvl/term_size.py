"""How large a term is: written out, and when its conditionals are spread over all their cases.

Terms share their parts, but solvers and comparisons may have to take them apart. A run gives up on a symbolic value
that would grow beyond these bounds instead of growing without end.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from pincer.logic.terms import Term, children, unknown_first

_LARGEST = 400
_MOST_CASES = 16


class TermSize(NamedTuple):
    """`written` counts symbols, `cases` the ways through the conditionals."""

    written: int
    cases: int


_sizes: dict[Term, TermSize] = {}


def too_large(term: Term) -> bool:
    if term.op == "var":
        return False
    for part in unknown_first(term, _sizes):
        _sizes[part] = _measured(part)
    size = _sizes[term]
    return size.written > _LARGEST or size.cases > _MOST_CASES


def _measured(term: Term) -> TermSize:
    parts = [_sizes[child] for child in children(term)]
    written = min(1 + sum(part.written for part in parts), _LARGEST + 1)
    if term.op == "ite":
        cases = parts[1].cases + parts[2].cases
    elif term.op in ("linear", "div"):
        cases = prod(part.cases for part in parts)
    else:
        cases = 1
    return TermSize(written, min(cases, _MOST_CASES + 1))
