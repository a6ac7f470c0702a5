"""The rows of `pincer bench buffers`: harnesses with N symbolic bytes, and loops over buffers of any length.

A harness is one C file with comments that say for which sizes it makes sense and with which size its mistake shows:

    // @sizes 1 64
    // @broken 4

It is right as it stands, and broken with the macro BROKEN; sizes that are wanted whatever comes of doubling stand in a
line `// @also 7`. Harnesses for libraries, ours and those in a folder that the user names, include what lies below that
folder; `// @folder PATH` is a folder there with headers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pincer.bench.dash_rows import tasks_below
from pincer.bench.rows import CQuestion, Row, benchmarks_directory
from pincer.errors import PincerError

OWN, SUITE, LIBRARIES, UNBOUNDED, BROKEN = "own", "suite", "libraries", "unbounded", "broken"
_SIZES = re.compile(r"^// @sizes (\d+) (\d+)$", re.MULTILINE)
_BROKEN = re.compile(r"^// @broken (\d+)$", re.MULTILINE)
_ALSO = re.compile(r"^// @also (\d+(?: \d+)*)$", re.MULTILINE)
_FOLDER = re.compile(r"^// @folder (\S+)$", re.MULTILINE)
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


class Harness(Struct, frozen=True):
    """A program with a number of symbolic bytes: the sizes it is run with, and the one that shows its mistake; sizes
    that are `also` run.

    Nothing in particular is asked about it, so that everything is decided that can go wrong."""

    name: str
    group: str
    file: Path
    least: int
    greatest: int
    broken_at: int
    options: tuple[str, ...] = ()
    also: tuple[int, ...] = ()

    def row(self) -> Row:
        """The harness as a line of the table, whatever its size."""
        return Row(self.name, self.group, self.file, "safe", CQuestion(self.options, kind="everything"))

    def sized(self, size: int) -> Row:
        """The right variant with so many bytes."""
        return Row(f"{self.name}({size})", self.group, self.file, "safe", self._question(size))

    def broken(self) -> Row:
        """The broken variant, with as many bytes as show it."""
        question = self._question(self.broken_at, "-D", "BROKEN")
        return Row(f"{self.name} broken", BROKEN, self.file, "unsafe", question)

    def _question(self, size: int, *words: str) -> CQuestion:
        return CQuestion((*self.options, "-D", f"N={size}", *words), kind="everything", size=size)


def own_harnesses() -> list[Harness]:
    """Those that need nothing but themselves."""
    return list(harnesses_below(benchmarks_directory("buffers"), OWN))


def suite_harnesses(folder: Path, leave_out: Callable[[str], None]) -> list[Harness]:
    """Those of a folder and ours for libraries, which may include what lies below the folder; one that includes what is
    missing is left out."""
    if not folder.is_dir():
        raise PincerError(f"{folder} is no folder with harnesses")
    found: list[Harness] = []
    folders = include_folders(folder)
    ours = benchmarks_directory("buffers") / LIBRARIES
    for harness in (*harnesses_below(folder, SUITE), *harnesses_below(ours, LIBRARIES)):
        text = harness.file.read_text(encoding="utf-8")
        missing = [name for name in _INCLUDE.findall(text) if not any((here / name).is_file() for here in folders)]
        if missing:
            leave_out(f"{harness.name}: there is no {missing[0]} below {folder}")
        else:
            headers = (word for name in _FOLDER.findall(text) for word in ("-I", str(folder / name)))
            found.append(replace(harness, options=(*harness.options, *headers)))
    if not found:
        raise PincerError(f"there is no harness in {folder} that finds all it includes")
    return found


def include_folders(suite: Path | None) -> tuple[Path, ...]:
    """Where harnesses find what they include."""
    own = benchmarks_directory("buffers")
    return (own,) if suite is None else (own, suite)


def unbounded_rows() -> list[Row]:
    """The programs about buffers whose length is an input; none where there are none."""
    return tasks_below(benchmarks_directory("buffers") / UNBOUNDED, UNBOUNDED)


def harnesses_below(folder: Path, group: str) -> Iterator[Harness]:
    """The C files of a folder, none of which lacks its sizes."""
    for path in sorted(folder.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        sizes, broken = _SIZES.search(text), _BROKEN.search(text)
        if sizes is None or broken is None:
            raise PincerError(f"{path} is no harness: it lacks a line `// @sizes LEAST GREATEST` or `// @broken SIZE`")
        also = tuple(int(size) for found in _ALSO.findall(text) for size in found.split())
        yield Harness(path.stem, group, path, int(sizes[1]), int(sizes[2]), int(broken[1]), also=also)
