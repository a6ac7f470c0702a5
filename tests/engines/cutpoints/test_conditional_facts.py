"""Comparisons that hold unless a condition does are guessed from tests, and carry proofs."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.conditional_facts import conditional_candidates
from pincer.engines.portfolio import Ended
from pincer.logic import terms
from pincer.logic.bitvectors import binary, compare, constant
from tests.engines.cutpoints.cut_runs import is_proved, tried, viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

LATE = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, count = 1;
    if (n == 0) count = 0;
    while (i < n) i++;
    assert(count <= i);
}"""
WORDS = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, count = 0;
    if (n > 1000) return 0;
    unsigned char *a = calloc(n + 1, 1);
    if (!a) return 0;
    for (unsigned k = 0; k < n; k++) a[k] = __VERIFIER_nondet_uchar();
    while (i < n) {
        while (i < n && a[i] == ' ') i++;
        if (i < n) count++;
        while (i < n && a[i] != ' ') i++;
    }
    assert(count <= n);
}"""
COUNT, AT, N = register("main::count"), register("main::i"), register("main::n")


def test_a_comparison_is_excused_where_the_loop_goes_round_once_more(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, LATE))
    guessed = set(conditional_candidates(view, head))
    late = compare("bvule", COUNT, AT)
    assert terms.disjunction(terms.negate(compare("bvule", N, AT)), late) in guessed
    assert compare("bvule", COUNT, binary("bvadd", AT, constant(1, 32))) in guessed
    assert late not in guessed


def test_words_are_at_most_as_many_as_bytes(tmp_path: Path) -> None:
    assert is_proved(tmp_path, WORDS, "assertions")


def test_what_can_fail_is_not_proved(tmp_path: Path) -> None:
    assert isinstance(tried(tmp_path, WORDS.replace("count <= n", "count < n || n != 1"), "assertions"), Ended)
    assert isinstance(tried(tmp_path, WORDS.replace("count++", "count += 2"), "assertions"), Ended)
