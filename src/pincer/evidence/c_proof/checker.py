"""Is the proof a proof? The checker of proofs about C programs.

Every part of the proof is a Hoare triple; that they are all valid is shown by obligations about single edges, each
refuted by a solver. Only `unsat` counts. The parts may use each other, recursively too: a triple speaks about runs that
come back, so an invalid one would have a shortest run that shows it.
"""

from __future__ import annotations

import time

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.encoding import Encoder
from pincer.evidence.c_proof.merged import MergedChecker
from pincer.evidence.c_proof.obligations import Obligation, ObligationWriter, obligations
from pincer.evidence.c_proof.paths import PathChecker, Refused
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.scopes import misfit, out_of_scope, used_proofs
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.solvers import Session, SmtLogic, SolverError, open_session
from pincer.program.control_flow import Allocate, ControlFlowProgram
from pincer.program.property import Assumption
from pincer.runtime.run import Run

ORDER = ("z3", "cvc5", "bitwuzla")
"""Who is asked, first to last: z3 is the quickest, cvc5 the steadier on hard questions, bitwuzla what engines ask."""
FLOATING_ORDER = ("cvc5", "z3", "bitwuzla")
"""Who is asked once there is floating point, which z3 is slowest at."""
MOST_REFUSALS = 10
"""After this many claims that are not proved, the rest is not looked at."""


class Budget(Struct, frozen=True):
    """`seconds` in all; what takes the first solver longer than `first_seconds` goes to the next, and so on."""

    seconds: float = 300.0
    first_seconds: float = 0.5
    next_seconds: float = 20.0


class CheckResult(Struct, frozen=True):
    """`refused` says what is not proved, one sentence each; `settled` counts obligations that needed no solver.

    `solver_calls` counts by solver; `remarks` tell when a solver that engines use had to help. `assumptions` are those
    of the memory model.
    """

    accepted: bool
    refused: tuple[str, ...]
    obligations: int = 0
    settled: int = 0
    solver_calls: dict[str, int] = {}
    time_s: float = 0.0
    remarks: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def check_proof(
    program: ControlFlowProgram,
    certificate: ProofCertificate,
    budget: Budget | None = None,
    sha256: str | None = None,
    run: Run | None = None,
) -> CheckResult:
    """Check that the certificate proves its property of the program.

    `sha256` is the hash of the source the program was read from, compared with the certificate's when given. A
    certificate that does not fit, or whose claims are not all proved within the budget, is refused. `Stopped` is raised
    when the run is stopped.
    """
    started = time.monotonic()
    check = _Check(budget or Budget(), run or Run())
    try:
        check.all_of(program, certificate, sha256)
    except PincerError as error:
        check.refused.append(str(error))
    except RecursionError:
        check.refused.append("a formula is nested too deeply to be checked")
    return CheckResult(
        accepted=not check.refused,
        refused=tuple(check.refused),
        obligations=check.obligations,
        settled=check.settled,
        solver_calls=check.calls,
        time_s=time.monotonic() - started,
        remarks=check.remarks(),
        assumptions=_assumptions(program),
    )


def _assumptions(program: ControlFlowProgram) -> tuple[Assumption, ...]:
    if not any(isinstance(edge.label, Allocate) for edge in program.edges()):
        return ()
    slots = (1 << program.layout.pointer_bits) // program.layout.slot - program.first_free // program.layout.slot - 1
    return (Assumption(f"no run allocates more than {slots} objects"),)


class _Check:
    """One check: its sessions, what was refused, and the counts."""

    def __init__(self, budget: Budget, run: Run) -> None:
        self.refused: list[str] = []
        self.obligations = 0
        self.settled = 0
        self.calls: dict[str, int] = {}
        self._budget = budget
        self._run = run
        self._deadline = time.monotonic() + budget.seconds
        self._script = Script()
        self._sessions: dict[str, Session | None] = {}
        self._failures: dict[str, str] = {}
        self._defined: dict[str, int] = {}
        self._logics: dict[str, SmtLogic] = {}
        self._verdicts: dict[Node, tuple[str, str]] = {}
        self._writers: list[ObligationWriter] = []

    def all_of(self, program: ControlFlowProgram, certificate: ProofCertificate, sha256: str | None) -> None:
        """Look at everything the proof claims, and put what is not proved into `refused`."""
        facts = ProgramFacts(program, certificate.property)
        problem = misfit(facts, certificate, sha256)
        if problem is not None:
            raise PincerError(problem)
        if certificate.paths is not None:
            self._explored(PathChecker(facts, self._script, certificate.paths, self._has_no_model, self._poll))
        elif certificate.merged is not None:
            self._explored(MergedChecker(facts, self._script, certificate.merged, self._has_no_model, self._poll))
        else:
            self._outlined(facts, certificate)

    def _poll(self) -> None:
        """Executions take as long as they take: the time limit is theirs as well as the solvers'."""
        self._run.poll()
        if time.monotonic() >= self._deadline:
            raise PincerError(f"the time limit of {self._budget.seconds:g} s for checking is reached")

    def _explored(self, paths: PathChecker | MergedChecker) -> None:
        try:
            paths.check()
        except Refused as refusal:
            self.refused.append(str(refusal))
        self.obligations = paths.claims

    def _outlined(self, facts: ProgramFacts, certificate: ProofCertificate) -> None:
        proofs = used_proofs(certificate)
        for proof in proofs.values():
            problem = out_of_scope(facts, proof, proofs)
            if problem is not None:
                raise PincerError(problem)
        self._writers = [ObligationWriter(Encoder(facts, self._script, coarse), proofs) for coarse in (True, False)]
        for obligation in obligations(facts, proofs, certificate.main):
            self._run.poll()
            self.obligations += 1
            self._discharge(obligation)
            if len(self.refused) >= MOST_REFUSALS:
                self.refused.append("there may be more")
                return

    def _discharge(self, obligation: Obligation) -> None:
        """With coarse memory and in slices if that is enough, otherwise exactly."""
        calls = sum(self.calls.values())
        coarse, exact = self._writers
        proved = (
            self._none_has_a_model(coarse.sliced(obligation))
            or self._has_no_model(coarse.formula(obligation))
            or self._has_no_model(exact.formula(obligation))
        )
        self.settled += sum(self.calls.values()) == calls
        if not proved:
            verdict, solver = self._verdicts[exact.formula(obligation)]
            found = f"{solver} has a counterexample" if verdict == "sat" else f"not proved: {verdict}"
            self.refused.append(f"{obligation.text()} ({found})")

    def _none_has_a_model(self, formulas: list[Node] | None) -> bool:
        return formulas is not None and all(map(self._has_no_model, formulas))

    def _has_no_model(self, formula: Node) -> bool:
        if formula.is_false:
            return True
        if formula not in self._verdicts:
            self._verdicts[formula] = self._asked(formula)
        return self._verdicts[formula][0] == "unsat"

    def _asked(self, formula: Node) -> tuple[str, str]:
        """The first definite verdict of the solvers, and whose it is."""
        seconds = self._budget.first_seconds
        for name in FLOATING_ORDER if self._script.has_numbers else ORDER:
            session = self._session(name)
            if session is None:
                continue
            self._run.poll()
            left = self._deadline - time.monotonic()
            if left <= 0:
                return f"the time limit of {self._budget.seconds:g} s is reached", ""
            self.calls[name] = self.calls.get(name, 0) + 1
            verdict = self._verdict(session, formula, min(seconds, left))
            if verdict in ("sat", "unsat"):
                return verdict, name
            seconds = self._budget.next_seconds
        return "no solver decides it in time", ""

    def _session(self, name: str) -> Session | None:
        logic: SmtLogic = "QF_UFBVFP" if self._script.has_numbers else "QF_UFBV"
        if name not in self._sessions or self._logics[name] != logic:
            self._sessions[name] = open_session(name, logic, self._run)
            self._logics[name] = logic
            self._defined[name] = 0
        return self._sessions[name]

    def _verdict(self, session: Session, formula: Node, seconds: float) -> str:
        """What a solver says; one that stumbles begins anew with the next question."""
        name = session.name
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
