"""`python -m tests.fuzz.msvl.run --cases N --seed S`: random C programs under gcc and as translated MSVL."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .compare import Tally, compare
from .generator import generate

THOROUGH_EVERY = 20


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    tally = Tally()
    started = time.monotonic()
    for seed in range(args.seed, args.seed + args.cases):
        program = generate(seed, args.size)
        before = len(tally.different)
        tally.add(f"seed {seed}", compare(program, thorough=seed % THOROUGH_EVERY == 0))
        if len(tally.different) > before:
            print(tally.different[-1], flush=True)
            if args.keep is not None:
                args.keep.mkdir(parents=True, exist_ok=True)
                (args.keep / f"seed-{seed}.c").write_text(program.text, encoding="utf-8")
    counts = ", ".join(f"{what} {count}" for what, count in tally.outcomes.most_common())
    print(f"{args.cases} cases in {time.monotonic() - started:.1f} s: {counts}")
    print(f"{tally.states} states in all; {tally.int32} programs with 32-bit integers")
    for reason, count in tally.reasons.most_common():
        print(f"  {count} x {reason}")
    return int(bool(tally.different))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.msvl.run", description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--size", type=int, default=10, help="statements of main")
    parser.add_argument("--keep", type=Path, help="a folder for programs whose results differ")
    return parser


if __name__ == "__main__":
    sys.exit(main())
