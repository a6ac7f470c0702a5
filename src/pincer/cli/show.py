"""`pincer show`: draw what the analysis explored."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pincer.cli.answers import ask
from pincer.cli.arguments import add_defines, add_limits, add_loudness, defines_of, positive
from pincer.errors import PincerError
from pincer.report.terminal import escape, write_lines

_EPILOG = """\
abstract: the abstract states and the transitions between them
tree:     the symbolic states: values on top, path condition below

Solid arrows are exact: every state of the source has a successor in the target.

exit status: 0 drawn, 2 the input or the call is wrong, 3 not finished
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("file", metavar="FILE", help="a .gcl program")
    parser.add_argument("--what", choices=["abstract", "tree"], default="abstract", help="default: abstract")
    parser.add_argument("-o", dest="output", metavar="OUT.svg", help="default: NAME.WHAT.svg; - is standard output")
    parser.add_argument("--iteration", metavar="K", type=positive, help="stop refining after iteration K")
    parser.add_argument("--limit", metavar="N", type=positive, default=200, help="draw at most N states; default: 200")
    add_limits(parser)
    add_defines(parser)
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    request = {
        "job": "show",
        "file": args.file,
        "define": defines_of(args.define),
        "what": args.what,
        "iteration": args.iteration,
        "limit": args.limit,
    }
    answers = ask(request, args)
    for answer in answers.items:
        output = args.output or f"{Path(args.file).stem}.{args.what}.svg"
        if output == "-":
            sys.stdout.write(answer["svg"])
            continue
        _write(Path(output), answer["svg"])
        if not args.quiet:
            note = f"; {answer['note']} (--limit)" if answer["note"] else ""
            write_lines(sys.stdout, [f"{escape(output)}: {answer['states']} states{note}"])
    return answers.failure_status() or 0


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PincerError(f"cannot write {path}: {error.strerror}") from error
