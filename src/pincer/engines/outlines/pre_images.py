"""Conditions carried back over moves: what must hold before for a condition to hold after.

These are guesses: where a move does something that is not followed here, the condition is carried back as it is.
"""

from __future__ import annotations

from collections.abc import Mapping

from pincer.evidence.thread_proof.leaves import ME, thread_leaf
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Input, Store
from pincer.program.labels import written_register
from pincer.program.thread_labels import Self, ThreadOperation
from pincer.program.threaded_system import Action, Enter, Leave, Move, Perform


def replaced(term: Term, values: Mapping[Term, Term]) -> Term:
    """A term with others in place of some parts, which may be reads of memory."""
    memo = dict(values)

    def visit(part: Term) -> Term:
        if part not in memo:
            memo[part] = terms.rebuild(part, visit)
        return memo[part]

    return visit(term)


def pre_image(move: Move, condition: Term, updates: Mapping[str, Term], bits: int) -> Term | None:
    """The condition before a move that makes one hold after it; None where it speaks of a value that is new then."""
    ghosts = {
        variable: variable
        for variable in condition.variables
        if str(variable.args[0]).removeprefix("ghost:") in updates and str(variable.args[0]).startswith("ghost:")
    }
    kept = {
        variable: bitvectors.variable(("later", variable.args[0]), bitvectors.width(variable)) for variable in ghosts
    }
    found: Term | None = replaced(condition, kept)
    for action in reversed(move.actions):
        found = None if found is None else _before(action, found, bits)
    if found is None:
        return None
    back = {kept[ghost]: updates[str(ghost.args[0]).removeprefix("ghost:")] for ghost in ghosts}
    return replaced(found, back)


def _before(action: Action, condition: Term, bits: int) -> Term | None:
    match action:
        case Perform(label=Assign(register, value)):
            return replaced(condition, {register: value})
        case Perform(label=Store(address, value)):
            return replaced(condition, {bitvectors.load(address, bitvectors.width(value) // 8): value})
        case Perform(label=Input(register)):
            return None if register in condition.variables else condition
        case Perform(label=Self(result=Term() as result)):
            return replaced(condition, {result: thread_leaf(ME, bits)})
        case Perform(label=ThreadOperation() as label):
            written = written_register(label)
            return None if written is not None and written in condition.variables else condition
        case Enter(procedure, arguments):
            return replaced(condition, dict(zip(procedure.parameters, arguments, strict=True)))
        case Leave(procedure, result) if result is not None and procedure.result is not None:
            return replaced(condition, {result: procedure.result})
    return condition
