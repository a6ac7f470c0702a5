"""Whatever goes wrong becomes a mistake: whose it is, where it is, and what is said about it."""

from __future__ import annotations

import pytest

from pincer.errors import Mistake, PincerError, Position, UnsupportedError, mistake_of

PLACE = Position("q.c", 3, 5)


@pytest.mark.parametrize(
    ("error", "mistake"),
    [
        (PincerError("wrong"), Mistake("error", "wrong", "p.c")),
        (PincerError("wrong", PLACE, "x = y;"), Mistake("error", "wrong", "q.c", 3, 5, "x = y;")),
        (UnsupportedError("odd", PLACE), Mistake("unsupported", "odd", "q.c", 3, 5)),
        (RecursionError(), Mistake("error", "the input is nested too deeply", "p.c")),
        (MemoryError(), Mistake("unsupported", "out of memory", "p.c")),
        (FileNotFoundError(2, "No such file", "h.h"), Mistake("error", "No such file", "h.h")),
    ],
)
def test_errors_become_mistakes(error: Exception, mistake: Mistake) -> None:
    assert mistake_of(error, "p.c") == mistake


def test_our_own_mistakes_come_with_a_traceback() -> None:
    try:
        raise ValueError("oops")
    except ValueError as error:
        found = mistake_of(error, "p.c")
    assert (found.kind, found.message) == ("internal", "ValueError: oops")
    assert found.traceback is not None and "test_errors.py" in found.traceback


def test_an_error_names_its_place() -> None:
    assert str(PincerError("wrong", PLACE)) == "q.c:3:5: wrong"


def test_a_place_is_said_without_numbers_of_ours() -> None:
    assert PLACE.said == "at q.c:3:5"
    assert Position("<library>", 37, 13).said == "in a library function"
