"""The rows of `pincer bench buffers`: harnesses with N symbolic bytes, and loops over buffers of any length.

A harness is one C file with comments that say for which sizes it makes sense and with which size its mistake shows:

    // @sizes 1 64
    // @broken 4

It is right as it stands, and broken with the macro BROKEN. A harness for a public library includes the library's files,
which lie below a folder that the user names; `// @folder PATH` is a folder there with headers.
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

OWN, LIBRARIES, UNBOUNDED, BROKEN = "own", "libraries", "unbounded", "broken"
_SIZES = re.compile(r"^// @sizes (\d+) (\d+)$", re.MULTILINE)
_BROKEN = re.compile(r"^// @broken (\d+)$", re.MULTILINE)
_FOLDER = re.compile(r"^// @folder (\S+)$", re.MULTILINE)
_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


class Harness(Struct, frozen=True):
    """A program with a number of symbolic bytes: the sizes it is run with, and the one that shows its mistake.

    Nothing in particular is asked about it, so that everything is decided that can go wrong."""

    name: str
    group: str
    file: Path
    least: int
    greatest: int
    broken_at: int
    options: tuple[str, ...] = ()

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
    return list(_harnesses(benchmarks_directory("buffers"), OWN))


def library_harnesses(sources: Path, leave_out: Callable[[str], None]) -> list[Harness]:
    """Those for the libraries whose files lie below a folder; what is missing there is left out."""
    if not sources.is_dir():
        raise PincerError(f"{sources} is no folder with libraries")
    found: list[Harness] = []
    folders = include_folders(sources)
    for harness in _harnesses(benchmarks_directory("buffers") / LIBRARIES, LIBRARIES):
        text = harness.file.read_text(encoding="utf-8")
        wanted = _INCLUDE.findall(text)
        missing = [name for name in wanted if not any((folder / name).is_file() for folder in folders)]
        if missing:
            leave_out(f"{harness.name}: there is no {missing[0]} below {sources}")
        else:
            headers = (word for name in _FOLDER.findall(text) for word in ("-I", str(sources / name)))
            found.append(replace(harness, options=(*harness.options, *headers)))
    if not found:
        raise PincerError(f"none of the libraries that the harnesses are for lies below {sources}")
    return found


def include_folders(sources: Path | None) -> tuple[Path, ...]:
    """Where harnesses find what they include."""
    own = benchmarks_directory("buffers")
    return (own,) if sources is None else (own, sources)


def unbounded_rows() -> list[Row]:
    """The programs about buffers whose length is an input; none where there are none."""
    return tasks_below(benchmarks_directory("buffers") / UNBOUNDED, UNBOUNDED)


def _harnesses(folder: Path, group: str) -> Iterator[Harness]:
    for path in sorted(folder.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        sizes, broken = _SIZES.search(text), _BROKEN.search(text)
        if sizes is None or broken is None:
            raise PincerError(f"{path} is no harness: it lacks a line `// @sizes LEAST GREATEST` or `// @broken SIZE`")
        yield Harness(path.stem, group, path, int(sizes[1]), int(sizes[2]), int(broken[1]))
