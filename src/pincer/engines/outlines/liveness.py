"""Registers of threads whose values matter later: about others nothing has to be guessed."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.logic.terms import Term
from pincer.program.labels import read_registers, written_register
from pincer.program.registers import is_local
from pincer.program.threaded_system import Action, Enter, Leave, Perform, Place, UnfoldedThread


def live_registers(thread: UnfoldedThread) -> Mapping[Place, frozenset[Term]]:
    """The registers whose values at a place matter later."""
    found: dict[Place, frozenset[Term]] = dict.fromkeys(thread.places, frozenset())
    changed = True
    while changed:
        changed = False
        for move in reversed(thread.moves):
            live = frozenset[Term]() if move.target is None else found[move.target]
            for action in reversed(move.actions):
                live = _before(action, live)
            if not live <= found[move.source]:
                found[move.source] |= live
                changed = True
    return found


def _before(action: Action, live: frozenset[Term]) -> frozenset[Term]:
    match action:
        case Perform(label=label):
            written = written_register(label)
            return (live - {written}) | frozenset(filter(is_local, read_registers(label)))
        case Enter(procedure, arguments):
            read = frozenset[Term]().union(*(argument.variables for argument in arguments))
            return (live - frozenset(procedure.parameters)) | frozenset(filter(is_local, read))
        case Leave(procedure, result):
            kept = live if result is None else live - {result}
            return kept if procedure.result is None or result is None else kept | {procedure.result}
    return live
