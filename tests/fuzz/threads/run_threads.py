"""`python -m tests.fuzz.threads.run_threads --cases N --seed S`: threaded programs through both interpreters."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pincer.program.control_flow import ControlFlowProgram

from .comparison import Comparison, compare
from .loading import load_all
from .printing import text
from .sampling import Sample, draw

BATCH = 25
BATCHES_PER_PROCESS = 20


def judge(seeds: range, seconds: float) -> list[tuple[Sample, Comparison]]:
    """The programs of some seeds, compared."""
    samples = [draw(seed) for seed in seeds]
    lowered = load_all([sample.program for sample in samples])
    return [(sample, _compared(sample, program, seconds)) for sample, program in zip(samples, lowered, strict=True)]


def _compared(sample: Sample, program: ControlFlowProgram, seconds: float) -> Comparison:
    """A search that breaks down disagrees too, and is no reason to stop."""
    try:
        return compare(sample, program, seconds)
    except Exception as error:
        return Comparison("differs", f"{type(error).__name__}: {error}")


def judged(seeds: range, jobs: int, seconds: float) -> Iterator[tuple[Sample, Comparison]]:
    """All programs, batch by batch, on worker processes."""
    batches = [seeds[i : i + BATCH] for i in range(0, len(seeds), BATCH)]
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, _prepare, maxtasksperchild=BATCHES_PER_PROCESS) as pool:
        for batch in pool.imap_unordered(partial(judge, seconds=seconds), batches):
            yield from batch


def _prepare() -> None:
    """An interrupt is for the first process. Searches make many small objects that die without a collector."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(200_000)


class Tally:
    """What a run has seen so far."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.transitions: Counter[str] = Counter()
        self.merged = 0
        self.shown: Counter[str] = Counter()
        self.passed_over = 0

    def add(self, sample: Sample, found: Comparison) -> None:
        self.outcomes[found.outcome] += 1
        self.passed_over += sample.passed_over
        if found.outcome == "agrees":
            self.transitions.update(found.transitions)
            self.merged += "merged" in found.transitions
            ends = sample.outcomes
            bad = {"fail": ends.fails, "deadlock": ends.deadlocks, "race": ends.races, "misuse": ends.misuse}
            self.shown.update([name for name, is_so in bad.items() if is_so] or ["nothing"])
            self.shown["final states"] += len(ends.finals)

    def __str__(self) -> str:
        shown = ", ".join(f"{name} {count}" for name, count in sorted(self.shown.items()))
        return (
            f"{self.outcomes.total()} programs: {dict(self.outcomes)}, larger ones passed over {self.passed_over}\n"
            f"of those that agree: {shown}; "
            f"transitions {dict(self.transitions)}; {self.merged} also with merged releases"
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0, help="patience with one search")
    parser.add_argument("--keep", type=Path, help="folder for programs that show a disagreement")
    given = parser.parse_args(arguments)
    tally = Tally()
    started = time.monotonic()
    seeds = range(given.seed, given.seed + given.cases)
    try:
        for sample, found in judged(seeds, given.jobs, given.seconds):
            tally.add(sample, found)
            _report(sample, found, given.keep)
    except KeyboardInterrupt:
        print("interrupted")
    print(f"seeds from {given.seed}, {time.monotonic() - started:.0f} s: {tally}")
    return 1 if tally.outcomes["differs"] else 0


def _report(sample: Sample, found: Comparison, folder: Path | None) -> None:
    """Say what does not agree, and keep the program."""
    if found.outcome != "agrees":
        print(f"seed {sample.seed} {found.outcome}: {found.detail}", flush=True)
    if found.outcome == "differs" and folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{sample.seed}.c").write_text(text(sample.program))


if __name__ == "__main__":
    sys.exit(main())
