"""Files of any encoding, and lines that are continued."""

from __future__ import annotations

from pathlib import Path

import pytest
from pycparser import c_ast

from pincer.errors import PincerError
from pincer.frontends.c.preprocessing.preprocess import preprocess
from pincer.frontends.c.preprocessing.source import read_source
from pincer.frontends.c.syntax.parse import parse
from tests.frontends.c.preprocessing.preprocessed import FILE, words


def test_files_that_are_not_utf_8_are_read_byte_by_byte(tmp_path: Path) -> None:
    latin, unicode = tmp_path / "latin.c", tmp_path / "unicode.c"
    latin.write_bytes(b'char *s = "caf\xe9";\r\n')
    unicode.write_bytes('\ufeffchar *s = "café";\n'.encode())
    assert read_source(latin) == ('char *s = "café";\n', "latin-1")
    assert read_source(unicode) == ('char *s = "café";\n', "utf-8")
    constants = [parse(file).ast.ext[0].init for file in (latin, unicode)]
    assert all(isinstance(constant, c_ast.Constant) and constant.value == '"café"' for constant in constants)
    assert [parse(file).encoding for file in (latin, unicode)] == ["latin-1", "utf-8"]


def test_a_file_that_is_not_there_is_an_error() -> None:
    with pytest.raises(PincerError, match=r"cannot read nowhere\.c"):
        parse(Path("nowhere.c"))


def test_lines_are_counted_through_joined_lines_and_calls() -> None:
    text = "#define F(x) x __LINE__\n__LINE__ \\\n __LINE__\nF(\n__LINE__\n) __LINE__\n"
    assert words(preprocess(text, FILE)) == "2 3 5 4 6"
