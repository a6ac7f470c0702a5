"""Arithmetic without a defined result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from pincer.program.control_flow import Check, CheckKind, ControlFlowProgram, Edge, Procedure
from pincer.program.passes.copies import copies_apart
from pincer.program.passes.edges import failing, fresh_locations, with_edges, with_marks, without_failures

ARITHMETIC: frozenset[CheckKind] = frozenset({"overflow", "division", "shift", "conversion"})
"""Kinds of undefined behaviour of operations on numbers."""


class DefinedArithmetic(Struct, frozen=True):
    """No execution has an operation on numbers without a defined result, of one of these kinds.

    `overflow`: a result of signed arithmetic (`+ - * / %`, the unary minus, `++`, `--`, compound assignments, `abs`, a
    left shift of what is not negative) that its type cannot represent. `division`: a divisor of zero. `shift`: an
    amount that is negative or not below the width of the promoted left operand, or a negative number shifted left.
    `conversion`: a floating-point number that does not fit the integer type it is converted to.
    """

    kinds: frozenset[CheckKind] = ARITHMETIC


NO_OVERFLOW = DefinedArithmetic(frozenset({"overflow"}))
"""SV-COMP's no-overflow: a result of signed arithmetic is in the range of its type."""


def overflow_kinds(categories: Iterable[str]) -> DefinedArithmetic:
    """The property of some of the names that SV-COMP, or we, have for parts of it; the whole when none is named."""
    named = frozenset(_CATEGORIES[name] for name in categories)
    return DefinedArithmetic(named) if named else DefinedArithmetic()


_CATEGORIES: dict[str, CheckKind] = {
    "no-overflow": "overflow",
    "division-by-zero": "division",
    "undefined-shift": "shift",
    "undefined-conversion": "conversion",
}


def with_overflow(program: ControlFlowProgram, wanted: DefinedArithmetic) -> ControlFlowProgram:
    """The property: no execution without other undefined behaviour comes to arithmetic whose result is not defined.

    Unsigned arithmetic wraps around, and conversions to narrower types keep the low bits: neither is an error. An
    execution ends at a failure, as at `exit`. Other checks stay as they are: what is undefined otherwise is not what is
    asked about, and the engines report where they rely on it. What is not wanted among arithmetic goes on as the
    processor does it.
    """
    fresh = fresh_locations(program)

    def marked(_: Procedure, edge: Edge) -> Iterator[Edge]:
        if isinstance(edge.label, Check) and edge.label.kind in wanted.kinds:
            yield from failing(edge, edge.label, fresh)
        else:
            yield edge

    ending = without_failures(program, ())
    return copies_apart(with_edges(with_marks(ending, wanted.kinds, fresh), marked))
