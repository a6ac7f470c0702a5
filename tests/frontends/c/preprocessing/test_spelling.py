"""The numbers behind the spellings of constants."""

from __future__ import annotations

import pytest

from pincer.frontends.c.preprocessing.spelling import character_codes, character_value, integer_parts


@pytest.mark.parametrize(
    ("spelling", "parts"),
    [
        ("0", (0, "", True)),
        ("42u", (42, "u", True)),
        ("0x1FuLL", (31, "ull", False)),
        ("017", (15, "", False)),
        ("0b101", (5, "", False)),
        ("1'000l", (1000, "l", True)),
    ],
)
def test_integers(spelling: str, parts: tuple[int, str, bool]) -> None:
    assert integer_parts(spelling) == parts


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        ("'a'", (97, "")), ("'\\n'", (10, "")), ("'\\xff'", (-1, "")), ("'\\0'", (0, "")),
        ("'ab'", (97 * 256 + 98, "")),
        ("L'\\xff'", (255, "L")), ("u'\\u20ac'", (0x20AC, "u")),
    ],
)  # fmt: skip
def test_characters(spelling: str, value: tuple[int, str]) -> None:
    assert character_value(spelling) == value


def test_narrow_characters_are_bytes_of_the_encoding() -> None:
    assert character_codes("é", wide=False) == [0xC3, 0xA9]
    assert character_codes("é", wide=False, encoding="latin-1") == [0xE9]
    assert character_codes("é", wide=True) == [0xE9]
