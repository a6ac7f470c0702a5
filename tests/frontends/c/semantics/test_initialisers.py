"""Initialisers as items of the typed tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.types import text
from tests.frontends.c.typed_c import body


def declared(folder: Path, declaration: str) -> tree.Declare:
    block = body(folder, f"struct P {{ char c; int x[2]; }}; int main(void) {{ int n = 0; {declaration}; return n; }}")
    found = block.block.statements[1]
    assert isinstance(found, tree.Declare)
    return found


@pytest.mark.parametrize(
    ("declaration", "offsets"),
    [
        ("int a[3] = {1, 2}", [0, 4]),
        ("int a[] = {[4] = 1, 2}", [16, 20]),
        ("struct P p = {'a', 1, 2}", [0, 4, 8]),
        ("struct P p = {.x = {[1] = 3}, .c = 4}", [0, 8]),
        ("struct P p[2] = {1, 2, 3, 4}", [0, 4, 8, 12]),
        ("int a[4] = {[1 ... 2] = 7}", [4, 8]),
        ("int a[2] = {1, [0] = 2}", [0]),
    ],
)
def test_items_lie_at_their_offsets(tmp_path: Path, declaration: str, offsets: list[int]) -> None:
    init = declared(tmp_path, declaration).initialiser
    assert init is not None and [item.offset for item in init.items] == offsets and init.whole is None


def test_arrays_get_their_length(tmp_path: Path) -> None:
    assert text(declared(tmp_path, "int a[] = {[4] = 1, 2}").variable.type) == "int [6]"
    assert text(declared(tmp_path, 'char s[] = "abc"').variable.type) == "char [4]"


def test_scalars_and_copies_of_records_are_whole(tmp_path: Path) -> None:
    scalar = declared(tmp_path, "long l = {n}").initialiser
    assert scalar is not None and scalar.whole is not None and text(scalar.whole.type) == "long"
    empty = declared(tmp_path, "int i = {}").initialiser
    assert empty is not None and isinstance(empty.whole, tree.Number)


def test_a_range_shares_its_value(tmp_path: Path) -> None:
    init = declared(tmp_path, "long a[3] = {[0 ... 2] = n++}").initialiser
    assert init is not None
    assert len({tree.bare(item.value) for item in init.items if item.value is not None}) == 1


def test_overriding_in_part_is_refused_by_name(tmp_path: Path) -> None:
    init = declared(tmp_path, "struct P p = {.x = {1, 2}, .x[0] = n++, .x[0] = 3}").initialiser
    assert init is not None and init.refused is not None and "effects" in init.refused[0]


@pytest.mark.parametrize(
    ("declaration", "reason"),
    [("int a[2] = {[5] = 1}", "outside the object"), ("struct P p = {.y = 1}", "no member `y`")],
)
def test_designators_must_name_something(tmp_path: Path, declaration: str, reason: str) -> None:
    with pytest.raises(PincerError, match=reason):
        declared(tmp_path, declaration)
