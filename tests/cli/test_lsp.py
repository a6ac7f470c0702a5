"""`pincer lsp`: the call; `editing` has the conversation."""

from __future__ import annotations

import argparse

from pincer.cli.lsp import add_arguments


def test_editors_may_insist_on_standard_input_and_limits_have_defaults() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args(["--stdio", "--timelimit", "5"])
    assert (args.timeout, args.memory) == (5.0, 2_000)
    assert parser.parse_args([]).timeout == 30.0
