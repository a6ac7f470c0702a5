"""States: each thread has its own registers, and they are there again when it goes on."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.threads.interleaving import Interleaver
from tests.execution.threads.threaded_c import TWO, both_started, lowered

LOCALS = (
    """int x;
void *one(void *u) { int own = 1; x = own; x = own + 10; return 0; }
void *two(void *u) { int own = 2; x = own; x = own + 20; return 0; }"""
    + TWO
)


def test_registers_are_put_away_while_others_run(tmp_path: Path) -> None:
    interleaver = Interleaver(lowered(tmp_path, LOCALS))
    threads = both_started(interleaver)
    (x,) = interleaver.shared.registers
    seen = []
    for number in (1, 2, 1, 2):
        threads = interleaver.take(threads, number).threads
        seen.append(threads.state.registers[x])
    assert seen == [1, 2, 11, 22]


def test_resuming_keeps_what_is_shared(tmp_path: Path) -> None:
    interleaver = Interleaver(lowered(tmp_path, LOCALS))
    threads = interleaver.take(both_started(interleaver), 1).threads
    (x,) = interleaver.shared.registers
    other = threads.resumed(2, (x,))
    assert other.running == 2 and other.state.registers[x] == 1
    assert other.resumed(2, (x,)) is other
    again = other.resumed(1, (x,))
    assert again.state.registers == threads.state.registers


def test_other_inputs_change_values_of_all_threads(tmp_path: Path) -> None:
    text = (
        """int x;
    void *one(void *u) { x = 1; return 0; }
    void *two(void *u) { int own = __VERIFIER_nondet_int(); x = 3; x = own; return 0; }"""
        + TWO
    )
    interleaver = Interleaver(lowered(tmp_path, text))
    threads = interleaver.take(interleaver.take(both_started(interleaver), 2).threads, 1).threads
    (symbol,) = (term for thread in threads.parked().values() for term in thread.symbols.values())
    changed = threads.under({symbol: 9})
    (x,) = interleaver.shared.registers
    assert interleaver.take(changed, 2).threads.state.registers[x] == 9
