"""Outlines of proofs about threads are drawn along the control flow, in the words of the source."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.certificate import NamedThread, ThreadCertificate
from pincer.evidence.thread_proof.outline import Outline
from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import Term, equal
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.threaded_system import Place
from pincer.report.outline_graphs import outline_graph, outline_invariants

TEXT = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned n;
void *work(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        n = 1;
        pthread_mutex_unlock(&m);
    }
}
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 0; }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> ControlFlowProgram:
    path = tmp_path_factory.mktemp("outline") / "p.c"
    path.write_text(TEXT, encoding="utf-8")
    return load(path)


def proof(program: ControlFlowProgram) -> ThreadCertificate:
    [address] = [one.address for one in program.variables if one.name == "m" and one.address is not None]
    owner = bitvectors.variable(f"(owner {address.args[0]})", 64)
    mine = equal(owner, bitvectors.variable("me", 64))
    born = equal(bitvectors.variable("(created 1)", 8), bitvectors.constant(1, 8))
    hidden = equal(bitvectors.variable("work::$9", 32), bitvectors.constant(1, 32))
    places = [edge.source for edge in program.procedures["work"].edges if edge.position.line == 7]
    claims: tuple[Term, ...] = (born, mine, hidden)
    small = bitvectors.compare("bvule", bitvectors.variable("n", 32), bitvectors.constant(1, 32))
    outline = Outline((small,), {1: {Place((), place): claims for place in places}})
    threads = (NamedThread(0, "main"), NamedThread(1, "work", 0, "1", several=True))
    return ThreadCertificate(program.file, "", "LP64", "main", "assertions", False, "0", threads, outline)


def test_lines_of_threads_bear_what_holds_there(program: ControlFlowProgram) -> None:
    drawn = outline_graph(program, proof(program))
    labels = {node.label: node for node in drawn.nodes}
    assert "always; n <= 1" in labels
    [held] = [node for node in drawn.nodes if node.line == 7]
    assert held.label == "7: n = 1; owner(m) == this thread"
    assert held.predicates == ("created(work) == 1", "owner(m) == this thread")
    assert held.group == "work (any number)"
    ids = {node.line: node.id for node in drawn.nodes}
    assert (ids[6], ids[7]) in {(edge.source, edge.target) for edge in drawn.edges}
    assert {node.id for node in drawn.nodes} >= {end for edge in drawn.edges for end in (edge.source, edge.target)}


def test_the_source_shows_it_once_for_each_line(program: ControlFlowProgram) -> None:
    [told] = outline_invariants(program, proof(program))
    assert (told.line, told.place) == (7, "work (any number)")
    assert told.text == "created(work) == 1 && owner(m) == this thread"
