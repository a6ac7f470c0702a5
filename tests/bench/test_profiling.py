"""A profile says how fast a row was, and where the time went."""

from __future__ import annotations

from rich.console import Console

from pincer.bench.ase_rows import ase_rows
from pincer.bench.profiling import print_profile
from pincer.bench.rows import matching


def test_a_profile_names_the_verdict_the_speed_and_the_busiest_functions() -> None:
    [row] = matching(ase_rows(), "RAX-deadlock")
    console = Console(width=200)
    with console.capture() as capture:
        print_profile(console, row, 20.0, paper=True)
    text = capture.get()
    assert "RAX-deadlock: unsafe" in text
    assert "states per second" in text
    assert "tottime" in text
