"""`pincer run`: execute an MSVL program and print its states."""

from __future__ import annotations

import argparse
import json
import sys

from msgspec.structs import asdict

from pincer.checking.messages import Execute, Executed
from pincer.cli.answers import ask
from pincer.cli.arguments import add_limits, add_loudness, positive
from pincer.report.run_text import state_table
from pincer.report.terminal import escape, look_of, write_lines

_EPILOG = """\
Inputs are named after the variable they are read into: --input x=1 is the first one for x, --input 'x#2=5' the
second. What is not given is drawn at random, the same way for the same --seed.

exit status: 0 the program ended or repeats, 1 it went wrong, 2 the input or the call is wrong, 3 it was cut
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("file", metavar="FILE.m", help="an MSVL program")
    parser.add_argument("--input", metavar="NAME=INT", action="append", type=_given, default=[], help="an input value")
    parser.add_argument("--seed", type=int, default=0, help="for inputs that are not given; default: 0")
    parser.add_argument("--max-states", metavar="N", type=positive, default=10_000, help="default: 10000")
    parser.add_argument("--int32", action="store_true", help="integers wrap around as on a 32-bit machine")
    parser.add_argument("--framing", choices=["implicit", "strict"], default="implicit")
    parser.add_argument("--same-state", choices=["overwrite", "reject"], default="overwrite")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    add_limits(parser)
    add_loudness(parser)


def _given(text: str) -> tuple[str, int]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), int(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=INT") from None


def run(args: argparse.Namespace) -> int:
    request = Execute(
        args.file, dict(args.input), args.seed, args.max_states, args.int32, args.framing, args.same_state
    )
    answers = ask(request, args, Executed)
    failed = answers.failure_status()
    if failed is not None or not answers.items:
        return 3 if failed is None else failed
    [answer] = answers.items
    if args.format == "json":
        print(json.dumps(asdict(answer), indent=1))
    else:
        write_lines(sys.stdout, _lines(answer, args.quiet))
    return {"terminated": 0, "lasso": 0, "cut": 3}.get(answer.ending, 1)


def _lines(answer: Executed, quiet: bool) -> list[str]:
    look = look_of(sys.stdout)
    lines = [] if quiet else state_table(answer.names, answer.states, width=look.width)
    lines += [f"output at s{output['state']}: {escape(output['text'])}" for output in answer.outputs]
    if answer.inputs:
        lines.append("inputs: " + ", ".join(f"{name} = {value}" for name, value in answer.inputs.items()))
    if answer.constraints:
        lines.append("path:   " + "; ".join(answer.constraints))
    word = {"terminated": "ended", "lasso": "repeats", "cut": "cut"}.get(answer.ending, "went wrong")
    colour = "red" if word == "went wrong" else "green"
    reason = f": {answer.reason}" if answer.reason else ""
    count = len(answer.states)
    lines.append(f"{look.paint(word, colour)} after {count} state{'s' * (count != 1)}{reason}")
    return [*lines, *(f"warning: {warning}" for warning in answer.warnings)]
