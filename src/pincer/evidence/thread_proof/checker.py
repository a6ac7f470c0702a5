"""Is the proof a proof? The checker of proofs about programs with threads.

Where a proof claims that all states can be visited, they are (`explore`). Regions are looked at by `regions.checking`,
and with them the outline that they rest on; their errors are those of their product. For an outline the program is
unfolded anew; every claim that makes it valid is refuted by solvers, and only `unsat` counts. Memory is read coarsely
first, where that is sound (one update at most between the two states), then byte by byte.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.checker import MOST_REFUSALS, CheckResult
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.certificate import CertifiedKind, NamedThread, ThreadCertificate, ThreadProofKind
from pincer.evidence.thread_proof.deadlocks import DeadlockClaims
from pincer.evidence.thread_proof.endings import EndingExplorer, check_endings
from pincer.evidence.thread_proof.exploration.claim import ExplorationClaim
from pincer.evidence.thread_proof.exploration.refusals import Unexplored
from pincer.evidence.thread_proof.explore import MOST_MOVES, Exploring, ThreadExplorer
from pincer.evidence.thread_proof.obligations import Claim, ClaimWriter, Errors
from pincer.evidence.thread_proof.opening import opened
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.evidence.thread_proof.races import RaceClaims
from pincer.evidence.thread_proof.refusals import refusable
from pincer.evidence.thread_proof.regions.checking import check_regions
from pincer.evidence.thread_proof.scopes import out_of_scope
from pincer.evidence.thread_proof.states import ThreadEncoder
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.evidence.thread_proof.words import WordExplorer, check_words
from pincer.program.control_flow import Allocate, Begin, ControlFlowProgram, Copy, Fill, Store
from pincer.program.property import FAIRLY, Assumption
from pincer.program.thread_labels import AtomicBegin, AtomicEnd, ThreadOperation
from pincer.program.threaded_system import Move, Perform, Place, ThreadedSystem, UnfoldedThread
from pincer.runtime.run import Run

BEYOND = 4
"""An exploration may take this many times the moves that are claimed: another version may tell more states apart."""

DEFINED = Assumption("no run goes on after undefined behaviour, to which the proof does not look")
"""What an outline leaves out: it proves what happens up to there."""


def check_thread_proof(
    program: ControlFlowProgram,
    certificate: ThreadCertificate,
    budget: Budget | None = None,
    sha256: str | None = None,
    run: Run | None = None,
) -> CheckResult:
    """Check that the certificate proves its property of the program.

    `sha256` is the hash of the source the program was read from, compared with the certificate's when given. `Stopped`
    is raised when the run is stopped.
    """
    started = time.monotonic()
    run = run or Run()
    script = Script()
    check = _OutlineCheck(Asking(script, budget or Budget(), run), run, [])
    unfinished = False
    try:
        _fits(program, certificate, sha256)
        program = refusable(program) if certificate.property == "race" else program
        if certificate.explored is None:
            check.outlined(script, program, certificate, budget or Budget())
        else:
            check.explored(script, program, certificate, certificate.explored)
    except Unexplored as limit:
        unfinished = True
        check.refused.append(str(limit))
    except PincerError as error:
        check.refused.append(str(error))
    except RecursionError:
        check.refused.append("a formula is nested too deeply to be checked")
    asking = check.asking
    return CheckResult(
        accepted=not check.refused,
        refused=tuple(check.refused),
        obligations=check.claims,
        settled=check.settled,
        solver_calls={
            name: asking.calls.get(name, 0) + check.solved.get(name, 0) for name in asking.calls | check.solved
        },
        time_s=time.monotonic() - started,
        remarks=asking.remarks(),
        assumptions=_assumed(certificate),
        unfinished=unfinished,
        visited=check.visited,
    )


def _assumed(certificate: ThreadCertificate) -> tuple[Assumption, ...]:
    if certificate.explored is None:
        return () if certificate.property == "memory" else (DEFINED,)
    fair = FAIRLY.get(certificate.explored.fairness)
    return () if fair is None else (fair,)


def _fits(program: ControlFlowProgram, certificate: ThreadCertificate, sha256: str | None) -> None:
    if sha256 is not None and sha256 != certificate.sha256:
        raise PincerError("the proof was made for another version of the program (its hash differs)")
    if certificate.data_model != program.layout.data_model:
        raise PincerError(f"the proof is for {certificate.data_model}, the program is {program.layout.data_model}")
    if certificate.entry not in (program.entry, program.entry_function):
        raise PincerError(f"the proof begins at {certificate.entry}, the program at {program.entry}")
    for assumption in program.assumptions:
        waking = assumption.waking and certificate.spurious_wakeups
        refusing = assumption.refusing and certificate.property == "race"
        if certificate.property in assumption.leaves_open and not waking and not refusing:
            raise PincerError(f"whatever else is proved, it is not known that {assumption}")


def named_threads(system: ThreadedSystem) -> tuple[NamedThread, ...]:
    """The threads of a system as certificates name them."""
    return tuple(
        NamedThread(t.number, t.routine.name, t.creator, "" if t.site is None else str(t.site), t.several)
        for t in system.threads
    )


def explored_certificate(
    program: ControlFlowProgram,
    kind: CertifiedKind,
    spurious: bool,
    visited: tuple[int, int] = (MOST_MOVES, MOST_MOVES),
) -> ThreadCertificate:
    """A certificate that claims how many states there are and how many moves lead to them, at first any number; it does
    not say yet which version of the file it is about, and who wrote it."""
    model, claim = program.layout.data_model, ExplorationClaim(*visited)
    return ThreadCertificate(program.file, "", model, program.entry, kind, spurious, "", (), Outline(), claim)


def unsigned_certificate(
    program: ControlFlowProgram, system: ThreadedSystem, outline: Outline, kind: ThreadProofKind, spurious: bool
) -> ThreadCertificate:
    """A certificate that does not say yet which version of the file it is about, and who wrote it."""
    model, threads = program.layout.data_model, named_threads(system)
    claim = ThreadCertificate(program.file, "", model, program.entry, kind, spurious, "", threads, outline)
    return replace(claim, opened=system.opened)


def claim_writer(
    program: ControlFlowProgram, system: ThreadedSystem, outline: Outline, script: Script, coarse: bool
) -> ClaimWriter:
    """What writes the claims of an outline."""
    registers = ProgramRegisters(program, {name: ghost.width for name, ghost in outline.ghosts.items()})
    return ClaimWriter(ThreadEncoder(registers, system, outline.ghosts, script, coarse), outline)


ERRORS: Mapping[ThreadProofKind, Errors] = {"assertions": "failures", "memory": "undefined behaviour"}
"""What must not be reached, for the properties that are about single moves."""

Source = Callable[["AllClaims"], Iterator[Claim]]
"""A group of claims, from whoever writes them."""


class AllClaims:
    """Everything that an outline claims, with memory read in one way."""

    def __init__(self, claims: ClaimWriter) -> None:
        self.claims = claims
        self.races = RaceClaims(claims)

    def after(self, thread: UnfoldedThread, move: Move, errors: Errors | None) -> Iterator[Claim]:
        """What one move does to its own thread, and to all others; with `errors`, that it is none."""
        claims = self.claims
        steps = claims.steps(thread, move)
        if errors is not None:
            yield from claims.harmless(thread, move, errors)
        yield from claims.sequential(thread, move, steps)
        for other in claims.rivals(thread) if steps else ():
            for place in other.places:
                yield from claims.interference(thread, move, steps, (other, place))

    def at(self, thread: UnfoldedThread, place: Place, all_accesses: bool) -> Iterator[Claim]:
        """What is accessed at one place, against what all others access."""
        yield from self.races.untouched(thread, place)
        for other in self.claims.rivals(thread):
            for there in other.places:
                yield from self.races.apart((thread, place), (other, there), all_accesses)

    def waiting(self) -> Iterator[Claim]:
        """What is waited for."""
        deadlocks = DeadlockClaims(self.claims)
        yield from deadlocks.ordered()
        yield from deadlocks.standstill()


def claim_groups(
    system: ThreadedSystem, kind: ThreadProofKind, by_regions: bool = False
) -> Iterator[tuple[bool, Source]]:
    """All claims of a proof in groups; each says whether coarse reads of memory will do. That errors are not reached is
    not among them where regions show it."""
    errors = None if by_regions else ERRORS.get(kind, "nothing else")
    chained = any(updates(move) > 1 for thread in system.threads for move in thread.moves)
    yield True, lambda every: every.claims.start()
    for thread in system.threads:
        for move in thread.moves:
            yield updates(move) <= 1, partial(_after, thread, move, errors)
        for place in thread.places:
            yield not chained, partial(_at, thread, place, kind == "race")
    if kind == "deadlock":
        yield not chained, lambda every: every.waiting()


def _after(thread: UnfoldedThread, move: Move, errors: Errors | None, every: AllClaims) -> Iterator[Claim]:
    return every.after(thread, move, errors)


def _at(thread: UnfoldedThread, place: Place, all_accesses: bool, every: AllClaims) -> Iterator[Claim]:
    return every.at(thread, place, all_accesses)


def updates(move: Move) -> int:
    """How often a move may change memory."""
    labels = [action.label for action in move.actions if isinstance(action, Perform)]
    changing = [label for label in labels if not isinstance(label, AtomicBegin | AtomicEnd)]
    return sum(isinstance(label, Store | Copy | Fill | Begin | Allocate | ThreadOperation) for label in changing)


_EXPLORERS: Mapping[CertifiedKind, type[ThreadExplorer]] = {"termination": EndingExplorer, "temporal": WordExplorer}
"""Who looks at whole runs."""


class _OutlineCheck(Struct):
    """One check: what was refused, and the counts."""

    asking: Asking
    run: Run
    refused: list[str]
    claims: int = 0
    settled: int = 0
    visited: tuple[int, int] = (0, 0)
    solved: dict[str, int] = {}

    def explored(
        self, script: Script, program: ControlFlowProgram, certificate: ThreadCertificate, claim: ExplorationClaim
    ) -> None:
        """Visit all states, up to some more than are claimed."""
        most = min(BEYOND * claim.moves + 1_000, MOST_MOVES)
        asked = Exploring(program, certificate.property, certificate.spurious_wakeups, most)
        kind = _EXPLORERS.get(certificate.property, ThreadExplorer)
        explorer = kind(asked, script, self.asking.has_no_model, self._poll)
        if isinstance(explorer, WordExplorer):
            check_words(explorer, program, claim.fairness)
        elif isinstance(explorer, EndingExplorer):
            check_endings(explorer, claim.fairness)
        else:
            explorer.explore()
        self.visited = explorer.states, explorer.moves
        self.claims = explorer.moves

    def _poll(self) -> None:
        try:
            self.asking.poll()
        except PincerError as late:
            raise Unexplored(str(late)) from None

    def outlined(
        self, script: Script, program: ControlFlowProgram, certificate: ThreadCertificate, budget: Budget
    ) -> None:
        kind = certificate.property
        if kind == "termination" or kind == "temporal":
            raise PincerError(f"an outline says nothing about {kind}")
        program = opened(program) if certificate.opened else program
        system = unfolded(program, certificate.spurious_wakeups)
        if certificate.threads != named_threads(system):
            raise PincerError("the proof is about other threads than the program has")
        writers = [claim_writer(program, system, certificate.outline, script, coarse) for coarse in (True, False)]
        problem = out_of_scope(writers[0].encoder.registers, system, certificate.outline)
        if problem is not None:
            raise PincerError(problem)
        every = [AllClaims(writer) for writer in writers]
        for may_be_coarse, source in claim_groups(system, kind, certificate.regions is not None):
            self.run.poll()
            self._group(script, every if may_be_coarse else every[1:], source)
            if len(self.refused) >= MOST_REFUSALS:
                self.refused.append("there may be more")
                return
        if certificate.regions is not None and not self.refused:
            if kind != "assertions":
                raise PincerError("regions say nothing about this property")
            found = check_regions(writers[1], certificate.regions, self.asking.has_no_model, budget, self.run)
            self.refused += found.refused
            self.claims += found.obligations + len(certificate.regions.regions)
            self.settled += found.settled
            self.solved = found.solver_calls

    def _group(self, script: Script, ways: list[AllClaims], source: Source) -> None:
        """All claims of a group, with coarse memory if that is enough, otherwise exactly."""
        for number, way in enumerate(ways, 1):
            is_last = number == len(ways)
            open_: list[tuple[Claim, str]] = []
            claims = settled = 0
            for claim in source(way):
                formula = claim.formula(script)
                claims += 1
                settled += formula.is_false
                if not self.asking.has_no_model(formula):
                    open_.append((claim, self.asking.finding(formula)))
                    if not is_last:
                        break
            if not open_ or is_last:
                self.claims += claims
                self.settled += settled
                self.refused.extend(f"{claim.position}: {claim.text} ({found})" for claim, found in open_)
                return
