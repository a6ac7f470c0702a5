"""`python -m tests.fuzz.live.speed`: what `[]{p}` costs beside `safety p`, in processor seconds of whole calls."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

PROGRAMS = (
    ("benchmarks/ase/ticket.gcl", 3),
    ("benchmarks/ase/ticket.gcl", 4),
    ("benchmarks/ase/bakery2.gcl", None),
    ("benchmarks/ase/peterson2.gcl", None),
    ("benchmarks/ase/elev.gcl", None),
    ("benchmarks/ase/rax.gcl", None),
    ("benchmarks/ase/mesi.gcl", None),
    ("benchmarks/families/bakery.gcl", 3),
    ("benchmarks/families/readers_writers.gcl", None),
    ("benchmarks/families/szymanski.gcl", 3),
)
_MAIN = "import sys; from pincer.cli.main import main; sys.exit(main())"
_SAFETY = re.compile(r"^safety\s+(\w+)\s*:\s*(.*?);", re.MULTILINE | re.DOTALL)


def stated(text: str) -> tuple[str, str]:
    """The name and the formula of the first safety property of a program."""
    found = _SAFETY.search(text)
    assert found is not None
    return found[1], " ".join(found[2].split())


def cost(file: str, size: int | None, wanted: str) -> float:
    """Processor seconds of a check that must say that the property holds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    defines = () if size is None else ("-D", f"N={size}")
    words = (sys.executable, "-c", _MAIN, "check", file, *defines, "--property", wanted, "--timeout", "60")
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    sums = [0.0, 0.0]
    for file, size in PROGRAMS:
        name, formula = stated(Path(file).read_text(encoding="utf-8"))
        costs = [cost(file, size, name), cost(file, size, f"[]{{{formula}}}")]
        sums = [total + one for total, one in zip(sums, costs, strict=True)]
        print(f"{file} {size or ''}: {costs[0]:.2f} s, as a formula {costs[1]:.2f} s, {costs[1] / costs[0]:.2f}")
    print(f"all: {sums[0]:.2f} s, as formulas {sums[1]:.2f} s, {sums[1] / sums[0]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
