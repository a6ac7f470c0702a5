"""`python -m tests.fuzz.threads.run_regions --cases N --seed S`: proofs by regions against brute force."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from .regions import judge_regions


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tally: Counter[str] = Counter()
    wrong = 0
    for start in range(args.seed, args.seed + args.cases, 10):
        for problem in judge_regions(range(start, min(start + 10, args.seed + args.cases)), tally):
            wrong += 1
            print(problem, flush=True)
        print(start, dict(sorted(tally.items())), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
