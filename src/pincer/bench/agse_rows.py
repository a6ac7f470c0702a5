"""The rows of `pincer bench agse`: the paper's programs with the figures of its Table 2, and families of deadlocks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pincer.bench.rows import Figures, Row, ThreadQuestion, benchmarks_directory
from pincer.frontends.c.load import load
from pincer.program.c_file import CFile, CFlags
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind, Verdict

TOOLS = ("agse", "exhaustive", "contexts", "random")
FAMILIES = ("philosophers", "bank", "intersection", "printers", "chefs")
SIZES = (3, 5, 7)


def threaded_text(row: Row) -> str:
    """The program of a row, complete but for the vector library that some include."""
    assert isinstance(row.question, ThreadQuestion)
    given = "".join(f"#define {macro} {value}\n" for macro, value in row.question.macros)
    return given + row.file.read_text(encoding="utf-8")


def load_threaded(row: Row, folder: Path) -> ControlFlowProgram:
    """The program of a row, written to a folder under the row's name."""
    file = folder / f"{row.name}.c"
    file.write_text(threaded_text(row), encoding="utf-8")
    return load(CFile(str(file), CFlags((str(row.file.parent),))))


def agse_rows() -> list[Row]:
    """All rows: Table 2 first."""
    return [*_table_2(), *_families()]


def _row(name: str, family: str, question: ThreadQuestion, expected: Verdict, published: Figures | None = None) -> Row:
    figures = {} if published is None else {"agse": published}
    return Row(name, family, benchmarks_directory("agse") / f"{family}.c", expected, question, figures)


def thread_row(name: str, family: str, kind: PropertyKind, macros: tuple[tuple[str, int], ...]) -> Row:
    """A member of a family that goes wrong."""
    return _row(name, family, ThreadQuestion(kind, macros), "unsafe")


def _published(states: int, time_s: float, memory_mb: int, trace_length: int, refinements: int) -> Figures:
    """A line of the paper's Table 2. States are those of another machine: compare orders of magnitude."""
    return {
        "states": states,
        "time_s": time_s,
        "memory_mb": memory_mb,
        "trace_length": trace_length,
        "refinements": refinements,
    }


def _table_2() -> Iterator[Row]:
    for setters, published in ((9, _published(205, 0.874, 7, 13, 1)), (10, _published(239, 0.875, 7, 13, 1))):
        macros = (("SETTERS", setters), ("CHECKERS", 1))
        yield _row(f"reorder({setters},1)", "reorder", ThreadQuestion("assertions", macros), "unsafe", published)
    for size, cushion, published in (
        (15, 3, _published(619, 0.548, 5, 3, 13)),
        (20, 2, _published(1230, 0.521, 6, 3, 19)),
        (20, 1, _published(1248, 0.498, 6, 3, 20)),
    ):
        macros = (("SIZE", size), ("CUSHION", cushion))
        yield _row(f"airline({size},{cushion})", "airline", ThreadQuestion("assertions", macros), "unsafe", published)
    vectors: tuple[tuple[str, PropertyKind, Figures], ...] = (
        ("vec_deadlock0", "deadlock", _published(37, 1.003, 66, 14, 1)),
        ("vec_deadlock1", "deadlock", _published(294, 1.005, 69, 15, 2)),
        ("vec_race", "assertions", _published(312, 1.032, 65, 12, 1)),
    )
    for name, kind, published in vectors:
        yield _row(name, name, ThreadQuestion(kind, ()), "unsafe", published)


def _families() -> Iterator[Row]:
    for family in FAMILIES:
        for size in SIZES:
            macros = (("THREADS", size),)
            yield _row(f"{family}({size})", family, ThreadQuestion("deadlock", macros), "unsafe")
            yield _row(f"{family}({size})-fixed", family, ThreadQuestion("deadlock", (*macros, ("FIXED", 1))), "safe")
