"""A proof of termination says where it needs signed arithmetic to wrap around."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.result import Safe
from tests.checking.answers import answer

ROWS = """int main(void) {
  int x = 1, y = 1;
  while (x > 0)
    if (y < x)
      y++;
    else {
      x++;
      y = 1;
    }
}
"""
THROUGH_ANOTHER = """int main(void) {
  int x = 1;
  while (x > 0) {
    int y = x + 3;
    x = y;
  }
}
"""
NOT_RANKED = """int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
}
"""
BEFORE_THE_LOOP = """int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = n + 1;
  while (i > 0)
    i--;
}
"""
UNSIGNED = "int main(void) {\n  unsigned x = 1;\n  while (x != 0)\n    x += x;\n}\n"


THROUGH_CALLS = """int down(int n) {
  if (n == 0) return 0;
  return down(n - 1);
}
int main(void) { return down(__VERIFIER_nondet_int()); }
"""


def warnings_of(text: str, wanted: str) -> list[str]:
    found = answer(text, wanted)
    assert isinstance(found, Safe), found
    return [warning for warning in found.warnings if "wrap-around" in warning]


@pytest.mark.parametrize("wanted", ["termination", "<>empty"])
@pytest.mark.parametrize(("text", "line"), [(ROWS, 7), (THROUGH_ANOTHER, 4)])
def test_a_cyclic_way_that_may_overflow_is_named(
    text: str, line: int, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [warning] = warnings_of(text, wanted)
    assert warning == f"the proof needs wrap-around at p.c:{line}; compilers may assume that it does not happen"


def test_a_call_whose_argument_may_overflow_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [warning] = warnings_of(THROUGH_CALLS, "termination")
    assert "wrap-around at" in warning and "p.c:3" in warning


@pytest.mark.parametrize("text", [NOT_RANKED, BEFORE_THE_LOOP, UNSIGNED])
def test_what_no_rank_needs_is_not_named(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert warnings_of(text, "termination") == []


def test_a_formula_that_no_loop_can_lose_needs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert warnings_of(ROWS, "[]{1}") == []
