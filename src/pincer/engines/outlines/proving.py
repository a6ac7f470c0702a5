"""Try to prove a property of a program with threads by an outline."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.outlines.candidates import Candidates
from pincer.engines.outlines.filtering import GuessFilter
from pincer.engines.outlines.form import ThreadedForm, flags
from pincer.engines.outlines.limits import LIMITS
from pincer.engines.outlines.ordering import ranks
from pincer.engines.outlines.questions import OutlineQuestions
from pincer.engines.outlines.support import Support
from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.certificate import ThreadProofKind
from pincer.evidence.thread_proof.checker import ERRORS, AllClaims, claim_writer, updates
from pincer.evidence.thread_proof.leaves import GHOST
from pincer.evidence.thread_proof.obligations import Claim, ClaimWriter
from pincer.evidence.thread_proof.opening import opened
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.refusals import refusable
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.thread_labels import Start
from pincer.program.threaded_system import ThreadedSystem
from pincer.runtime.run import Run


class Attempt(Struct, frozen=True):
    """What came of trying: an outline, or why there is none."""

    outline: Outline | None
    reason: str


class OutlineProver:
    """Tries to prove a property by guesses that grow: first without, then with ghosts for places. `questions` counts
    what the solver was asked; `inductive` is what held at the last try, whether it was enough or not."""

    def __init__(self, program: ControlFlowProgram, kind: ThreadProofKind, spurious: bool, run: Run) -> None:
        self.program = refusable(program) if kind == "race" else program
        """The form that is looked at: the program, or that in which loops that start threads are opened."""
        self._kind = kind
        self._spurious = spurious
        self._run = run
        self._asked = 0
        self._current: OutlineQuestions | None = None
        self.system: ThreadedSystem | None = None
        self.inductive: Outline | None = None

    @property
    def questions(self) -> int:
        return self._asked + (0 if self._current is None else self._current.asked)

    def attempt(self) -> Generator[None, None, Attempt]:
        """An outline if there is one within reach. Can be interrupted after every few questions."""
        attempt = Attempt(None, "")
        whole = self.program
        for form in _forms(whole):
            self.program = form
            attempt = yield from self._of_form(form is not whole)
            if attempt.outline is not None:
                break
        return attempt

    def _of_form(self, opened: bool) -> Generator[None, None, Attempt]:
        attempt = Attempt(None, "")
        try:
            system = self.system = replace(unfolded(self.program, self._spurious), opened=opened)
            form = ThreadedForm(self.program, system, SyncObjects(self.program, system))
            if sum(len(thread.places) for thread in system.threads) > LIMITS.places:
                return Attempt(None, f"threads have more than {LIMITS.places} places together")
            for blocks in (False, True):
                if blocks and (all(thread.several for thread in system.threads[1:]) or not flags(form)):
                    break
                attempt = yield from self._guessing(form, blocks)
                if attempt.outline is not None:
                    break
        except PincerError as error:
            return Attempt(None, str(error))
        return attempt

    def _guessing(self, form: ThreadedForm, blocks: bool) -> Generator[None, None, Attempt]:
        script = Script()
        guessed = Candidates(form, blocks, waits=self._kind == "deadlock", checks=self._kind == "memory").outline()
        coarse, exact = (claim_writer(form.program, form.system, guessed, script, flag) for flag in (True, False))
        self._asked = self.questions
        self._current = questions = OutlineQuestions(script, self._run)
        filtered = GuessFilter(coarse, exact, questions)
        yield from filtered.run()
        self.inductive = filtered.outline
        if self._kind == "deadlock":
            order = ranks(filtered)
            if order is None:
                return Attempt(None, "locks and ends of threads have no order")
            filtered.order(order)
        claims = []
        for writer, claim in _error_claims(filtered, self._kind):
            if questions.refuted((*claim.known, claim.guard), script.true, ()) is not None:
                return Attempt(None, f"{claim.position}: {claim.text}")
            claims.append((writer, claim))
            yield
        outline = yield from Support(filtered).outline(claims)
        return Attempt(_without_unused_ghosts(outline), "")


def _forms(program: ControlFlowProgram) -> Iterator[ControlFlowProgram]:
    """A few threads are told apart first; where there are many, they are any number first."""
    apart = opened(program)
    if apart is program:
        yield program
        return
    starts = sum(isinstance(edge.label, Start) for edge in apart.edges())
    yield from (apart, program) if starts <= LIMITS.apart else (program, apart)


def _without_unused_ghosts(outline: Outline) -> Outline:
    """An outline without the ghosts that neither its conditions nor the values of others speak of."""
    conditions = [*outline.standing]
    conditions += [c for places in outline.assertions.values() for known in places.values() for c in known]
    used: set[str] = set()
    mentioned = {name for condition in conditions for name in _ghosts_in(condition)}
    while mentioned - used:
        used |= mentioned
        values = (v for new in outline.updates.values() for name, v in new.items() if name in used)
        mentioned = {name for value in values for name in _ghosts_in(value)}
    updates = {key: {n: v for n, v in new.items() if n in used} for key, new in outline.updates.items()}
    return replace(
        outline,
        ghosts={name: ghost for name, ghost in outline.ghosts.items() if name in used},
        updates={key: new for key, new in updates.items() if new},
    )


def _ghosts_in(term: Term) -> Iterator[str]:
    for variable in term.variables:
        for word in str(variable.args[0]).strip("()").split():
            if word.startswith(GHOST):
                yield word.removeprefix(GHOST)


def _error_claims(filtered: GuessFilter, kind: ThreadProofKind) -> Iterator[tuple[ClaimWriter, Claim]]:
    """What excludes the errors."""
    system = filtered.system
    chained = any(updates(move) > 1 for thread in system.threads for move in thread.moves)
    every = AllClaims(filtered.exact if chained else filtered.coarse)
    for thread in system.threads:
        for move in thread.moves:
            writer = filtered.writer(move)
            for claim in writer.harmless(thread, move, ERRORS.get(kind, "nothing else")):
                yield writer, claim
        for place in thread.places:
            for claim in every.at(thread, place, kind == "race"):
                yield every.claims, claim
    if kind == "deadlock":
        for claim in every.waiting():
            yield every.claims, claim
