"""Where no tuple of words gets smaller on every step, one or another does between any two visits."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Proved
from pincer.engines.termination.visits import word_lists
from pincer.evidence.c_proof.cut_point_claim import CutPointProof
from pincer.logic.bitvectors import compare, constant, extend, variable
from tests.engines.termination.loop_programs import certified, decided, ending

CHOICE = """
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        int before = x;
        if (__VERIFIER_nondet_int()) { x = x - 1; y = before; } else { x = y - %d; y = before + 1; }
    }
}"""
ROUND = """
int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), z = __VERIFIER_nondet_uint();
    while (x > 0) { unsigned last = x - 1; x = y; y = z; z = last; }
}"""


@pytest.mark.parametrize("text", [CHOICE % 2, ROUND])
def test_words_that_get_smaller_by_turns_show_an_end(tmp_path: Path, text: str) -> None:
    program = ending(tmp_path, text)
    claim = decided(program)
    assert isinstance(claim, Proved), claim
    assert isinstance(claim.proof, CutPointProof)
    assert any(point.words for point in claim.proof.points)
    assert "between any two visits" in claim.summary
    result = certified(program, claim.proof)
    assert result.accepted, result.refused


def test_a_loop_without_an_end_has_no_such_words(tmp_path: Path) -> None:
    """x and y change places and grow by turns."""
    assert not isinstance(decided(ending(tmp_path, CHOICE % 1)), Proved)


def test_unsigned_values_are_widened_and_differences_come_later() -> None:
    x, y = variable("x", 32), variable("y", 32)
    signed_first, unsigned_first = (
        next(iter(word_lists([1], [x], {}, [compare(op, constant(1, 32), x)]))) for op in ("bvsle", "bvule")
    )
    assert signed_first == {1: (extend(x, 1, True),)}
    assert unsigned_first == {1: (extend(x, 1, False),)}
    plain, apart = word_lists([1], [x, y], {}, [compare("bvule", x, y)])
    assert len(plain[1]) == 2
    assert len(apart[1]) > len(plain[1])


def test_a_place_has_words_of_its_own_besides() -> None:
    x, i = variable("x", 32), variable("i", 32)
    [words] = word_lists([1, 2], [x], {2: [i]}, [])
    assert len(words[1]) == 1
    assert len(words[2]) == 3
