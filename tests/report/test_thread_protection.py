"""Which lock protects which data, as a picture and as sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.thread_facts import ThreadFacts
from pincer.frontends.c.load import load
from pincer.report.thread_protection import Protected, protected_data, protection

TEXT = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int guarded, half, loose, constant = 3;
static void *t(void *unused) {
    pthread_mutex_lock(&m);
    guarded += constant;
    half++;
    pthread_mutex_unlock(&m);
    half++;
    loose++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t, 0);
    pthread_create(&b, 0, t, 0);
    return 0;
}
"""


@pytest.fixture
def facts(tmp_path: Path) -> ThreadFacts:
    file = tmp_path / "program.c"
    file.write_text(TEXT, encoding="utf-8")
    return ThreadFacts(load(file))


def test_data_is_told_with_the_locks_at_its_accesses(facts: ThreadFacts) -> None:
    found = {data.name: data for data in protected_data(facts)}
    assert "constant" not in found and "m" not in found
    assert found["guarded"].held == (("m", found["guarded"].accesses),) and not found["guarded"].endangered
    assert found["half"].held == (("m", found["half"].accesses // 2),) and found["half"].endangered
    assert found["loose"].held == () and found["loose"].endangered


def test_what_protects_is_said_in_a_sentence() -> None:
    assert Protected("x", 2, 1, (("m", 2),), False).sentence == "m is held at every access"
    assert "at the same time" in Protected("x", 2, 1, (("m", 1),), True).sentence
    assert "who starts and joins whom" in Protected("x", 2, 1, (), False).sentence


def test_the_picture_has_an_arrow_from_each_lock_to_its_data(facts: ThreadFacts) -> None:
    graph = protection(facts)
    names = {node.id: node.lines[0] for node in graph.nodes}
    arrows = {(names[edge.source], names[edge.target]): edge.label for edge in graph.edges}
    assert arrows[("m", "guarded")] == "at every access" and " of " in arrows[("m", "half")]
    assert ("m", "loose") not in arrows
    assert [node.lines[1:] for node in graph.nodes if node.lines[0] == "loose"] == [("no lock at every access",)]
