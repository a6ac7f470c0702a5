"""`python -m tests.fuzz.preprocessor.run --cases N --seed S`: random macros against `gcc -E`, token by token."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from .generator import program
from .oracle import Answers, compare


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    started = time.monotonic()
    refused = different = 0
    with TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.cases):
            answers = compared(seed, Path(folder))
            refused += answers.compiler is None
            if not answers.agree:
                different += 1
                print(f"seed {seed}: {_first_difference(answers)}", flush=True)
    seconds = time.monotonic() - started
    print(f"{args.cases} cases in {seconds:.1f} s: refused by gcc {refused}, different {different}")
    return int(different > 0)


def compared(seed: int, folder: Path) -> Answers:
    """Both answers on the program of a seed."""
    path = folder / "program.c"
    path.write_text(program(seed))
    return compare(path)


def _first_difference(answers: Answers) -> str:
    if answers.compiler is None or answers.ours is None:
        return "only gcc refuses it" if answers.compiler is None else f"only we refuse it: {answers.reason}"
    theirs, ours = answers.compiler.split(" "), answers.ours.split(" ")
    at = next((n for n, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), min(len(theirs), len(ours)))
    near = slice(max(0, at - 5), at + 8)
    return f"gcc `{' '.join(theirs[near])}`, ours `{' '.join(ours[near])}`"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.preprocessor.run", description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    return parser


if __name__ == "__main__":
    sys.exit(main())
