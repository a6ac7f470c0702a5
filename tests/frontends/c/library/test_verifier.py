"""Inputs and assumptions of verification tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic import bitvectors
from pincer.program.control_flow import Fail, Input
from tests.frontends.c.library.results import result_after
from tests.frontends.c.lowered_c import labels, lowered


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("int x = __VERIFIER_nondet_bool(); __VERIFIER_assume(x == 0 || x == 1); result = x < 2;", 1),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result


def test_a_wide_input_comes_in_two_words(tmp_path: Path) -> None:
    declared = "unsigned __int128 __VERIFIER_nondet_uint128(void);"
    program = lowered(tmp_path, f"{declared} int main(void) {{ return __VERIFIER_nondet_uint128() > 3; }}")
    assert [bitvectors.width(label.register) for label in labels(program, Input)] == [64, 64]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("assert(LIMIT > 3);", "assertion LIMIT > 3 fails"),
        ("assert((x + 1) * 2 > LIMIT && x);", "assertion (x + 1) * 2 > LIMIT && x fails"),
        ("CHECK(x > LIMIT);", "assertion CHECK(x > LIMIT) fails"),
        ("x = LIMIT; assert(x > LIMIT);", "assertion x > LIMIT fails"),
    ],
)
def test_what_is_asserted_is_told_in_the_words_of_the_file(tmp_path: Path, statement: str, message: str) -> None:
    text = f"""#include <assert.h>
        #define LIMIT 2
        #define CHECK(c) assert(c)
        int main(void) {{
            int x = 0;
            {statement}
        }}"""
    assert message in [label.message for label in labels(lowered(tmp_path, text), Fail)]
