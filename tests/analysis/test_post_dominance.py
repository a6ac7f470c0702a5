"""Post-dominators and control dependence are those of the definition, on examples and on random graphs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pincer.analysis.post_dominance import PostDominance, post_dominance
from pincer.errors import Position
from pincer.program.control_flow import Edge, Procedure, Skip, Store
from tests.analysis.threaded_programs import analysed, edges_at


def graph(pairs: list[tuple[int, int]], entry: int = 0, exit: int = 1) -> Procedure:
    place = Position("graph", 1, 1)
    return Procedure("f", (), None, entry, exit, tuple(Edge(s, t, Skip(), place) for s, t in pairs), place)


def post_dominates(found: PostDominance, location: int, other: int) -> bool:
    """Whether every path from `other` to an end comes through `location` afterwards."""
    while other in found.immediate:
        other = found.immediate[other]
        if other == location:
            return True
    return False


def controlled(found: PostDominance, location: int) -> set[tuple[int, int]]:
    return {(edge.source, edge.target) for edge in found.controllers.get(location, ())}


def test_both_sides_of_a_branch_depend_on_it_and_what_follows_does_not() -> None:
    found = post_dominance(graph([(0, 2), (0, 3), (2, 4), (3, 4), (4, 1)]))
    assert post_dominates(found, 4, 0)
    assert not post_dominates(found, 2, 0)
    assert controlled(found, 2) == {(0, 2)}
    assert controlled(found, 3) == {(0, 3)}
    assert controlled(found, 4) == set()


def test_a_loop_body_and_its_head_depend_on_the_decision_to_go_on() -> None:
    found = post_dominance(graph([(0, 2), (2, 0), (0, 1)]))
    assert controlled(found, 2) == {(0, 2)}
    assert controlled(found, 0) == {(0, 2)}


def test_what_follows_a_possible_dead_end_depends_on_avoiding_it() -> None:
    found = post_dominance(graph([(0, 2), (0, 3), (3, 1)]))
    assert controlled(found, 3) == {(0, 3)}
    assert controlled(found, 2) == {(0, 2)}


def test_an_endless_loop_is_an_end() -> None:
    found = post_dominance(graph([(0, 2), (0, 1), (2, 3), (3, 2)]))
    assert controlled(found, 2) >= {(0, 2)}
    assert controlled(found, 1) == {(0, 1)}


def test_a_statement_under_an_if_depends_on_its_true_side(tmp_path: Path) -> None:
    text = """
int g;
int main(void) {
  int x[1]; int c = __VERIFIER_nondet_int();
  if (c > 3)
    x[0] = 5;
  g = 2;
  return 0;
}
"""
    facts = analysed(tmp_path, text)
    found = post_dominance(facts.program.procedures["main"])
    (store,) = [edge for edge in edges_at(facts, text, "x[0] = 5") if isinstance(edge.label, Store)]
    (decision,) = found.controllers[store.source]
    assert getattr(decision.label, "branch", None) is True
    assert all(not found.controllers.get(edge.source) for edge in edges_at(facts, text, "g = 2"))


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_agree_with_removing_a_location(seed: int) -> None:
    """A location post-dominates another exactly when the end cannot be reached around it."""
    rng = Random(seed)
    size = rng.randrange(3, 9)
    pairs = sorted({(rng.randrange(size), rng.randrange(size)) for _ in range(rng.randrange(2, 16))} - {(1, 1)})
    pairs = [pair for pair in pairs if pair[0] != 1]
    found = post_dominance(graph(pairs))
    targets = {a: {t for s, t in pairs if s == a} for a in range(size)}
    ends = {a for a in range(size) if not targets[a]}
    ending = {a for a in range(size) if reached(targets, a, None) & ends}
    for a in sorted(ending & found.immediate.keys()):
        if not reached(targets, a, None) <= ending:
            continue
        for b in range(size):
            around = reached(targets, a, b) & ends if a != b else {a}
            if a != b:
                assert post_dominates(found, b, a) == (not around), (pairs, a, b)


def reached(targets: dict[int, set[int]], start: int, without: int | None) -> set[int]:
    seen = {start}
    waiting = [start]
    while waiting:
        for following in targets[waiting.pop()]:
            if following not in seen and following != without:
                seen.add(following)
                waiting.append(following)
    return seen
