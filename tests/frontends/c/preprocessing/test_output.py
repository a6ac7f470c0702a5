"""The text that comes out: its tokens stay apart, its lines are those of the source."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.preprocessing.preprocess import preprocess
from pincer.frontends.c.syntax.parse import parse
from tests.frontends.c.preprocessing.preprocessed import FILE, words


@pytest.mark.parametrize(
    "text, expected",
    [
        ("#define N -1\nint x = -N;\n", "int x = - -1;"),
        ("#define NEG(x) -x\nint y = NEG(-z);\n", "int y = - -z;"),
        ("#define P *p\nint z = 8/P;\n", "int z = 8/ *p;"),
        ("#define A &b\nint w = c&A;\n", "int w = c& &b;"),
    ],
)
def test_tokens_of_an_expansion_do_not_merge_with_their_neighbours(text: str, expected: str) -> None:
    assert words(preprocess(text, FILE)) == expected


def test_positions_name_the_files_as_the_user_does(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("\nint a;\n")
    program = tmp_path / "main.c"
    program.write_text('#include "a.h"\n\n#include <stdbool.h>\n#define N 2\n\n\nbool b = N;\n')
    places = [(Path(item.coord.file).name, item.coord.line) for item in parse(program).ast.ext]
    assert places == [("a.h", 2), ("main.c", 7)]
    assert parse(program).ast.ext[1].coord.file == str(program)


def test_a_macro_call_may_span_lines() -> None:
    text = "#define ADD(a, b) a + b\nint x = ADD(1,\n            2);\nint y;\n"
    assert words(preprocess(text, FILE)) == "int x = 1 + 2 ; int y;"
    assert [item.coord.line for item in parse(FILE, text).ast.ext] == [2, 4]
