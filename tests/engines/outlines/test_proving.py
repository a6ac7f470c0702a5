"""Programs without end, with any number of threads, proved by outlines; their mutants are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.outlines.proving import OutlineProver
from pincer.evidence.thread_proof.certificate import ThreadProofKind
from pincer.runtime.run import Run
from tests.evidence.thread_proof.threaded_programs import COUNTER, is_certified, lowered

BENCHMARKS = Path(__file__).parents[3] / "benchmarks" / "threads"


def text_of(name: str) -> str:
    return (BENCHMARKS / name).read_text()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("spin_lock.c", "assertions"),
        ("spin_lock.c", "race"),
        ("producer_consumer.c", "assertions"),
        ("producer_consumer.c", "deadlock"),
        ("work_queue.c", "assertions"),
        ("work_queue.c", "race"),
        ("work_queue.c", "deadlock"),
        ("peterson.c", "assertions"),
    ],
)
def test_worked_examples_are_proved_and_certified(name: str, kind: ThreadProofKind) -> None:
    assert is_certified(text_of(name), kind)


def test_what_is_left_open_says_why() -> None:
    program = lowered(COUNTER.replace("x == 1", "x == 0"))
    prover = OutlineProver(program, "assertions", False, Run())
    attempt = prover.attempt()
    while True:
        try:
            next(attempt)
        except StopIteration as ended:
            assert ended.value.outline is None
            assert "assertion x == 0 fails" in ended.value.reason
            break
    assert prover.questions > 0
    assert prover.inductive is not None
