"""`python -m tests.fuzz.termination.run_termination --cases N --seed S`: whether random small loops end,
or with `--formulas` satisfy random formulas.

Every tenth run without an end is compiled and goes its rounds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.fuzz.termination.compare import Findings, compare, compare_formula
from tests.fuzz.termination.mutants import MutantFindings, forge, forge_run, forge_visits


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    for asked, kind in ((args.mutants, forge), (args.runs, forge_run), (args.visits, forge_visits)):
        if asked:
            return _forge(args.cases, args.seed, kind)
    findings = Findings()
    started, shown = time.process_time(), 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(args.seed, args.seed + args.cases):
            decide = compare_formula if args.formulas else partial(compare, turns=args.turns)
            decide(seed, Path(name), findings, compiled=seed % 10 == 0)
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


def _forge(cases: int, seed: int, forge: Callable[[int, Path, MutantFindings], None]) -> int:
    """Offer forged proofs or runs until there were as many as cases."""
    findings = MutantFindings()
    with tempfile.TemporaryDirectory() as name:
        while findings.counts["forged"] < cases:
            forge(seed, Path(name), findings)
            seed += 1
    print(f"up to seed {seed}: {dict(findings.counts)}; accepted {len(findings.wrong)}")
    print("\n".join(findings.wrong))
    return int(bool(findings.wrong))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.termination.run_termination", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--formulas", action="store_true", help="random formulas instead of termination")
    parser.add_argument("--mutants", action="store_true", help="forged proofs of formulas that are violated")
    parser.add_argument("--runs", action="store_true", help="forged runs of programs that have none of the kind")
    parser.add_argument("--turns", action="store_true", help="loops in which numbers get smaller by turns")
    parser.add_argument("--visits", action="store_true", help="forged proofs that compare visits of such loops")
    return parser


if __name__ == "__main__":
    sys.exit(main())
