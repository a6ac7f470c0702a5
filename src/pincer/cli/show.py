"""`pincer show`: draw what the analysis explored, or the control flow of a C program."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pincer.checking.sources import is_c, is_msvl
from pincer.cli.answers import ask
from pincer.cli.arguments import add_c_options, add_defines, add_limits, add_loudness, c_request, defines_of, positive
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
    parser.add_argument("file", metavar="FILE", help="a .gcl, C or MSVL program")
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
    what = args.what or ("cfg" if is_c(args.file) else "tree" if is_msvl(args.file) else "abstract")
    request = {
        "job": "show",
        "file": args.file,
        "define": defines_of(args.define),
        "what": what,
        "iteration": args.iteration,
        "limit": args.limit,
        "function": args.function,
        "text": args.output is None,
        **c_request(args),
    }
    answers = ask(request, args)
    for answer in answers.items:
        if "text" in answer:
            sys.stdout.write(answer["text"])
            continue
        output = args.output or f"{Path(args.file).stem}.{what}.svg"
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
