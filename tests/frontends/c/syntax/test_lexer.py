"""Tokens: comments, odd characters, line markers, pragmas, and numbers that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.syntax.parse import parse
from tests.frontends.c.syntax.parsed_c import attributes, declarations, read


def test_comments_continuations_and_odd_characters() -> None:
    unit = read(
        'int a; /* é \n /* ; */ int b; // c\\\n still a comment\nchar *s = "a\\\nb"; int größe; int $x;\nint z;\n'
    )
    assert [item.name for item in unit.ast.ext] == ["a", "b", "s", "größe", "$x", "z"]
    assert [item.coord.line for item in unit.ast.ext] == [1, 2, 4, 4, 4, 6]


@pytest.mark.parametrize(
    "text, line, file",
    [
        ('# 12 "other.c"\nint x;', 12, "other.c"),
        ('#line 7 "dir/x.h"\n\nint x;', 8, "dir/x.h"),
        ("\n#line 40\nint x;", 40, "program.c"),
        ('# 1 "a.h" 1 3 4\n# 33 "b.c" 2\nint x;', 33, "b.c"),
    ],
)
def test_line_markers_move_positions(text: str, line: int, file: str) -> None:
    coord = parse(Path("program.c"), text).ast.ext[0].coord
    assert (coord.file, coord.line, coord.column) == (file, line, 5)


def test_pragma_pack_is_an_attribute_of_the_structures_it_governs() -> None:
    text = (
        "struct a { char c; };\n#pragma pack(push, 1)\nstruct b { char c; };\n#pragma pack(2)\nstruct c { char c; };\n"
        '#pragma pack(pop)\nstruct d { char c; };\n_Pragma("pack(4)") struct e { char c; };\n#pragma pack()\n'
        "struct f { char c; };\n"
    )
    found = [attributes(item.type) for item in declarations(text)]
    one, two, four = ([("pragma_pack", [value])] for value in "124")
    assert found == [[], one, two, [], four, []]
