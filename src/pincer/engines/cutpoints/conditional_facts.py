"""Guesses about numbers that hold unless a condition of the program does: one value is at most another, or a loop goes
round once more.

A loop that surely goes round once may be entered before what it makes true holds. The condition under which it goes
round is written in the program, and tests show which conditions excuse which comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincer.engines.cutpoints.candidates import comparisons, conditions, grouped, orders
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.view import View
from pincer.execution.machine import State
from pincer.logic.bitvectors import binary, compare, constant, width
from pincer.logic.terms import Term, disjunction


def conditional_candidates(view: View, cut: int) -> Iterator[Term]:
    """Comparisons that fail in some tests, and conditions that hold wherever they do; that they fail by one only."""
    states = view.states.get(cut, ())
    everywhere = (1 << len(states)) - 1
    excuses = {guard: _where(guard, states) for guard in dict.fromkeys(conditions(view, cut))}
    found: dict[Term, int] = {}
    for group in grouped(view, cut):
        for claim in comparisons(group, orders(view)):
            holding = _where(claim, states)
            if holding in (0, everywhere):
                continue
            if claim.op in orders(view):
                yield _nearly(claim)
            for guard, excused in excuses.items():
                if excused != everywhere and excused | holding == everywhere:
                    # The fewer states have both, the more is said.
                    found[disjunction(guard, claim)] = (excused & holding).bit_count()
    yield from sorted(found, key=found.__getitem__)[: LIMITS.conditional]


def _nearly(claim: Term) -> Term:
    lower, upper = claim.args
    return compare(claim.op, lower, binary("bvadd", upper, constant(1, width(upper))))


def _where(claim: Term, states: Sequence[State]) -> int:
    """The states in which a claim holds, as bits."""
    return sum(1 << number for number, state in enumerate(states) if state.value(claim))
