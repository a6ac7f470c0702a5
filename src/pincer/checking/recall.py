"""Answers from a store: what was kept is confirmed like a fresh claim, and no engine starts for what still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.memory import RunMemory
from pincer.checking.properties import WHAT_CAN_GO_WRONG, CProperty, asked_together
from pincer.checking.remembered import (
    Recollection,
    guarded_claim,
    scheduled_claim,
    sequential_claim,
    temporal_claim,
)
from pincer.checking.result import Result, Safe, Unknown, Unsafe
from pincer.engines.task import Claim
from pincer.errors import PincerError

if TYPE_CHECKING:
    from pincer.checking.confirm import GuardedConfirmation
    from pincer.checking.confirm_c import CConfirmation, Viewed
    from pincer.checking.confirm_msvl import TemporalConfirmation
    from pincer.checking.load import GuardedSource, TemporalSource
    from pincer.runtime.run import Run

PATIENCE_SECONDS = 2.0
"""For the checker with a proof of an earlier version, beside a multiple of what that proof took then."""
_TIMES = 4


class Recalled(Struct, frozen=True):
    """A confirmed answer, the claim it came from, and for C the program as its property sees it."""

    result: Safe | Unsafe
    claim: Claim
    viewed: Viewed | None = None


def recalled_models(source: GuardedSource, confirmation: GuardedConfirmation, memory: RunMemory) -> Iterator[Recalled]:
    """What is known about properties of guarded commands."""
    temporal = {wanted.name: wanted for wanted in source.temporal}

    def confirm(claim: Claim) -> Result:
        wanted = temporal.get(claim.name)
        return confirmation.result(claim) if wanted is None else confirmation.temporal_result(claim, wanted)

    for name in source.names:
        asked = _Asked(name, memory, confirmation.run)
        found = asked.answer(lambda known: guarded_claim(known, source.program), confirm)
        if found is not None:
            yield found


def recalled_runs(source: TemporalSource, confirmation: TemporalConfirmation, memory: RunMemory) -> Iterator[Recalled]:
    """What is known about properties of MSVL programs; of an exploration there is no proof to keep."""
    for name, wanted in zip(source.names, source.properties, strict=True):
        asked = _Asked(name, memory, confirmation.run)
        made = asked.answer(
            lambda known, wanted=wanted: temporal_claim(known, wanted, source.int32),  # type: ignore[misc]
            lambda claim, wanted=wanted: confirmation.result(claim, wanted),  # type: ignore[misc]
        )
        if made is not None:
            yield made


class RecalledC:
    """What is known about properties of a C program; one proof of several properties is checked once."""

    def __init__(
        self, confirmation: CConfirmation, memory: RunMemory, wants_schedules: Callable[[Viewed], bool]
    ) -> None:
        self._confirmation, self._memory, self._wants_schedules = confirmation, memory, wants_schedules
        self._joint: dict[tuple[str, ...], Recalled | None] = {}

    def answers(self) -> Iterator[Recalled]:
        for wanted in self._confirmation.source.properties:
            known = self._memory.recall(wanted.name)
            together = known.kept.result.together if known is not None and isinstance(known.kept.result, Safe) else ()
            if together and wanted.name in together and wanted == CProperty(wanted.kind, wanted.kind):
                if together not in self._joint:
                    joint = _joint(together)
                    self._joint[together] = None if joint is None else self._answer(wanted, joint)
                found = self._joint[together]
            else:
                found = self._answer(wanted, wanted)
            if found is not None:
                yield replace(found, result=self._named(found.result, wanted.name))

    def _named(self, result: Safe | Unsafe, name: str) -> Safe | Unsafe:
        """The result of a proof of several properties, for one of those that are asked about."""
        if isinstance(result, Unsafe):
            return result
        asked = tuple(one for one in result.together if one in self._confirmation.source.names)
        return replace(result, name=name, together=asked if len(asked) > 1 else ())

    def _answer(self, wanted: CProperty, shown: CProperty) -> Recalled | None:
        from pincer.checking.confirm_c import Viewed

        viewed = Viewed(self._confirmation.source.program(shown), shown)
        scheduled = self._wants_schedules(viewed)
        asked = _Asked(wanted.name, self._memory, self._confirmation.run)

        def claim(known: Recollection) -> Claim | None:
            if scheduled:
                return scheduled_claim(known, viewed, self._confirmation.source) if known.same else None
            if not known.same and isinstance(known.kept.result, Unsafe):
                return None  # Its inputs are tried first, and give a run of the program as it is now.
            return sequential_claim(known, viewed, self._confirmation.source)

        confirmation = self._confirmation
        confirmation.patience = asked.patience()
        try:
            found = asked.answer(
                claim,
                lambda made: (confirmation.schedules_result if scheduled else confirmation.result)(made, viewed),
            )
        finally:
            confirmation.patience = None
        if found is None:
            return None
        result = found.result
        shared = shown.together if isinstance(result, Safe) else ()
        return Recalled(replace(result, together=shared) if isinstance(result, Safe) else result, found.claim, viewed)


def _joint(together: tuple[str, ...]) -> CProperty | None:
    """What a proof of several properties is about, if it says so properly."""
    asked = asked_together([wanted for wanted in WHAT_CAN_GO_WRONG if wanted.kind in together])
    return asked if asked is not None and asked.together == together else None


class _Asked:
    """One property, and what is known about it."""

    def __init__(self, name: str, memory: RunMemory, run: Run) -> None:
        self._name, self._memory, self._run = name, memory, run
        self._known = memory.recall(name)

    def patience(self) -> float | None:
        """How long the checker may look at a proof of an earlier version."""
        known = self._known
        if known is None or known.same or known.kept.result.evidence is None:
            return None
        return PATIENCE_SECONDS + _TIMES * known.kept.result.evidence.time_s

    def answer(
        self, claimed: Callable[[Recollection], Claim | None], confirm: Callable[[Claim], Result]
    ) -> Recalled | None:
        """The answer that is known, once its evidence is confirmed; None where it is not."""
        known = self._known
        if known is None:
            return None
        try:
            claim = claimed(known)
            if claim is None:
                return None
            if self._memory.trusts and known.same:
                return Recalled(_believed(known), claim)
            started = self._run.elapsed()
            result = confirm(claim)
        except PincerError as error:
            self._refuse(known, error.message)
            return None
        if isinstance(result, Unknown):
            self._refuse(known, result.reason.text)
            return None
        how = "checked" if known.same else "adapted"
        return Recalled(replace(result, time_s=self._run.elapsed() - started, recalled=how), claim)

    def _refuse(self, known: Recollection, reason: str) -> None:
        if known.same:
            self._memory.refused(self._name, reason)


def _believed(known: Recollection) -> Safe | Unsafe:
    """A result as it was kept, without another look at its evidence."""
    result = replace(known.kept.result, time_s=0.0, recalled="trusted")
    return replace(result, undefined=known.kept.undefined) if isinstance(result, Safe) else result
