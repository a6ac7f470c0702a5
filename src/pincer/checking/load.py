"""From a task to the program it is about, read and lowered once for all its properties.

Each language brings its own front end, which is loaded when it is needed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pincer.checking.task import Task
from pincer.errors import PincerError
from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.checking.c_source import CSource
    from pincer.frontends.msvl import Program
    from pincer.program.guarded import GuardedProgram
    from pincer.temporal.property import Property


TRANSLATED = " as MSVL"
"""What follows the name of a C file when its translation is meant."""


@dataclass(frozen=True, slots=True)
class GuardedSource:
    """A program of guarded commands, and the names of the properties to decide."""

    program: GuardedProgram
    names: tuple[str, ...]

    def described(self) -> dict[str, Any]:
        """The `program` member of the JSON output."""
        program = self.program
        return {"file": program.file, "sha256": program.sha256, "constants": dict(program.constants)}


@dataclass(frozen=True, slots=True)
class TemporalSource:
    """An MSVL program, perhaps a translation, with temporal properties; `int32` says how its integers behave."""

    file: str
    sha256: str
    program: Program
    properties: tuple[Property, ...]
    int32: bool
    is_translated: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        if len(self.properties) == 1:
            return ("property",)
        return tuple(f"property {number}" for number in range(1, len(self.properties) + 1))

    def described(self) -> dict[str, Any]:
        """The `program` member of the JSON output."""
        language = "C" if self.is_translated else "MSVL"
        return {"file": self.file, "sha256": self.sha256, "constants": {}, "language": language}


LoadedSource: TypeAlias = "GuardedSource | CSource | TemporalSource"


def load(task: Task, run: Run) -> LoadedSource:
    """The program of a task and the properties that it asks about."""
    language = task.source.language
    if language == "msvl" or task.options.engine == "dse":
        run.publish("msvl", "reading the program")
        return _temporal_source(task)
    if language == "c":
        from pincer.checking.c_source import asked_source

        source = asked_source(task)
        run.publish("c", "reading the program")
        source.program(source.properties[0])
        return source
    return _guarded_source(task, run)


def _guarded_source(task: Task, run: Run) -> GuardedSource:
    from pincer.frontends.gcl import load

    if task.options.engine not in ("auto", "ase", "ur"):
        raise PincerError(f"the engine {task.options.engine} is not for .gcl programs; they are checked by ase or ur")
    run.publish("gcl", "reading the program")
    program = load(Path(task.source.file), dict(task.source.defines))
    return GuardedSource(program, _selected(program, task.asked.properties))


def _selected(program: GuardedProgram, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The properties to decide, in the program's order."""
    declared = [item.name for item in program.properties]
    if not declared:
        raise PincerError("nothing to check: add a property such as `safety ok: x >= 0;` to the program")
    for name in wanted:
        if name not in declared:
            raise PincerError(f"there is no property {name!r} in this program; it has {', '.join(declared)}")
    return tuple(name for name in declared if not wanted or name in wanted)


def _temporal_source(task: Task) -> TemporalSource:
    if task.options.engine not in ("auto", "dse"):
        raise PincerError(f"the engine {task.options.engine} is not for MSVL programs; they are checked by dse")
    path, files = Path(task.source.file), task.asked.properties
    found = _translated(path, files) if task.source.language == "c" else _msvl(path, files, task.options.int32)
    if not found.properties:
        raise PincerError("nothing to check: add a block `</ define p: x=1; alw(p) />`, or name a file with --property")
    return found


def _msvl(path: Path, files: tuple[str, ...], int32: bool) -> TemporalSource:
    """A program of MSVL, with the properties in the files that were named, otherwise those in its own blocks."""
    from pincer.frontends.msvl import parse_program
    from pincer.frontends.source import decoded, plain_lines, read_bytes
    from pincer.temporal.property import parse_properties

    data = read_bytes(path, ".m")
    text = plain_lines(decoded(data, str(path)))
    program = parse_program(text, str(path))
    properties = property_files(files) if files else parse_properties(text, str(path))
    return TemporalSource(str(path), _hash(data), program, properties, int32)


def property_files(files: tuple[str, ...]) -> tuple[Property, ...]:
    """The temporal properties of files."""
    from pincer.temporal.property import parse_property_file

    found: list[Property] = []
    for name in files:
        if not Path(name).is_file():
            raise PincerError(f"there is no file {name}; --property names a file with a temporal property (.p)")
        try:
            text = Path(name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise PincerError(f"{name} is not a text file in UTF-8; save it as UTF-8") from None
        found += parse_property_file(text, name)
    return tuple(found)


def _translated(path: Path, files: tuple[str, ...]) -> TemporalSource:
    """A C program as an MSVL program, with a property over C variables or that no assertion fails."""
    from pincer.frontends.msvl import parse_program
    from pincer.frontends.msvl.from_c import translate_with_property, translation
    from pincer.temporal.property import parse_properties

    if len(files) > 1:
        raise PincerError("one property file at a time: --property FILE.p")
    made = translate_with_property(path, Path(files[0])) if files else translation(path)
    text = made.text if files else made.headed()
    name = f"{path}{TRANSLATED}"
    program, properties = parse_program(text, name), parse_properties(text, name)
    return TemporalSource(str(path), _hash(path.read_bytes()), program, properties, made.int32, is_translated=True)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
