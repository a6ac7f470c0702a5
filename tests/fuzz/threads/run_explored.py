"""`python -m tests.fuzz.threads.run_explored --cases N --seed S`: explorations of the checker against brute force."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from .explored import judge_explorations


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tally: Counter[str] = Counter()
    wrong = 0
    for start in range(args.seed, args.seed + args.cases, 20):
        for problem in judge_explorations(range(start, min(start + 20, args.seed + args.cases)), tally):
            wrong += 1
            print(problem, flush=True)
        print(start, dict(sorted(tally.items())), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
