"""Memory that takes any contents does so in order of its bytes, in pieces of the type it is seen as."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic import bitvectors
from pincer.program.control_flow import Check, Input
from tests.frontends.c.lowered_c import labels, lowered, outcome


def widths(folder: Path, declaration: str, arguments: str) -> list[int]:
    text = f'{declaration} int main(void) {{ klee_make_symbolic({arguments}, "v"); return *(char *)&v; }}'
    return [bitvectors.width(label.register) for label in labels(lowered(folder, text), Input)]


@pytest.mark.parametrize(
    ("declaration", "arguments", "expected"),
    [
        ("long v;", "&v, sizeof v", [64]),
        ("short v[3];", "v, sizeof v", [16, 16, 16]),
        ("struct { char c; int i; } v;", "&v, sizeof v", [8, 8, 8, 8, 32]),
        ("long v;", "(char *)&v, 2", [8, 8]),
        ("char v[2000];", "v, sizeof v", [8]),
        ("char v[3]; unsigned long n = 3;", "v, n", [8]),
    ],
)
def test_pieces_fill_all_bytes(tmp_path: Path, declaration: str, arguments: str, expected: list[int]) -> None:
    assert widths(tmp_path, declaration, arguments) == expected


def test_more_bytes_than_there_are_is_an_error(tmp_path: Path) -> None:
    text = 'int v; int main(void) { klee_make_symbolic(&v, 5, "v"); return 0; }'
    assert outcome(tmp_path, text).stop.kind == "check"
    assert any("klee_make_symbolic writes outside" in label.message for label in labels(lowered(tmp_path, text), Check))
