"""Merged execution against exhaustive runs: small programs for which gcc's code tries all inputs.

What must agree: a violation is claimed if and only if some input leads to one; where merged execution says nothing,
that is counted. `python -m tests.fuzz.c.merged_paths --cases 100 --seed 1`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from msgspec import Struct

from pincer.engines.board import Board, Holds, Violated
from pincer.engines.merged.strategy import Merged
from pincer.engines.portfolio import Allowance, Going
from pincer.frontends.c.load import load
from pincer.program.passes import Assertions, MemorySafety, instrumented
from pincer.program.property import SequentialKind
from pincer.runtime.run import Run
from tests.fuzz.c.nibble_programs import DRIVER, OURS, THEIRS, ProgramWriter

TURNS = 12
"""Budget of one question: turns of the size that the portfolio gives."""


class Truth(Struct, frozen=True):
    """Whether some input violates an assertion, and whether one leads outside of an array."""

    assertions: bool
    memory: bool


def truth(folder: Path, text: str, inputs: int) -> Truth:
    """What running the program with all inputs shows."""
    source, program = folder / "theirs.c", folder / "theirs"
    source.write_text(THEIRS + text + f"#define INPUTS {inputs}\n" + DRIVER)
    subprocess.run(["gcc", "-w", "-O1", "-o", program, source], check=True)
    said = subprocess.run([program], check=True, capture_output=True, text=True, timeout=60).stdout.split()
    return Truth(said[0] == "1", said[1] == "1")


def claim(folder: Path, text: str, kind: SequentialKind, by_words: bool = False) -> str:
    """What merged execution says, or that by words: "holds", "violated", or why neither."""
    source = folder / "ours.c"
    source.write_text(OURS + text)
    wanted = Assertions() if kind == "assertions" else MemorySafety()
    strategy = Merged(Board(instrumented(load(source), wanted), kind, Run()), by_words)
    for _ in range(TURNS):
        outcome = strategy.step(Allowance(20_000, 400))
        if isinstance(outcome, Holds):
            return "holds"
        if isinstance(outcome, Violated):
            return "violated"
        if not isinstance(outcome, Going):
            return outcome.reason
    return "not decided within its budget"


def disagreement(seed: int, folder: Path, undecided: list[str]) -> str | None:
    """What is wrong with what is said about a program; None if all agrees."""
    writer = ProgramWriter(seed)
    text = writer.text()
    expected = truth(folder, text, writer.inputs)
    for kind, is_violated in (("assertions", expected.assertions), ("memory", expected.memory)):
        for by_words in (False, True):
            said = claim(folder, text, kind, by_words)  # type: ignore[arg-type]
            how = f"{kind} by words" if by_words else kind
            if said not in ("holds", "violated"):
                undecided.append(f"seed {seed}, {how}: {said}")
            elif (said == "violated") != is_violated:
                return f"seed {seed}, {how}: {said}, but the runs say {'violated' if is_violated else 'holds'}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    sys.setrecursionlimit(100_000)
    wrong, undecided = 0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.cases):
            problem = disagreement(seed, Path(folder), undecided)
            if problem is not None:
                wrong += 1
                print(problem, flush=True)
    if arguments.verbose:
        print("\n".join(undecided))
    print(f"{arguments.cases} programs, {wrong} disagreements, {len(undecided)} of {4 * arguments.cases} not decided")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
