"""Arguments that several commands share, and the values they take."""

from __future__ import annotations

import argparse
import re

from pincer.checking.task import Source

_DEFINE = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)=([+-]?[0-9]+)")


def add_defines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-D",
        dest="define",
        metavar="NAME=INT",
        action="append",
        type=definition,
        default=[],
        help="give a constant of the program another value",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", "--timelimit", metavar="S", type=seconds, help="stop after S seconds (per file)")
    parser.add_argument("--memory", metavar="MB", type=positive, help="stop beyond MB megabytes")


def add_loudness(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--quiet", action="store_true", help="one line per answer, no progress")
    group.add_argument("--verbose", action="store_true", help="all numbers, whole traces, tracebacks")


def add_c_options(parser: argparse.ArgumentParser, entry_aliases: bool = True) -> None:
    """How a C program is read; the aliases are those of other verifiers."""
    group = parser.add_argument_group("C programs")
    group.add_argument(
        "--data-model", choices=["ILP32", "LP64"], help="sizes of long and of pointers; default: the task's, or LP64"
    )
    group.add_argument("--32", dest="data_model", action="store_const", const="ILP32", help="same as ILP32")
    group.add_argument("--64", dest="data_model", action="store_const", const="LP64", help="same as LP64")
    aliases = ("--function", "--entry-function") if entry_aliases else ()
    group.add_argument("--entry", *aliases, metavar="F", help="start in this function; default: main")
    group.add_argument("-I", dest="include", metavar="DIR", action="append", default=[], help="look for headers here")


def source_of(file: str, args: argparse.Namespace) -> Source:
    """A file with what the options say about how it is read."""
    defines = tuple(getattr(args, "define", ()))
    return Source(file, args.data_model, args.entry, tuple(args.include), defines)


def definition(text: str) -> tuple[str, int]:
    match = _DEFINE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=INT")
    return match[1], int(match[2])


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


def positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return int(text)
