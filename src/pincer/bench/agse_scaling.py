"""Families of programs with threads that grow: how far each search comes within a time limit.

A search climbs a family from size to size, and ends where it does not find the mistake in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct
from rich.console import Console
from rich.table import Table

from pincer.bench.agse_rows import thread_row
from pincer.bench.measurement import Measurement
from pincer.bench.rows import Row
from pincer.errors import PincerError
from pincer.program.property import PropertyKind

SIZES = (2, 4, 6, 8, 12, 16, 24, 32, 48)
NAMES = {"agse": "guided", "exhaustive": "exhaustive", "contexts": "two preemptions", "random": "random"}


class GrowingFamily(Struct, frozen=True):
    """A family: its name, the macro that is its size, other macros, and what goes wrong."""

    name: str
    macro: str = "THREADS"
    macros: tuple[tuple[str, int], ...] = ()
    kind: PropertyKind = "assertions"

    def row(self, size: int) -> Row:
        macros = ((self.macro, size), *self.macros)
        return thread_row(f"{self.name}({size})", self.name, self.kind, macros)


FAMILIES = (
    GrowingFamily("reorder", "SETTERS", (("CHECKERS", 1),)),
    GrowingFamily("twostage"),
    GrowingFamily("philosophers", kind="deadlock"),
    GrowingFamily("airline", "SIZE", (("CUSHION", 1),)),
    GrowingFamily("work_queue"),
    GrowingFamily("ring_buffer"),
)


class Climbed(Struct, frozen=True):
    """What a search needed for a member of a family."""

    family: str
    size: int
    row: Row
    measured: Measurement


def families_named(globs: str) -> list[GrowingFamily]:
    """The families with names like those in a list."""
    found = [family for family in FAMILIES if any(fnmatchcase(family.name, glob) for glob in globs.split(","))]
    if not found:
        raise PincerError(f"no family is called {globs}; there are {', '.join(family.name for family in FAMILIES)}")
    return found


def climbs(
    families: Sequence[GrowingFamily],
    tools: Sequence[str],
    measure: Callable[[Row, str], Measurement],
    sizes: Sequence[int] = SIZES,
) -> Iterator[Climbed]:
    """Family by family and search by search, up to the first size that is too much."""
    for family in families:
        for tool in tools:
            for size in sizes:
                row = family.row(size)
                measured = measure(row, tool)
                yield Climbed(family.name, size, row, measured)
                if not measured.decided:
                    break


def by_family(climbed: Sequence[Climbed]) -> Mapping[str, list[tuple[int, Measurement]]]:
    """For plots: sizes with measurements, by family."""
    found: dict[str, list[tuple[int, Measurement]]] = {}
    for point in climbed:
        found.setdefault(point.family, []).append((point.size, point.measured))
    return found


def print_climbs(console: Console, climbed: Sequence[Climbed], tools: Sequence[str]) -> None:
    """A line for each member: states and seconds of each search; a dash where it was not found in time."""
    table = Table(box=None)
    table.add_column("family")
    table.add_column("N", justify="right")
    for tool in tools:
        table.add_column(f"{NAMES[tool]}: states", justify="right")
        table.add_column("s", justify="right")
    cells = {(point.family, point.size, point.measured.tool): point.measured for point in climbed}
    for family, size in dict.fromkeys((point.family, point.size) for point in climbed):
        line = [family, str(size)]
        for tool in tools:
            measured = cells.get((family, size, tool))
            found = measured is not None and measured.decided
            line.append(str(measured.figures.get("states", "")) if measured is not None and found else "-")
            line.append(f"{measured.time_s:.1f}" if measured is not None and found else "")
        table.add_row(*line)
    console.print(table)
