"""How the numbers of an analysis grew: its progress, thinned to as many points as a plot can show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_POINTS = 300


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
