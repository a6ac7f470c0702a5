"""The rows of `pincer bench agse`: the paper's programs with the figures of its Table 2, and families of deadlocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pincer
from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind

FAMILIES = ("philosophers", "bank", "intersection", "printers", "chefs")
SIZES = (3, 5, 7)


@dataclass(frozen=True, slots=True)
class Published:
    """A line of the paper's Table 2. States are those of another machine: compare orders of magnitude."""

    states: int
    time_s: float
    memory_mb: int
    trace_length: int
    refinements: int


@dataclass(frozen=True, slots=True)
class AgseRow:
    """One property of one program: a source with values for the macros at its top."""

    name: str
    family: str
    macros: tuple[tuple[str, int], ...]
    kind: PropertyKind
    expected: Literal["safe", "unsafe"]
    published: Published | None = None

    @property
    def text(self) -> str:
        """The program, complete but for the vector library that some include."""
        given = "".join(f"#define {macro} {value}\n" for macro, value in self.macros)
        return given + (sources() / f"{self.family}.c").read_text(encoding="utf-8")

    def load(self, folder: Path) -> ControlFlowProgram:
        """The program, written to a folder under the row's name."""
        file = folder / f"{self.name}.c"
        file.write_text(self.text, encoding="utf-8")
        return load(file, include=(sources(),))


def sources() -> Path:
    """Our programs with threads: inside an installed package, or beside `src` in a checkout."""
    package = Path(pincer.__file__).parent
    for candidate in (package / "benchmarks" / "agse", package.parents[1] / "benchmarks" / "agse"):
        if candidate.is_dir():
            return candidate
    raise PincerError("the benchmark programs are not installed; run this from a checkout or reinstall the package")


def agse_rows() -> list[AgseRow]:
    """All rows: Table 2 first."""
    return [*_table_2(), *_families()]


def _table_2() -> Iterator[AgseRow]:
    for setters, published in ((9, Published(205, 0.874, 7, 13, 1)), (10, Published(239, 0.875, 7, 13, 1))):
        macros = (("SETTERS", setters), ("CHECKERS", 1))
        yield AgseRow(f"reorder({setters},1)", "reorder", macros, "assertions", "unsafe", published)
    for size, cushion, published in (
        (15, 3, Published(619, 0.548, 5, 3, 13)),
        (20, 2, Published(1230, 0.521, 6, 3, 19)),
        (20, 1, Published(1248, 0.498, 6, 3, 20)),
    ):
        macros = (("SIZE", size), ("CUSHION", cushion))
        yield AgseRow(f"airline({size},{cushion})", "airline", macros, "assertions", "unsafe", published)
    vectors: tuple[tuple[str, PropertyKind, Published], ...] = (
        ("vec_deadlock0", "deadlock", Published(37, 1.003, 66, 14, 1)),
        ("vec_deadlock1", "deadlock", Published(294, 1.005, 69, 15, 2)),
        ("vec_race", "assertions", Published(312, 1.032, 65, 12, 1)),
    )
    for name, kind, published in vectors:
        yield AgseRow(name, name, (), kind, "unsafe", published)


def _families() -> Iterator[AgseRow]:
    for family in FAMILIES:
        for size in SIZES:
            macros = (("THREADS", size),)
            yield AgseRow(f"{family}({size})", family, macros, "deadlock", "unsafe")
            yield AgseRow(f"{family}({size})-fixed", family, (*macros, ("FIXED", 1)), "deadlock", "safe")
