"""Random walks find errors that only a sequence of events brings about."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.board import Violated
from pincer.engines.portfolio import Allowance, Ended, Idle
from pincer.engines.sampling.walks import Walks
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.dash.dash_runs import board_of

PROTOCOL = """
int state;
int main(void) {
    while (__VERIFIER_nondet_bool()) {
        int event = __VERIFIER_nondet_uint() % 16;
        if (event == 3 && state == 0) state = 1;
        else if (event == 9 && state == 1) state = 2;
        else if (event == 14 && state == 2) state = 3;
        else if (event == 5 && state == LAST) reach_error();
        else if (event != 7) state = 0;
    }
}
"""
WATCHED = """
extern void *__VERIFIER_nondet_pointer(void);
void *malloc(unsigned long);
void *watched;
int held;
void take(void *lock) { if (lock == watched) { if (held) reach_error(); held = 1; } }
int main(void) {
    watched = __VERIFIER_nondet_pointer();
    char *locks = malloc(40);
    while (__VERIFIER_nondet_bool())
        if (__VERIFIER_nondet_bool()) take(locks + 8 * (__VERIFIER_nondet_uint() % 5));
}
"""


def program_of(tmp_path: Path, text: str) -> ControlFlowProgram:
    source = tmp_path / "program.c"
    source.write_text(text, encoding="utf-8")
    return load(source)


@pytest.mark.parametrize("text", [PROTOCOL.replace("LAST", "3"), WATCHED])
def test_what_a_walk_finds_happens_again(tmp_path: Path, text: str) -> None:
    program = program_of(tmp_path, text)
    found = Walks(board_of(program)).step(Allowance(5_000_000, 0))
    assert isinstance(found, Violated) and found.test.failure.position.line > 0


def test_nothing_is_found_where_nothing_goes_wrong(tmp_path: Path) -> None:
    program = program_of(tmp_path, PROTOCOL.replace("LAST", "4"))
    assert isinstance(Walks(board_of(program)).step(Allowance(20_000, 0)), Idle)


def test_without_a_loop_of_events_walks_are_of_no_use(tmp_path: Path) -> None:
    straight = program_of(tmp_path, "int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }")
    assert isinstance(Walks(board_of(straight)).step(Allowance(100, 0)), Ended)
