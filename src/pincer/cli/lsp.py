"""`pincer lsp`: a language server, so that editors show verdicts and counterexamples."""

from __future__ import annotations

import argparse

from pincer.cli.arguments import positive, seconds

_EPILOG = """\
Editors start this command and talk to it on standard input and output. A program
is checked when it is opened and when it is saved, with the settings of its project
(pincer.toml, or [tool.pincer] of pyproject.toml). Violations appear as errors with
the steps that lead to them, verdicts above the first line, values on hover.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("--stdio", action="store_true", help="accepted for editors that insist; there is no other way")
    parser.add_argument(
        "--timeout", "--timelimit", metavar="S", type=seconds, default=30.0, help="for each check; default: 30"
    )
    parser.add_argument("--memory", metavar="MB", type=positive, default=2_000, help="for each check; default: 2000")


def run(args: argparse.Namespace) -> int:
    from pincer.cli.editing.server import language_server

    language_server(args.timeout, args.memory).start_io()
    return 0
