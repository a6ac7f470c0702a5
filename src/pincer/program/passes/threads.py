"""Data races and deadlocks."""

from __future__ import annotations

from msgspec import Struct

from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.copies import copies_apart


class Races(Struct, frozen=True):
    """No two accesses of different threads to the same memory, one of them a write, are unordered."""


class Deadlocks(Struct, frozen=True):
    """No execution comes to a state in which threads wait for each other and none of them can go on."""


def with_thread_errors(program: ControlFlowProgram) -> ControlFlowProgram:
    """The property is one of steps of several threads, so no edge is an error or stops being one.

    An execution ends at a failure and at a check that does not hold, which are not what is asked about.
    """
    return copies_apart(program)
