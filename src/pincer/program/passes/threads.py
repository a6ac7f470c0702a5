"""Data races and deadlocks."""

from __future__ import annotations

from dataclasses import dataclass

from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.copies import copies_apart


@dataclass(frozen=True, slots=True)
class Races:
    """No two accesses of different threads to the same memory, one of them a write, are unordered."""


@dataclass(frozen=True, slots=True)
class Deadlocks:
    """No execution comes to a state in which threads wait for each other and none of them can go on."""


def with_thread_errors(program: ControlFlowProgram) -> ControlFlowProgram:
    """The property is one of steps of several threads, so no edge is an error or stops being one.

    An execution ends at a failure and at a check that does not hold, which are not what is asked about.
    """
    return copies_apart(program)
