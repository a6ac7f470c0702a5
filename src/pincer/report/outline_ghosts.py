"""What the variables are that a proof about threads has beside those of the program, each in a sentence.

The sentence is made of what the certificate does with the variable: which moves set it, and to what.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pincer.evidence.thread_proof.certificate import ThreadCertificate
from pincer.evidence.thread_proof.leaves import ME, thread_leaf
from pincer.evidence.thread_proof.states import Ghost
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.registers import is_global

_Setting = tuple[int, int, Term]
"""The thread that sets a variable, the line, and the new value."""


def explained_ghosts(program: ControlFlowProgram, proof: ThreadCertificate) -> Iterator[tuple[str, str]]:
    """The names of the variables with their sentences. The program is the one that the proof is about."""
    ghosts = proof.outline.ghosts
    if not ghosts:
        return
    threads = unfolded(program, proof.spurious_wakeups).threads
    for name, ghost in ghosts.items():
        settings = [
            (thread, threads[thread].moves[move].position.line, values[name])
            for (thread, move), values in proof.outline.updates.items()
            if name in values
        ]
        yield name, _sentence(program, proof, ghost, settings)


def _sentence(program: ControlFlowProgram, proof: ThreadCertificate, ghost: Ghost, settings: list[_Setting]) -> str:
    me = thread_leaf(ME, program.layout.pointer_bits)
    taken = [line for _, line, value in settings if me in value.variables]
    if ghost.width == program.layout.pointer_bits and taken:
        given = [line for _, line, value in settings if bitvectors.constant_value(value) == 0]
        until = f", until {_lines(given)}" if given else ""
        return f"the thread that has taken it at {_lines(taken)}{until}; 0 while nobody has it"
    names = {thread.number: thread.routine for thread in proof.threads}
    told = _of_a_ticket(settings, names)
    if told:
        return told
    set_by = {thread for thread, _, value in settings if value.op != "bvconst"} or {thread for thread, *_ in settings}
    owners = sorted({names[thread] for thread in set_by if thread} or {names[thread] for thread in set_by})
    return f"a number for where {' and '.join(owners)} is going: set as soon as what leads there begins"


def _of_a_ticket(settings: list[_Setting], names: Mapping[int, str]) -> str:
    """What a variable is that one thread sets to what it finds, or to one and back to zero; empty for all others."""
    by, lines = {thread for thread, *_ in settings}, [line for _, line, _ in settings]
    values = {bitvectors.constant_value(value) for *_, value in settings}
    if len(by) != 1:
        return ""
    routine = names[next(iter(by))]
    if values == {None} and all(bitvectors.state_reads(v) or is_global(v) for *_, v in settings):
        return f"the number that {routine} has drawn at {_lines(lines)}"
    if values != {0, 1}:
        return ""
    drawn = _lines(line for _, line, value in settings if bitvectors.constant_value(value))
    served = _lines(line for _, line, value in settings if not bitvectors.constant_value(value))
    return f"1 from {drawn} to {served} of {routine}, while it has a number that it has drawn, 0 otherwise"


def _lines(numbers: Iterable[int]) -> str:
    found = sorted(set(numbers))
    first = ", ".join(map(str, found[:-1]))
    return f"line {found[0]}" if len(found) == 1 else f"lines {first} and {found[-1]}"
