"""Obligations as formulas that must not be satisfiable: who is asked, and how often."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.errors import PincerError
from pincer.evidence.solvers import Session, SolverError, open_session
from pincer.runtime.run import Run

QUERY_SECONDS = 10.0
"""An obligation that takes the first solver longer goes to the second."""
SECOND_SECONDS = 30.0
"""What takes the second solver longer counts as not proved."""
TOGETHER_SECONDS = 5.0
"""Obligations that are asked together and take longer are asked one by one."""


class Prover:
    """Two solvers over the same definitions; only `unsat` counts."""

    def __init__(self, name: str, run: Run) -> None:
        self.run = run
        self.calls = 0
        self._definitions: list[str] = []
        self._others = [other for other in dict.fromkeys((name, "cvc5", "z3")) if other]
        self._sessions: list[Session] = []
        self._told: list[int] = []
        if self._session(0) is None:
            raise PincerError("neither cvc5 nor z3 is installed: no proof can be checked")

    @property
    def name(self) -> str:
        return self._sessions[0].name

    def define(self, text: str) -> None:
        self._definitions.append(text)

    def refuted(self, formula: str) -> bool:
        """Whether no values satisfy the formula."""
        self.run.poll()
        number = 0
        while (session := self._session(number)) is not None:
            verdict = self._asked(number, session, formula, SECOND_SECONDS if number else QUERY_SECONDS)
            if verdict in ("sat", "unsat"):
                return verdict == "unsat"
            number += 1
        return False

    def all_refuted(self, formulas: Sequence[str]) -> bool:
        """Whether no values satisfy any of the formulas; False also when that is not seen at once."""
        self.run.poll()
        return self._asked(0, self._sessions[0], f"(or {' '.join(formulas)} false)", TOGETHER_SECONDS) == "unsat"

    def _session(self, number: int) -> Session | None:
        """The solvers that are installed, in their order; each is started when it is first asked."""
        while len(self._sessions) <= number and self._others:
            session = open_session(self._others.pop(0), "QF_LIA", self.run)
            if session is not None:
                self._sessions.append(session)
                self._told.append(0)
        return self._sessions[number] if number < len(self._sessions) else None

    def _asked(self, number: int, session: Session, formula: str, seconds: float) -> str:
        fresh = self._definitions[self._told[number] :]
        self._told[number] = len(self._definitions)
        remaining = self.run.remaining()
        self.calls += 1
        try:
            if fresh:
                session.define("\n".join(fresh))
            return session.verdict(formula, seconds if remaining is None else min(seconds, remaining))
        except SolverError as error:
            raise PincerError(f"{session.name} failed: {error}") from error
