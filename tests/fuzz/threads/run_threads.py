"""`python -m tests.fuzz.threads.run_threads --cases N --seed S`: threaded programs through both interpreters."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from .comparison import compare
from .generator import generate
from .printing import text


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0, help="patience with one search")
    parser.add_argument("--keep", type=Path, help="folder for programs that show a disagreement")
    given = parser.parse_args(arguments)
    outcomes: Counter[str] = Counter()
    transitions: Counter[bool] = Counter()
    started = time.monotonic()
    for number, seed in enumerate(range(given.seed, given.seed + given.cases)):
        if number % 50 == 0 and number:
            print(f"{number} programs: {dict(outcomes)}", flush=True)
        program = generate(seed)
        found = compare(program, seconds=given.seconds)
        outcomes[found.outcome] += 1
        if found.outcome == "agrees":
            transitions.update(found.transitions)
        if found.outcome == "differs":
            print(f"seed {seed}: {found.detail}", flush=True)
            if given.keep is not None:
                given.keep.mkdir(parents=True, exist_ok=True)
                (given.keep / f"{seed}.c").write_text(text(program))
    seconds = time.monotonic() - started
    print(f"{given.cases} programs in {seconds:.0f} s: {dict(outcomes)}")
    print(f"transitions with reduction {transitions[True]}, without {transitions[False]}")
    return 1 if outcomes["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
