"""Steps that no other thread interrupts, with the values they give."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("int x = 5; result = __sync_fetch_and_add(&x, 2) * 10 + x;", 57),
        ("unsigned char x = 250; result = __sync_add_and_fetch(&x, 10);", 4),
        ("int x = 1, y = 2; result = __atomic_compare_exchange_n(&x, &y, 9, 0, 5, 5) + y * 10 + x;", 11),
        ("int x = 3; result = __sync_val_compare_and_swap(&x, 3, 8) * 10 + x;", 38),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result
