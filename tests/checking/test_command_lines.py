"""Arguments of `main` are texts, in the model and in the compiled test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.answers import answer, confirmed, reason
from tests.evidence.c.recorded_tests import needs_compiler

HEAD = "#include <assert.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n  if (argc < 2) return 1;\n"
NUMBER = HEAD + "  int n = atoi(argv[1]);\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@needs_compiler
def test_a_division_by_an_argument_is_confirmed_by_that_division() -> None:
    found = confirmed(answer(NUMBER + "  return 100 / n;\n}\n", "overflow"))
    assert found.evidence.remark == "confirmed by execution: division by zero at line 6"


@needs_compiler
def test_an_argument_is_shown_as_a_text_and_handed_over_as_one() -> None:
    found = confirmed(answer(NUMBER + "  assert(n != 7);\n  return 0;\n}\n"))
    assert [(given.name, given.value) for given in found.run.inputs] == [("argc", "2"), ("argv[1]", '"7"')]


@needs_compiler
def test_many_arguments_can_be_counted() -> None:
    text = "#include <assert.h>\nint main(int argc, char **argv) { assert(argc != 5000); return 0; }\n"
    confirmed(answer(text))


def test_nothing_is_said_to_hold_for_few_and_short_arguments_only() -> None:
    found = answer(HEAD + "  char *p = argv[1];\n  assert(p[0] != 'a' || p[0] == 'a');\n  return 0;\n}\n")
    assert "at most 3 arguments of at most 11 characters" in reason(found)
