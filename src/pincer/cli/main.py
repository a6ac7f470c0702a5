"""`pincer COMMAND`: the parser, and the last line of defence between a mistake and a traceback.

Start-up stays light: solvers, parsers and engines are imported by the worker process, when there is work.
"""

from __future__ import annotations

import argparse
import importlib
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from pincer import __version__
from pincer.runtime.files import did_you_mean

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
_FILES = ("path", "file")
"""What commands that take several files call them."""

_WELCOME = """\
Pincer decides whether a program can go wrong, and leaves evidence either way.

  pincer check program.c                      can it go wrong? assertions, memory,
                                              overflow; threads: races, deadlocks
  pincer check src/ --report out.html         a folder, with a page to look at
  pincer serve --open                         examples to try, in the browser

A verdict is HOLDS (with a proof that was checked), VIOLATED (with a run that was
executed again) or UNDECIDED (with the reason). Programs are C (.c, .i), guarded
commands (.gcl) and MSVL (.m).

commands:
{}

pincer COMMAND --help tells the options of a command."""
_EXIT_STATUS = """\
exit status:
  0  every property holds
  1  some property is violated
  2  the input or the call is wrong
  3  undecided (time, memory, solver, or a construct that is not supported)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point of the `pincer` command; returns the exit status."""
    _prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    verbose = "--verbose" in words
    try:
        if not words:
            print(_welcome())
            return 0
        args = _arguments(words)
        status: int = importlib.import_module(f"pincer.cli.{args.command}").run(args)
        if not sys.stdout.closed:
            sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("pincer: interrupted", file=sys.stderr, flush=True)
        return 3
    except OSError as error:
        # Nobody takes the output; keep the interpreter from failing once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"pincer: {error.strerror or error}", file=sys.stderr, flush=True)
        return 3
    except Exception as error:
        return _complain(error, verbose)


def _prepare_streams() -> None:
    """Characters the terminal's encoding lacks are escaped; integers of any size can be printed."""
    sys.set_int_max_str_digits(0)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the caller closed it
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _complain(error: Exception, verbose: bool) -> int:
    from pincer.errors import mistake_of
    from pincer.report.mistakes import mistake_lines
    from pincer.report.terminal import look_of

    mistake = mistake_of(error, "pincer")
    for line in mistake_lines(mistake, look_of(sys.stderr), verbose):
        print(line, file=sys.stderr, flush=True)
    return 2 if mistake.kind == "error" else 3


def _arguments(words: Sequence[str]) -> argparse.Namespace:
    """The command line, read. Files may stand behind options, too, as with compilers."""
    parser, chosen = _parser(words)
    if chosen is None:
        command = next((word for word in words if not word.startswith("-")), None)
        if command is not None:
            parser.error(_no_command(command))
    args, rest = parser.parse_known_args(words)
    files = next((given for name in _FILES if isinstance(given := getattr(args, name, None), list)), None)
    wrong = [word for word in rest if word.startswith("-")]
    if chosen is not None and wrong:
        options = [option for action in chosen._actions for option in action.option_strings]
        name = wrong[0].partition("=")[0]
        parser.error(f"there is no option {name}{did_you_mean(name, options)}")
    if rest and files is None:
        parser.error(f"{rest[0]} is one word too many: this command is about one file")
    if files is not None:
        files += rest
    return args


def _welcome() -> str:
    """What one can do, for somebody who has typed nothing but the name."""
    return _WELCOME.format("\n".join(f"  {name:<10} {summary}" for name, summary in _COMMANDS.items()))


def _no_command(word: str) -> str:
    """What is wrong with the first word of a call."""
    if Path(word).exists():
        return f"say what to do with {word}: pincer check {shlex.quote(word)}"
    hint = did_you_mean(word, _COMMANDS) or f"; there are {', '.join(_COMMANDS)}"
    return f"there is no command {word!r}{hint}"


def _parser(words: Sequence[str]) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser | None]:
    """The whole command line and that of the command in use, which alone fills in its own options."""
    parser = argparse.ArgumentParser(
        prog="pincer",
        description="Decide whether a program can go wrong, and leave evidence either way.",
        epilog=_EXIT_STATUS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"pincer {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    used: argparse.ArgumentParser | None = None
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
            used = command
    return parser, used
