"""Spacer, the Horn-clause engine of Z3, as the peer to compare with."""

from __future__ import annotations

from typing import Literal


def solve_horn(script: str, timeout: float) -> tuple[Literal["safe", "unsafe", "unknown"], str]:
    """The verdict Spacer gives for a HORN script, and its reason when it has none.

    The HORN solver with its defaults: on nine rows of the ASE table, run once each, `Fixedpoint` called
    directly and `spacer.global` were each faster on some rows and slower in sum.
    """
    import z3

    solver = z3.SolverFor("HORN")
    solver.set("timeout", round(timeout * 1000))
    solver.from_string(script)
    answer = solver.check()
    if answer == z3.sat:
        return "safe", ""
    if answer == z3.unsat:
        return "unsafe", ""
    return "unknown", solver.reason_unknown()
