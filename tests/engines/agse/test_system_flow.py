"""The relations between locations that the paper defines."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.agse.system_flow import SystemFlow
from pincer.program.graphs import reachable
from tests.analysis.threaded_programs import analysed
from tests.engines.agse.agse_programs import FIGURE_2, line_of


def test_the_functions_of_the_paper_are_those_of_its_definitions(tmp_path: Path) -> None:
    facts = analysed(tmp_path, FIGURE_2)
    flow = SystemFlow(facts)

    def at(mark: str) -> int:
        wanted = line_of(FIGURE_2, mark)
        return next(edge.source for edge in facts.program.edges() if edge.position.line == wanted)

    acquired = [next(e.source for e in facts.program.edges() if flow.acquire_lock(e.source) and
                     e.position.line == line_of(FIGURE_2, mark)) for mark in ("LOCK A", "LOCK B")]  # fmt: skip
    assert flow.same_lock(*acquired)
    assert flow.release_lock(at("UNLOCK A"), acquired[0])
    assert flow.invoked(at("CALL")) == (facts.program.procedures["check"].entry,)
    assert flow.cfg_path(acquired[0], at("CALL")) and not flow.cfg_path(at("CALL"), acquired[0])
    assert at("TARGET") in reachable((acquired[0],), flow.icfg_successors)
    assert at("UNLOCK A") not in reachable((at("TARGET"),), flow.icfg_successors)
    assert acquired[0] in reachable((at("TARGET"),), flow.icfg_predecessors)
    branch = next(e.source for e in facts.program.procedures["b"].edges if flow.branch(e.source))
    assert branch in [edge.source for edge in flow.controllers(acquired[1])] and not flow.controllers(at("INPUT"))
    assert at("INPUT") in flow.reaching(branch)
    assert flow.start(facts.program.procedures["b"].entry)


def test_a_branch_is_read_through_temporaries(tmp_path: Path) -> None:
    facts = analysed(tmp_path, "int g; int main(void) { int n = g + 1; if (n > 3) g = n; return 0; }")
    flow = SystemFlow(facts)
    branch = next(edge.source for edge in facts.program.edges() if flow.branch(edge.source))
    assert [str(register) for register in flow.uses(branch).registers] == ["main::n"]


def test_semaphores_count_as_locks(tmp_path: Path) -> None:
    text = """#include <semaphore.h>
    sem_t s; int main(void) { sem_wait(&s); /* WAIT */
    sem_post(&s); return 0; }"""
    facts = analysed(tmp_path, text)
    flow = SystemFlow(facts)
    taken, given = (edge.source for edge in facts.program.procedures["main"].edges[:2])
    assert flow.acquire_lock(taken) and not flow.acquire_lock(given) and flow.release_lock(given, taken)
