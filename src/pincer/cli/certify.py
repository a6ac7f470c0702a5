"""`pincer certify`: have a proof checked by someone who did not write it."""

from __future__ import annotations

import argparse
import sys

from pincer.checking.messages import Certify, ProofChecked
from pincer.cli.answers import ask
from pincer.cli.arguments import add_limits, add_loudness
from pincer.report.terminal import Look, escape, look_of, wrap, write_lines

_EPILOG = """\
The proof is an inductive invariant (of a C program: one for every location of
every procedure): every initial state satisfies it, no step leaves it, and it
implies the properties. Each of these is checked with fresh solver calls on the
program text alone.

exit status: 0 accepted, 1 not accepted, 2 the input or the call is wrong (also
when the program has changed since), 3 not finished
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument(
        "file",
        metavar="CERTIFICATE.json",
        help="from `check --certificate`, or the output of `check --format json`",
    )
    parser.add_argument("--program", metavar="FILE", help="the program, when it is not where it was")
    parser.add_argument(
        "--solver", choices=["cvc5", "z3", "both"], default="cvc5", help="of a .gcl proof; default: cvc5"
    )
    add_limits(parser)
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    answers = ask(Certify(args.file, args.program, args.solver), args, ProofChecked)
    look = look_of(sys.stdout)
    for answer in answers.items:
        write_lines(sys.stdout, _answer_lines(answer, args, look))
    if any(answer.ok is False for answer in answers.items):
        return 1
    failed = answers.failure_status()
    if failed is not None:
        return failed
    return 0 if all(answer.ok for answer in answers.items) else 3


def _answer_lines(answer: ProofChecked, args: argparse.Namespace, look: Look) -> list[str]:
    what = f"{escape(answer.program)}: {', '.join(answer.properties)}"
    if answer.constants:
        what += f" (with {', '.join(f'{name} = {value}' for name, value in answer.constants.items())})"
    words = {True: ("ACCEPTED", "green"), False: ("NOT ACCEPTED", "red"), None: ("UNDECIDED", "yellow")}
    word, colour = words[answer.ok]
    head = f"{look.paint(word, colour)}  {what}"
    if args.quiet:
        return [head]
    if answer.ok:
        detail = f"{answer.solver}, {answer.obligations} obligations, {answer.time_s:.2f} s"
        detail += f"; {answer.remark}" if answer.remark else ""
    else:
        detail = f"{answer.asked}: {answer.reason}"
    return [head, *wrap(escape(detail), look.width, "  ", "  ")]
