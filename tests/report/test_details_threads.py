"""What is known about threads: who starts whom, locks held while waiting, and the way to a target."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.task import Claim, EngineTask, Exhaustion, Open, Proved
from pincer.engines.threads.front import check
from pincer.engines.threads.task import ScheduleSearch, ThreadOptions
from pincer.frontends.c.load import load
from pincer.program.property import PropertyKind
from pincer.report.details import Details
from pincer.report.details_threads import schedule_details
from pincer.report.graph import Graph
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run

CROSSED = """#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}
static void *two(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, two, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
"""


def claim(name: PropertyKind, proved: bool = False) -> Claim:
    """What a search might claim."""
    search = ScheduleSearch(name, ThreadOptions().execution_limits)
    if proved:
        return Proved(name=name, engine="exhaustive", proof=Exhaustion(), check="schedules", explored=search)
    return Open(name=name, engine="agse", reason=Reason("nothing was found"), explored=search)


def details(folder: Path, name: PropertyKind, proved: bool = False) -> Details:
    file = folder / "crossed.c"
    file.write_text(CROSSED, encoding="utf-8")
    return schedule_details(load(file), claim(name, proved))


def graph(made: Details, kind: str) -> Graph:
    return next(graph for graph in made.graphs if graph.kind == kind)


def test_threads_are_started_by_others(tmp_path: Path) -> None:
    threads = graph(details(tmp_path, "deadlock"), "threads")
    assert [(node.label, node.kind) for node in threads.nodes] == [
        ("main", "initial"),
        ("one (line 19)", None),
        ("two (line 20)", None),
    ]
    assert [(edge.source, edge.target) for edge in threads.edges] == [("0", "1"), ("0", "2")]


def test_locks_that_are_taken_in_both_orders_are_marked(tmp_path: Path) -> None:
    order = graph(details(tmp_path, "deadlock"), "lock-order")
    marked = {node.label for node in order.nodes if node.kind == "error"}
    assert {"a", "b"} <= marked
    names = {node.id: node.label for node in order.nodes}
    assert {("a", "b", "one (line 5)"), ("b", "a", "two (line 12)")} <= {
        (names[edge.source], names[edge.target], edge.label) for edge in order.edges
    }


def test_the_abstract_system_shows_source_lines_and_its_targets(tmp_path: Path) -> None:
    system = graph(details(tmp_path, "deadlock"), "abstract")
    errors = {node.line for node in system.nodes if node.kind == "error"}
    assert errors <= {4, 5, 11, 12, 21, 22}
    assert any("pthread_mutex_lock(&b);" in node.label for node in system.nodes)


@pytest.mark.parametrize("covered", [True, False])
def test_only_an_exhaustive_search_covers_lines(tmp_path: Path, covered: bool) -> None:
    coverage = details(tmp_path, "deadlock", covered).coverage
    assert {4, 5, 19} <= coverage.all
    assert (coverage.proof == coverage.all) is covered


def test_a_schedule_covers_the_lines_its_threads_pass(tmp_path: Path) -> None:
    file = tmp_path / "crossed.c"
    file.write_text(CROSSED, encoding="utf-8")
    program, options = load(file), ThreadOptions(engines=("exhaustive",), jobs=1)
    [result] = check(EngineTask(program, ("deadlock",), options), Run(timeout=30))
    assert result.verdict == "unsafe"
    lines = schedule_details(program, result).coverage.tests
    assert {4, 11, 19, 20} <= lines
    assert not {6, 13} & lines


SHARED = """#include <pthread.h>
struct account { int balance; pthread_mutex_t lock; } first, second;
static void both(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}
static void *one(void *unused) { both(&first, &second); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    both(&second, &first);
    pthread_join(t, 0);
    return 0;
}
"""


def test_every_mutex_has_a_box_of_its_own_under_the_name_that_the_source_has_for_it(tmp_path: Path) -> None:
    file = tmp_path / "shared.c"
    file.write_text(SHARED, encoding="utf-8")
    made = schedule_details(load(file), claim("deadlock"))
    order = made.graphs[0]
    assert order.kind == "lock-order"
    assert {node.label: node.kind for node in order.nodes} == {"first.lock": "error", "second.lock": "error"}
    assert len(order.edges) == 2
    labels = {edge.label for graph in made.graphs if graph.kind == "abstract" for edge in graph.edges}
    assert labels == {"", "starts", "calls"}
