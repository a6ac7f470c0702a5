"""Random threaded programs through the prover of outlines and the checker, against brute force.

Whatever the checker accepts must be true: the prover's own outlines, and forged ones, which are made from what the
prover could show by adding, dropping, moving and negating conditions, by changing ghosts and ranks. Of a program that
goes wrong no outline may be accepted at all.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import get_args

from msgspec.structs import replace

from pincer.engines.outlines.proving import OutlineProver
from pincer.errors import PincerError
from pincer.evidence.thread_proof.certificate import ThreadCertificate, ThreadProofKind
from pincer.evidence.thread_proof.checker import check_thread_proof, unsigned_certificate
from pincer.evidence.thread_proof.outline import Order, Outline
from pincer.logic.terms import FALSE, Term, negate
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import CProgramProperty, instrumented
from pincer.program.passes.memory import MemorySafety
from pincer.program.passes.threads import Deadlocks, Races
from pincer.program.threaded_system import Place, ThreadedSystem
from pincer.runtime.run import Run

from .interpreter import Outcomes
from .loading import load_all
from .sampling import draw

_MEANINGS: Mapping[ThreadProofKind, CProgramProperty] = {
    "memory": MemorySafety(), "race": Races(), "deadlock": Deadlocks(),
}  # fmt: skip
FORGERIES = 4
"""Forged outlines of each program and property."""


def judge_outlines(seeds: range, tally: Counter[str]) -> Iterator[str]:
    """What the checker accepted although brute force shows otherwise, one sentence each."""
    samples = [draw(seed) for seed in seeds]
    for sample, lowered in zip(samples, load_all([sample.program for sample in samples]), strict=True):
        for kind in get_args(ThreadProofKind):
            dice = random.Random(f"{sample.seed} {kind}")
            wrong = _is_wrong(sample.outcomes, kind)
            for word in _accepted(lowered, kind, sample.program.spurious, dice, tally):
                tally[f"{word} accepted, {'wrong' if wrong else 'right'}"] += 1
                if wrong:
                    yield f"seed {sample.seed}: {word} outline for {kind} accepted"


def _is_wrong(outcomes: Outcomes, kind: ThreadProofKind) -> bool:
    wrong = {
        "assertions": outcomes.fails, "memory": outcomes.misuse, "race": outcomes.races, "deadlock": outcomes.deadlocks,
    }  # fmt: skip
    return wrong[kind]


def _accepted(
    lowered: ControlFlowProgram, kind: ThreadProofKind, spurious: bool, dice: random.Random, tally: Counter[str]
) -> Iterator[str]:
    """Which outlines the checker accepts: the prover's, and forged ones."""
    program = lowered if kind == "assertions" else instrumented(lowered, _MEANINGS[kind])
    prover = OutlineProver(program, kind, spurious, Run())
    outline, known = run_prover(prover)
    system = prover.system
    if system is None:
        tally["not unfolded"] += 1
        return
    if outline is not None and _check(program, system, outline, kind, spurious):
        yield "a proved"
    elif outline is not None:
        tally["proved, not accepted"] += 1
    for _ in range(FORGERIES if known is not None else 0):
        assert known is not None
        forged = forgery(outline or known, system, dice)
        tally["forged"] += 1
        if _check(program, system, forged, kind, spurious):
            yield "a forged"


def run_prover(prover: OutlineProver) -> tuple[Outline | None, Outline | None]:
    """The outline that proves the property, if there is one, and what was inductive in the end."""
    attempt = prover.attempt()
    while True:
        try:
            next(attempt)
        except StopIteration as ended:
            return ended.value.outline, prover.inductive


def _check(
    program: ControlFlowProgram, system: ThreadedSystem, outline: Outline, kind: ThreadProofKind, spurious: bool
) -> bool:
    certificate = unsigned_certificate(program, system, outline, kind, spurious)
    try:
        written = ThreadCertificate.from_json(certificate.to_json())
    except PincerError:
        return False
    return check_thread_proof(program, written).accepted


def forgery(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    """An outline that says something else in one or two places."""
    for _ in range(dice.randint(1, 2)):
        outline = dice.choice([_added, _dropped, _negated, _moved, _ranked, _with_other_ghosts, _standing])(
            outline, system, dice
        )
    return outline


def _changed(
    outline: Outline,
    system: ThreadedSystem,
    dice: random.Random,
    change: Callable[[tuple[Term, ...]], tuple[Term, ...]],
) -> Outline:
    thread = dice.choice(system.threads)
    place: Place = dice.choice(thread.places)
    old = outline.at(thread.number, place)
    places = {**outline.assertions.get(thread.number, {}), place: change(old)}
    return replace(outline, assertions={**outline.assertions, thread.number: places})


def _added(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    """Somewhere nobody ever comes, it says."""
    return _changed(outline, system, dice, lambda old: (*old, FALSE))


def _dropped(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    return _changed(outline, system, dice, lambda old: old[:-1])


def _negated(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    return _changed(outline, system, dice, lambda old: (*old[:-1], *map(negate, old[-1:])))


def _moved(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    """A condition of one place at another place of the same thread."""
    thread = dice.choice(system.threads)
    other = outline.at(thread.number, dice.choice(thread.places))
    places = {**outline.assertions.get(thread.number, {})}
    place = dice.choice(thread.places)
    places[place] = (*places.get(place, ()), *other[:2])
    return replace(outline, assertions={**outline.assertions, thread.number: places})


def _ranked(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    if outline.order is None:
        return outline
    return replace(
        outline,
        order=Order(
            {lock: dice.randint(0, 5) for lock in outline.order.locks},
            {thread.number: dice.randint(-2, 5) for thread in system.threads},
        ),
    )


def _with_other_ghosts(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    """A ghost is not changed any more by one move."""
    if not outline.updates:
        return outline
    key = dice.choice(list(outline.updates))
    return replace(outline, updates={other: values for other, values in outline.updates.items() if other != key})


def _standing(outline: Outline, system: ThreadedSystem, dice: random.Random) -> Outline:
    """What stands is the contrary of what stood."""
    if not outline.standing:
        return outline
    condition = dice.choice(outline.standing)
    return replace(outline, standing=(*(c for c in outline.standing if c is not condition), negate(condition)))
