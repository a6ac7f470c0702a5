"""Families of models: how the time of each tool grows with their size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincer.bench.rows import Row, models_directory


@dataclass(frozen=True, slots=True)
class Family:
    """A safe model with a constant N, and the sizes worth measuring."""

    name: str
    model: str
    property: str
    sizes: Sequence[int]

    def row(self, size: int) -> Row:
        return Row(
            name=f"{self.name}{size}",
            model=models_directory() / self.model,
            defines={"N": size},
            property=self.property,
            expected="safe",
        )


FAMILIES = (
    Family("ticket", "ticket.gcl", "mutex", range(2, 7)),
    Family("elev", "elev.gcl", "onefloor", range(4, 11)),
)
