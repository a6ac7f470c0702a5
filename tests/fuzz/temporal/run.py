"""`python -m tests.fuzz.temporal.run --cases N --seed S`: random formulas against the direct evaluators.

Each case compares one random formula on 20 words, one on 10 lassos, one for its satisfiability and validity, the
checker's automaton of one on 10 lassos, and (every tenth case) one LTL formula.
"""

from __future__ import annotations

import argparse
import sys
import time

from .compare import (
    Findings,
    compare_automata,
    compare_decisions,
    compare_lassos,
    compare_ltl,
    compare_words,
)


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    findings = Findings()
    started = time.monotonic()
    shown = 0
    for seed in range(args.seed, args.seed + args.cases):
        compare_words(seed, findings)
        compare_lassos(seed, findings)
        compare_decisions(seed, findings)
        compare_automata(seed, findings)
        if seed % 10 == 0:
            compare_ltl(seed, findings)
        for disagreement in findings.disagreements[shown:]:
            print(f"seed {seed}: {disagreement}", flush=True)
        shown = len(findings.disagreements)
    counts = ", ".join(f"{what} {count}" for what, count in sorted(findings.compared.items()))
    print(f"{args.cases} cases in {time.monotonic() - started:.1f} s: {counts}; disagreements {shown}")
    return int(shown > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.temporal.run", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
