"""Uninitialised reads are confirmed by a tool that follows them, or by two runs that end differently."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.evidence.c import execution
from pincer.evidence.c.execution import confirm
from pincer.evidence.c.failures import FailureKind
from tests.evidence.c.recorded_tests import NONDET, integer, needs_compiler, recorded, written

pytestmark = needs_compiler
needs_valgrind = pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")

BODY = "int main(void) {\n  int %s, n = __VERIFIER_nondet_int();\n  if (n) x = n;\n  if (x > 3)\n    return 1;\n"
DECIDES = NONDET + BODY % "x" + "  return 0;\n}\n"
HARMLESS = NONDET + BODY % "x = 0" + "  return 0;\n}\n"
RETURNS = "int main(void) {\n  int x;\n  return x;\n}\n"


def _status(folder: Path, text: str, given: int, line: int) -> tuple[str, str]:
    test = recorded(integer(given), kind="uninitialised", line=line)
    claimed = replace(test, failure=replace(test.failure, kind=FailureKind.UNINITIALISED))
    answer = confirm(claimed, written(folder, text))
    return answer.status, answer.detail


@needs_valgrind
def test_the_value_is_followed_to_where_it_decides(tmp_path: Path) -> None:
    assert _status(tmp_path, DECIDES, 0, 5)[0] == "confirmed"
    assert _status(tmp_path, DECIDES, 7, 5)[0] == "not confirmed"
    assert "another place" in _status(tmp_path, DECIDES, 0, 7)[1]


@needs_valgrind
def test_what_main_returns_is_seen_at_the_end(tmp_path: Path) -> None:
    status, detail = _status(tmp_path, RETURNS, 0, 3)
    assert status == "confirmed" and "exit" in detail


def test_without_such_a_tool_two_fills_make_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "WATCHED", ("no-such-tool",))
    assert _status(tmp_path, RETURNS, 0, 3)[0] == "confirmed"
    assert _status(tmp_path, HARMLESS, 0, 5)[0] == "not confirmed"


@needs_valgrind
def test_choices_that_only_the_compiler_makes_come_before(tmp_path: Path) -> None:
    text = "int main(void) {\n  int x, z, n = (x < 5) << 8;\n  n = 1;\n  if (z == 4)\n    return n;\n  return 0;\n}\n"
    assert _status(tmp_path, text, 0, 4)[0] == "confirmed"
    assert "another place" in _status(tmp_path, text, 0, 6)[1]
