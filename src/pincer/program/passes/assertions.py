"""Assertions, calls of error functions and error labels."""

from __future__ import annotations

from msgspec import Struct

from pincer.program.control_flow import ControlFlowProgram, FailKind
from pincer.program.passes.copies import copies_apart
from pincer.program.passes.edges import without_failures


class Assertions(Struct, frozen=True):
    """No execution reaches a failure of one of these kinds."""

    kinds: frozenset[FailKind] = frozenset(FailKind)


CALLS_OF_ERROR_FUNCTIONS = Assertions(frozenset(FailKind) - {FailKind.ASSERTION})
"""SV-COMP's unreach-call: an assertion that fails just ends the program."""


def with_assertions(program: ControlFlowProgram, wanted: Assertions) -> ControlFlowProgram:
    """The property: no execution without undefined behaviour reaches a failure of the wanted kinds.

    An execution ends at a failure of another kind, as at `exit`. Checks stay as they are: an execution that one of
    them stops has undefined behaviour, which is not what is asked about, and the engines report where they rely on it.
    """
    return copies_apart(without_failures(program, wanted.kinds))
