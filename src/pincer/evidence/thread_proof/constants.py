"""Registers of threads that are certain to hold a constant, as pointers to what is shared do, and steps with the
constants in place of them.

A procedure that is given `&queue`, or a thread that is started with it, has the address in a parameter, and perhaps in
variables that the parameter is copied to. Only the thread itself gives such registers values, so what they hold at a
place is read off its moves: what holds on all ways there. Each call that is under way has places of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pincer.evidence.c_proof.program_facts import assigned_register
from pincer.logic.terms import Term, substitute
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    Check,
    Copy,
    End,
    Fill,
    Free,
    Label,
    Store,
)
from pincer.program.registers import THREAD, Register, Role
from pincer.program.thread_labels import ThreadOperation
from pincer.program.threaded_system import Action, Enter, Leave, Move, Perform, Place, UnfoldedThread

Constants = Mapping[Term, Term]
"""Registers with what they hold."""


def valued(label: Label, values: Constants) -> Label:
    """The same step with values in place of registers; what it assigns stays."""

    def changed(term: Term) -> Term:
        return substitute(term, values)

    if not values:
        return label
    match label:
        case Assign(register, value):
            return Assign(register, changed(value))
        case Store(address, value):
            return Store(changed(address), changed(value))
        case Copy(target, source, size):
            return Copy(changed(target), changed(source), changed(size))
        case Fill(target, size, byte):
            return Fill(changed(target), changed(size), changed(byte))
        case Assume(condition) | Check(_, condition):
            return replace(label, condition=changed(condition))
        case Allocate(_, size):
            return replace(label, size=changed(size))
        case End(address) | Free(address):
            return replace(label, address=changed(address))
        case Call(_, arguments):
            return replace(label, arguments=tuple(map(changed, arguments)))
        case ThreadOperation():
            return label.mapped(changed)
    return label


def with_constants(thread: UnfoldedThread, argument: Term | None) -> UnfoldedThread:
    """The thread with constants in place of registers that hold them; `argument` is what it is started with."""
    known = _known(thread, argument)
    moves = tuple(replace(move, actions=_passed(move, known[move.source])[0]) for move in thread.moves)
    return replace(thread, moves=moves)


def _known(thread: UnfoldedThread, argument: Term | None) -> dict[Place, dict[Term, Term]]:
    """What registers hold at each place, on all ways there."""
    first: dict[Term, Term] = {}
    if argument is not None:
        for parameter in thread.routine.parameters:
            first = _with(first, parameter, argument if parameter.sort == argument.sort else None)
    found, waiting = {thread.entry: first}, [thread.entry]
    while waiting:
        place = waiting.pop()
        for move in thread.outgoing[place]:
            if move.target is None:
                continue
            after = _passed(move, found[place])[1]
            before = found.get(move.target)
            both = after if before is None else dict(after.items() & before.items())
            if both != before:
                found[move.target] = both
                waiting.append(move.target)
    return found


def _passed(move: Move, known: dict[Term, Term]) -> tuple[tuple[Action, ...], dict[Term, Term]]:
    """The actions of a move with what is known before it in their place, and what is known after it."""
    actions: list[Action] = []
    for action in move.actions:
        action, known = _after(action, known)
        actions.append(action)
    return tuple(actions), known


def _after(action: Action, known: dict[Term, Term]) -> tuple[Action, dict[Term, Term]]:
    match action:
        case Perform(label):
            label = valued(label, known)
            value = label.value if isinstance(label, Assign) else None
            return replace(action, label=label), _with(known, assigned_register(label), value)
        case Enter(procedure, arguments):
            given = tuple(substitute(argument, known) for argument in arguments)
            known = _without(known, procedure.name)
            for parameter, value in zip(procedure.parameters, given, strict=True):
                known = _with(known, parameter, value)
            return replace(action, arguments=given), known
        case Leave(procedure, result):
            value = None if procedure.result is None else known.get(procedure.result)
            return action, _with(_without(known, procedure.name), result, value)
    return action, known


def _with(known: dict[Term, Term], register: Term | None, value: Term | None) -> dict[Term, Term]:
    """What is known after an assignment. Registers that others may assign, too, are not followed."""
    kept = {other: held for other, held in known.items() if other is not register}
    if register is not None and value is not None and value.op == "bvconst" and _is_own(register):
        kept[register] = value
    return kept


def _without(known: dict[Term, Term], procedure: str) -> dict[Term, Term]:
    """Registers of what is called begin anew, or are over; those of callers stay."""
    return {register: value for register, value in known.items() if register.args[0].owner != procedure}


def _is_own(register: Term) -> bool:
    name = register.args[0]
    return isinstance(name, Register) and name.owner not in (None, THREAD) and name.role in _FOLLOWED


_FOLLOWED = (Role.VARIABLE, Role.PARAMETER, Role.UNNAMED, Role.TEMPORARY, Role.RESULT)
