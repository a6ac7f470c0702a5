"""A request with all files that it needs, for a machine that does not have them.

The files are put below a new folder there, each where it was below the root, and the work is done in what was the
current folder. So names in the request stay what they are, but for those from the root, and what comes back names
places as they are here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.messages import Check, Event, Request, WriteTests, encoded
from pincer.checking.source_files import absolute, files_of
from pincer.checking.task import Source
from pincer.errors import PincerError
from pincer.program.c_file import CFile, CFlags
from pincer.runtime.files import content_of

_HEADERS = (".h", ".hh", ".hpp", ".inc", ".def", ".c", ".i")


class Parcel(Struct, frozen=True):
    """A request, the current folder, and the contents of files by their absolute paths."""

    request: Request
    folder: str
    files: Mapping[str, bytes]


def packed(request: Request) -> Parcel:
    """The request with the files that it names and those that these include."""
    if not isinstance(request, Check | WriteTests):
        raise PincerError("only checks and test suites are done on other machines")
    source = request.task.source if isinstance(request, Check) else request.source
    paths = _read_files(source)
    if isinstance(request, Check):
        # Answers are kept on the machine of the user, and nodes have no share in its disk.
        request = replace(request, task=replace(request.task, store=None))
        asked, options = request.task.asked, request.task.options
        paths |= {absolute(Path(text)) for text in (*asked.properties, *asked.rules)}
        paths |= {absolute(path) for path in Path(options.tests).glob("*")} if options.tests else set()
    contents = {str(path): content_of(path) for path in sorted(paths) if path.is_file()}
    return Parcel(request, str(Path.cwd()), contents)


def _read_files(source: Source) -> set[Path]:
    """The files of a program; of folders in which any file may be a header, all that look like one."""
    read = files_of(source)
    return {*read.paths, *(path for folder in read.anywhere for path in folder.iterdir() if path.suffix in _HEADERS)}


class Unpacked(Struct, frozen=True):
    """A parcel in its place: the request as it is there, and the folder to work in."""

    root: Path
    request: Request
    folder: Path
    brought: frozenset[Path]

    def told(self, event: Event) -> bytes:
        """An event with the names of places that whoever sent the parcel knows."""
        return encoded(event).replace(str(self.root).encode("ascii"), b"")

    def made(self) -> dict[str, bytes]:
        """What was written meanwhile, by the places where it belongs."""
        files = [path for path in self.root.rglob("*") if path.is_file() and path not in self.brought]
        return {f"/{path.relative_to(self.root)}": path.read_bytes() for path in files}


def unpacked(parcel: Parcel, root: Path) -> Unpacked:
    """Put the files of a parcel below a folder."""

    def moved(name: str) -> str:
        return str(below(root, name)) if Path(name).is_absolute() else name

    brought = set[Path]()
    for name, content in parcel.files.items():
        path = below(root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        brought.add(path)
    folder = below(root, parcel.folder)
    folder.mkdir(parents=True, exist_ok=True)
    return Unpacked(root, _relocated(parcel.request, moved), folder, frozenset(brought))


def delivered(made: Mapping[str, bytes], wanted: Iterable[str]) -> None:
    """Write what a request made elsewhere, as far as it is among what was wanted here."""
    places = [absolute(Path(name)) for name in wanted]
    for name, content in made.items():
        path = absolute(Path(name))
        if any(_belongs(path, place) for place in places):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def wanted_files(request: Request) -> tuple[str, ...]:
    """The files and folders that a request is asked to write."""
    if isinstance(request, WriteTests):
        return (request.output,)
    if not isinstance(request, Check):
        return ()
    outputs = request.task.outputs
    names = (outputs.certificate, outputs.witness, outputs.test_out, request.task.options.tests)
    return tuple(name for name in names if name is not None)


def _belongs(path: Path, place: Path) -> bool:
    """Whether a file is the one that was named, inside of it, or beside it for one of several properties."""
    beside = path.parent == place.parent and path.name.startswith(f"{place.stem}.") and path.suffix == place.suffix
    return path == place or place in path.parents or beside


def below(root: Path, name: str) -> Path:
    """Where a place from the root is below another folder."""
    path = Path(os.path.normpath(f"{root}/{name}"))
    if root not in (path, *path.parents):
        raise PincerError(f"{name} is no place below a folder")
    return path


def _relocated(request: Request, moved: Callable[[str], str]) -> Request:
    """The request with other names for places from the root."""
    if isinstance(request, WriteTests):
        return replace(request, source=_source(request.source, moved), output=moved(request.output))
    assert isinstance(request, Check)
    task = request.task
    asked = replace(
        task.asked,
        properties=tuple(map(moved, task.asked.properties)),
        rules=tuple(map(moved, task.asked.rules)),
    )
    outputs = replace(
        task.outputs,
        certificate=_maybe(task.outputs.certificate, moved),
        witness=_maybe(task.outputs.witness, moved),
        test_out=_maybe(task.outputs.test_out, moved),
    )
    options = replace(task.options, tests=_maybe(task.options.tests, moved))
    whole = replace(task, source=_source(task.source, moved), asked=asked, options=options, outputs=outputs)
    return replace(request, task=whole)


def _source(source: Source, moved: Callable[[str], str]) -> Source:
    others = tuple(_file(other, moved) for other in source.others)
    return replace(source, file=moved(source.file), flags=_flags(source.flags, moved), others=others)


def _file(file: CFile, moved: Callable[[str], str]) -> CFile:
    return replace(file, path=moved(file.path), flags=_flags(file.flags, moved))


def _flags(flags: CFlags, moved: Callable[[str], str]) -> CFlags:
    return replace(flags, include=tuple(map(moved, flags.include)), forced=tuple(map(moved, flags.forced)))


def _maybe(name: str | None, moved: Callable[[str], str]) -> str | None:
    return None if name is None else moved(name)
