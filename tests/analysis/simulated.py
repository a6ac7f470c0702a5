"""Simulations that nobody interrupts."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from pincer.analysis.simulation import Simulation, simulating
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Edge
from pincer.runtime.run import Run


def simulate(
    program: ControlFlowProgram, tracked: frozenset[Term], errors: Collection[Edge], to_the_end: bool = False
) -> Simulation:
    """The simulation at its end."""
    steps = simulating(program, tracked, errors, Run(timeout=20), to_the_end)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return cast(Simulation, done.value)
