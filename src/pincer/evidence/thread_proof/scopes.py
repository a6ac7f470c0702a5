"""Does an outline speak only about what its parts may speak about?

What stands in every state is about no particular thread, so it may mention neither registers of threads nor `me`. That
is checked here; that names and widths are those of the program is found when formulas are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.thread_proof.leaves import GHOST, ME, leaf_of
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.logic.terms import BOOL, Term
from pincer.program.threaded_system import ThreadedSystem


def out_of_scope(registers: ProgramRegisters, system: ThreadedSystem, outline: Outline) -> str | None:
    """What an outline says that it may not say, if anything."""
    return next(_problems(registers, system, outline), None)


def _problems(registers: ProgramRegisters, system: ThreadedSystem, outline: Outline) -> Iterator[str]:
    for condition in outline.standing:
        if condition.sort is not BOOL:
            yield "what is said to stand is no condition"
        for name in _names(condition):
            found = leaf_of(name)
            if found is not None and ME in found.arguments:
                yield f"what stands in every state mentions {name}, which is about one thread"
            if (
                found is None
                and not name.startswith(GHOST)
                and (name not in registers.widths or registers.is_local(name))
            ):
                yield f"what stands in every state mentions {name}, which each thread has for itself"
    yield from _places(system, outline)
    yield from _ghosts(system, outline)


def _places(system: ThreadedSystem, outline: Outline) -> Iterator[str]:
    for number, places in outline.assertions.items():
        if not 0 <= number < len(system.threads):
            yield f"there is no thread {number}"
            continue
        known = set(system.threads[number].places)
        for place, conditions in places.items():
            if place not in known:
                yield f"thread {number} has no place {place}"
            if any(condition.sort is not BOOL for condition in conditions):
                yield f"what is said at {place} is no condition"


def _ghosts(system: ThreadedSystem, outline: Outline) -> Iterator[str]:
    for name, ghost in outline.ghosts.items():
        if ghost.initial >> ghost.width:
            yield f"the ghost {name} begins with a value that does not fit"
    for (thread, move), values in outline.updates.items():
        if not (0 <= thread < len(system.threads) and 0 <= move < len(system.threads[thread].moves)):
            yield f"thread {thread} has no move {move}"
        for name, value in values.items():
            if name not in outline.ghosts or value.sort.width != outline.ghosts[name].width:
                yield f"a value that the ghost {name} cannot have"


def _names(term: Term) -> Iterator[str]:
    return (str(variable.args[0]) for variable in variables(term))
