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


LINES = """
#include <string.h>
#include <stdio.h>
int main(void) {
    char line[8], name[8];
    while (fgets(line, sizeof line, stdin)) {
        char *sign = strchr(line, '=');
        if (!sign) continue;
        strncpy(name, sign + 1, sizeof name - 1);
        LAST
        if (strlen(name) > 7) return 1;
    }
}"""


def test_lines_of_a_file_are_taken_apart_in_buffers_of_a_function(tmp_path: Path) -> None:
    assert is_proved(tmp_path, LINES.replace("LAST", "name[7] = 0;"))
    assert isinstance(tried(tmp_path, LINES.replace("LAST", "")), Ended)


def test_ends_are_looked_for_behind_an_index_and_in_fixed_objects(tmp_path: Path) -> None:
    text = """
int main(void) {
    char fixed[4] = {0}, *p = fixed;
    unsigned n = __VERIFIER_nondet_uint();
    char *text = calloc(n % 100 + 1, 1);
    if (!text) return 0;
    for (unsigned long i = 0; text[i]; i++) ;
    return *p + fixed[n % 4];
}"""
    view, head = viewed(loaded(tmp_path, text))
    found = set(end_candidates(view, head))
    base, index = register("main::text", 64), register("main::i", 64)
    is_end = terms.equal(load(binary("bvadd", base, ranges.index(64)), 1), constant(0, 8))
    assert ranges.some(index, room(base), is_end) in found
    starts = [fact.args[0] for fact in found if fact.op == "not"]
    assert any(not {base, index} & fact.variables for fact in starts)
