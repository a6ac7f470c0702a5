"""Obligations as formulas that must not be satisfiable: who is asked, and how often."""

from __future__ import annotations

from pincer.errors import PincerError
from pincer.evidence.solvers import Session, SolverError, open_session
from pincer.runtime.run import Run

QUERY_SECONDS = 10.0
"""An obligation that takes the first solver longer goes to the second."""
SECOND_SECONDS = 30.0
"""What takes the second solver longer counts as not proved."""


class Prover:
    """Two solvers over the same definitions; only `unsat` counts."""

    def __init__(self, name: str, run: Run) -> None:
        self.run = run
        self.calls = 0
        self._definitions: list[str] = []
        others = [other for other in (name, "cvc5", "z3") if other]
        self._sessions = [session for other in dict.fromkeys(others) if (session := open_session(other, "QF_LIA", run))]
        if not self._sessions:
            raise PincerError("neither cvc5 nor z3 is installed: no proof can be checked")
        self._told = [0] * len(self._sessions)

    @property
    def name(self) -> str:
        return self._sessions[0].name

    def define(self, text: str) -> None:
        self._definitions.append(text)

    def refuted(self, formula: str) -> bool:
        """Whether no values satisfy the formula."""
        self.run.poll()
        for number, session in enumerate(self._sessions):
            verdict = self._asked(number, session, formula)
            if verdict in ("sat", "unsat"):
                return verdict == "unsat"
        return False

    def _asked(self, number: int, session: Session, formula: str) -> str:
        fresh = self._definitions[self._told[number] :]
        self._told[number] = len(self._definitions)
        seconds = SECOND_SECONDS if number else QUERY_SECONDS
        remaining = self.run.remaining()
        self.calls += 1
        try:
            if fresh:
                session.define("\n".join(fresh))
            return session.verdict(formula, seconds if remaining is None else min(seconds, remaining))
        except SolverError as error:
            raise PincerError(f"{session.name} failed: {error}") from error
