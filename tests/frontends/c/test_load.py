"""From a file to a program: data models, entries, library functions that come along, and text that is added."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.load import load, read
from pincer.frontends.c.lowering.hooks import Hook


def written(folder: Path, text: str) -> Path:
    file = folder / "program.c"
    file.write_text(text)
    return file


def test_the_data_model_decides_how_wide_pointers_are(tmp_path: Path) -> None:
    file = written(tmp_path, "int main(void) { return 0; }")
    assert [load(file, data_model=model).layout.pointer_bits for model in ("LP64", "ILP32")] == [64, 32]


def test_library_functions_come_along_only_if_they_are_called_and_not_defined(tmp_path: Path) -> None:
    called = '#include <string.h>\nint main(void) { return strlen("a"); }'
    own = 'unsigned long strlen(const char *s) { return 7; } int main(void) { return strlen("a"); }'
    assert "strlen" in read(written(tmp_path, called)).library
    assert read(written(tmp_path, own)).library == frozenset()
    assert read(written(tmp_path, "#include <string.h>\nint main(void) { return 0; }")).library == frozenset()


def test_another_function_may_be_the_entry(tmp_path: Path) -> None:
    file = written(tmp_path, "int f(void) { return 1; } int main(void) { return 0; }")
    assert list(load(file, entry="f").procedures) == ["f"]
    with pytest.raises(PincerError, match=r"no function `g` with a body; .* for example with --entry f"):
        load(file, entry="g")


def test_handlers_of_hooks_may_stand_in_added_text(tmp_path: Path) -> None:
    file = written(tmp_path, "int f(void) { return 1; } int main(void) { return f(); }")
    program = load(file, hooks={"f": Hook(before="watch")}, extra="int seen; void watch(void) { seen = 1; }")
    assert set(program.procedures) == {"main", "f", "watch"}


def test_nesting_without_end_is_a_mistake_and_the_limit_comes_back(tmp_path: Path) -> None:
    limit = sys.getrecursionlimit()
    file = written(tmp_path, "int main(void) { return " + "(" * 100_000 + "1" + ")" * 100_000 + "; }")
    with pytest.raises(PincerError, match="nested too deeply"):
        load(file)
    assert sys.getrecursionlimit() == limit
