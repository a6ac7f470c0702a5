"""`pincer COMMAND`: the parser, and the last line of defence between a mistake and a traceback.

Start-up stays light: solvers, parsers and engines are imported by the worker process, when there is work.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from pincer import __version__
from pincer.errors import Mistake, PincerError, mistake_of
from pincer.report.mistakes import mistake_lines
from pincer.report.terminal import look_of, prepare_streams, write_lines

_COMMANDS = {
    "check": "decide the safety properties of programs",
    "replay": "run a counterexample again, for real",
    "certify": "check a proof independently",
    "test": "write a test suite that covers a C program",
    "show": "draw what the analysis explored, or the control flow of a C program",
    "translate": "translate a C program to MSVL",
    "run": "execute an MSVL program and print its states",
    "pptl": "decide whether a temporal formula is satisfiable and valid",
    "serve": "a page on this machine to edit and check programs",
    "lsp": "show verdicts in an editor (a language server)",
    "bench": "run benchmark tables",
}
_EXIT_STATUS = """\
exit status:
  0  every property holds
  1  some property is violated
  2  the input or the call is wrong
  3  undecided (time, memory, solver, or a construct that is not supported)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point of the `pincer` command; returns the exit status."""
    prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    verbose = "--verbose" in words
    try:
        args = _parser(words).parse_args(words)
        status: int = importlib.import_module(f"pincer.cli.{args.command}").run(args)
        if not sys.stdout.closed:
            sys.stdout.flush()
        return status
    except PincerError as error:
        return _complain(mistake_of(error, "pincer"), verbose)
    except KeyboardInterrupt:
        write_lines(sys.stderr, ["pincer: interrupted"])
        return 3
    except OSError as error:
        # Nobody takes the output; keep the interpreter from failing once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            write_lines(sys.stderr, [f"pincer: {error.strerror or error}"])
        return 3
    except Exception as error:
        import traceback

        message = f"{type(error).__name__}: {error}"
        return _complain(Mistake("internal", message, "pincer", traceback=traceback.format_exc()), verbose)


def _complain(mistake: Mistake, verbose: bool) -> int:
    write_lines(sys.stderr, mistake_lines(mistake, look_of(sys.stderr), verbose))
    return 2 if mistake.kind == "error" else 3


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The whole command line; only the command in use fills in its own options."""
    parser = argparse.ArgumentParser(
        prog="pincer",
        description="Decide whether a program can go wrong, and leave evidence either way.",
        epilog=_EXIT_STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pincer {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in words if not word.startswith("-")), None)
    for name, summary in _COMMANDS.items():
        command = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name == chosen:
            importlib.import_module(f"pincer.cli.{name}").add_arguments(command)
    return parser
