"""Tasks and properties as SV-COMP writes them: `.yml` task definitions and `.prp` property files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml
from msgspec import Struct

from pincer.errors import PincerError, Position, UnsupportedError
from pincer.program.property import DataModel

Kind: TypeAlias = Literal[
    "assertions",
    "memory",
    "overflow",
    "uninitialised",
    "no-data-race",
    "no-deadlock",
    "termination",
    "coverage",
    "temporal",
]

CheckedKind: TypeAlias = Literal[
    "assertions", "memory", "overflow", "leaks", "uninitialised", "termination", "race", "deadlock"
]  # fmt: skip
_CHECKED: Mapping[Kind, CheckedKind] = {
    "assertions": "assertions",
    "memory": "memory",
    "overflow": "overflow",
    "uninitialised": "uninitialised",
    "no-data-race": "race",
    "no-deadlock": "deadlock",
    "termination": "termination",
}
# What Pincer calls the property, by the names SV-COMP gives its parts.
_KINDS: Mapping[str, Kind] = {
    "unreach-call": "assertions",
    "unreach-label": "assertions",
    "assert": "assertions",
    "valid-deref": "memory",
    "valid-free": "memory",
    "valid-memtrack": "memory",
    "valid-memcleanup": "memory",
    "division-by-zero": "overflow",
    "no-overflow": "overflow",
    "uninitialised-read": "uninitialised",
    "no-data-race": "no-data-race",
    "no-deadlock": "no-deadlock",
    "termination": "termination",
    "coverage": "coverage",
    "temporal": "temporal",
}
_MEMORY_SAFETY = ("valid-deref", "valid-free", "valid-memtrack")
# Parts of `memory` that can be asked about alone.
_LEAKS = ("valid-memtrack", "valid-memcleanup")
_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(?P<entry>\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((?P<formula>.*)\)\s*\)\s*")
_COVER = re.compile(r"COVER\s*\(\s*init\s*\(\s*(?P<entry>\w+)\s*\(\s*\)\s*\)\s*,\s*FQL\s*\(.*\)\s*\)\s*")
_CALL = re.compile(r"G!call\((\w+)\(.*\)\)")
_LABEL = re.compile(r"G!label\((\w+)\)")
_FORMULAS = {
    "G!overflow": "no-overflow",
    "G!uninitialised-read": "uninitialised-read",
    "G!data-race": "no-data-race",
    "G!deadlock": "no-deadlock",
    "G!division-by-zero": "division-by-zero",
    "Fend": "termination",
    "Gassert": "assert",
    "Gvalid-deref": "valid-deref",
    "Gvalid-free": "valid-free",
    "Gvalid-memtrack": "valid-memtrack",
    "Gvalid-memcleanup": "valid-memcleanup",
}


def kinds_of_part(part: str) -> frozenset[CheckedKind]:
    """Pincer's names of the properties that a part may belong to; none for parts that are not checked."""
    if part in _LEAKS:
        return frozenset({"memory", "leaks"})
    kind = _KINDS.get(part)
    known = None if kind is None else _CHECKED.get(kind)
    return frozenset() if known is None else frozenset({known})


class PropertyFile(Struct, frozen=True):
    """One property file. `parts` are the SV-COMP names of its lines; `target` is the function or label not to reach.

    `specification` is the text of the lines themselves, empty when the file was not there to be read.
    """

    name: str
    kind: Kind
    parts: tuple[str, ...]
    entry: str = "main"
    target: str = "reach_error"
    specification: str = ""

    def formula(self) -> str:
        """The LTL formula of a file that states just one."""
        found = [_CHECK.fullmatch(line) for line in self.specification.splitlines()]
        if len(found) != 1 or found[0] is None:
            raise UnsupportedError(f"{self.name}: one temporal formula in a file is checked, and this has several")
        return found[0]["formula"].strip()

    def checked_as(self) -> CheckedKind:
        """Pincer's name of the property, or the reason why there is none."""
        if set(self.parts) <= set(_LEAKS):
            return "leaks"
        known = _CHECKED.get(self.kind)
        if known is None:
            choice = (
                "assertions, memory safety, overflow, leaks, uninitialised reads, termination, data races or deadlocks"
            )
            raise UnsupportedError(f"unsupported property: {self.name}; choose {choice}")
        return known


class Expectation(Struct, frozen=True):
    """A property of a task with the verdict it should get; `subproperty` names the violated part, if known."""

    property_file: Path
    expected: bool | None
    subproperty: str | None = None

    def load(self) -> PropertyFile:
        return load_property(self.property_file)

    @property
    def verdict(self) -> str | None:
        """The expected verdict in SV-COMP's words, such as `false(valid-deref)`."""
        if self.expected is None or self.expected:
            return None if self.expected is None else "true"
        return f"false({self.subproperty or self.property_file.stem})"


class TaskDefinition(Struct, frozen=True):
    """A task definition: a C file, `source`, perhaps with `others` of its program, and what is to be decided."""

    file: Path
    source: Path
    properties: tuple[Expectation, ...]
    data_model: DataModel = "LP64"
    others: tuple[Path, ...] = ()


def load_property(path: Path) -> PropertyFile:
    """Read a `.prp` file. One that is missing is known by its name, if that is one of the usual ones."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        if path.stem in _KINDS or path.stem == "valid-memsafety":
            parts = _MEMORY_SAFETY if path.stem == "valid-memsafety" else (path.stem,)
            return _property(parts, "main", _default_target(parts))
        raise PincerError(f"the property file {path} is not there; check the path") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PincerError(f"cannot read the property file {path}: {error}") from None
    return _parse_property(text, path)


def _parse_property(text: str, path: Path) -> PropertyFile:
    parts, lines, entry, target = [], [], "main", ""
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        if line and not line.startswith(("#", "//")):
            part, entry, found = _parse_line(line, Position(str(path), number, 1))
            parts.append(part)
            lines.append(line)
            target = found or target
    if not parts:
        raise PincerError("the file states no property; expected a line CHECK(...)", Position(str(path), 1, 1))
    if len({_KINDS[part] for part in parts}) > 1:
        raise PincerError("the file mixes properties of different kinds; use one file each", Position(str(path), 1, 1))
    return _property(tuple(parts), entry, target or _default_target(tuple(parts)), "\n".join(lines))


def _default_target(parts: tuple[str, ...]) -> str:
    return "ERROR" if "unreach-label" in parts else "reach_error"


def _property(parts: tuple[str, ...], entry: str, target: str, text: str = "") -> PropertyFile:
    whole = sorted(parts) == sorted(_MEMORY_SAFETY)
    return PropertyFile("valid-memsafety" if whole else "+".join(parts), _KINDS[parts[0]], parts, entry, target, text)


def _parse_line(line: str, position: Position) -> tuple[str, str, str]:
    """The part that a line states, the entry function, and the function or label not to be reached."""
    cover = _COVER.fullmatch(line)
    if cover is not None:
        return "coverage", cover["entry"], ""
    check = _CHECK.fullmatch(line)
    if check is None:
        raise PincerError(f"expected CHECK( init(main()), LTL(...) ), not {line!r}", position, line)
    formula = re.sub(r"\s+", "", check["formula"])
    for pattern, part in ((_CALL, "unreach-call"), (_LABEL, "unreach-label")):
        found = pattern.fullmatch(formula)
        if found is not None:
            return part, check["entry"], found[1]
    return _FORMULAS.get(formula, "temporal"), check["entry"], ""


def load_task(path: Path) -> TaskDefinition:
    """Read a `.yml` task definition (formats 1.0 to 2.1)."""
    document = _read_yaml(path)
    files = document.get("input_files")
    files = [files] if isinstance(files, str) else files
    if not isinstance(files, list) or not files or not all(isinstance(file, str) for file in files):
        raise _mistake(path, "input_files", "name a C file, or a list of the C files of a program")
    entries = document.get("properties") or []
    if not isinstance(entries, list):
        raise _mistake(path, "properties", "write a list of items with property_file and expected_verdict")
    expectations = tuple(_expectation(path, entry) for entry in entries)
    first, *others = (path.parent / file for file in files)
    model = _data_model(path, document.get("options"))
    return TaskDefinition(path, first, expectations, model, tuple(others))


def _read_yaml(path: Path) -> Mapping[str, Any]:
    try:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise PincerError(f"cannot read the task {path}: {error}") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        position = Position(str(path), mark.line + 1, mark.column + 1) if mark else Position(str(path), 1, 1)
        raise PincerError(f"this is not YAML: {error.problem}", position) from None
    except yaml.YAMLError as error:
        raise PincerError(f"this is not YAML: {error}", Position(str(path), 1, 1)) from None
    if not isinstance(document, dict) or "format_version" not in document:
        position = Position(str(path), 1, 1)
        raise PincerError("this is no task definition; it needs format_version, input_files and properties", position)
    if str(document["format_version"]).split(".")[0] not in ("1", "2"):
        raise _mistake(path, "format_version", "Pincer reads the formats 1.0 to 2.1")
    return document


def _expectation(path: Path, entry: object) -> Expectation:
    if not isinstance(entry, dict) or not isinstance(entry.get("property_file"), str):
        raise _mistake(path, "properties", "each item needs a property_file")
    expected, part = entry.get("expected_verdict"), entry.get("subproperty")
    if expected is not None and not isinstance(expected, bool):
        raise _mistake(path, "expected_verdict", "it is true or false")
    return Expectation(path.parent / entry["property_file"], expected, None if part is None else str(part))


def _data_model(path: Path, options: object) -> DataModel:
    if options is None:
        return "LP64"
    if not isinstance(options, dict):
        raise _mistake(path, "options", "write language and data_model under it")
    if options.get("language", "C") != "C":
        raise _mistake(path, "language", "Pincer reads tasks in C")
    match options.get("data_model", "LP64"):
        case "LP64":
            return "LP64"
        case "ILP32":
            return "ILP32"
    raise _mistake(path, "data_model", "it is ILP32 or LP64")


def _mistake(path: Path, key: str, advice: str) -> PincerError:
    """A value that cannot be used, at the line where its key stands."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        column = line.find(f"{key}:")
        if column >= 0:
            return PincerError(f"cannot use this {key}: {advice}", Position(str(path), number, column + 1), line)
    return PincerError(f"{key} is missing: {advice}", Position(str(path), 1, 1))
