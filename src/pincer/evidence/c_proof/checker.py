"""Is the proof a proof? The checker of proofs about C programs.

Every part of the proof is a Hoare triple; that they are all valid is shown by obligations about single edges, each
refuted by a solver. Only `unsat` counts. The parts may use each other, recursively too: a triple speaks about runs that
come back, so an invalid one would have a shortest run that shows it.
"""

from __future__ import annotations

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.evidence.c_proof.asking import MERGED_FLOATING_ORDER, MERGED_ORDER, MERGED_PATIENCE, Asking, Budget
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.cut_points import CutPointChecker, Refusal
from pincer.evidence.c_proof.encoding import Encoder
from pincer.evidence.c_proof.merged import MergedChecker
from pincer.evidence.c_proof.obligations import Obligation, ObligationWriter, obligations
from pincer.evidence.c_proof.paths import PathChecker, Refused
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.scopes import misfit, out_of_scope, used_proofs
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.temporal import TemporalChecker
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.c_proof.termination import TerminationChecker
from pincer.evidence.c_proof.wrapping import PathWraps, TemporalWraps, TerminationWraps
from pincer.logic.bitvectors import state_reads
from pincer.logic.terms import Term, substitute
from pincer.program.control_flow import Allocate, ControlFlowProgram
from pincer.program.passes.recursion import leading_to_recursion, with_calls_passed
from pincer.program.property import Assumption
from pincer.runtime import clock
from pincer.runtime.run import Run

MOST_REFUSALS = 10
"""After this many claims that are not proved, the rest is not looked at."""


class CheckResult(Struct, frozen=True):
    """`refused` says what is not proved, one sentence each; `settled` counts obligations that needed no solver.

    `solver_calls` counts by solver; `remarks` tell when a solver that engines use had to help. `assumptions` are those
    of the memory model. A check that is `unfinished` came to a limit of its own, which says nothing about the proof;
    one that explores has `visited` states, by moves from one to another.
    """

    accepted: bool
    refused: tuple[str, ...]
    obligations: int = 0
    settled: int = 0
    solver_calls: dict[str, int] = {}
    time_s: float = 0.0
    remarks: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    unfinished: bool = False
    visited: tuple[int, int] = (0, 0)


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
    started = clock.now()
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
        solver_calls=check.asking.calls,
        time_s=clock.now() - started,
        remarks=check.asking.remarks(),
        assumptions=_assumptions(program),
    )


def wrapping_places(
    program: ControlFlowProgram, certificate: ProofCertificate, budget: Budget, run: Run
) -> tuple[Position, ...]:
    """Where an accepted proof that runs end rests on signed arithmetic that wraps around; nothing where that cannot be
    said within the budget."""
    check = _Check(budget, run)
    if certificate.paths is not None:
        facts, proof = ProgramFacts(program, certificate.property), certificate.paths
        paths = PathWraps(facts, check.script, proof, check.asking.has_no_model, check.asking.poll)
        try:
            return paths.wraps()
        except (Refused, PincerError, RecursionError):
            return ()
    if certificate.cuts is None or not certificate.cuts.points:
        return ()
    recursive = certificate.property == "termination" and bool(leading_to_recursion(program))
    facts = ProgramFacts(_without_recursion(program, certificate) if recursive else program, certificate.property)
    told = (facts, check.script, certificate.cuts.points, check.asking.has_no_model, check.asking.poll)
    automaton = certificate.cuts.automaton
    try:
        if automaton is not None:
            return TemporalWraps(*told, automaton=automaton).wraps()
        return TerminationWraps(*told, forgets=recursive).wraps()
    except (Refusal, PincerError, RecursionError):
        return ()


def _is_about_loops(certificate: ProofCertificate) -> bool:
    """Whether a proof that runs end speaks of ranks, for which recursion is made into loops."""
    return certificate.property == "termination" and certificate.paths is None


def _assumptions(program: ControlFlowProgram) -> tuple[Assumption, ...]:
    if not any(isinstance(edge.label, Allocate) for edge in program.edges()):
        return ()
    slots = (1 << program.layout.pointer_bits) // program.layout.slot - program.first_free // program.layout.slot - 1
    return (Assumption(f"no run allocates more than {slots} objects"),)


def _without_recursion(program: ControlFlowProgram, certificate: ProofCertificate) -> ControlFlowProgram:
    """The program that a proof of termination is about, with the contracts that the proof states and has to show."""
    contracts: dict[str, Term] = {}
    for contract in () if certificate.cuts is None else certificate.cuts.contracts:
        procedure = program.procedures.get(contract.procedure)
        if procedure is None or procedure.result is None or contract.procedure in contracts:
            raise PincerError(f"there is no function {contract.procedure} with one contract about its result")
        if state_reads(contract.formula):
            raise PincerError(f"the contract of {contract.procedure} reads memory")
        own = {str(register.args[0]): register for register in (*procedure.parameters, procedure.result)}
        named = {variable: own.get(str(variable.args[0])) for variable in variables(contract.formula)}
        known = {variable: found for variable, found in named.items() if found and found.sort is variable.sort}
        if len(known) < len(named):
            raise PincerError(f"the contract of {contract.procedure} speaks of more than its arguments and its result")
        contracts[contract.procedure] = substitute(contract.formula, known)
    return with_calls_passed(program, contracts).program


class _Check:
    """One check: its sessions, what was refused, and the counts."""

    def __init__(self, budget: Budget, run: Run) -> None:
        self.refused: list[str] = []
        self.obligations = 0
        self.settled = 0
        self._run = run
        self.script = Script()
        self.asking = Asking(self.script, budget, run)
        self._writers: list[ObligationWriter] = []

    def all_of(self, program: ControlFlowProgram, certificate: ProofCertificate, sha256: str | None) -> None:
        """Look at everything the proof claims, and put what is not proved into `refused`."""
        recursive = _is_about_loops(certificate) and bool(leading_to_recursion(program))
        facts = ProgramFacts(_without_recursion(program, certificate) if recursive else program, certificate.property)
        problem = misfit(facts, certificate, sha256)
        if problem is not None:
            raise PincerError(problem)
        asking = self.asking
        if _is_about_loops(certificate):
            points = () if certificate.cuts is None else certificate.cuts.points
            script, refuted = self.script, asking.has_no_model
            self._cut(TerminationChecker(facts, script, points, refuted, asking.poll, forgets=recursive))
        elif certificate.property == "temporal":
            self._cut(self._temporal(facts, certificate))
        elif certificate.paths is not None:
            self._explored(PathChecker(facts, self.script, certificate.paths, asking.has_no_model, asking.poll))
        elif certificate.merged is not None:
            asking.orders, asking.patience = (MERGED_ORDER, MERGED_FLOATING_ORDER), MERGED_PATIENCE
            self._explored(MergedChecker(facts, self.script, certificate.merged, asking.verdict, asking.poll))
        elif certificate.cuts is not None:
            self._cut(CutPointChecker(facts, self.script, certificate.cuts.points, asking.has_no_model, asking.poll))
        else:
            self._outlined(facts, certificate)

    def _temporal(self, facts: ProgramFacts, certificate: ProofCertificate) -> TemporalChecker:
        assert certificate.cuts is not None
        if certificate.cuts.automaton is None:
            raise PincerError("the proof has no automaton, which it takes for a temporal formula")
        asking, points = self.asking, certificate.cuts.points
        return TemporalChecker(
            facts, self.script, points, asking.has_no_model, asking.poll, automaton=certificate.cuts.automaton
        )

    def _cut(self, points: CutPointChecker) -> None:
        try:
            points.check(MOST_REFUSALS)
        except Refusal as refusal:
            points.refused.append(str(refusal))
        self.refused += points.refused
        self.obligations = points.claims

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
        self._writers = [ObligationWriter(Encoder(facts, self.script, coarse), proofs) for coarse in (True, False)]
        for obligation in obligations(facts, proofs, certificate.main):
            self._run.poll()
            self.obligations += 1
            self._discharge(obligation)
            if len(self.refused) >= MOST_REFUSALS:
                self.refused.append("there may be more")
                return

    def _discharge(self, obligation: Obligation) -> None:
        """With coarse memory and in slices if that is enough, otherwise exactly."""
        calls = sum(self.asking.calls.values())
        coarse, exact = self._writers
        proved = (
            self._none_has_a_model(coarse.sliced(obligation))
            or self.asking.has_no_model(coarse.formula(obligation))
            or self.asking.has_no_model(exact.formula(obligation))
        )
        self.settled += sum(self.asking.calls.values()) == calls
        if not proved:
            self.refused.append(f"{obligation.text()} ({self.asking.finding(exact.formula(obligation))})")

    def _none_has_a_model(self, formulas: list[Node] | None) -> bool:
        return formulas is not None and all(map(self.asking.has_no_model, formulas))
