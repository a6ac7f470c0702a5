"""What the commands beside `check` have in common: one job on one file, its answers, its mistakes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from pincer.checking.messages import MistakeMade, Request
from pincer.checking.supervise import Ending, Limits, News, Tick
from pincer.cli import jobs
from pincer.errors import Mistake
from pincer.report.mistakes import mistake_lines
from pincer.report.terminal import ProgressLine, look_of, write_lines

T = TypeVar("T")


@dataclass
class Answers(Generic[T]):
    """What a job answers; mistakes are printed as they come."""

    items: list[T] = field(default_factory=list)
    wrong_input: bool = False
    broken: bool = False

    def failure_status(self) -> int | None:
        """The exit status when the job could not answer, else None."""
        if self.wrong_input:
            return 2
        return 3 if self.broken else None


def _news(request: Request, args: argparse.Namespace) -> Iterator[News]:
    """What becomes of a request, here or on a cluster."""
    limits = Limits(args.timeout, args.memory)
    if "on" in args and args.on == "ray":
        from pincer.checking.ray_executor import ray_executor

        with ray_executor(args.ray_address, jobs.__name__) as executor:
            executor.submit(request, limits)
            yield from (news for _, news in executor.news())
        return
    with jobs.ordered(request, limits, args.verbose) as watch:
        yield from watch.events()
    yield watch.ending


def ask(request: Request, args: argparse.Namespace, *kinds: type[T]) -> Answers[T]:
    """Run the job in a worker process and collect its answers of some kinds."""
    answers = Answers[T]()
    line = ProgressLine(sys.stderr, Path(request.file).name, enabled=not args.quiet)

    def complain(mistake: Mistake) -> None:
        answers.wrong_input |= mistake.kind == "error"
        answers.broken |= mistake.kind != "error"
        line.clear()
        write_lines(sys.stderr, mistake_lines(mistake, look_of(sys.stderr), args.verbose))

    ending = Ending()
    for event in _news(request, args):
        if isinstance(event, Tick):
            line.draw(event.progress, event.memory_mb, event.elapsed)
        elif isinstance(event, MistakeMade):
            complain(event.mistake)
        elif isinstance(event, Ending):
            ending = event
        elif isinstance(event, kinds):
            answers.items.append(event)
    line.clear()
    if ending.died:
        complain(Mistake("internal", ending.died, request.file))
    if ending.stopped:
        complain(Mistake("undecided", f"not finished: {ending.stopped}", request.file))
    return answers
