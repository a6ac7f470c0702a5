"""Random programs that end or not, judged one by one: the head of the fuzzers of recursion and of threads.

Every tenth run without an end is compiled and goes its rounds.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from typing import Protocol


class Judge(Protocol):
    """Tries the program of a seed, and says what is wrong, if anything is."""

    def __call__(self, seed: int, folder: Path, tally: Counter[str], compiled: bool) -> str | None: ...


def run(judge: Judge) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tally: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.cases):
            problem = judge(seed, Path(folder), tally, compiled=seed % 10 == 0)
            if problem is not None:
                wrong += 1
                print(problem, flush=True)
            if seed % 100 == 0:
                print(seed, dict(sorted(tally.items())), flush=True)
    print(f"{args.cases} programs: {dict(sorted(tally.items()))}; wrong {wrong}")
    return 1 if wrong else 0
