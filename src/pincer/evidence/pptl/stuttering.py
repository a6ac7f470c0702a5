"""Formulas that do not count steps: what they say does not change when a state of a word is repeated.

Propositions do not, and what is made of formulas that do not by connectives, until and chop does not either: a part of
a word that ends inside of a repetition ends as well at any other place of it. That a word ends here (`empty`) counts
steps by itself, but not at the end of a chop: some part reaches up to the last state, however often that is repeated.
"""

from __future__ import annotations

from pincer.evidence.pptl.formula import EMPTY, TRUE, Formula, cases, next_, not_

_AT_END = (EMPTY, not_(next_(TRUE)))


def is_stutter_invariant(formula: Formula) -> bool:
    """Whether a formula surely does not count steps."""
    pending, seen = [formula], {formula}
    while pending:
        one = pending.pop()
        match one.kind:
            case "true" | "false" | "proposition":
                parts: list[Formula] = []
            case "not" | "and" | "or" | "until":
                parts = list(one.parts)
            case "chop":
                last = {part for case in cases(one.parts[1]) for part in case}
                parts = [one.parts[0], *(part for part in last if part not in _AT_END)]
            case _:
                return False
        pending += (part for part in parts if part not in seen)
        seen.update(parts)
    return True
