"""`__wrap_NAME` stands for NAME as it does for the linker, where a file does not define NAME itself."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincer
from pincer.frontends.c.load import load
from pincer.program.c_file import CFile

WRAPPING = """\
#include <assert.h>
#include <stdlib.h>
int fails;
void *__real_malloc(size_t);
void *__wrap_malloc(size_t n) { return fails ? 0 : __real_malloc(n); }
int taken(void) { char *p = malloc(3); int was = p != 0; free(p); return was; }
int main(void) { assert(taken()); fails = 1; assert(%staken()); return 0; }
"""


@pytest.mark.parametrize(("word", "verdict"), [("!", "safe"), ("", "unsafe")])
def test_calls_go_to_the_function_in_its_place(tmp_path: Path, word: str, verdict: str) -> None:
    file = tmp_path / "p.c"
    file.write_text(WRAPPING % word)
    result = pincer.check(file, property="assertions")["assertions"]
    assert result.verdict == verdict
    assert any("--wrap=malloc" in text for text in result.assumptions)
    if verdict == "unsafe":
        assert "confirmed by execution" in result.text


def test_the_file_that_defines_a_function_means_its_own(tmp_path: Path) -> None:
    files = {
        "a.c": "int f(void), g(void);\nint __real_f(void);\nint __wrap_f(void) { return __real_f() + 10; }\n"
        "int result; int main(void) { result = f() * 100 + g(); return 0; }\n",
        "b.c": "int f(void) { return 1; }\nint g(void) { return f(); }\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    program = load([CFile(str(tmp_path / name)) for name in files])
    assert {edge.label.procedure for edge in program.procedures["main"].edges if hasattr(edge.label, "procedure")} == {
        "__wrap_f", "g",
    }  # fmt: skip
    assert program.procedures["__wrap_f"].callees == program.procedures["g"].callees == ("f",)


def test_without_such_a_function_nothing_is_assumed(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int __wrap_nothing(void) { return 1; }\nint main(void) { return __wrap_nothing(); }\n")
    assert not load(file).assumptions
