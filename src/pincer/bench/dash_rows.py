"""The rows of `pincer bench dash`: our own C benchmarks, the paper's families, and any suite with expected verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, TypeAlias

import pincer
from pincer.bench.dash_families import fig3, fig6
from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.svcomp import Expectation, load_task

PAPER = ("--paper",)
"""The paper's own examples are to show its algorithm, so that nothing else may settle them."""
GROUPS = ("paper", "loops", "procedures", "memory", "drivers")
FAMILIES: Mapping[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "fig3": (fig3, (2, 4, 8, 16, 32, 64)),
    "fig6": (fig6, (2, 4, 6, 8, 10, 12, 14, 16, 18, 20)),
}

Expected = Literal["safe", "unsafe"]


@dataclass(frozen=True, slots=True)
class Published:
    """A line of the paper's Table 1: `iterations` are also its solver calls."""

    lines: int
    iterations: int
    time_s: float


@dataclass(frozen=True, slots=True)
class DashRow:
    """One program and property. `options` are the words of `pincer check` that choose the property.

    `kind` is what the property is about, for tools that do not read our rules or property files; a row with a rule is
    for Pincer alone. `size` is the parameter of a family's member.
    """

    name: str
    group: str
    file: Path
    expected: Expected | None
    options: tuple[str, ...] = ()
    source: Path | None = None
    kind: Literal["assertions", "memory", "rule"] = "assertions"
    data_model: Literal["ILP32", "LP64"] = "LP64"
    published: Published | None = None
    size: int | None = None

    @property
    def program(self) -> Path:
        """The C text itself."""
        return self.source or self.file


def benchmarks_directory() -> Path:
    """Our C benchmarks: inside an installed package, or beside `src` in a checkout."""
    package = Path(pincer.__file__).parent
    for candidate in (package / "benchmarks" / "dash", package.parents[1] / "benchmarks" / "dash"):
        if candidate.is_dir():
            return candidate
    raise PincerError("the benchmark programs are not installed; run this from a checkout or reinstall the package")


LeaveOut: TypeAlias = Callable[[str], None]
"""Is told about each task and property that gives no row, and why."""


def _nobody(_: str) -> None:
    """For callers that do not want to know."""


def own_rows(workdir: Path, leave_out: LeaveOut = _nobody) -> list[DashRow]:
    """Everything of ours: the paper's figures and families, loops, procedures, memory, drivers under rules."""
    root = benchmarks_directory()
    rows: list[DashRow] = []
    for group in GROUPS:
        rows += _tasks_below(root / group, group, leave_out)
        if group == "paper":
            rows += _family_rows(workdir)
    return rows


def suite_rows(folder: Path, leave_out: LeaveOut = _nobody) -> list[DashRow]:
    """The tasks below a folder."""
    if not folder.is_dir():
        raise PincerError(f"{folder} is no folder of benchmarks")
    rows = _tasks_below(folder, folder.name, leave_out)
    if not rows:
        raise PincerError(f"there are no tasks (.yml) below {folder}; --expect-comments reads verdicts from comments")
    return rows


def matching(rows: Sequence[DashRow], pattern: str) -> list[DashRow]:
    """The rows whose name or group matches a shell pattern (several patterns: separate them by commas)."""
    patterns = [part.strip() for part in pattern.split(",")]
    chosen = [
        row for row in rows if any(fnmatchcase(name, part) for part in patterns for name in (row.name, row.group))
    ]
    if not chosen:
        raise PincerError(f"no row matches {pattern!r}; rows are named as in {', '.join(row.name for row in rows[:5])}")
    return chosen


def _family_rows(workdir: Path) -> Iterator[DashRow]:
    """The members of the families, written as files."""
    for family, (text_of, sizes) in FAMILIES.items():
        for size in sizes:
            path = workdir / f"{family}-{size}.c"
            path.write_text(text_of(size), encoding="utf-8")
            yield DashRow(f"{family}({size})", family, path, "safe", options=PAPER, size=size)


def _tasks_below(folder: Path, group: str, leave_out: LeaveOut) -> list[DashRow]:
    """One row for each property of each task that has an expected verdict."""
    rows: list[DashRow] = []
    for path in sorted(folder.rglob("*.yml")):
        try:
            task = load_task(path)
        except PincerError as error:
            leave_out(f"{path}: {error.message}")
            continue
        wanted = [item for item in task.properties if _is_checked(path, item, leave_out)]
        for item in wanted:
            stem, asked = path.relative_to(folder).with_suffix("").as_posix(), item.property_file.stem
            kind = _kind(item.property_file)
            # A driver with a mistake is named after the rule it breaks.
            program = stem.removesuffix(f"-{asked}") if kind == "rule" else stem
            rows.append(
                DashRow(
                    name=f"{program} {asked}" if kind == "rule" or len(wanted) > 1 else program,
                    group=group,
                    file=path,
                    expected="safe" if item.expected else "unsafe",
                    options=("--property", str(item.property_file), *(PAPER if group == "paper" else ())),
                    source=task.source,
                    kind=kind,
                    data_model=task.data_model,
                    published=_TABLE_1.get((program, asked)) if kind == "rule" else None,
                )
            )
    return rows


def _is_checked(task: Path, item: Expectation, leave_out: LeaveOut) -> bool:
    """Whether C programs are checked for a property at all. One that cannot be read becomes a row: it says why."""
    if item.expected is None:
        leave_out(f"{task}: no verdict is expected for {item.property_file.name}")
        return False
    if item.property_file.suffix == ".rule":
        return True
    try:
        item.load().checked_as()
    except UnsupportedError as error:
        leave_out(f"{task}: {error.message}")
        return False
    except PincerError:
        return True
    return True


def _kind(property_file: Path) -> Literal["assertions", "memory", "rule"]:
    if property_file.suffix == ".rule":
        return "rule"
    text = property_file.read_text(encoding="utf-8", errors="replace") if property_file.is_file() else ""
    return "assertions" if "call(" in text else "memory"


_TABLE_1: Mapping[tuple[str, str], Published] = {
    ("bluetooth", "SpinLock"): Published(700, 553, 27.90),
    ("bluetooth-buggy", "SpinLock"): Published(700, 171, 1.69),
    ("bluetooth", "CancelSpinLock"): Published(700, 275, 2.15),
    ("bluetooth-buggy", "CancelSpinLock"): Published(700, 171, 1.59),
    ("diskperf", "CancelSpinLock"): Published(2365, 123, 1.95),
    ("diskperf-buggy", "CancelSpinLock"): Published(2365, 3, 1.21),
    ("diskperf", "MarkIrpPending"): Published(2365, 318, 3.15),
    ("diskperf-buggy", "MarkIrpPending"): Published(2365, 2, 1.22),
    ("floppy", "SpinLock"): Published(6500, 826, 14.17),
    ("floppy-buggy", "SpinLock"): Published(6500, 493, 8.90),
    ("floppy", "CancelSpinLock"): Published(6500, 538, 5.41),
    ("floppy-buggy", "CancelSpinLock"): Published(6500, 91, 1.61),
    ("floppy", "InterlockedQueuedIrps"): Published(6500, 726, 14.56),
    ("floppy-buggy", "InterlockedQueuedIrps"): Published(6500, 1147, 17.21),
    ("floppy", "MarkIrpPending"): Published(6500, 568, 5.68),
    ("floppy-buggy", "MarkIrpPending"): Published(6500, 110, 1.98),
    ("serial", "SpinLock"): Published(10380, 2297, 48.66),
    ("serial-buggy", "SpinLock"): Published(10380, 982, 16.95),
}
