"""Guesses about texts: the end in the last byte of an object, or somewhere from a pointer on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.cutpoints.text_facts import end_candidates, last_byte_candidates
from pincer.engines.portfolio import Ended
from pincer.logic import ranges, terms
from pincer.logic.bitvectors import binary, constant, load, room
from tests.engines.cutpoints.cut_runs import is_proved, tried, viewed
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

TEXT = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    char *text = calloc(n + 1, 1);
    if (!text) return 0;
    if (n > 2) text[0] = 'a';
    %s
    char *p = text;
    while (*p) p++;
    free(text);
}"""
BASE, WALKING = register("main::text", 64), register("main::p", 64)


def test_the_end_in_the_last_byte_is_guessed(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, TEXT % ""))
    last = binary("bvadd", BASE, binary("bvsub", room(BASE), constant(1, 64)))
    assert terms.equal(load(last, 1), constant(0, 8)) in set(last_byte_candidates(view, head))


def test_an_end_from_a_pointer_on_is_guessed(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, TEXT % ""))
    is_end = terms.equal(load(binary("bvadd", BASE, ranges.index(64)), 1), constant(0, 8))
    ahead = ranges.some(binary("bvsub", WALKING, BASE), room(BASE), is_end)
    assert ahead in set(end_candidates(view, head))


def test_a_last_byte_that_is_no_end_in_some_test_is_not_guessed(tmp_path: Path) -> None:
    view, head = viewed(loaded(tmp_path, TEXT % "text[n] = __VERIFIER_nondet_uchar();"))
    assert not list(last_byte_candidates(view, head))


@pytest.mark.parametrize("step", ["p++", "p += p[0] == 'a' ? 1 : 1"])
def test_a_text_of_any_length_is_walked_to_its_end(tmp_path: Path, step: str) -> None:
    text = WALK.replace("STEP", step)
    assert is_proved(tmp_path, text)
    assert isinstance(tried(tmp_path, text.replace("a[n] = 0;", "")), Ended)


def test_an_end_somewhere_in_the_buffer_is_enough(tmp_path: Path) -> None:
    text = WALK.replace("STEP", "p++").replace("malloc(n + 1)", "malloc(2 * n + 9)")
    assert is_proved(tmp_path, text)


WALK = """
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000) return 0;
    char *a = malloc(n + 1);
    if (!a) return 0;
    for (unsigned i = 0; i < n; i++) a[i] = __VERIFIER_nondet_uchar();
    a[n] = 0;
    for (char *p = a; *p; STEP) ;
    free(a);
}"""
