"""DASH as a strategy: from the program as it is written to regions, and from these back to a proof of it."""

from __future__ import annotations

from collections.abc import Iterable

from pincer.analysis.constants import constants, needed_constants, nothing_known, without_registers
from pincer.engines.board import Board, Holds, Inputs, NoAnswer, Violated
from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.help import SearchHelper
from pincer.engines.dash.inlined_proof import read_back
from pincer.engines.dash.limits import LIMITS
from pincer.engines.dash.proof import procedure_proofs
from pincer.engines.dash.searches import ErrorReached, Searching, Undecided, UndefinedBehaviourFound
from pincer.engines.inlining import inlined
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.violation import violated
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.program.effects import effects
from pincer.runtime.reasons import Reason

NOT_REPEATED = Reason("a violation was found but could not be repeated from the start of the program")


class Regions:
    """The strategy: tests and regions of a program in which calls are put in place and constants are known.

    A `plain` one takes the program as it is. One that is not `helped` asks nobody for invariants. The first tests are
    the `planned` ones."""

    def __init__(self, board: Board, planned: Iterable[Inputs] = (), plain: bool = False, helped: bool = True) -> None:
        self._board = board
        self._helped = helped
        self._flat = None if plain else inlined(board.program)
        searched = board.program if self._flat is None else self._flat.program
        known = nothing_known(searched) if plain else needed_constants(searched, constants(searched))
        self._hidden = {} if self._flat is None else self._flat.hidden
        self._known = without_registers(known, self._hidden)
        self.analysed = self._known.simplified(searched)
        # The proof is about the program as written, so what calls change is taken from there.
        self.effects = effects(searched)
        self._tests_run = 0
        self._begin(planned, strict=False)

    def _begin(self, planned: Iterable[Inputs], strict: bool) -> None:
        self.dash = Dash(self.analysed, self._board, self.effects, strict)
        if self._helped:
            self.dash.help = SearchHelper(self.dash, self._hidden)
        self._work: Searching[None] = self.dash.dash_main(planned)

    @property
    def _spent(self) -> Allowance:
        steps = self.dash.forest.steps + LIMITS.steps_per_iteration * self.dash.statistics.iterations
        return Allowance(steps, self.dash.questions.effort)

    def step(self, budget: Allowance) -> Going | Ended | Holds | Violated | NoAnswer:
        """Gives way early when a loop needs invariants."""
        before, requests = self._spent, self._board.requests
        until = before + budget
        try:
            self._run_tests_of_others()
            while self._spent.steps < until.steps and self._spent.calls < until.calls:
                next(self._work)
                if self._board.requests > requests:
                    break
        except StopIteration:
            return self._conclusion()
        except UndefinedBehaviourFound:
            self._begin([node.state.values for node in self.dash.forest.ends], strict=True)
            return Going()
        except ErrorReached as error:
            found = violated(self._board, error.node.state.values, error.stop)
            return found or NoAnswer(NOT_REPEATED)
        except Undecided as undecided:
            return Ended(undecided.reason)
        return Going(Allowance(self._spent.steps - before.steps, self._spent.calls - before.calls))

    def _run_tests_of_others(self) -> None:
        """Tests that others found useful; an execution into undefined behaviour makes the analysis strict."""
        while self._tests_run < len(self._board.inputs):
            self._tests_run += 1
            self.dash.add_test_to_forest(self.dash.forest.tester.root(self._board.inputs[self._tests_run - 1]))
        if self._board.undefined and not self.dash.strict:
            raise UndefinedBehaviourFound

    def _conclusion(self) -> Holds | NoAnswer:
        reason = self._board.objection()
        return NoAnswer(reason) if reason else Holds("regions", self._proofs())

    def _proofs(self) -> tuple[ProcedureProof, ...]:
        if self._flat is None:
            return procedure_proofs(self.dash, self._board.program, self._known)
        return read_back(procedure_proofs(self.dash, self._flat.program, self._known), self._flat)
