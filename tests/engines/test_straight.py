"""Programs without inputs are run to their end, however long that takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines import violation
from pincer.engines.board import Board, Holds, Violated
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.straight import StraightExecution
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.paths import Paths
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import lowered

LONG = """
#include <assert.h>
unsigned a[16];
int main(void) {
    unsigned s = 0;
    for (unsigned i = 0; i < 12000; i++) { a[i & 15] += i; s = s * 31 + a[(i * 7) & 15]; }
    assert(s == RESULT);
    return 0;
}
"""
RIGHT, WRONG = LONG.replace("RESULT", "3965290592u"), LONG.replace("RESULT", "1u")
PLENTY = Allowance(1_000_000, 0)


def test_a_long_run_is_a_proof_that_the_checker_accepts(tmp_path: Path) -> None:
    program = lowered(tmp_path, RIGHT)
    answer = StraightExecution(Board(program, "assertions", Run())).step(PLENTY)
    assert isinstance(answer, Holds) and isinstance(answer.execution, Paths) and answer.execution.steps > 60_000
    claim = ProofCertificate(program.file, "", "LP64", program.entry, "assertions", "paths", paths=answer.execution)
    assert check_proof(program, claim).accepted


def test_a_long_run_that_fails_is_shown_from_its_start(tmp_path: Path) -> None:
    answer = StraightExecution(Board(lowered(tmp_path, WRONG), "assertions", Run())).step(PLENTY)
    assert isinstance(answer, Violated) and answer.test.failure.message == "assertion s == 1u fails"
    assert len(answer.test.steps) > 30_000


def test_of_a_very_long_run_that_fails_the_end_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(violation, "MOST_STEPS", 50_000)
    answer = StraightExecution(Board(lowered(tmp_path, WRONG), "assertions", Run())).step(PLENTY)
    assert isinstance(answer, Violated) and answer.test.failure.message == "assertion s == 1u fails"
    assert 1_000 < len(answer.test.steps) < 30_000


def test_a_run_is_taken_in_turns(tmp_path: Path) -> None:
    strategy = StraightExecution(Board(lowered(tmp_path, RIGHT), "assertions", Run()))
    assert isinstance(strategy.step(Allowance(10, 0)), Going)
    assert isinstance(strategy.step(PLENTY), Holds)


UNDECIDING = """
#include <assert.h>
#include <stdio.h>
#include <string.h>
int input(void);
struct entry { char name[8]; int weight; } table[4];
int main(int argc, char **argv) {
    int kept[8], sum = 0;
    const char *format = "%d%s";
    for (int i = 0; i < 300; i++) {
        kept[i % 8] = 3 * input() + i;
        table[i % 4].weight = kept[i % 8];
        strcpy(table[i % 4].name, "abc");
        struct entry copy = table[i % 4];
        if (strcmp(copy.name, "abd") < 0 && !strncmp(copy.name, "abx", 2)) sum++;
        printf(format, i, copy.name);
        puts(copy.name);
    }
    assert(sum == SUM);
    return kept[3];
}
"""


def test_inputs_that_decide_nothing_do_not_matter(tmp_path: Path) -> None:
    program = lowered(tmp_path, UNDECIDING.replace("SUM", "300"))
    answer = StraightExecution(Board(program, "assertions", Run())).step(PLENTY)
    assert isinstance(answer, Holds) and isinstance(answer.execution, Paths)
    claim = ProofCertificate(program.file, "", "LP64", program.entry, "assertions", "paths", paths=answer.execution)
    assert check_proof(program, claim).accepted


def test_a_violation_after_inputs_that_decide_nothing_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = lowered(tmp_path, UNDECIDING.replace("SUM", "1"))
    for most in (violation.MOST_STEPS, 30_000):
        monkeypatch.setattr(violation, "MOST_STEPS", most)
        answer = StraightExecution(Board(program, "assertions", Run())).step(PLENTY)
        assert isinstance(answer, Violated) and answer.test.failure.message == "assertion sum == 1 fails"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int __VERIFIER_nondet_int(void); int main(void) { return __VERIFIER_nondet_int() > 2; }", "inputs decide"),
        ("double f(void); int main(void) { return f() * 2 > 1; }", "inputs decide"),
        ("int main(void) { int z = 0; return 1 / z; }", "the only run ends in undefined behaviour"),
    ],
)
def test_what_is_no_proof(tmp_path: Path, text: str, reason: str) -> None:
    answer = StraightExecution(Board(lowered(tmp_path, text), "assertions", Run())).step(PLENTY)
    assert isinstance(answer, Ended) and reason in answer.reason
