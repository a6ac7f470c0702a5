"""What an engine leaves behind for the report about one property: graphs, coverage and invariants.

The classes are made in the process that analyses, where the engine's own structures are; `to_json` is what travels.
Members that are empty are left out of it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from pincer.report.graph import Graph, limited, present


class Invariant(Struct, frozen=True):
    """What a proof says about the states at one place; `line` is None where no single line is meant."""

    place: str
    text: str
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"place": self.place, "text": self.text, **present({"line": self.line})}


class Coverage(Struct, frozen=True):
    """Lines of the program's file: those with code, those an execution has passed, those a proof speaks of."""

    all: frozenset[int] = frozenset()
    tests: frozenset[int] = frozenset()
    proof: frozenset[int] = frozenset()

    def to_json(self) -> dict[str, Any]:
        return {"tests": sorted(self.tests), "proof": sorted(self.proof), "all": sorted(self.all)}


class Details(Struct, frozen=True):
    graphs: tuple[Graph, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    invariants: tuple[Invariant, ...] = ()

    def to_json(self) -> dict[str, Any]:
        members = {
            "graphs": [limited(graph).to_json() for graph in self.graphs if graph.nodes],
            "coverage": self.coverage.to_json() if self.coverage.all else None,
            "invariants": [invariant.to_json() for invariant in self.invariants],
        }
        return present(members)
