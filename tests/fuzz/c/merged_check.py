"""The checker of merged executions against all runs of compiled code: may it accept what some input breaks?

Programs over three bytes (the second below 64, the third below 3) are compiled with the sanitizers of gcc and run for
every input, which also tells the candidates for assertions that ever fail from those that never do. The checker gets
each program twice: with the assertions that hold, and with one that some input breaks. It has a claim with rounds and
depth in plenty, and must refuse whatever goes wrong for some input. How many of the others it accepts is counted.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import DefinedArithmetic, NothingWrong, instrumented
from pincer.program.property import SequentialKind
from tests.evidence.c_proof.merged_claims import judged, plenty

from . import compiler
from .merged_programs import HEAD, program

Views: TypeAlias = tuple[tuple[ControlFlowProgram, SequentialKind], ...]
"""A program as properties see it, and what each makes of an error."""

_ASSERTS = 40
_SECONDS, _RUN_SECONDS = 60.0, 60.0
_RECORDED = f"""
static unsigned long failed[{_ASSERTS}];
#define ASSERT(k, held) do {{ if (!(held)) failed[k]++; }} while (0)
"""
_ALL_RUNS = """
int main(int n, char **words) {
    int wanted = atoi(words[n - 1]);
    for (int a = 0; a < 256; a++) for (int b = 0; b < 64; b++) for (int c = 0; c < 3; c++) run(wanted, a, b, c);
    for (int k = 0; k < %d; k++) if (failed[k]) printf("%%d %%lu\\n", k, failed[k]);
    return 0;
}
"""
_MAIN = """
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar();
    if (b > 63 || c > 2) return 0;
    program(a, b, c);
    return 0;
}
"""
_DECLARED = "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void reach_error(void);\n"
_ASSERTED = re.compile(r"ASSERT\((\d+), ")


@dataclass(frozen=True)
class Runs:
    """What all runs of a program show: whether a sanitizer stops one, and how often each assertion fails."""

    stopped: bool
    failures: Mapping[int, int]


@dataclass
class Tally:
    """What became of the cases; `wrong` ones were accepted although some input breaks them."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    slowest: float = 0.0

    def text(self) -> str:
        numbers = ", ".join(f"{number} {name}" for name, number in sorted(self.counts.items()))
        return f"{numbers}; {len(self.wrong)} wrong; {self.seconds:.1f} s of checking, at most {self.slowest:.1f} s"


def all_runs(seeds: Iterable[int], folder: Path) -> dict[int, Runs]:
    """Compile the programs of all seeds together, and run each for every input."""
    texts = {seed: program(seed).replace("@", f"p{seed}_") for seed in seeds}
    calls = "".join(f"case {seed}: p{seed}_program(a, b, c); break;\n" for seed in texts)
    run = f"static void run(int n, int a, int b, int c) {{ switch (n) {{\n{calls}}} }}\n"
    source = folder / "all.c"
    parts = (HEAD, "#include <stdio.h>\n", _RECORDED, *texts.values(), run, _ALL_RUNS % _ASSERTS)
    source.write_text("".join(parts), encoding="utf-8")
    target = source.with_suffix(".exe")
    flags = ("-w", "-O0", "-g0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    subprocess.run(["gcc", *flags, str(source), "-o", str(target)], check=True, capture_output=True)
    found = {seed: _ran(target, seed) for seed in texts}
    return {seed: runs for seed, runs in found.items() if runs is not None}


def _ran(target: Path, seed: int) -> Runs | None:
    """What all runs show, None where they take too long: some are endless."""
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=1"}
    command = [str(target), str(seed)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=environment, timeout=_RUN_SECONDS
        )
    except subprocess.TimeoutExpired:
        return None
    lines = (line.split() for line in done.stdout.splitlines())
    return Runs(done.returncode != 0, {int(k): int(number) for k, number in lines})


def with_asserts(seed: int, kept: Iterable[int]) -> str:
    """A program of its own with some of its assertions."""
    chosen = set(kept)
    body = _ASSERTED.sub(lambda found: f"{'HELD' if int(found[1]) in chosen else 'LEFT'}(", program(seed))
    macros = "#define HELD(c) do { if (!(c)) reach_error(); } while (0)\n#define LEFT(c) do { } while (0)\n"
    return HEAD + _DECLARED + macros + body.replace("@", "") + _MAIN


def refusal(file: Path, together: bool, by_words: bool, rounds: int = 200, depth: int = 60) -> str | None:
    """What the checker objects to, None where it accepts that nothing goes wrong: all at once, or one by one."""
    lowered = load(file)
    at_once: Views = ((instrumented(lowered, NothingWrong(True, True, True)), "memory"),)
    one_by_one: Views = (
        (lowered, "assertions"), (lowered, "memory"), (instrumented(lowered, DefinedArithmetic()), "assertions"),
    )  # fmt: skip
    for view, kind in at_once if together else one_by_one:
        answer = judged(view, kind, plenty(view, rounds, depth, by_words), _SECONDS)
        if not answer.accepted:
            return answer.refused[0]
    return None


def compare(seeds: range, tally: Tally) -> None:
    """Judge the programs of some seeds."""
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as name:
        folder = Path(name)
        for seed, runs in all_runs(seeds, folder).items():
            present = [int(k) for k in _ASSERTED.findall(program(seed))]
            holding = [k for k in present if k not in runs.failures]
            rare = sorted(runs.failures, key=lambda k: (runs.failures[k], k))[:1]
            cases = {"correct": holding} if not runs.stopped else {"stopped": holding}
            if rare and not runs.stopped:
                cases["broken"] = [*holding, *rare]
            for kind, kept in cases.items():
                file = folder / f"{kind}.c"
                file.write_text(with_asserts(seed, kept), encoding="utf-8")
                _judge(seed, kind, file, tally)


def _judge(seed: int, kind: str, file: Path, tally: Tally) -> None:
    started = time.monotonic()
    said = refusal(file, seed % 4 != 0, seed % 3 == 0)
    spent = time.monotonic() - started
    tally.seconds += spent
    tally.slowest = max(tally.slowest, spent)
    tally.counts[f"{kind} {'accepted' if said is None else 'refused'}"] += 1
    if said is None and kind != "correct":
        tally.wrong.append(f"seed {seed}: accepted, but {kind}")
    if said is not None and kind == "correct":
        tally.reasons[re.sub(r"^\S+: ", "", said)] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if not compiler.available():
        print("gcc is not installed: nothing to compare with")
        return 2
    tally = Tally()
    for start in range(args.seed, args.seed + args.cases, 20):
        compare(range(start, min(start + 20, args.seed + args.cases)), tally)
        print(f"{start + 20 - args.seed} programs: {tally.text()}", flush=True)
    for wrong in tally.wrong:
        print(wrong)
    for reason, number in tally.reasons.most_common(12):
        print(f"{number} correct programs refused: {reason}")
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
