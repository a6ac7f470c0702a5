"""Formats are read as C reads them."""

from __future__ import annotations

import pytest

from pincer.frontends.c.library.formats import Conversion, Piece, pieces


@pytest.mark.parametrize(
    ("format", "found"),
    [
        ("", []),
        ("a%%b", ["a", "%", "b"]),
        ("%d\n", [Conversion("", None, None, "", "d"), "\n"]),
        ("%-08.3lld", [Conversion("-0", 8, 3, "ll", "d")]),
        ("%*.*s", [Conversion("", "*", "*", "", "s")]),
        ("%.hhu", [Conversion("", None, 0, "hh", "u")]),
        ("%", None),
    ],
)
def test_a_format_has_pieces(format: str, found: list[Piece] | None) -> None:
    assert pieces(format) == found


def test_a_star_takes_an_argument() -> None:
    assert [piece.arguments for piece in pieces("%d%*d%.*d%*.*d") or () if isinstance(piece, Conversion)] == [
        1,
        2,
        2,
        3,
    ]
