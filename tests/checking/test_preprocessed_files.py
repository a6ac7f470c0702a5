"""Files that the system's headers have been put into: no stub of the harness is what goes wrong."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pincer.evidence.c.compiler import find_compiler
from tests.checking.answers import answer, confirmed, reason, safe
from tests.evidence.c.recorded_tests import needs_compiler

pytestmark = needs_compiler
HEAD = "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\nint main(void) {\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def preprocessed(text: str, *flags: str) -> str:
    Path("p.c").write_text(text, encoding="utf-8")
    command = [*(find_compiler() or ()), *flags, "-E", "p.c"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("body", ["isspace(97);", "errno = 0;", "errno = 3; assert(errno == 3 && !isspace(97));"])
@pytest.mark.parametrize("kind", ["assertions", "memory"])
def test_classes_of_characters_and_errno_hold(body: str, kind: str) -> None:
    safe(answer(preprocessed(f"{HEAD}  {body}\n  return 0;\n}}\n"), kind, "p.i"))


def test_what_is_wrong_with_them_is_found() -> None:
    found = confirmed(answer(preprocessed(f"{HEAD}  assert(isspace(' ') == 0);\n  return 0;\n}}\n"), file="p.i"))
    assert "p.c:5" in found.evidence.remark


def test_copies_that_check_sizes_are_the_functions_they_copy() -> None:
    text = '#include <assert.h>\n#include <string.h>\nint main(void) { char a[8]; strcpy(a, "ab"); '
    text += "memset(a, 'c', 1); assert(a[0] == 'c' && a[1] == 'b'); return 0; }\n"
    safe(answer(preprocessed(text, "-O2", "-D_FORTIFY_SOURCE=2"), file="p.i"))


def test_the_librarys_own_function_is_called_and_no_stub() -> None:
    text = "#include <assert.h>\nunsigned gnu_dev_minor(unsigned long);\n"
    text += "int main(void) { assert(gnu_dev_minor(7) != N); }\n"
    confirmed(answer(text.replace("N", "7")))
    assert "compiled code does not show it" in reason(answer(text.replace("N", "77")))
