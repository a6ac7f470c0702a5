"""`python -m tests.fuzz.c.run_c --cases N --seed S --jobs J`: C programs through gcc and through us.

The kinds: `own`, `csmith` and `numbers` compare checksums of the interpreter, `assertions`, `memory` and `known`
compare verdicts of `pincer check`. Failing programs are kept in a folder, and made small when the failure is one of the
interpreter.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pincer.program.property import DataModel

from . import csmith
from .checksum import Comparison, Generator, compare, program_text
from .compiler import Rejected
from .reduction import reduced
from .verdicts import Kind, judge
from .workers import run_all

CHECKSUMS: tuple[Generator, ...] = ("own", "csmith", "numbers")
VERDICTS: tuple[Kind, ...] = ("assertions", "memory", "known")
THOROUGH_EVERY = 20


@dataclass(frozen=True)
class Case:
    """One program to try."""

    kind: str
    seed: int


@dataclass(frozen=True)
class Limits:
    """How large programs are, and how long they may take; `data_model` is that of checksum programs."""

    size: int
    max_steps: int
    timeout: float
    data_model: DataModel


@dataclass(frozen=True)
class Report:
    """What came of a case: `outcome` is counted, a failure is kept with its program."""

    outcome: str
    detail: str = ""
    text: str = ""
    failed: bool = False
    seconds: float = 0.0
    steps: int = 0


@dataclass
class Tally:
    """What a run has seen so far, by kind of case."""

    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    constructs: Counter[str] = field(default_factory=Counter)
    failures: int = 0

    def add(self, case: Case, report: Report) -> None:
        counts = self.outcomes.setdefault(case.kind, Counter())
        counts["cases"] += 1
        counts[report.outcome] += 1
        self.failures += report.failed
        if report.outcome in ("unsupported", "discarded"):
            self.constructs[f"{report.outcome}: {report.detail[:100]}"] += 1

    def lines(self) -> list[str]:
        lines = []
        for kind, counts in self.outcomes.items():
            rest = ", ".join(f"{name} {count}" for name, count in counts.most_common() if name != "cases")
            lines.append(f"{kind}: {counts['cases']} cases, {compared(counts)} compared: {rest}")
        return lines + [f"  {count} x {what}" for what, count in self.constructs.most_common(20)]


def compared(counts: Counter[str]) -> int:
    return sum(counts[name] for name in ("identical", "different", "agreed", "wrong"))


def try_case(limits: Limits, case: Case) -> Report:
    """Run one case in the current process."""
    start = time.monotonic()
    for generator in CHECKSUMS:
        if case.kind == generator:
            return _try_checksum(limits, case, generator, start)
    for kind in VERDICTS:
        if case.kind == kind:
            return _try_verdict(limits, case, kind, start)
    raise ValueError(case.kind)


def _try_checksum(limits: Limits, case: Case, generator: Generator, start: float) -> Report:
    try:
        text = program_text(generator, case.seed, limits.size, limits.data_model)
    except Rejected as reason:
        return Report("discarded", str(reason))
    thorough = case.seed % THOROUGH_EVERY == 0
    result: Comparison = compare(text, generator, limits.max_steps, thorough, limits.data_model)
    return Report(result.outcome, result.detail, text, result.failed, time.monotonic() - start, result.steps)


def _try_verdict(limits: Limits, case: Case, kind: Kind, start: float) -> Report:
    result = judge(kind, case.seed, limits.timeout)
    seconds = time.monotonic() - start
    if result.discarded:
        return Report("discarded", result.discarded, result.text)
    if result.wrong:
        detail = f"{result.checked}: gcc says {result.oracle}, we say {result.ours} {result.reason}"
        return Report("wrong" if result.ours != "crash" else "crash", detail, result.text, True, seconds)
    if result.ours == "unknown":
        return Report(f"unknown ({result.oracle})", result.reason, result.text, seconds=seconds)
    return Report("agreed", f"{result.ours}", result.text, seconds=seconds)


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    limits = Limits(args.size, args.max_steps, args.timeout, args.data_model)
    kinds = args.kinds.split(",")
    if "csmith" in kinds and not csmith.available():
        print("csmith or its headers are missing (CSMITH_INCLUDE names their folder): left out", file=sys.stderr)
        kinds.remove("csmith")
    cases = [Case(kind, seed) for seed in range(args.seed, args.seed + args.cases) for kind in kinds]
    tally, started = Tally(), time.monotonic()
    for case, answer in run_all(partial(try_case, limits), cases, args.jobs, args.limit):
        report = answer or Report("slow", f"no answer in {args.limit:g} s")
        tally.add(case, report)
        if report.failed:
            _keep(case, report, args.save, limits, args.reduce)
        elif args.unknown and report.outcome.startswith("unknown"):
            print(f"{case.kind} {case.seed}: {report.outcome} {report.detail}", flush=True)
        if sum(counts["cases"] for counts in tally.outcomes.values()) % 200 == 0:
            print("\n".join(tally.lines()), file=sys.stderr, flush=True)
    print("\n".join([*tally.lines(), f"{time.monotonic() - started:.0f} s, {tally.failures} failures"]))
    return int(tally.failures > 0)


def _keep(case: Case, report: Report, folder: Path, limits: Limits, seconds: float) -> None:
    """Print a failure and keep its program, and a smaller one when there is time for it."""
    print(f"{case.kind} {case.seed}: {report.outcome}: {report.detail}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    comment = "".join(f"// {line}\n" for line in f"{report.outcome}: {report.detail}".splitlines())
    (folder / f"{case.kind}_{case.seed}.c").write_text(comment + report.text, encoding="utf-8")
    for generator in CHECKSUMS:
        if case.kind == generator and seconds > 0:
            small = reduced(report.text, partial(_still_fails, generator, report, limits), seconds)
            (folder / f"{case.kind}_{case.seed}_small.c").write_text(comment + small, encoding="utf-8")


def _still_fails(generator: Generator, report: Report, limits: Limits, text: str) -> bool:
    """Whether a smaller program fails in the same way."""
    result = compare(text, generator, limits.max_steps, data_model=limits.data_model)
    return result.outcome == report.outcome and signature(result.detail) == signature(report.detail)


def signature(detail: str) -> str:
    """What two failures of one cause have in common: the last line of a traceback, the kind of stop."""
    last = detail.strip().splitlines()[-1] if detail.strip() else ""
    return last.split(":")[0] if last.startswith(("gcc computes", "stopped by")) else last[-60:]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.c.run_c", description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="programs of each kind")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--kinds", default="own,csmith", help=f"of {', '.join((*CHECKSUMS, *VERDICTS))}")
    parser.add_argument("--size", type=int, default=8, help="how large checksum programs are")
    parser.add_argument("--data-model", choices=("LP64", "ILP32"), default="LP64", help="of checksum programs")
    parser.add_argument("--max-steps", type=int, default=2_000_000, help="for the interpreter")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for our verdict")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for a whole case")
    parser.add_argument("--reduce", type=float, default=0.0, help="seconds to spend on making a failure small")
    parser.add_argument("--save", type=Path, default=Path("fuzz-failures"), help="where failures are kept")
    parser.add_argument("--unknown", action="store_true", help="list verdicts that we leave open, with the reason")
    return parser


if __name__ == "__main__":
    sys.exit(main())
