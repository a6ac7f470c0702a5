"""What is known at a place from the assignments right before it."""

from __future__ import annotations

from pincer.logic import terms
from pincer.logic.terms import Term, substitute
from pincer.program.control_flow import Assign, Assume, Check, Edge, Procedure, Skip

_MOST_STEPS = 100


def always_holds(procedure: Procedure, edge: Edge, condition: Term) -> bool:
    """Whether a condition holds before an edge because of the assignments on the only way there."""
    here = edge.source
    for _ in range(_MOST_STEPS):
        if condition is terms.TRUE:
            return True
        before = procedure.incoming.get(here, ())
        if len(before) != 1 or here == procedure.entry:
            return False
        label, here = before[0].label, before[0].source
        if isinstance(label, Assign):
            condition = substitute(condition, {label.register: label.value})
        elif not isinstance(label, Assume | Check | Skip):
            return False
    return False
