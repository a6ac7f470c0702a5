"""Transitions: where they end, and which other ways they note."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.threads.interleaving import Interleaver
from tests.execution.threads.threaded_c import TWO, both_started, lowered


def test_a_branch_on_an_input_is_a_turn(tmp_path: Path) -> None:
    text = (
        """int x;
    void *one(void *u) { int own = __VERIFIER_nondet_int(); if (own > 5) x = 1; else x = 2; return 0; }
    void *two(void *u) { return x ? 0 : u; }"""
        + TWO
    )
    interleaver = Interleaver(lowered(tmp_path, text))
    threads = interleaver.initial()
    while len(threads.threads) < 3:
        threads = interleaver.take(threads, 0).threads
    transition = interleaver.take(threads, 1)
    (turn,) = transition.turns
    (symbol,) = turn.condition.variables
    turned = interleaver.turn(turn, {symbol: 9})
    assert turned.edges[0] is transition.edges[0]
    assert turned.threads.threads[1].location != transition.threads.threads[1].location


def test_a_merged_release_counts_as_a_part(tmp_path: Path) -> None:
    text = (
        """pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
    void *one(void *u) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
    void *two(void *u) { return one(u); }"""
        + TWO
    )
    program = lowered(tmp_path, text)
    parts = []
    for merges in (False, True):
        interleaver = Interleaver(program, merges=merges)
        threads, taken = both_started(interleaver), list[int]()
        while threads.threads[1].live:
            transition = interleaver.take(threads, 1)
            threads = transition.threads
            taken.append(transition.parts)
        parts.append(taken)
    assert parts[0] == [1] * len(parts[0]) and sum(parts[1]) == sum(parts[0]) and len(parts[1]) < len(parts[0])
