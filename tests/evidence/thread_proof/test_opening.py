"""Loops that start threads a fixed number of times are opened, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.thread_proof.opening import opened
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.frontends.c.load import load
from pincer.logic import terms
from pincer.program.control_flow import Assume, ControlFlowProgram

HEAD = """
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x; pthread_t t[4];
void *run(void *a) { return 0; }
"""


def _program(folder: Path, main: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(HEAD + f"int main(void) {{ {main} return 0; }}", "utf-8")
    return load(file)


def _threads(program: ControlFlowProgram) -> list[bool]:
    """Whether there are several of each kind of thread."""
    return [thread.several for thread in unfolded(program, False).threads[1:]]


@pytest.mark.parametrize(
    ("main", "several"),
    [
        ("for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);", [False] * 3),
        ("int i = 4; while (i--) pthread_create(&t[i], 0, run, 0);", [False] * 4),
        ("for (int i = 0; i < 2; i++) { if (x) pthread_create(&t[i], 0, run, 0); }", [False] * 2),
        ("for (int i = 0; i < 2; i++) for (int k = 0; k < 2; k++) pthread_create(&t[k], 0, run, 0);", [False] * 4),
        ("int n = 2; for (int i = 0; i < n; i++) pthread_create(&t[i], 0, run, 0);", [False] * 2),
    ],
)
def test_loops_with_fixed_bounds_are_opened(tmp_path: Path, main: str, several: list[bool]) -> None:
    program = _program(tmp_path, main)
    assert _threads(program) == [True]
    assert _threads(opened(program)) == several


@pytest.mark.parametrize(
    "main",
    [
        "int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) pthread_create(&t[0], 0, run, 0);",
        "for (int i = 0; i < 4; i += x) pthread_create(&t[0], 0, run, 0);",
        "while (__VERIFIER_nondet_int()) pthread_create(&t[0], 0, run, 0);",
        "int i = 0, *p = &i; for (; i < 4; i++) pthread_create(&t[i], 0, run, p);",
    ],
)
def test_other_loops_start_any_number(tmp_path: Path, main: str) -> None:
    assert True in _threads(opened(_program(tmp_path, main)))


def test_programs_without_such_loops_stay_what_they_are(tmp_path: Path) -> None:
    program = _program(tmp_path, "pthread_create(&t[0], 0, run, 0); for (int i = 0; i < 3; i++) x++;")
    assert opened(program) is program


def test_addresses_are_known_in_opened_loops_and_branches_that_cannot_be_are_left_out(tmp_path: Path) -> None:
    main = "for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);"
    main += "for (int i = 0; i < 2; i++) pthread_join(t[i], 0);"
    procedure = opened(_program(tmp_path, main)).procedures["main"]
    assert not procedure.loop_heads
    conditions = [edge.label.condition for edge in procedure.edges if isinstance(edge.label, Assume)]
    assert set(conditions) == {terms.TRUE}
    assert procedure.exit in procedure.locations and len(procedure.locations) == len(set(procedure.locations))


def test_a_loop_that_only_waits_for_an_input_is_kept_beside(tmp_path: Path) -> None:
    main = "for (int i = 0; i < 2; i++) { pthread_create(&t[i], 0, run, 0); while (__VERIFIER_nondet_int()) x++; }"
    program = opened(_program(tmp_path, main))
    assert _threads(program) == [False] * 2
    assert len(program.procedures["main"].loop_heads) == 2
