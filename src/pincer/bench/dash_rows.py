"""The rows of `pincer bench dash`: our own C benchmarks, the paper's families, and any suite with expected verdicts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from pincer.bench.dash_families import fig3, fig6
from pincer.bench.rows import CQuestion, Figures, Row, benchmarks_directory
from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.svcomp import Expectation, load_task

PAPER = ("--paper",)
"""The paper's own examples are to show its algorithm, so that nothing else may settle them."""
GROUPS = ("paper", "loops", "procedures", "memory", "drivers")
FLOATS = "floats"
"""Properties of floating-point numbers, in a folder of their own."""
OTHER_GROUPS = ("overflow", "leaks", "uninitialised")
"""Folders of their own, whose programs have names that others have as well."""
FAMILIES: Mapping[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "fig3": (fig3, (2, 4, 8, 16, 32, 64)),
    "fig6": (fig6, (2, 4, 6, 8, 10, 12, 14, 16, 18, 20)),
}

_EXPECT = re.compile(r"^\s*(?://|/\*)\s*@expect\s+(\w+)", re.MULTILINE)
_FLAG = re.compile(r"^\s*(?://|/\*)\s*@flag\s+(.*?)\s*(?:\*/)?$", re.MULTILINE)
_SKIP = re.compile(r"^\s*(?://|/\*)\s*@skip\b", re.MULTILINE)
_CHECK = re.compile(r"--check[= ]([\w-]+)")
_VERDICTS: Mapping[str, Literal["safe", "unsafe"]] = {"verified": "safe", "error": "unsafe"}
_PROPERTIES: Mapping[str, tuple[str, Literal["assertions", "memory"]]] = {
    "assertions": ("assertions", "assertions"),
    "memory-safety": ("valid-memsafety.prp", "memory"),
    "valid-deref": ("valid-deref.prp", "memory"),
}
"""What a suite calls a check, as a property of ours."""

LeaveOut: TypeAlias = Callable[[str], None]
"""Is told about each task and property that gives no row, and why."""


def _nobody(_: str) -> None:
    """For callers that do not want to know."""


def own_rows(workdir: Path, leave_out: LeaveOut = _nobody) -> list[Row]:
    """Everything of ours: the paper's figures and families, loops, procedures, memory, drivers under rules, numbers,
    overflow, leaks and uninitialised reads."""
    root = benchmarks_directory("dash")
    rows: list[Row] = []
    for group in GROUPS:
        rows += tasks_below(root / group, group, leave_out)
        if group == "paper":
            rows += _family_rows(workdir)
    rows += tasks_below(benchmarks_directory(FLOATS), FLOATS, leave_out)
    for group in OTHER_GROUPS:
        found = tasks_below(benchmarks_directory(group), group, leave_out)
        rows += (replace(row, name=f"{group} {row.name}") for row in found)
    return rows


def suite_rows(folder: Path, leave_out: LeaveOut = _nobody) -> list[Row]:
    """The tasks below a folder."""
    if not folder.is_dir():
        raise PincerError(f"{folder} is no folder of benchmarks")
    rows = tasks_below(folder, folder.name, leave_out)
    if not rows:
        raise PincerError(f"there are no tasks (.yml) below {folder}; --expect-comments reads verdicts from comments")
    return rows


def _family_rows(workdir: Path) -> Iterator[Row]:
    """The members of the families, written as files."""
    for family, (text_of, sizes) in FAMILIES.items():
        for size in sizes:
            path = workdir / f"{family}-{size}.c"
            path.write_text(text_of(size), encoding="utf-8")
            yield Row(f"{family}({size})", family, path, "safe", CQuestion(PAPER, size=size))


def tasks_below(folder: Path, group: str, leave_out: LeaveOut = _nobody) -> list[Row]:
    """One row for each property of each task that has an expected verdict."""
    rows: list[Row] = []
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
            options = ("--property", str(item.property_file), *(PAPER if group == "paper" else ()))
            printed = _TABLE_1.get((program, asked)) if kind == "rule" else None
            rows.append(
                Row(
                    f"{program} {asked}" if kind == "rule" or len(wanted) > 1 else program,
                    group,
                    path,
                    "safe" if item.expected else "unsafe",
                    CQuestion(options, task.source, kind, task.data_model),
                    {} if printed is None else {"pincer": printed},
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


def _kind(property_file: Path) -> Literal["assertions", "memory", "rule", "other"]:
    if property_file.suffix == ".rule":
        return "rule"
    text = property_file.read_text(encoding="utf-8", errors="replace") if property_file.is_file() else ""
    if any(word in text for word in ("overflow", "valid-mem", "uninitialised")):
        return "other"
    return "assertions" if "call(" in text else "memory"


def commented_rows(folder: Path) -> Iterator[Row]:
    """A row for each program with an expected verdict in a comment: `// @expect verified` or `// @expect error`.

    A `config.yml` beside the programs may say to skip a folder, or give options that say what is checked; what checks
    a property we do not have is left out.
    """
    for path in sorted(folder.rglob("*.c")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found = _EXPECT.search(text)
        config = _config(path.parent / "config.yml")
        if found is None or found[1] not in _VERDICTS or config.get("skip") is True or _SKIP.search(text):
            continue
        flags = [*map(str, config.get("flags") or ()), *_FLAG.findall(text)]
        checks = _CHECK.findall(" ".join(flags)) or ["assertions"]
        if len(checks) != 1 or checks[0] not in _PROPERTIES:
            continue
        asked, kind = _PROPERTIES[checks[0]]
        name = path.relative_to(folder).with_suffix("").as_posix()
        group = path.parent.relative_to(folder).as_posix()
        yield Row(name, group, path, _VERDICTS[found[1]], CQuestion(("--property", asked), kind=kind))


def _config(path: Path) -> dict[str, Any]:
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    return data if isinstance(data, dict) else {}


def _published(lines: int, iterations: int, time_s: float) -> Figures:
    """A line of the paper's Table 1: its iterations are also its solver calls."""
    return {"lines": lines, "iterations": iterations, "questions": iterations, "time_s": time_s}


_TABLE_1: Mapping[tuple[str, str], Figures] = {
    ("bluetooth", "SpinLock"): _published(700, 553, 27.90),
    ("bluetooth-buggy", "SpinLock"): _published(700, 171, 1.69),
    ("bluetooth", "CancelSpinLock"): _published(700, 275, 2.15),
    ("bluetooth-buggy", "CancelSpinLock"): _published(700, 171, 1.59),
    ("diskperf", "CancelSpinLock"): _published(2365, 123, 1.95),
    ("diskperf-buggy", "CancelSpinLock"): _published(2365, 3, 1.21),
    ("diskperf", "MarkIrpPending"): _published(2365, 318, 3.15),
    ("diskperf-buggy", "MarkIrpPending"): _published(2365, 2, 1.22),
    ("floppy", "SpinLock"): _published(6500, 826, 14.17),
    ("floppy-buggy", "SpinLock"): _published(6500, 493, 8.90),
    ("floppy", "CancelSpinLock"): _published(6500, 538, 5.41),
    ("floppy-buggy", "CancelSpinLock"): _published(6500, 91, 1.61),
    ("floppy", "InterlockedQueuedIrps"): _published(6500, 726, 14.56),
    ("floppy-buggy", "InterlockedQueuedIrps"): _published(6500, 1147, 17.21),
    ("floppy", "MarkIrpPending"): _published(6500, 568, 5.68),
    ("floppy-buggy", "MarkIrpPending"): _published(6500, 110, 1.98),
    ("serial", "SpinLock"): _published(10380, 2297, 48.66),
    ("serial-buggy", "SpinLock"): _published(10380, 982, 16.95),
}
