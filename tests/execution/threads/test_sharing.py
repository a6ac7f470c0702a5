"""Objects that only one thread can reach, until it shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.threads.interleaving import Interleaver
from tests.execution.threads.threaded_c import TWO, both_started, lowered


def owned(folder: Path, first: str) -> list[int]:
    """How many objects a thread owns, before its first transition and after each one."""
    text = f"int *shown, **inside; {first} void *two(void *u) {{ return shown; }}" + TWO
    interleaver = Interleaver(lowered(folder, text))
    threads = both_started(interleaver)
    counts = [list(threads.owners.values()).count(1)]
    while threads.threads[1].live:
        threads = interleaver.take(threads, 1).threads
        counts.append(list(threads.owners.values()).count(1))
    return counts


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ("int *own = malloc(4); *own = 1;", [1, 1]),
        ("int *own = malloc(4); shown = own;", [1, 0, 0]),
        ("int **own = malloc(sizeof *own); *own = malloc(4); inside = own;", [2, 0, 0]),
        ("int *own = malloc(4); return own;", [1, 0]),
    ],
)
def test_a_pointer_shows_all_it_leads_to_where_it_is_written_or_returned(
    tmp_path: Path, body: str, counts: list[int]
) -> None:
    assert owned(tmp_path, f"void *one(void *u) {{ {body} return 0; }}") == counts
