"""Which sections take a lock, where the thread goes on, and what rounds in vain consist of."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.own_memory import OwnMemory
from pincer.analysis.waiting_rounds import Activations, Rounds, Take
from pincer.frontends.c.load import load
from pincer.program.thread_labels import AtomicBegin

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int l; int data;
#define TAKES atomic_exchange_explicit(&l, 3, memory_order_acquire)
static unsigned twice(unsigned n) { return 2 * n; }
static int shows(int n) { return data + n; }
"""


def takes(folder: Path, body: str) -> list[Take | None]:
    file = folder / "program.c"
    main = "int main(void) { pthread_t p; return pthread_create(&p, 0, t, 0); }\n"
    file.write_text(f"{HEAD}void *t(void *a) {{ {body}; return 0; }}\n{main}", encoding="utf-8")
    program = load(file)
    rounds = Rounds(Activations(program, OwnMemory(program)), program.procedures["t"], {})
    return [rounds.take(e) for e in program.procedures["t"].edges if isinstance(e.label, AtomicBegin)]


@pytest.mark.parametrize(
    "body", ["while (TAKES)", "while (TAKES) twice(2)", "while (TAKES) { unsigned n = 9; while (n--); }"]
)
def test_silent_rounds_lead_back_to_a_take(body: str, tmp_path: Path) -> None:
    (found,) = takes(tmp_path, f"{body}; data++")
    assert found is not None
    assert found.taken == 3
    assert found.object.size == 4


@pytest.mark.parametrize(
    "body",
    [
        "TAKES",
        "while (TAKES) data++",
        "while (TAKES) shows(1)",
        "for (int n = 0; TAKES; n++)",
        "while (!TAKES)",
        "while (TAKES) break",
    ],
)
def test_rounds_that_do_something_or_end_are_none(body: str, tmp_path: Path) -> None:
    assert takes(tmp_path, f"{body}; data++") == [None]


def test_a_look_is_for_the_take_behind_it(tmp_path: Path) -> None:
    body = "for (;;) { while (atomic_load_explicit(&l, memory_order_relaxed)); if (!TAKES) break; }"
    look, take = takes(tmp_path, body)
    assert look is not None
    assert take is not None
    assert (look.object, look.taken, look.done) == (take.object, 3, take.done)
