"""`pincer replay`: run a counterexample again."""

from __future__ import annotations

import argparse
import sys

from pincer.checking.messages import Replay, Replayed
from pincer.cli.answers import ask
from pincer.cli.arguments import add_limits, add_loudness
from pincer.evidence.violating_run import RunForm
from pincer.report.run_text import run_lines
from pincer.report.terminal import Look, escape, look_of, write_lines

_EPILOG = """\
A test of a C program is compiled and run with its recorded inputs. Of a .gcl
program the interpreter takes the recorded steps one by one: the first state
must be initial, every step possible, and the property false at the end.

exit status: 0 the run was reproduced, 1 it was not, 2 the input or the call is
wrong (also when the program has changed since), 3 not finished
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument(
        "file",
        metavar="RESULT.json",
        help="the output of `check --format json`, a .gcl witness, or the test.json of `check --test-out`",
    )
    parser.add_argument("--program", metavar="FILE", help="the program, when it is not where it was")
    add_limits(parser)
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    answers = ask(Replay(args.file, args.program), args, Replayed)
    look = look_of(sys.stdout)
    for answer in answers.items:
        write_lines(sys.stdout, _answer_lines(answer, args, look))
    failed = answers.failure_status()
    if failed is not None:
        return failed
    return 0 if all(answer.ok for answer in answers.items) else 1


def _answer_lines(answer: Replayed, args: argparse.Namespace, look: Look) -> list[str]:
    what = f"{escape(answer.program)}: {look.paint(answer.property, 'bold')}"
    run = answer.run
    if not answer.ok or run is None:
        word = look.paint("NOT REPRODUCED", "red")
        step = "" if answer.step is None else f"step {answer.step}: "
        return [f"{word}  {what}: {step}{escape(answer.reason)}"]
    how = f" is false after {run.length}" if run.form is RunForm.TRANSITIONS else f": {escape(answer.reason)}"
    if run.form is RunForm.TRANSITIONS and run.loop_from is not None:
        how = f" is false of this run, which repeats its steps from {run.loop_from} on for ever"
    head = f"{look.paint('REPRODUCED', 'green')}  {what}{how}"
    return [head] if args.quiet else [head, *run_lines(run, look, args.verbose)]
