"""Questions to solvers: whether a formula has no model, asked of one solver after the other and remembered.

Only `unsat` counts. What takes the first solver long goes to the next; a solver that stumbles begins anew.
"""

from __future__ import annotations

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.solvers import Session, SmtLogic, SolverError, open_session
from pincer.runtime import clock
from pincer.runtime.run import Run

ORDER = ("z3", "cvc5", "bitwuzla")
"""Who is asked, first to last: z3 is the quickest, cvc5 the steadier on hard questions, bitwuzla what engines ask."""
FLOATING_ORDER = ("cvc5", "z3", "bitwuzla")
"""Who is asked once there is floating point, which z3 is slowest at."""
MERGED_ORDER = ("z3", "z3 once", "cvc5")
"""Who is asked about merged executions: few questions, but hard ones, in which z3 is quickest where it may begin anew.
The engine that merges rests on bitwuzla, so that one is not asked."""
MERGED_FLOATING_ORDER = ("cvc5", "z3", "z3 once")
MERGED_PATIENCE = 0.5
"""A question about merged executions is most of the proof: half of the time that is left is not too much for it."""


class Budget(Struct, frozen=True):
    """`seconds` in all; what takes the first solver longer than `first_seconds` goes to the next, and so on."""

    seconds: float = 300.0
    first_seconds: float = 0.5
    next_seconds: float = 20.0


class Asking:
    """The solvers of one check: their sessions, what they have said, and how often they were asked.

    With `patience` those that come later may take such a part of the time that is left."""

    def __init__(self, script: Script, budget: Budget, run: Run) -> None:
        self.calls: dict[str, int] = {}
        self.verdicts: dict[Node, tuple[str, str]] = {}
        self.orders = ORDER, FLOATING_ORDER
        self.patience = 0.0
        self._script = script
        self._budget = budget
        self._run = run
        self._deadline = clock.now() + budget.seconds
        self._sessions: dict[str, Session | None] = {}
        self._failures: dict[str, str] = {}
        self._defined: dict[str, int] = {}
        self._logics: dict[str, SmtLogic] = {}

    def poll(self) -> None:
        """Executions take as long as they take: the time limit is theirs as well as the solvers'."""
        self._run.poll()
        if clock.now() >= self._deadline:
            raise PincerError(f"the time limit of {self._budget.seconds:.3g} s for checking is reached")

    def has_no_model(self, formula: Node) -> bool:
        return self.verdict(formula) == "unsat"

    def verdict(self, formula: Node, quick: bool = False) -> str:
        """`sat`, `unsat`, or why neither is known; a quick question goes to the first solver only."""
        if formula.is_false:
            return "unsat"
        if formula in self.verdicts:
            return self.verdicts[formula][0]
        found = self._asked(formula, quick)
        if not quick or found[1]:
            self.verdicts[formula] = found
        return found[0]

    def finding(self, formula: Node) -> str:
        """What came out for a formula that was not shown to have no model."""
        verdict, solver = self.verdicts[formula]
        return f"{solver} has a counterexample" if verdict == "sat" else f"not proved: {verdict}"

    def _asked(self, formula: Node, quick: bool) -> tuple[str, str]:
        """The first definite verdict of the solvers, and whose it is."""
        seconds = self._budget.first_seconds
        order = self.orders[self._script.has_numbers]
        for name in order[:1] if quick else order:
            session = self._session(name)
            if session is None:
                continue
            self._run.poll()
            left = self._deadline - clock.now()
            if left <= 0:
                return f"the time limit of {self._budget.seconds:.3g} s is reached", ""
            self.calls[session.name] = self.calls.get(session.name, 0) + 1
            verdict = self._verdict(name, session, formula, min(seconds, left))
            if verdict in ("sat", "unsat"):
                return verdict, session.name
            seconds = max(self._budget.next_seconds, self.patience * left)
        return "no solver decides it in time", ""

    def _session(self, name: str) -> Session | None:
        logic: SmtLogic = "QF_UFBVFP" if self._script.has_numbers else "QF_UFBV"
        if name not in self._sessions or self._logics[name] != logic:
            self._sessions[name] = open_session(name, logic, self._run)
            self._logics[name] = logic
            self._defined[name] = 0
        return self._sessions[name]

    def _verdict(self, name: str, session: Session, formula: Node, seconds: float) -> str:
        """What a solver says; one that stumbles begins anew with the next question."""
        lines, self._defined[name] = self._script.lines_after(self._defined[name])
        try:
            if lines:
                session.define(lines)
            return session.verdict(self._script.question(formula), seconds)
        except SolverError as error:
            del self._sessions[name]
            self._failures[name] = f"{name} failed: {error}"
            return "error"

    def remarks(self) -> tuple[str, ...]:
        remarks = [f"{name} is not installed" for name, session in self._sessions.items() if session is None]
        remarks.extend(self._failures.values())
        if "bitwuzla" in self.calls:
            remarks.append(f"{self.calls['bitwuzla']} obligations went to bitwuzla, which engines use as well")
        return tuple(remarks)
