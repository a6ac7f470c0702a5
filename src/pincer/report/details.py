"""What an engine leaves behind for the report about one property: graphs, coverage, invariants and its history.

The classes are made in the process that analyses, where the engine's own structures are; `to_json` is what travels.
Members that are empty are left out of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pincer.report.graph import Graph, limited, present

MOST_POINTS = 300


@dataclass(frozen=True, slots=True)
class Invariant:
    """What a proof says about the states at one place; `line` is None where no single line is meant."""

    place: str
    text: str
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"place": self.place, "text": self.text, **present({"line": self.line})}


@dataclass(frozen=True, slots=True)
class Coverage:
    """Lines of the program's file: those with code, those an execution has passed, those a proof speaks of."""

    all: frozenset[int] = frozenset()
    tests: frozenset[int] = frozenset()
    proof: frozenset[int] = frozenset()

    def to_json(self) -> dict[str, Any]:
        return {"tests": sorted(self.tests), "proof": sorted(self.proof), "all": sorted(self.all)}


@dataclass(frozen=True, slots=True)
class Details:
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


class History:
    """Points in the order of time. When there are too many, every second one is dropped and the gaps double."""

    def __init__(self, most: int = MOST_POINTS) -> None:
        self._most = most
        self._points: list[dict[str, Any]] = []
        self._stride = 1
        self._seen = 0
        self._latest: dict[str, Any] | None = None

    def add(self, seconds: float, engine: str, phase: str, numbers: Mapping[str, int]) -> None:
        """Note the numbers of a moment; what says nothing new is left out."""
        words = f"{engine} {phase}".strip()
        before = self._latest
        if not numbers or (before is not None and before["numbers"] == dict(numbers) and before["phase"] == words):
            return
        self._latest = {"t": round(seconds, 3), "phase": words, "numbers": dict(numbers)}
        if self._seen % self._stride == 0:
            self._points.append(self._latest)
        self._seen += 1
        if len(self._points) >= self._most:
            self._points = self._points[::2]
            self._stride *= 2

    def to_json(self) -> list[dict[str, Any]]:
        """All points kept, and the latest one."""
        latest = self._latest
        return [*self._points, *([latest] if latest is not None and latest is not self._points[-1] else [])]
