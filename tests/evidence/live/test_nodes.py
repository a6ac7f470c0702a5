"""Components, compared with those of the engines' graph search."""

from __future__ import annotations

from random import Random

from pincer.evidence.live.nodes import components
from pincer.program.graphs import cycles


def test_components_of_random_graphs() -> None:
    random = Random(1)
    for _ in range(300):
        size = random.randint(1, 8)
        edges = {(random.randrange(size), 0, random.randrange(size)) for _ in range(random.randint(0, 14))}
        after = {node: [target for source, _, target in edges if source == node] for node in range(size)}
        wanted = {frozenset(members) for members in cycles(range(size), after.__getitem__)}
        found = components(edges)
        assert {component.nodes for component in found} == wanted
        for component in found:
            inside = {edge for edge in edges if edge[0] in component.nodes and edge[2] in component.nodes}
            assert component.edges == inside
