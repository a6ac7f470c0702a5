"""`pincer test`: write a test suite that takes every side of every decision it can."""

from __future__ import annotations

import argparse
import sys

from pincer.checking.messages import TestsWritten, WriteTests
from pincer.cli.answers import ask
from pincer.cli.arguments import add_c_options, add_defines, add_limits, add_loudness, add_places
from pincer.cli.inputs import one_program
from pincer.report.terminal import Look, escape, look_of, wrap, write_lines

_EPILOG = """\
The suite has the format of Test-Comp: metadata.xml and one file of inputs for
each test. With gcc and gcov its branch coverage is measured by running it.

exit status: 0 written, 2 the input or the call is wrong, 3 not finished (a limit
was reached: the suite holds the tests found so far)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("file", metavar="FILE", nargs="+", help="the files of a C program, or a .yml task")
    parser.add_argument(
        "-o", dest="output", metavar="DIR", default="test-suite", help="a folder or a .zip file; default: test-suite"
    )
    add_limits(parser)
    add_places(parser)
    add_defines(parser)
    add_c_options(parser)
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    answers = ask(WriteTests(one_program(args.file, args), args.output), args, TestsWritten)
    look = look_of(sys.stdout)
    for answer in answers.items:
        write_lines(sys.stdout, _answer_lines(answer, args, look))
    return answers.failure_status() or 0


def _answer_lines(answer: TestsWritten, args: argparse.Namespace, look: Look) -> list[str]:
    count = answer.tests
    head = f"{escape(args.output)}: {count} test{'s'[count == 1 :]}"
    if args.quiet:
        return [head]
    sides = f"{answer.covered} of {answer.sides} sides of decisions taken"
    if answer.reason:
        sides += f" ({escape(answer.reason)})"
    return [head, *wrap(f"{sides}; {escape(answer.measured)}", look.width, "  ", "  ")]
