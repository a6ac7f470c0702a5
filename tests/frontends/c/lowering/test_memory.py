"""Objects live exactly as long as C says, and `free` accepts exactly what it may."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.lowering.memory import TRUTH_VALUES
from pincer.program.control_flow import Check, Unsupported
from pincer.program.property import Assumption
from tests.frontends.c.lowered_c import labels, lowered, result_of


def test_an_initialised_flexible_array_makes_the_object_larger(tmp_path: Path) -> None:
    text = """
    long result;
    struct F { int n; char d[]; };
    static struct F f = {2, {1, 2, 3, 4, 5}};
    int main(void) { static struct F g = {1, "abc"}; struct F *p = &f; result = p->d[4] * 1000 + g.d[2]; return 0; }
    """
    assert result_of(tmp_path, text) == 5000 + ord("c")


def test_an_array_of_unknown_length_is_not_supported(tmp_path: Path) -> None:
    program = lowered(tmp_path, "extern int a[]; int main(void) { return a[3]; }")
    assert any("whose length is not known" in label.what for label in labels(program, Unsupported))


@pytest.mark.parametrize(("type", "assumed"), [("_Bool", {TRUTH_VALUES}), ("unsigned char", set())])
def test_that_truth_values_are_zero_or_one_is_an_assumption(
    type: str, assumed: set[Assumption], tmp_path: Path
) -> None:
    program = lowered(tmp_path, f"{type} b[2]; int main(void) {{ *(char *)b = 2; return b[0] == 2; }}")
    assert set(program.assumptions) == assumed


@pytest.mark.parametrize(
    "text",
    [
        "_Bool b; int main(void) { *(char *)&b = 2; return b == 2; }",
        "union { int i; struct { char c; _Bool b; } s; } u; int main(void) { u.i = 512; return u.s.b; }",
        "union u { int i; _Bool b; }; int main(void) { union u u, *p = &u; p->i = 2; return p->b; }",
    ],
)
def test_a_variable_or_member_of_a_union_that_is_no_truth_value_is_an_error_of_memory(
    text: str, tmp_path: Path
) -> None:
    program = lowered(tmp_path, text)
    assert not program.assumptions
    assert [check.message.split(",")[1] for check in labels(program, Check) if check.kind == "truth"] == [" a _Bool"]
