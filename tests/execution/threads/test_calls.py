"""What a call of the library sees: objects by address, static initialisers, names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.execution.threads.threaded_c import finished


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_lock(p);", "has not been initialised"),
        ("static pthread_mutex_t zero; pthread_mutex_lock(&zero);", "main returned"),
        ("static pthread_rwlock_t zero; pthread_rwlock_wrlock(&zero);", "main returned"),
        ("static sem_t zero; sem_post(&zero);", "zero has not been initialised"),
        ("static pthread_barrier_t zero; pthread_barrier_wait(&zero);", "zero has not been initialised"),
        ("pthread_mutex_t *p = calloc(1, sizeof *p); free(p); pthread_mutex_lock(p);", "gets a pointer to no object"),
        ("pthread_mutex_init(&all[1], 0); pthread_rwlock_rdlock((void *)&all[1]);", "is no read-write lock"),
    ],
)
def test_memory_may_hold_a_static_initialiser(tmp_path: Path, body: str, message: str) -> None:
    text = f"pthread_mutex_t all[2]; int main(void) {{ {body} return 0; }}"
    assert message in finished(tmp_path, text)[1].message
