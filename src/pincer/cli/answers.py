"""What `replay`, `certify` and `show` have in common: one job on one file, its answers, its mistakes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincer.checking.supervise import Event, Limits, supervise
from pincer.report.mistakes import Mistake, mistake_lines
from pincer.report.progress import ProgressLine
from pincer.report.terminal import look_of, write_lines


@dataclass
class Answers:
    """The `answer` events of a job; mistakes are printed as they come."""

    items: list[Event] = field(default_factory=list)
    stopped: str | None = None
    wrong_input: bool = False
    broken: bool = False

    def failure_status(self) -> int | None:
        """The exit status when the job could not answer, else None."""
        if self.wrong_input:
            return 2
        return 3 if self.broken or self.stopped else None


def ask(request: Mapping[str, Any], args: argparse.Namespace) -> Answers:
    """Run the job in a worker process and collect what it answers."""
    answers = Answers()
    line = ProgressLine(sys.stderr, Path(request["file"]).name, enabled=not args.quiet)

    def complain(mistake: Mistake) -> None:
        answers.wrong_input |= mistake.kind == "error"
        answers.broken |= mistake.kind != "error"
        line.clear()
        write_lines(sys.stderr, mistake_lines(mistake, look_of(sys.stderr), args.verbose))

    def on_event(event: Event) -> None:
        if event["event"] == "mistake":
            complain(Mistake(**{key: event[key] for key in event if key != "event"}))
        else:
            answers.items.append(event)

    limits = Limits(args.timeout, args.memory)
    ending = supervise(request, limits, on_event, line.draw, args.verbose)
    line.clear()
    answers.stopped = ending.stopped
    if ending.died:
        complain(Mistake("internal", ending.died, str(request["file"])))
    if ending.stopped:
        complain(Mistake("unsupported", f"not finished: {ending.stopped}", str(request["file"])))
    return answers
