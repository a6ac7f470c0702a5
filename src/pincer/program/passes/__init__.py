"""What counts as an error: one pass per property, from a program to the program that the property is decided on.

These passes say what a proof or a counterexample means, so they belong to what must be trusted. A program is lowered
once and then instrumented for each property.
"""

from __future__ import annotations

from typing import TypeAlias

from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.assertions import CALLS_OF_ERROR_FUNCTIONS, Assertions, with_assertions
from pincer.program.passes.edges import without_checks
from pincer.program.passes.leaks import Leaks, with_leaks
from pincer.program.passes.memory import HARMLESS, MemorySafety, memory_safety, with_memory_safety
from pincer.program.passes.overflow import NO_OVERFLOW, DefinedArithmetic, overflow_kinds, with_overflow
from pincer.program.passes.rule import KeptRule, with_rule
from pincer.program.passes.targets import LinesApart, with_lines_apart
from pincer.program.passes.termination import Termination, with_termination
from pincer.program.passes.threads import Deadlocks, Races, with_thread_errors
from pincer.program.passes.together import NothingWrong, with_nothing_wrong
from pincer.program.passes.uninitialised import InitialisedReads, with_uninitialised

__all__ = [
    "CALLS_OF_ERROR_FUNCTIONS",
    "NO_OVERFLOW",
    "Assertions",
    "CProgramProperty",
    "Deadlocks",
    "DefinedArithmetic",
    "InitialisedReads",
    "KeptRule",
    "Leaks",
    "LinesApart",
    "MemorySafety",
    "NothingWrong",
    "Races",
    "Termination",
    "instrumented",
    "memory_safety",
    "overflow_kinds",
]

CProgramProperty: TypeAlias = (
    Assertions
    | MemorySafety
    | DefinedArithmetic
    | Leaks
    | InitialisedReads
    | NothingWrong
    | KeptRule
    | LinesApart
    | Termination
    | Races
    | Deadlocks
)


def instrumented(program: ControlFlowProgram, wanted: CProgramProperty) -> ControlFlowProgram:
    """The program in which exactly what violates a property is an error."""
    if not isinstance(wanted, MemorySafety | NothingWrong):
        program = without_checks(program, HARMLESS)
    match wanted:
        case Assertions():
            return with_assertions(program, wanted)
        case MemorySafety():
            return with_memory_safety(program, wanted)
        case DefinedArithmetic():
            return with_overflow(program, wanted)
        case NothingWrong():
            return with_nothing_wrong(program, wanted)
        case Leaks():
            return with_leaks(program, wanted)
        case InitialisedReads():
            return with_uninitialised(program)
        case KeptRule():
            return with_rule(program)
        case LinesApart():
            return with_lines_apart(program, wanted)
        case Termination():
            return with_termination(program)
        case Races() | Deadlocks():
            return with_thread_errors(program)
