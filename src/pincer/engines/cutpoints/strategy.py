"""The strategy that proves a whole program by facts at its cut points.

Guesses come in rounds, dearer ones later; what is inductive stays. As soon as the facts exclude all errors, those that
this takes are the proof.
"""

from __future__ import annotations

from pincer.engines.board import Board, Holds
from pincer.engines.cutpoints.cutting import Cut, cut_of, guessed, rounds
from pincer.engines.cutpoints.induction import Facts
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.proof import cut_point_proof
from pincer.engines.invariants.houdini import Asking
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.questions import Questions


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
        cut = cut_of(self._board.program, self._board.kind, self.questions)
        if isinstance(cut, str):
            return cut
        facts: Facts = {place: {} for place in cut.view.live if place != cut.view.procedure.entry}
        for sources in rounds(cut.view):
            yield 1
            for place, known in facts.items():
                known |= guessed(cut.view, place, sources, known)
                yield len(known)
            yield from cut.induction.keep_inductive(facts)
            kept = yield from cut.induction.supporting(facts)
            if kept is not None:
                return self._conclusion(cut, kept)
        return "no facts at cut points exclude all errors"

    def _conclusion(self, cut: Cut, facts: Facts) -> Holds | str:
        """Proofs of `assertions` end runs where behaviour is undefined; if some really do, that is left to others."""
        objection = self._board.objection()
        if objection is not None:
            return objection.text
        if self._board.kind == "assertions" and self._board.undefined:
            return "behaviour is undefined on the way"
        return Holds("cut points", execution=cut_point_proof(facts, cut.program.entry, cut.flat))
