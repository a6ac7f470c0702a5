"""Orders are plain data from a page that nobody trusts: what is wrong with one is said in a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from pincer.cli.serving.orders import Bounds, Order, read_order
from pincer.errors import PincerError

BOUNDS = Bounds(bytes=10, seconds=5.0)


def test_an_order_has_defaults_within_the_bounds() -> None:
    assert read_order({"name": "a.c", "text": "int x;"}, BOUNDS) == Order("a.c", "int x;", "auto", "", 5.0)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"name": "../a.c"}, "plain file name"),
        ({"name": "a.py"}, "plain file name"),
        ({"text": 3}, "text has to be a text"),
        ({"text": "12345678901"}, "larger than 10 bytes"),
        ({"engine": "magic"}, "the engine is one of"),
        ({"property": "secret.prp"}, "by its name"),
        ({"seconds": 6}, "at most 5"),
        ({"seconds": True}, "has to be a number"),
    ],
)
def test_a_wrong_order_is_refused(members: dict[str, Any], said: str) -> None:
    with pytest.raises(PincerError, match=said):
        read_order({"name": "a.c", "text": "int x;", **members}, BOUNDS)


def test_an_order_is_an_object() -> None:
    with pytest.raises(PincerError, match="JSON object"):
        read_order(["a.c"], BOUNDS)
