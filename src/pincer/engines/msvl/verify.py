"""From an MSVL program and properties to claims, by way of guarded commands; open where there is no translation."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct, structs

from pincer.engines.live.verify import LiveSettings
from pincer.engines.live.verify import verify as verify_live
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.errors import UnsupportedError
from pincer.evidence.gcl.interpreter import successors
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.recurrence import recurrence_file
from pincer.evidence.live.trace import LiveTrace, Recurrence
from pincer.evidence.live.witness import witness_of
from pincer.evidence.msvl.controls import HOW
from pincer.evidence.msvl.counterexample import Counterexample, Kind
from pincer.evidence.msvl.guarded import AT, MsvlQuestion, Translated, translated
from pincer.evidence.msvl.proofs import MsvlProof
from pincer.evidence.msvl.rounds import Astray, Followed, MsvlRounds, follow
from pincer.frontends.msvl import Program
from pincer.program.guarded import TemporalProperty
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped
from pincer.temporal.derivative import propositions
from pincer.temporal.property import Property


class TranslationSettings(Struct, frozen=True):
    """`sha256` is the hash of the program's file; `names` are those of the properties."""

    sha256: str
    names: tuple[str, ...]


_CONSTANTS = (0, 1, -1)
"""Inputs that are tried for ever, where a violation may need some."""

_STATES_AFTER = 100
"""So many states behind a beginning that violates a property show that it is one of a run."""
_MOST_STEPS = 5_000
"""Steps that are tried to get there."""

TranslationTask: TypeAlias = EngineTask[Program, Property, TranslationSettings]


def check(task: TranslationTask, run: Run) -> Iterator[Claim]:
    """Decide the properties, one after the other."""
    for name, asked in zip(task.settings.names, task.asked, strict=True):
        yield _Decision(task, name, asked, run).claim()


class _Decision:
    def __init__(self, task: TranslationTask, name: str, asked: Property, run: Run) -> None:
        used = propositions(asked.formula)
        said = {define.name: define.text for define in asked.defines if define.name in used}
        self.program, self.sha256 = task.program, task.settings.sha256
        self.question = MsvlQuestion(name, asked.text, said)
        self.asked, self.run = asked, run
        self.started = time.perf_counter()
        self.numbers: dict[str, Any] = {}

    def claim(self) -> Claim:
        try:
            self.run.publish("live", "translating the program")
            return self._decided(translated(self.program, self.sha256, self.question, self.run))
        except UnsupportedError as error:
            return self._open(Reason(f"it is no program of guarded commands: {error}", Cause.UNSUPPORTED))
        except Stopped as stopped:
            return self._open(stopped.reason)

    def _decided(self, made: Translated) -> Claim:
        self.numbers = {"controls": len(made.controls.listed), "transitions": len(made.program.transitions)}
        # Few runs are looked at quickly, and a violation among them is one.
        simple = self._with_constant_inputs(made, _CONSTANTS[:1])
        if simple is not None:
            return simple
        claim = self._live(made, made.asked)
        if isinstance(claim, Proved) and isinstance(claim.proof, LiveCertificate):
            proof = MsvlProof(**self._about(), proof=claim.proof)
            return Proved(check=claim.check, proof=proof, **self._account(claim))
        if isinstance(claim, Open):
            return self._with_constant_inputs(made, _CONSTANTS[1:]) or self._open(claim.reason)
        reason = Reason("a violation was found that does not replay")
        if made.goes_wrong:
            reason = Reason(f"a run may go wrong: {'; '.join(made.goes_wrong)}")
            claim = self._live(made.going_well(), made.alone)
        return self._violation(made, claim) or self._open(reason)

    def _with_constant_inputs(self, made: Translated, values: tuple[int, ...]) -> Refuted | None:
        """A violation by a run that needs inputs which are chosen well: the same ones for ever."""
        for value in values if made.reads else ():
            with self.run.share(4):
                claim = self._live(made.with_inputs(value).going_well(), made.alone)
            found = self._violation(made.with_inputs(value), claim)
            match found:
                case Refuted(run=MsvlRounds() as rounds):
                    return structs.replace(found, run=structs.replace(rounds, inputs=value))
                case Refuted():
                    return found
        return None

    def _live(self, made: Translated, wanted: TemporalProperty) -> Claim:
        [claim] = verify_live(EngineTask(made.program, (wanted,), LiveSettings()), self.run)
        return claim

    def _violation(self, made: Translated, claim: Claim) -> Refuted | None:
        """The violation as one of the MSVL program; None where the program does not go that way."""
        match claim:
            case Refuted(run=LiveTrace(kind="lasso") as lasso) if _reads_in_loop(made, lasso):
                witness = witness_of(made.program, made.alone, lasso)
                return Refuted(run=MsvlRounds(**self._about(), lasso=witness), **self._account(claim))
            case Refuted(run=LiveTrace() as run):
                found = self._counterexample(made, run)
                return None if found is None else Refuted(run=found, **self._account(claim))
            case Refuted(run=Recurrence() as recurrence):
                kept = recurrence_file(made.program, made.alone, recurrence)
                return Refuted(run=MsvlRounds(**self._about(), recurrence=kept), **self._account(claim))
        return None

    def _counterexample(self, made: Translated, run: LiveTrace) -> Counterexample | None:
        """A run that ends, that is lost, or that comes back without reading anything on the way."""
        try:
            followed = follow(self.program, made, run.trace.states, self.run)
        except Astray:
            return None
        kind: Kind = "terminated" if run.kind == "end" else "lasso" if run.kind == "lasso" else "prefix"
        if kind == "prefix" and not _goes_on(made, run.trace.states[-1]):
            return None
        if (kind == "terminated") != followed.ended and kind != "prefix":
            return None
        return _counterexample(self, kind, run, followed)

    def _about(self) -> dict[str, Any]:
        question = self.question
        return {
            "file": self.program.source.file,
            "sha256": self.sha256,
            "property": question.name,
            "formula": question.formula,
            "propositions": question.propositions,
        }

    def _open(self, reason: Reason) -> Open:
        return Open(reason=reason, **self._account(None))

    def _account(self, claim: Claim | None) -> dict[str, Any]:
        return {
            "name": self.question.name,
            "engine": "live",
            "time_s": time.perf_counter() - self.started,
            "statistics": {**self.numbers, **({} if claim is None else claim.statistics)},
            "warnings": self.asked.warnings,
        }


def _counterexample(decision: _Decision, kind: Kind, run: LiveTrace, followed: Followed) -> Counterexample:
    states = followed.states
    start = None
    if kind == "lasso":
        start = run.loop_from
        states = states[:-1]
    question = decision.question
    return Counterexample(
        decision.program.source.file,
        question.formula,
        dict(question.propositions),
        HOW,
        followed.inputs,
        kind,
        states,
        len(states) - 1 if kind == "prefix" else None,
        start,
    )


def _goes_on(made: Translated, last: Mapping[str, int]) -> bool:
    """Whether there is a way on from a state, to an end or for long: what contradicts itself is no run."""
    if not made.goes_wrong:
        return True
    program, left = made.going_well().program, _MOST_STEPS
    waiting = [(last, _STATES_AFTER)]
    while waiting and left:
        state, wanted = waiting.pop()
        if not wanted or made.ends_at(state[AT]):
            return True
        following = [(after, wanted - 1) for _, after in islice(successors(program, state, _CONSTANTS), left)]
        left -= max(1, len(following))
        waiting += following
    return False


def _reads_in_loop(made: Translated, lasso: LiveTrace) -> bool:
    start = lasso.loop_from or 0
    return any(made.steps[step.transition].readings for step in lasso.trace.steps[start:])
