"""`python -m tests.fuzz.live.run_live --cases N --seed S`: temporal properties of random finite programs.

Half of the cases are LTL, decided by an explicit tableau that shares nothing with Pincer; half are PPTL, judged by its
definition. Every third case must be decided by an abstraction: no state is visited then. Those are counted apart, since
users have both.
"""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.live.compare import Findings, compare_ltl, compare_pptl


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    whole, abstract = Findings(), Findings()
    started = time.monotonic()
    for seed in range(args.seed, args.seed + args.cases):
        states = args.states if args.states is not None else 0 if seed % 3 == 2 else None
        findings = abstract if states == 0 else whole
        shown = len(findings.wrong)
        (compare_ltl if seed % 2 == 0 else compare_pptl)(seed, findings, states)
        for problem in findings.wrong[shown:]:
            print(problem, flush=True)
        if (seed + 1) % 500 == 0:
            print(f"... seed {seed}: {dict(whole.counts)}, by abstraction {dict(abstract.counts)}", flush=True)
    print(f"{args.cases} cases in {time.monotonic() - started:.1f} s")
    for what, findings in (("all states visited first", whole), ("by abstraction alone", abstract)):
        _print(what, findings)
    return int(bool(whole.wrong or abstract.wrong))


def _print(what: str, findings: Findings) -> None:
    total = sum(findings.counts.values())
    decided = total - findings.counts["unknown"]
    counts = ", ".join(f"{name} {count}" for name, count in sorted(findings.counts.items()))
    share = f"{100 * decided / total:.1f} % decided" if total else "none"
    print(f"{what}: {share} ({counts}); wrong {len(findings.wrong)}")
    for reason, count in findings.reasons.most_common(4):
        print(f"  open {count}: {reason}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.live.run_live", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--states", type=int, default=None, help="how many states are visited one by one")
    return parser


if __name__ == "__main__":
    sys.exit(main())
