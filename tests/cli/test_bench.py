"""`pincer bench`: tables, and what is said about rows."""

from __future__ import annotations

import pytest

from pincer.cli.main import main


def test_the_bench_agrees_with_what_is_expected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "dse", "--rows", "paper"]) == 0
    assert "dse: 4 rows, 4 right, 0 wrong, 0 undecided" in capsys.readouterr().out
