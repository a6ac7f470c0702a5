"""Typed values survive plain data; whatever is malformed is named in a sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from pincer.errors import PincerError, Position
from pincer.runtime.codec import Format, Natural, plain, read_json, typed


@dataclass(frozen=True, slots=True)
class Part:
    position: Position
    count: Natural
    side: Literal["left", "right"] = "left"

    def __post_init__(self) -> None:
        if self.count > 1 << 80:
            raise ValueError("too many")


@dataclass(frozen=True, slots=True)
class Whole:
    file: str
    parts: tuple[Part, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    numbers: Mapping[int, int] = field(default_factory=dict)
    open: bool | None = None


WHOLE = Whole("a.c", (Part(Position("a.c", 1, 2), 1 << 70),), (("x", "1"),), {3: -(1 << 90)}, True)
FORMAT = Format("whole-1", "whole", Whole, ("file",))


def test_a_value_survives_as_json() -> None:
    assert json.loads(json.dumps(plain(WHOLE))) == plain(WHOLE)
    assert typed(plain(WHOLE), Whole, "whole") == WHOLE


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"file": 3}, 'the field "file" must be text, but is a whole number'),
        ({"parts": {}}, 'the field "parts" must be a list, but is an object'),
        ({"parts": [3]}, r'the field "parts\[0\]" must be an object, but is a whole number'),
        ({"parts": [{"position": ["f", 1], "count": 0}]}, "position"),
        ({"parts": [{"position": ["f", 1, 1], "count": True}]}, r'"parts\[0\].count" must be a whole number'),
        ({"parts": [{"position": ["f", 1, 1], "count": -1}]}, "count.*a whole number of at least 0"),
        ({"parts": [{"position": ["f", 1, 1], "count": 1 << 81}]}, "too many"),
        ({"parts": [{"position": ["f", 1, 1], "count": 1, "side": "up"}]}, "side\" has the unknown value 'up'"),
        ({"parts": [{"count": 1}]}, r'"parts\[0\]" has no field "position"'),
        ({"pairs": [["x", 1]]}, "pairs"),
        ({"numbers": {"x": 1}}, "numbers"),
        ({"open": "yes"}, "true or false or nothing"),
    ],
)
def test_malformed_fields_are_named(change: dict[str, Any], said: str) -> None:
    with pytest.raises(PincerError, match=f"malformed whole: .*{said}"):
        typed({**plain(WHOLE), **change}, Whole, "whole")


def test_a_format_has_a_tag_and_puts_what_is_about_the_program_together(tmp_path: Path) -> None:
    data = FORMAT.data(WHOLE)
    assert list(data)[:2] == ["format", "program"]
    assert data["program"] == {"file": "a.c"}
    assert FORMAT.value(data) == WHOLE
    FORMAT.save(tmp_path / "w.json", WHOLE)
    assert FORMAT.load(tmp_path / "w.json") == WHOLE


@pytest.mark.parametrize("data", [None, [], {}, {"format": "whole-2"}, {"format": "whole-1"}])
def test_other_data_is_refused(data: Any) -> None:
    with pytest.raises(PincerError, match="whole"):
        FORMAT.value(data)


def test_fields_nobody_knows_are_ignored_and_those_with_a_default_may_be_missing() -> None:
    assert FORMAT.value({"format": "whole-1", "program": {"file": "f"}, "parts": [], "new": 1}) == Whole("f", ())


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_files_that_are_not_json_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_bytes(content)
    with pytest.raises(PincerError, match="is not a whole"):
        read_json(path, "whole")
    with pytest.raises(PincerError, match="cannot read"):
        read_json(tmp_path / "none.json", "whole")


def test_numbers_of_any_size_and_names_that_are_no_text_stay_what_they_are() -> None:
    value = {"huge": 10**6_000, "name": "x\udc80", "place": Position("f", 1, 2)}
    assert plain(value) == {"huge": 10**6_000, "name": "x\udc80", "place": ["f", 1, 2]}
    assert typed(plain(value), dict[str, Any], "value")["huge"] == 10**6_000
