"""What is assumed of programs with weaker memory orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library.atomics import RELAXED_ORDERS, WEAKER_ORDERS
from pincer.frontends.c.load import load
from pincer.program.property import Assumption

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y; int data;\n"
MAIN = "int main(void) { pthread_t p; pthread_create(&p, 0, t, 0); BODY pthread_join(p, 0); return 0; }\n"
RELEASE = "atomic_store_explicit(&x, 1, memory_order_release);"
ACQUIRE = "if (atomic_load_explicit(&x, memory_order_acquire)) data = 2;"


def assumed(folder: Path, thread: str, body: str) -> set[Assumption]:
    file = folder / "program.c"
    file.write_text(HEAD + f"void *t(void *a) {{ {thread} return 0; }}\n" + MAIN.replace("BODY", body), "utf-8")
    return set(load(file).assumptions) & {WEAKER_ORDERS, RELAXED_ORDERS}


@pytest.mark.parametrize(
    ("thread", "body", "assumption"),
    [
        (f"data = 1; {RELEASE}", ACQUIRE, None),
        ("x = 1;", "if (x) data = 1;", None),
        (RELEASE, "atomic_fetch_add_explicit(&x, 1, memory_order_acq_rel);", None),
        ("atomic_fetch_add_explicit(&x, 1, memory_order_release);", ACQUIRE, RELAXED_ORDERS),
        ("atomic_store_explicit(&x, 1, memory_order_relaxed);", ACQUIRE, RELAXED_ORDERS),
        (f"{RELEASE} data = y;", f"y = 1; {ACQUIRE}", WEAKER_ORDERS),
        ("__sync_lock_test_and_set(&data, 1);", "__sync_fetch_and_add(&data, 1);", RELAXED_ORDERS),
        ("__sync_lock_release(&data);", "__sync_fetch_and_add(&data, 1);", None),
        ("__sync_lock_release(&data); data = y;", "", WEAKER_ORDERS),
        (f"atomic_int *p = a; atomic_store_explicit(p, 1, memory_order_release); {RELEASE}", "", WEAKER_ORDERS),
    ],
)
def test_one_object_that_is_released_and_acquired_needs_no_assumption(
    thread: str, body: str, assumption: Assumption | None, tmp_path: Path
) -> None:
    assert assumed(tmp_path, thread, body) == ({assumption} if assumption else set())
