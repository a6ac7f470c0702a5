"""The strategy that proves a whole program by facts at its cut points.

Guesses come in rounds, dearer ones later; what is inductive stays. As soon as the facts exclude all errors, those that
this takes are the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.abstraction.weakest import Weakest
from pincer.engines.board import Board, Holds
from pincer.engines.cutpoints.blocks import blocks_of
from pincer.engines.cutpoints.buffer_facts import buffer_candidates, nullable_candidates
from pincer.engines.cutpoints.candidates import numeric_candidates
from pincer.engines.cutpoints.contents import cell_candidates, content_candidates
from pincer.engines.cutpoints.induction import Facts, Induction
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.node_facts import node_candidates
from pincer.engines.cutpoints.plain import PlainForm
from pincer.engines.cutpoints.proof import cut_point_proof
from pincer.engines.cutpoints.view import View, view_of
from pincer.engines.cutpoints.zone_facts import ZoneFacts
from pincer.engines.inlining import Inlined, inlined
from pincer.engines.invariants.houdini import Asking
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.questions import Questions
from pincer.logic.bitvectors import constant, room, width
from pincer.logic.terms import FALSE, TRUE, Term, equal
from pincer.program.control_flow import Call, ControlFlowProgram, Edge, Procedure, Skip
from pincer.program.effects import effects
from pincer.program.passes.edges import fresh_locations

Source: TypeAlias = Callable[[View, int], Iterator[Term]]


class Cut(Struct, frozen=True):
    """The program that cut points are about (with calls put in place where it is `flat`), and questions about it."""

    program: ControlFlowProgram
    flat: Inlined | None
    view: View
    induction: Induction


class CutPoints:
    """The strategy: works until the facts suffice or nothing is left to be guessed."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.questions = Questions(board.run, board.program.layout.slot_bits, LIMITS.ticks, "cut points")
        self._work: Asking[Holds | str] | None = None

    def step(self, budget: Allowance) -> Going | Ended | Holds:
        before, extra = self.questions.effort, 0
        if self._work is None:
            self._work = self._proved()
        while budget.calls > self.questions.effort - before + extra:
            self._board.run.poll()
            try:
                extra += next(self._work)
            except StopIteration as done:
                found: Holds | str = done.value
                return Ended(found) if isinstance(found, str) else found
        return Going(Allowance(0, self.questions.effort - before + extra))

    def _proved(self) -> Asking[Holds | str]:
        """The proof, or why there is none."""
        cut = self._cut()
        if isinstance(cut, str):
            return cut
        facts: Facts = {place: {} for place in cut.view.live if place != cut.view.procedure.entry}
        for sources in _rounds(cut.view):
            yield 1
            for place, known in facts.items():
                known |= _guessed(cut.view, place, sources, known)
            yield from cut.induction.keep_inductive(facts)
            kept = yield from cut.induction.supporting(facts)
            if kept is not None:
                return self._conclusion(cut, kept)
        return "no facts at cut points exclude all errors"

    def _cut(self) -> Cut | str:
        flat = inlined(self._board.program)
        program = self._board.program if flat is None else flat.program
        procedure = begun_once(program)
        if any(isinstance(edge.label, Call) for edge in procedure.edges):
            return "not all calls can be put in place"
        if not procedure.loop_heads or len(procedure.edges) > LIMITS.edges:
            return "there is no loop, or the program is too large"
        weakest = Weakest(program.layout, program.top, effects(program).__getitem__)
        blocks = blocks_of(procedure, self._board.kind, weakest, LIMITS.paths)
        if blocks is None or len(blocks.cuts) > LIMITS.cuts:
            return "there are too many loops, or ways between them"
        hidden = {} if flat is None else flat.hidden
        view = view_of(program, procedure, blocks.cuts, hidden, self._board.run)
        induction = Induction(blocks, PlainForm(program), self.questions, tuple(_initial(program)))
        return Cut(program, flat, view, induction)

    def _conclusion(self, cut: Cut, facts: Facts) -> Holds | str:
        """Proofs of `assertions` end runs where behaviour is undefined; if some really do, that is left to others."""
        objection = self._board.objection()
        if objection is not None:
            return objection.text
        if self._board.kind == "assertions" and self._board.undefined:
            return "behaviour is undefined on the way"
        return Holds("cut points", execution=cut_point_proof(facts, cut.program.entry, cut.flat))


def begun_once(program: ControlFlowProgram) -> Procedure:
    """The procedure with which a program begins, its entry no loop head: what holds at the start holds there once."""
    procedure = program.procedures[program.entry]
    if procedure.entry not in procedure.loop_heads:
        return procedure
    before = next(fresh_locations(program))
    first = Edge(before, procedure.entry, Skip(), procedure.position)
    return replace(procedure, entry=before, edges=(first, *procedure.edges))


def _rounds(view: View) -> Iterator[tuple[Source, ...]]:
    """Where guesses come from, round by round."""
    yield ZoneFacts(view).candidates, numeric_candidates, buffer_candidates
    yield content_candidates, cell_candidates
    yield (nullable_candidates,)
    yield nullable_candidates, node_candidates


def _guessed(view: View, place: int, sources: tuple[Source, ...], known: dict[Term, None]) -> dict[Term, None]:
    found: dict[Term, None] = {}
    for source in sources:
        for formula in source(view, place):
            new = formula not in (TRUE, FALSE) and formula not in found and not _follows(formula, known)
            if new and len(found) < LIMITS.candidates and view.holds(formula, place):
                found[formula] = None
    return found


def _follows(formula: Term, known: dict[Term, None]) -> bool:
    return formula in known or (formula.op == "or" and any(part in known for part in formula.args))


def _initial(program: ControlFlowProgram) -> Iterator[Term]:
    """What holds when the program begins."""
    bits = program.layout.pointer_bits
    yield equal(program.top, constant(program.first_free, bits))
    for register, value in program.initial.items():
        yield equal(register, constant(value, width(register)))
    for item in program.objects:
        yield equal(room(constant(item.address, bits)), constant(item.size, bits))
