"""Memory safety."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.logic.terms import negate
from pincer.program.control_flow import Assume, Check, CheckKind, ControlFlowProgram, Edge, Procedure, Unsupported
from pincer.program.passes.edges import always_holds, fresh_locations, with_edges, with_marks, without_checks
from pincer.program.passes.leaks import LEAKS, Leaks, with_ends_looked_at
from pincer.program.passes.overflow import ARITHMETIC

CATEGORIES: Mapping[CheckKind, str] = {
    "dereference": "valid-deref",
    "read-only": "valid-deref",
    "call": "valid-deref",
    "free": "valid-free",
    "overlap": "undefined-copy",
    "overflow": "no-overflow",
    "division": "division-by-zero",
    "shift": "undefined-shift",
    "arguments": "undefined-arguments",
    "bounds": "array-bounds",
    "character": "undefined-character",
    "truth": "undefined-truth-value",
    "jump": "undefined-jump",
    "conversion": "undefined-conversion",
    "unreachable": "undefined-unreachable",
}
"""Kinds of undefined behaviour, and the property of SV-COMP each one violates, or a name like those."""
_CONTINUED: tuple[CheckKind, ...] = ("shift", "overlap", "arguments", "jump", "conversion", "unreachable", "pointer")
"""Kinds of undefined behaviour at which no machine stops."""
_DISTANCE: frozenset[CheckKind] = frozenset({"pointer"})
"""What is marked where a pointer may be moved so far that in the model it points to another object."""
HARMLESS: frozenset[CheckKind] = frozenset({"bounds", "character", "truth"})
"""Kinds of undefined behaviour after which machines go on as the model does: an index beyond the end of an array, but
inside of the object that the array is a part of, for which SV-COMP says that it is valid; a negative `char` given to
`isspace` and its like, for which C libraries have an answer; a `_Bool` that holds another number than 0 and 1, which
is what they compute with."""


class MemorySafety(Struct, frozen=True):
    """No execution has undefined behaviour of one of these kinds, nor leaves memory behind where that is asked, too."""

    kinds: frozenset[CheckKind] = frozenset(CATEGORIES) - ARITHMETIC
    leaks: Leaks | None = None


def memory_safety(categories: Iterable[str]) -> MemorySafety:
    """The property of some of the `CATEGORIES`; of all when none is named."""
    named = frozenset(categories)
    kinds = frozenset(kind for kind, category in CATEGORIES.items() if category in named)
    wanted = MemorySafety(kinds) if kinds else MemorySafety()
    leaks = next((leaks for category, leaks in LEAKS.items() if category in named), None)
    return replace(wanted, leaks=leaks)


def with_memory_safety(program: ControlFlowProgram, wanted: MemorySafety) -> ControlFlowProgram:
    """The property: no execution comes to a check of a wanted kind whose condition does not hold.

    Undefined behaviour of another kind is not an error. Where a machine stops at it, the execution ends; where none
    does, what follows is not known, so that an execution that comes there is undecided unless the statements before
    show that the condition holds; what is `HARMLESS` is left out. A pointer that is moved too far for the model is
    such undefined behaviour, whatever is wanted. Failures stay: an execution ends there.
    """
    program = without_checks(program, HARMLESS - wanted.kinds)
    fresh = fresh_locations(program)
    if "dereference" in wanted.kinds:
        program = with_marks(program, _DISTANCE, fresh)

    def limited(procedure: Procedure, edge: Edge) -> Iterator[Edge]:
        label = edge.label
        if not isinstance(label, Check) or label.kind in wanted.kinds:
            yield edge
            return
        if label.kind in _CONTINUED and not always_holds(procedure, edge, label.condition):
            dead, end = next(fresh), next(fresh)
            yield Edge(edge.source, dead, Assume(negate(label.condition)), edge.position)
            yield Edge(dead, end, Unsupported(f"what follows undefined behaviour ({label.message})"), edge.position)
        yield replace(edge, label=Assume(label.condition))

    checked = with_edges(program, limited)
    return checked if wanted.leaks is None else with_ends_looked_at(checked, wanted.leaks.lost, as_check=True)
