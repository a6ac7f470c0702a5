"""API rules."""

from __future__ import annotations

from msgspec import Struct

from pincer.program.control_flow import ControlFlowProgram, FailKind
from pincer.program.passes.copies import copies_apart
from pincer.program.passes.edges import without_failures


class KeptRule(Struct, frozen=True):
    """No execution breaks the rule that is tied into the program."""


def with_rule(program: ControlFlowProgram) -> ControlFlowProgram:
    """The property: no execution without undefined behaviour reaches the failure of an assertion of the rule.

    The rule's handlers are part of the program already. An execution ends at a failure of the program's own, be it an
    assertion, a call of an error function or an error label, as at `exit`.
    """
    return copies_apart(without_failures(program, {FailKind.RULE}))
