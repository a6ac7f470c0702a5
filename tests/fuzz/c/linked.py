"""`python -m tests.fuzz.c.linked --cases N --seed S`: programs of three files, linked by gcc and by us.

Two programs of the generator become two files whose `main` is a function that the third one calls. They share the
checksum; their static functions, tags, typedefs and enumerators have the same names; some variables are made static,
too, others stay external under names of their own.
"""

from __future__ import annotations

import argparse
import random
import re
import tempfile
from pathlib import Path

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.c.load import load
from pincer.program.c_file import CFile
from tests.execution.interpreted import interpret

from . import compiler, generator
from .checksum import Comparison

_MAIN = """\
#include <stdio.h>
unsigned part0(void), part1(void);
unsigned checksum = 1;
static int mix = 3;
int main(void) {
    part0();
    checksum += mix;
    part1();
    printf("%u\\n", checksum);
    return 0;
}
"""
_VARIABLE = re.compile(r"(?!static|extern|typedef|[ }/#])[^=;{]*?\b(g\d+|s\d+|table)\b")


def linked_texts(seed: int, size: int) -> dict[str, str]:
    """The files of a program by their names."""
    chance = random.Random(seed)
    return {"main.c": _MAIN, **{f"part{k}.c": _part(2 * seed + k, k, size, chance) for k in range(2)}}


def _part(seed: int, number: int, size: int, chance: random.Random) -> str:
    text = generator.generate(seed, size, 64).replace("unsigned checksum = 1;", "extern unsigned checksum;")
    text = text.replace("int main(void) {", f"unsigned part{number}(void) {{").replace('printf("%u\\n", checksum);', "")
    lines = text.split("\n")
    renamed: list[str] = []
    for index, line in enumerate(lines):
        found = _VARIABLE.match(line)
        if found is None:
            continue
        if chance.random() < 0.6:
            lines[index] = f"static {line}"
        else:
            renamed.append(found[1])
    text = "\n".join(lines)
    for name in renamed:
        text = re.sub(rf"\b{name}\b", f"{name}_of_{number}", text)
    return text


def compare(seed: int, size: int, max_steps: int) -> Comparison:
    """Run a program both ways."""
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as name:
        folder = Path(name)
        for file, text in linked_texts(seed, size).items():
            (folder / file).write_text(text, encoding="utf-8")
        files = [folder / file for file in ("main.c", "part0.c", "part1.c")]
        try:
            expected = int(compiler.output(files[0], ("-O0", *map(str, files[1:]))))
        except (compiler.Rejected, ValueError) as reason:
            return Comparison("discarded", str(reason))
        try:
            outcome = interpret(load([CFile(str(file)) for file in files]), max_steps=max_steps)
        except UnsupportedError as problem:
            return Comparison("unsupported", problem.message)
        except PincerError as problem:
            return Comparison("refused", str(problem))
    stop, value = outcome.stop, outcome.global_value("checksum")
    if stop.kind in ("unsupported", "steps"):
        return Comparison("unsupported" if stop.kind == "unsupported" else "slow", stop.message)
    if stop.kind != "halt" or value != expected:
        return Comparison("different", f"gcc computes {expected}, we {value} ({stop.kind}: {stop.message})")
    return Comparison("identical", steps=outcome.steps)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.c.linked", description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=10)
    args = parser.parse_args()
    counts: dict[str, int] = {}
    for seed in range(args.seed, args.seed + args.cases):
        found = compare(seed, args.size, 300_000)
        counts[found.outcome] = counts.get(found.outcome, 0) + 1
        if found.failed:
            print(f"seed {seed}: {found.outcome}: {found.detail}")
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    return int(any(name in counts for name in ("different", "refused", "crash")))


if __name__ == "__main__":
    raise SystemExit(main())
