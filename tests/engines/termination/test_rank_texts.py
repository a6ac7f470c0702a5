"""Ranks in the names of the source: no widening, no flipped signs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Proved
from tests.engines.termination.loop_programs import LEXICOGRAPHIC, NESTED, PHASES, decided, ending


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LEXICOGRAPHIC, " (i, j)"),
        (PHASES, "x > 0"),
        (NESTED, "n - i"),
        ("int main(void) { unsigned n = __VERIFIER_nondet_uint(); while (n < 9) n++; }", "-("),
        ("int main(void) { return 0; }", "there is no loop"),
    ],
)
def test_a_proof_says_which_words_get_smaller(tmp_path: Path, text: str, said: str) -> None:
    claim = decided(ending(tmp_path, text))
    assert isinstance(claim, Proved)
    assert said in claim.summary
    assert "bvxor" not in claim.summary
    assert "extend" not in claim.summary
