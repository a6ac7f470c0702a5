"""`pincer show`: draw what the analysis explored, or the control flow of a C program."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pincer.checking.messages import Draw, Drawn, Text
from pincer.cli.answers import ask
from pincer.cli.arguments import add_c_options, add_defines, add_limits, add_loudness, positive
from pincer.cli.inputs import one_program
from pincer.errors import PincerError
from pincer.report.terminal import escape, write_lines

_EPILOG = """\
abstract: the abstract states and the transitions between them
tree:     the symbolic states: values on top, path condition below; of an MSVL
          program its symbolic execution tree
lnfg:     the labelled normal form graph of an MSVL program's negated property
cfg:      the control-flow automata of a C program; without -o they are listed

Solid arrows are exact: every state of the source has a successor in the target.

exit status: 0 drawn, 2 the input or the call is wrong, 3 not finished
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument(
        "file", metavar="FILE", nargs="+", help="a .gcl, C or MSVL program; several files of one C program"
    )
    parser.add_argument(
        "--what",
        choices=["abstract", "tree", "cfg", "lnfg"],
        help="default: abstract for .gcl, cfg for C, tree for MSVL",
    )
    parser.add_argument("-o", dest="output", metavar="OUT.svg", help="default: NAME.WHAT.svg; - is standard output")
    parser.add_argument("--function", metavar="F", help="show this function only (C)")
    parser.add_argument("--iteration", metavar="K", type=positive, help="stop refining after iteration K")
    parser.add_argument("--limit", metavar="N", type=positive, default=200, help="draw at most N states; default: 200")
    add_limits(parser)
    add_defines(parser)
    add_c_options(parser, entry_aliases=False)
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    source = one_program(args.file, args)
    what = args.what or {"c": "cfg", "msvl": "tree", "gcl": "abstract"}[source.language]
    request = Draw(source, what, args.iteration, args.limit, args.function, text=args.output is None)
    answers = ask(request, args, Drawn, Text)
    for answer in answers.items:
        match answer:
            case Text(text):
                sys.stdout.write(text)
            case Drawn() as drawn:
                _deliver(drawn, args.output or f"{Path(args.file[0]).stem}.{what}.svg", args.quiet)
    return answers.failure_status() or 0


def _deliver(drawn: Drawn, output: str, quiet: bool) -> None:
    if output == "-":
        sys.stdout.write(drawn.svg)
        return
    try:
        Path(output).write_text(drawn.svg, encoding="utf-8")
    except OSError as error:
        raise PincerError(f"cannot write {output}: {error.strerror}") from error
    if not quiet:
        note = f"; {drawn.note} (--limit)" if drawn.note else ""
        write_lines(sys.stdout, [f"{escape(output)}: {drawn.states} states{note}"])
