"""`python -m tests.fuzz.live.run_forged --cases N --seed S`: forged proofs about guarded commands."""

from __future__ import annotations

import argparse
import sys

from tests.fuzz.live.mutants import MutantFindings, forge


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=2000, help="how many forged proofs of what is false are offered")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    findings, seed = MutantFindings(), args.seed
    while findings.counts["forged"] < args.cases:
        forge(seed, findings)
        seed += 1
    print(f"up to seed {seed}: {dict(findings.counts)}; accepted {len(findings.wrong)}")
    print("\n".join(findings.wrong))
    return int(bool(findings.wrong))


if __name__ == "__main__":
    sys.exit(main())
