"""Settings of a project: `pincer.toml`, or the table `[tool.pincer]` of `pyproject.toml`.

The nearest of these files counts, from the current folder upwards; what the command line says wins over it. Paths in
it are relative to its folder. The front door is `with_settings`.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincer.checking.task import DATA_MODELS, ENGINES
from pincer.errors import PincerError, Position

FORMATS = ("text", "json", "sarif", "junit")
_DEFAULTS: Mapping[str, Any] = {"engine": "auto", "format": "text"}
_TABLE = "tool.pincer"
_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


@dataclass(frozen=True, slots=True)
class _File:
    """A file with settings: `table` is where they stand, empty for a file of their own."""

    path: Path
    text: str
    table: str

    def mistake(self, key: str, message: str) -> PincerError:
        line = self._line_of(key)
        lines = self.text.splitlines()
        excerpt = lines[line - 1] if line <= len(lines) else None
        return PincerError(message, Position(str(self.path), line, 1), excerpt)

    def _line_of(self, key: str) -> int:
        """Where a key is set; where its table begins if it is set in another way."""
        inside, start = not self.table, 1
        wanted = re.compile(rf"""\s*(["']?){re.escape(key)}\1\s*[.=]""")
        for number, line in enumerate(self.text.splitlines(), 1):
            header = _HEADER.fullmatch(line)
            if header:
                inside = header[1] == self.table
                start = number if inside else start
                if header[1] == f"{self.table}.{key}".lstrip("."):
                    return number
            elif inside and wanted.match(line):
                return number
        return start


@dataclass(frozen=True, slots=True)
class _Key:
    """How a setting is read: what it must be, in words, and what makes of it the option's value, None if it is not."""

    what: str
    read: Callable[[Any, Path], Any | None]


def with_settings(args: argparse.Namespace) -> argparse.Namespace:
    """The arguments of `check`, those that were not given taken from the project's settings."""
    chosen = dict(vars(args))
    for name, value in project_settings(Path.cwd()).items():
        if chosen[name] is None or chosen[name] == []:
            chosen[name] = value
    for name, default in _DEFAULTS.items():
        if chosen[name] is None:
            chosen[name] = default
    if not chosen["path"]:
        raise PincerError("name a file or a folder to check, or set `paths` in [tool.pincer] of pyproject.toml")
    return argparse.Namespace(**chosen)


def project_settings(folder: Path) -> dict[str, Any]:
    """The settings for a call in `folder`, by the names the options have in the parsed arguments."""
    for place in (folder, *folder.parents):
        for name, table in (("pincer.toml", ""), ("pyproject.toml", _TABLE)):
            path = place / name
            if path.is_file():
                found = _read(path, table)
                if found is not None:
                    return found
    return {}


def _read(path: Path, table: str) -> dict[str, Any] | None:
    """The settings of a file, None if it has none."""
    import tomllib

    try:
        text = path.read_text(encoding="utf-8")
        data: Any = tomllib.loads(text)
    except OSError as error:
        raise PincerError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise PincerError(f"{path} is not a text file in UTF-8; save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, str(error)) from None
    file = _File(_shown(path), text, table)
    for name in table.split(".") if table else ():
        data = data.get(name) if isinstance(data, dict) else None
        if data is None:
            return None
    if not isinstance(data, dict):
        raise file.mistake(table, f"{table} must be a table: begin it with a line `[{table}]`")
    return {_option(key): _value(file, key, value) for key, value in data.items()}


def _shown(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _syntax_error(path: Path, message: str) -> PincerError:
    place = _PLACE.search(message)
    line, column = (int(place[1]), int(place[2])) if place and place[1] else (1, 1)
    return PincerError(f"not valid TOML: {_PLACE.sub('', message)}", Position(str(_shown(path)), line, column))


def _option(key: str) -> str:
    return "path" if key == "paths" else key.replace("-", "_")


def _value(file: _File, key: str, value: Any) -> Any:
    known = SETTINGS.get(key)
    if known is None:
        from difflib import get_close_matches

        near = get_close_matches(key, SETTINGS, n=1)
        hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(SETTINGS)}"
        raise file.mistake(key, f"unknown setting `{key}`; {hint}")
    read = known.read(value, file.path.parent)
    if read is None:
        raise file.mistake(key, f"the setting `{key}` must be {known.what}")
    return read


def _choice(*words: str) -> _Key:
    return _Key(f"one of {', '.join(words)}", lambda value, folder: value if value in words else None)


def _word(value: Any, folder: Path) -> str | None:
    return value if isinstance(value, str) and value else None


def _words(value: Any, folder: Path) -> list[str] | None:
    found = [value] if isinstance(value, str) else value
    return found if isinstance(found, list) and found and all(isinstance(word, str) for word in found) else None


def _paths(value: Any, folder: Path) -> list[str] | None:
    found = _words(value, folder)
    return None if found is None else [os.path.normpath(folder / text) for text in found]


def _properties(value: Any, folder: Path) -> list[str] | None:
    """Names of properties stay as they are; files of properties are paths."""
    found = _words(value, folder)
    return None if found is None else [os.path.normpath(folder / one) if Path(one).suffix else one for one in found]


def _positive(value: Any, folder: Path) -> float | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if number and 0 < value < float("inf") else None


def _count(value: Any, folder: Path) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _definitions(value: Any, folder: Path) -> list[tuple[str, int]] | None:
    if not isinstance(value, dict) or not all(_NAME.fullmatch(name) for name in value):
        return None
    whole = all(isinstance(number, int) and not isinstance(number, bool) for number in value.values())
    return list(value.items()) if whole else None


SETTINGS: Mapping[str, _Key] = {
    "paths": _Key("a path or a list of paths", _paths),
    "property": _Key("a property or a list of properties", _properties),
    "rule": _Key("a .rule file or a list of them", _paths),
    "engine": _choice(*ENGINES),
    "timeout": _Key("a positive number of seconds", _positive),
    "memory": _Key("a positive whole number of megabytes", _count),
    "define": _Key("a table of whole numbers, as in { N = 3 }", _definitions),
    "data-model": _choice(*DATA_MODELS),
    "entry": _Key("the name of a function", _word),
    "include": _Key("a folder or a list of folders", _paths),
    "jobs": _Key("a positive whole number", _count),
    "format": _choice(*FORMATS),
}
