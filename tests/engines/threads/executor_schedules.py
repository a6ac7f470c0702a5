"""Executions that go wrong, found by random scheduling, as tests for compiled code."""

from __future__ import annotations

import random
from pathlib import Path

from pincer.engines.schedules.findings import Violation, counts, shown, violation
from pincer.engines.threads.threaded_test import threaded_test
from pincer.evidence.threads.trace import ThreadedTest
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ThreadChoice
from pincer.frontends.c.load import load
from pincer.program.property import PropertyKind

LONGEST = 400


def found_test(file: Path, name: PropertyKind, tries: int = 300, seed: int = 1) -> ThreadedTest | None:
    """A test of a file that violates a property under some random schedule."""
    interleaver = Interleaver(load(file))
    dice = random.Random(seed)
    for _ in range(tries):
        found = _walk(interleaver, name, dice)
        if found is not None:
            return threaded_test(interleaver, found, name)
    return None


def _walk(interleaver: Interleaver, name: PropertyKind, dice: random.Random) -> Violation | None:
    threads, choices = interleaver.initial(), list[ThreadChoice]()
    for _ in range(LONGEST):
        what = shown(interleaver, name, threads)
        if what is not None:
            return violation(name, what, choices, {})
        enabled = interleaver.enabled(threads)
        if not enabled:
            return None
        number = dice.choice(enabled)
        choices.append(ThreadChoice(number, dice.randrange(interleaver.picks(threads, number))))
        transition = interleaver.take(threads, number, choices[-1].pick)
        if transition.stop is not None:
            return violation(name, transition.stop, choices, {}) if counts(name, transition.stop) else None
        threads = transition.threads
    return None
