"""`pincer translate`: a C program as an MSVL program."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pincer.checking.messages import Text, Translate
from pincer.cli.answers import ask
from pincer.cli.arguments import add_limits, add_loudness
from pincer.errors import PincerError

_EPILOG = """\
exit status: 0 translated, 2 the input or the call is wrong, 3 something has no exact translation
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("file", metavar="FILE.c", help="a C program")
    parser.add_argument("--to", choices=["msvl"], default="msvl", help="default: msvl")
    parser.add_argument("--property", metavar="FILE.p", help="put this temporal property over C variables in front")
    parser.add_argument("-o", dest="output", metavar="OUT.m", help="default: standard output")
    add_limits(parser)
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    answers = ask(Translate(args.file, args.property), args, Text)
    for answer in answers.items:
        if args.output is None:
            sys.stdout.write(answer.text)
            continue
        try:
            Path(args.output).write_text(answer.text, encoding="utf-8")
        except OSError as error:
            raise PincerError(f"cannot write {args.output}: {error.strerror}") from error
    return answers.failure_status() or 0
