"""`python -m tests.fuzz.threads.run_native --cases N --seed S`: violations in random programs, executed natively.

Each failing assertion, deadlock and race that the exhaustive search finds becomes a compiled program with the schedule
built in, which must go wrong too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pincer.engines.schedules.exhaustive import Exhaustive
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.engines.threads.threaded_test import threaded_test
from pincer.evidence.threads.execution import confirm
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.frontends.c.load import load
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

from .printing import text
from .sampling import Sample, draw


def violated(sample: Sample) -> list[PropertyKind]:
    ends = sample.outcomes
    known: list[tuple[PropertyKind, bool]] = [
        ("assertions", ends.fails), ("deadlock", ends.deadlocks), ("race", ends.races),
    ]  # fmt: skip
    return [name for name, is_so in known if is_so]


def executed(sample: Sample, folder: Path, seconds: float) -> Iterator[tuple[PropertyKind, str, str]]:
    """What became of each violation: the property, the status of its confirmation, and why."""
    file = folder / f"{sample.seed}.c"
    file.write_text(text(sample.program))
    program, limits = load(file), ExecutionLimits(spurious=sample.program.spurious)
    for name in violated(sample):
        found = Exhaustive(program, name, Run(timeout=seconds), ScheduleLimits(execution=limits)).search().violation
        if found is None:
            yield name, "not found", ""
            continue
        answer = confirm(threaded_test(Interleaver(program, limits), found, name), file, timeout=seconds)
        yield name, answer.status, answer.detail


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20, help="how many violations")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0, help="patience with one search or execution")
    parser.add_argument("--keep", type=Path, help="folder for the programs")
    given = parser.parse_args(arguments)
    tally: Counter[tuple[PropertyKind, str]] = Counter()
    seed = given.seed
    with tempfile.TemporaryDirectory() as made:
        folder = given.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        while tally.total() < given.cases:
            for name, status, detail in executed(draw(seed), folder, given.seconds):
                tally[name, status] += 1
                if status != "confirmed":
                    print(f"seed {seed}, {name}: {status}: {detail}", flush=True)
            seed += 1
    print(f"seeds {given.seed} to {seed - 1}: " + ", ".join(f"{' '.join(key)} {n}" for key, n in sorted(tally.items())))
    return 0 if all(status == "confirmed" for _, status in tally) else 1


if __name__ == "__main__":
    sys.exit(main())
