"""Threads that have nothing to do with each other are not looked at in every order, and nothing is missed by that."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.thread_proof.endings import EndingExplorer, check_endings
from pincer.evidence.thread_proof.exploration.reduction import FirstMoves
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused
from pincer.evidence.thread_proof.words import check_words
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.termination import with_termination
from pincer.program.property import Fairness

from .. import test_words
from ..test_endings import explorer

HEAD = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y;
void *left(void *p) { %s return 0; }
void *right(void *p) { %s return 0; }
int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, left, 0); pthread_create(&b, 0, left, 0);
    pthread_create(&c, 0, right, 0); pthread_create(&d, 0, right, 0);
    %s
    pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); pthread_join(d, 0);
    return 0;
}
"""
COUNT_X = "for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); }"
COUNT_Y = COUNT_X.replace("x", "y").replace("mutey", "mutex").replace("&m", "&n")
BUSY = "for (;;) { pthread_mutex_lock(&n); pthread_mutex_unlock(&n); }"


def program_of(folder: Path, *parts: str) -> ControlFlowProgram:
    path = folder / "program.c"
    path.write_text(HEAD % parts, encoding="utf-8")
    return with_termination(load(path))


def ends(program: ControlFlowProgram, fairness: Fairness = "weak") -> tuple[bool, EndingExplorer]:
    exploring = explorer(program, most=200_000)
    try:
        check_endings(exploring, fairness)
    except ExplorationRefused:
        return False, exploring
    return True, exploring


def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at all threads in all states."""
    monkeypatch.setattr(FirstMoves, "of", lambda self, state, moved, waiting, owing: frozenset(moved))


@pytest.mark.parametrize("fairness", ["none", "weak", "strong"])
def test_pairs_of_threads_with_data_of_their_own_go_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fairness: Fairness
) -> None:
    program = program_of(tmp_path, COUNT_X, COUNT_Y, "")
    few, reduced = ends(program, fairness)
    everything(monkeypatch)
    many, whole = ends(program, fairness)
    assert few and many
    assert reduced.states * 10 < whole.states


def test_threads_with_the_same_data_are_looked_at_in_every_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_of(tmp_path, "x = x + 1;", "x = x + 2;", "")
    _, reduced = ends(program)
    everything(monkeypatch)
    _, whole = ends(program)
    assert reduced.states * 4 > whole.states


def test_who_goes_round_alone_keeps_nobody_from_going_on(tmp_path: Path) -> None:
    """The busy threads never end. A fair run is found only if the others are looked at in their rounds."""
    assert not ends(program_of(tmp_path, COUNT_X, BUSY, ""))[0]
    assert not ends(program_of(tmp_path, COUNT_X, BUSY, ""), "strong")[0]
    assert ends(program_of(tmp_path, COUNT_X, BUSY, "return 0;"))[0]


def test_rounds_of_one_thread_alone_are_unfair_to_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without looking at the others somewhere in each round the endless run is missed: so it matters."""
    monkeypatch.setattr(EndingExplorer, "_in_rounds", lambda self: iter(()))
    assert ends(program_of(tmp_path, COUNT_X, BUSY, ""))[0]


def test_a_standstill_is_found(tmp_path: Path) -> None:
    crossed = "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);"
    turned = crossed.replace("&m", "&o").replace("&n", "&m").replace("&o", "&n")
    assert not ends(program_of(tmp_path, crossed, turned, ""))[0]
    assert ends(program_of(tmp_path, crossed, crossed, ""))[0]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("[]({x > 0} -> {y > 0})", False),
        ("[]({y > 0} -> {x > 0})", False),
        ("[]{x + y <= 8}", True),
        ("[]{x + y < 8}", False),
        ("<>({x == 4} && {y == 4})", True),
        ("[]({x == 4} -> <>{y == 4})", True),
    ],
)
def test_formulas_see_all_orders_of_what_they_speak_of(tmp_path: Path, formula: str, expected: bool) -> None:
    text = HEAD % (COUNT_X, COUNT_Y, "")
    program = test_words.program_of(tmp_path, text, formula)
    try:
        check_words(test_words.explorer(program, most=200_000), program, "weak")
        held = True
    except ExplorationRefused:
        held = False
    assert held is expected


def test_what_no_formula_sees_is_not_looked_at_in_every_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = test_words.program_of(tmp_path, HEAD % (COUNT_X, COUNT_Y, ""), "<>{x == 4}")
    reduced = test_words.explorer(program, most=200_000)
    check_words(reduced, program, "weak")
    everything(monkeypatch)
    whole = test_words.explorer(program, most=200_000)
    check_words(whole, program, "weak")
    assert reduced.states * 4 < whole.states
