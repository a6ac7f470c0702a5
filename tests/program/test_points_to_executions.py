"""Every access of random executions goes where the points-to analysis says it may go."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pincer.execution.machine import World
from pincer.execution.testing import Node
from pincer.execution.testing import Tester as Executor
from pincer.logic.bitvectors import state_reads
from pincer.logic.terms import Term
from pincer.program.control_flow import Store
from pincer.program.labels import read_terms
from pincer.program.memory_regions import ANYTHING, AbstractObject, AbstractPointer
from pincer.program.patient_points_to import patient_points_to
from pincer.program.points_to import PointsTo
from tests.analysis.threaded_programs import analysed

DECLARED = """
struct node { long n; int *value; struct node *next; };
int x, y, ints[4]; struct node first, second, nodes[3]; int *p = &x, *q = &y, **pp = &p;
struct node *head = &first, *tail = &nodes[1]; int *table[3];
int pick(int most) { int n = __VERIFIER_nondet_int(); return n < 0 ? 0 : n % most; }
int *chosen(int *a, int *b) { return pick(2) ? a : b; }
"""
STATEMENTS = (
    "p = &ints[pick(4)];", "p = q;", "q = &x;", "*p = *p + 1;", "*q = 3;", "pp = pick(2) ? &p : &q;", "*pp = &y;",
    "table[pick(3)] = p;", "if (table[1]) *table[1] = 4;", "head->value = p;", "head->next = tail;",
    "if (head->next) head = head->next;", "tail = &nodes[pick(3)];", "if (head->value) *head->value = 2;",
    "nodes[pick(3)].value = q;", "second = first;", "nodes[1] = *head;", "p = chosen(p, q);", "q = *pp;",
    "tail->n = tail->n + 7;", "head = malloc(sizeof *head); head->value = 0; head->next = &first;", "**pp = 5;",
    "for (int i = 0, *w = ints; i < 4; i++, w++) *w = i;", "head = &second;", "first.value = &ints[pick(4)];",
    "q = (int *)((long)p & ~3L);", "p = (int *)((char *)ints + 4 * pick(4));", "table[0] = *pp;",
)  # fmt: skip


def program(rng: Random) -> str:
    body = "\n  ".join(rng.choice(STATEMENTS) for _ in range(rng.randrange(5, 25)))
    return f"{DECLARED}int main(void) {{\n  {body}\n  return 0;\n}}\n"


@pytest.mark.parametrize("seed", range(40))
def test_accesses_stay_within_the_computed_sets(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    facts = analysed(tmp_path, program(rng))
    nodes: list[Node] = []
    world = World(facts.program, default_input=lambda label, symbol: rng.randrange(12))
    tester = Executor(world, nodes.append)
    tester.run(tester.root(), 800)
    for known in (facts.pointers, patient_points_to(facts.program)):
        assert sum(check(node, known) for node in nodes) > 0


def check(node: Node, pointers: PointsTo) -> int:
    """Compare the addresses that the edge into a node used, in the state before it."""
    if node.edge is None or node.parent is None:
        return 0
    assert node.edge.source in pointers.reached
    label, state = node.edge.label, node.parent.state
    terms: list[Term] = [read.args[0] for t in read_terms(label) for read in state_reads(t) if read.op == "load"]
    if isinstance(label, Store):
        terms.append(label.address)
    count = 0
    for term in terms:
        address = state.value(term)
        found = state.objects.get(address & state.world.slot_mask)
        if found is not None:
            offset = address & state.world.offset_mask
            allowed = pointers.address(term)
            assert any(covers(pointer, found.shape, offset) for pointer in allowed), (term, found, offset, allowed)
            count += 1
    return count


def covers(pointer: AbstractPointer, shape: object, offset: int) -> bool:
    if pointer.object is ANYTHING:
        return True
    at = pointer.offset
    inside = (offset - at) % pointer.stride == 0 if pointer.stride else offset == at
    return inside and is_same(pointer.object, shape)


def is_same(target: AbstractObject, shape: object) -> bool:
    return shape in (target.address, target.site)
