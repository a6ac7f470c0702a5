"""Inner places of a thread: what it does there concerns nobody, always can be done, and soon is over.

From an inner place a thread goes on by moves about its own registers alone, one of which is always possible, and comes
after finitely many of them to a place that is not inner. So it may go there at once, whatever others do.
"""

from __future__ import annotations

from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.term_data import Reader
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Input, Skip
from pincer.program.threaded_system import Action, Enter, Leave, Move, Perform, Place, UnfoldedThread


def inner_places(thread: UnfoldedThread, registers: ProgramRegisters) -> frozenset[Place]:
    """The inner places: least, so that no circle consists of them alone."""
    candidates = {place for place in thread.places if _goes_on(thread.outgoing[place], registers)}
    found: set[Place] = set()
    changed = True
    while changed:
        following = {
            place
            for place in candidates - found
            if all(move.target not in candidates or move.target in found for move in thread.outgoing[place])
        }
        found |= following
        changed = bool(following)
    return frozenset(found)


def _goes_on(moves: tuple[Move, ...], registers: ProgramRegisters) -> bool:
    """Whether these moves concern nobody else, and one of them can always be made."""
    if not moves or any(move.target is None or len(move.actions) != 1 for move in moves):
        return False
    if len(moves) == 1:
        return not isinstance(moves[0].label, Assume) and _is_own(moves[0].actions[0], registers)
    sides = [move.label for move in moves if isinstance(move.label, Assume)]
    if len(sides) != 2 or len(moves) != 2 or terms.negate(sides[0].condition) is not sides[1].condition:
        return False
    return all(_is_own(move.actions[0], registers) for move in moves)


def _is_own(action: Action, registers: ProgramRegisters) -> bool:
    match action:
        case Perform(label=Assign() | Input() | Skip() | Assume() as label):
            given = assigned_register(label)
            written = () if given is None else (given,)
            return all(_is_local(term, registers) for term in (*written, *label_terms(label)))
        case Enter(arguments=arguments):
            return all(_is_local(term, registers) for term in arguments)
        case Leave(result=result):
            return result is None or _is_local(result, registers)
    return False


def _is_local(term: Term, registers: ProgramRegisters) -> bool:
    """Whether a term is about the registers of a thread alone."""
    reads = Reader().reads(term)
    return not (reads.memory or reads.rooms) and all(map(registers.is_local, reads.registers))
