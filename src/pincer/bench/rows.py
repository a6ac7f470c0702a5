"""The rows of all tables: a program, what is asked about it, what is true, and what was printed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

import pincer
from pincer.errors import PincerError
from pincer.program.property import DataModel, PropertyKind, Verdict

Figures: TypeAlias = Mapping[str, int | float | str]
"""What one tool needed for one program, by name; what is not known or does not apply is not there."""

Tag: TypeAlias = Literal["EXACT", "SHAPE", "SOURCE", "GUESS"]
"""How far a model is known to be the authors'."""


class GuardedQuestion(Struct, frozen=True):
    """A property of a model under constants. `expected_counts`, by tool, are those the paper mode must reproduce (rows
    tagged EXACT) or is known to come near to; `figure` is where the row was printed."""

    property: str
    defines: Mapping[str, int]
    tag: Tag | None = None
    figure: str | None = None
    expected_counts: Mapping[str, Figures] = {}


class CQuestion(Struct, frozen=True):
    """A property of a C program. `options` are the words of `pincer check` that choose it.

    `kind` is what it is about, for tools that do not read our rules or property files (`everything`: assertions, memory
    and arithmetic); one with a rule, or about what is none of these, is for Pincer alone. `source` is the C text where
    the row's file is a task, `size` the parameter of a family's member.
    """

    options: tuple[str, ...] = ()
    source: Path | None = None
    kind: Literal["assertions", "memory", "everything", "rule", "other"] = "assertions"
    data_model: DataModel = "LP64"
    size: int | None = None


class ThreadQuestion(Struct, frozen=True):
    """A property of a program with threads: a source with values for the macros at its top."""

    kind: PropertyKind
    macros: tuple[tuple[str, int], ...] = ()


class TemporalQuestion(Struct, frozen=True):
    """The property block of an MSVL program with this number, from one; `max_runs` bounds an exploration that would not
    end, None is the usual bound."""

    number: int
    max_runs: int | None = None


Question: TypeAlias = GuardedQuestion | CQuestion | ThreadQuestion | TemporalQuestion


class Row(Struct, frozen=True):
    """One program and property. `published` figures are by tool; `expected` is `unknown` where the method cannot
    conclude, None where nobody says what is true."""

    name: str
    group: str
    file: Path
    expected: Verdict | None
    question: Question
    published: Mapping[str, Figures] = {}
    note: str = ""


def benchmarks_directory(name: str) -> Path:
    """Our benchmarks of one kind: inside an installed package, or beside `src` in a checkout."""
    package = Path(pincer.__file__).parent
    for candidate in (package / "benchmarks" / name, package.parents[1] / "benchmarks" / name):
        if candidate.is_dir():
            return candidate
    raise PincerError("the benchmark programs are not installed; run this from a checkout or reinstall the package")


def matching(rows: Sequence[Row], pattern: str) -> list[Row]:
    """The rows whose name or group matches a shell pattern (several patterns: separate them by commas)."""
    patterns = [part.strip() for part in pattern.split(",")]
    chosen = [
        row for row in rows if any(fnmatchcase(name, part) for part in patterns for name in (row.name, row.group))
    ]
    if not chosen:
        raise PincerError(f"no row matches {pattern!r}; the rows are: {', '.join(row.name for row in rows)}")
    return chosen
