"""`python -m tests.fuzz.termination.run_termination --cases N --seed S`: whether random small loops end.

Every tenth run without an end is compiled and goes its rounds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz.termination.compare import Findings, compare


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    findings = Findings()
    started, shown = time.process_time(), 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(args.seed, args.seed + args.cases):
            compare(seed, Path(name), findings, compiled=seed % 10 == 0)
            for problem in findings.wrong[shown:]:
                print(problem, flush=True)
            shown = len(findings.wrong)
            if (seed + 1) % 100 == 0:
                print(f"... seed {seed}: {dict(findings.counts)}", flush=True)
    counts = ", ".join(f"{what} {count}" for what, count in sorted(findings.counts.items()))
    print(f"{args.cases} cases in {time.process_time() - started:.1f} s: {counts}; wrong {shown}")
    for reason, count in findings.reasons.most_common(12):
        print(f"  open {count}: {reason}")
    return int(shown > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.termination.run_termination", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
