"""`python -m tests.fuzz.run --cases N --seed S --jobs J`: our verdicts on random programs against oracles."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from .judge import Case, Court
from .pool import try_cases


@dataclass
class Tally:
    """What a run has seen so far; verdicts are counted by property."""

    cases: int = 0
    properties: int = 0
    ours: int = 0
    unsafe: int = 0
    refined: int = 0
    backward: int = 0
    spacer_asked: int = 0
    spacer: int = 0
    explicit: int = 0
    spacer_only: int = 0
    refused: int = 0
    unchecked: int = 0
    disagreements: int = 0
    crashes: int = 0

    def add(self, case: Case) -> None:
        self.cases += 1
        self.refused += case.refused
        self.unchecked += case.unchecked
        self.crashes += case.crash is not None
        self.disagreements += len(case.disagreements)
        for answer in case.answers:
            decided = answer.ours != "unknown"
            self.properties += 1
            self.ours += decided
            self.unsafe += answer.ours == "unsafe"
            self.refined += answer.iterations > 1
            self.backward += answer.check == "backward"
            self.explicit += answer.explicit != "unknown"
            self.spacer_asked += answer.spacer is not None
            self.spacer += answer.spacer in ("safe", "unsafe")
            self.spacer_only += answer.spacer in ("safe", "unsafe") and not decided

    def line(self) -> str:
        share = 100 * self.spacer_only / self.spacer if self.spacer else 0.0
        return (
            f"{self.cases} cases, {self.properties} properties: decided by us {self.ours} "
            f"(unsafe {self.unsafe}, refined {self.refined}, held by regions {self.backward}), "
            f"by Spacer {self.spacer} of {self.spacer_asked}, by explicit search {self.explicit}; "
            f"by Spacer but not by us {self.spacer_only} ({share:.1f} %); "
            f"refused {self.refused}, proofs not checked in time {self.unchecked}, "
            f"disagreements {self.disagreements}, crashes {self.crashes}"
        )


def main(arguments: list[str] | None = None) -> int:
    args = _parser().parse_args(arguments)
    court = Court(
        engine=args.engine,
        paper=args.paper,
        timeout=args.timeout,
        spacer_every=args.spacer_every,
        spacer_timeout=args.spacer_timeout,
        backward=args.backward,
    )
    tally = Tally()
    for case in try_cases(range(args.seed, args.seed + args.cases), court, args.jobs):
        tally.add(case)
        problems = [*case.disagreements, *([case.crash] if case.crash else [])]
        if problems:
            _show(case, problems, args.save)
        if args.unknown and any(answer.ours == "unknown" for answer in case.answers):
            _show(case, [f"{a.name}: {a.ours} ({a.reason}), spacer {a.spacer}" for a in case.answers], None)
        if tally.cases % 500 == 0:
            print(tally.line(), file=sys.stderr, flush=True)
    print(tally.line())
    return int(tally.disagreements > 0 or tally.crashes > 0)


def _show(case: Case, problems: list[str], folder: Path | None) -> None:
    text = "\n".join(f"seed {case.seed}: {problem}" for problem in problems)
    print(f"{text}\n{case.text}", flush=True)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        comment = "".join(f"// {line}\n" for line in text.splitlines())
        (folder / f"fuzz_{case.seed}.gcl").write_text(comment + case.text, encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engine", choices=("ase", "ur"), default="ase")
    parser.add_argument("--paper", action="store_true")
    parser.add_argument("--backward", action="store_true", help="look at regions before a violation first")
    parser.add_argument("--timeout", type=float, default=10.0, help="seconds for our verdict")
    parser.add_argument("--spacer-timeout", type=float, default=4.0)
    parser.add_argument("--spacer-every", type=int, default=1, help="ask Spacer on every k-th case; 0: never")
    parser.add_argument("--save", type=Path, default=Path("fuzz-failures"), help="where failures are kept")
    parser.add_argument("--unknown", action="store_true", help="show the programs we do not decide")
    return parser


if __name__ == "__main__":
    sys.exit(main())
