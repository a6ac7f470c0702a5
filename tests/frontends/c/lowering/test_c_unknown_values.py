"""Values that come from outside have the range of their type, and calls have no effect only where that is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library.bodies import library_functions
from pincer.frontends.c.library.functions import UNMODELLED
from pincer.program.control_flow import Assume, Unsupported
from tests.frontends.c.lowered_c import labels, lowered, result_of


@pytest.mark.parametrize(
    ("text", "entry", "count"),
    [
        ("_Bool f(void); int main(void) { return f(); }", "main", 1),
        ("unsigned char f(void); int main(void) { return f(); }", "main", 0),
        ("extern _Bool b; int main(void) { return b; }", "main", 1),
        ("int f(_Bool b) { return b; }", "f", 1),
        ("struct S { int i; _Bool b[2]; }; int f(struct S *s) { return s->b[1]; }", "f", 2),
        ("struct S { _Bool b; int i; }; struct S g(void); int main(void) { struct S s = g(); return s.b; }", "main", 1),
    ],
)
def test_unknown_truth_values_are_0_or_1(tmp_path: Path, text: str, entry: str, count: int) -> None:
    conditions = [label for label in labels(lowered(tmp_path, text, entry=entry), Assume) if label.branch is None]
    assert len(conditions) == count


def test_wide_bit_fields_keep_all_their_bits(tmp_path: Path) -> None:
    text = """
    long result;
    struct S { long e : 35; unsigned long long u : 33; };
    int main(void) {
      struct S s;
      unsigned zero = 0;
      s.e = -1; s.u = -1;
      result = (s.e == -1) + 2 * (s.e + zero == -1) + 4 * (s.u + 1 == 0) + 8 * (s.e < 0) + 16 * (sizeof(s.e + 1) == 8);
      return 0;
    }
    """
    assert result_of(tmp_path, text) == 31


@pytest.mark.parametrize("name", ["swab", "rand_r", "mktime", "fork", "tsearch"])
def test_library_functions_without_a_model_are_not_supported(tmp_path: Path, name: str) -> None:
    program = lowered(tmp_path, f"int {name}(); int main(void) {{ return {name}(); }}")
    assert [label.what for label in labels(program, Unsupported)] == [f"the function {name}"]


def test_no_function_is_both_modelled_and_not() -> None:
    assert not library_functions().intersection(UNMODELLED)
