"""Several properties at once: what holds of all of them is shown by one proof."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from pincer.logic.terms import FALSE
from pincer.program.control_flow import Check, CheckKind, ControlFlowProgram, Edge, Fail, FailKind, Procedure
from pincer.program.passes.edges import fresh_locations, with_edges, with_marks
from pincer.program.passes.memory import MemorySafety, with_memory_safety
from pincer.program.passes.overflow import ARITHMETIC

_FAILURES: dict[FailKind, CheckKind] = {
    FailKind.ASSERTION: "assertion",
    FailKind.ERROR_FUNCTION: "error function",
    FailKind.LABEL: "label",
}


class NothingWrong(Struct, frozen=True):
    """No execution violates any of `assertions`, `memory` and `overflow` that are wanted."""

    assertions: bool = True
    memory: bool = True
    overflow: bool = True


def with_nothing_wrong(program: ControlFlowProgram, wanted: NothingWrong) -> ControlFlowProgram:
    """The property: no execution comes to a failure, or to a check whose condition does not hold, of a wanted property.

    A failure is a check that never holds here, so that an error of either kind is one of the same sort. What is not
    wanted ends an execution, as `with_memory_safety` has it: a proof is about all that is wanted, and says nothing of
    the rest.
    """
    kinds = (MemorySafety().kinds if wanted.memory else frozenset()) | (ARITHMETIC if wanted.overflow else frozenset())
    marked = with_marks(program, kinds & ARITHMETIC, fresh_locations(program))
    checked = with_memory_safety(marked, MemorySafety(kinds))
    return with_edges(checked, _failures_checked) if wanted.assertions else checked


def _failures_checked(_: Procedure, edge: Edge) -> Iterator[Edge]:
    label = edge.label
    if isinstance(label, Fail) and label.kind in _FAILURES:
        yield replace(edge, label=Check(_FAILURES[label.kind], FALSE, label.message))
    else:
        yield edge
