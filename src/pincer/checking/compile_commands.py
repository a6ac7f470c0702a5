"""`compile_commands.json`: the files of a project, and how its compiler is told to read them.

What changes how a file is read is taken over: folders of headers, macros, files that are read first, and the data
model. All other flags are those of another compiler.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path, PurePath
from typing import Any

from msgspec import Struct

from pincer.errors import PincerError
from pincer.program.c_file import CFile, CFlags
from pincer.program.property import DataModel

NAME = "compile_commands.json"
_INCLUDING = ("-I", "-isystem", "-iquote", "-idirafter")
_WITH_A_VALUE = (
    *("-o", "-x", "-MF", "-MT", "-MQ", "-arch", "-target", "-isysroot", "--sysroot", "-Xclang", "-Xpreprocessor"),
    *("-Xassembler", "-Xlinker", "-T", "-u", "-z", "-L", "-l", "-imacros", "-iprefix", "-framework", "--param"),
)
_NAMED = 3
_OTHER_SYNTAX = ("cl", "clang-cl", "icl")


class _LeftOut(Enum):
    """Why a command is not taken over."""

    NOT_C = "not C"
    NOT_THERE = "not there"
    SEVERAL_WAYS = "compiled in several ways: the first one is taken"


class Database(Struct, frozen=True):
    """The C files of a project; `remarks` say what was left out."""

    files: tuple[CFile, ...]
    remarks: tuple[str, ...] = ()


def read_database(path: Path) -> Database:
    """The commands of a database; what is none is a `PincerError`."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PincerError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise PincerError(f"{path} is no compilation database: {error}") from None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise PincerError(f"{path} is no compilation database: it is not a list of commands")
    commands: dict[str, CFile] = {}
    left_out: dict[_LeftOut, list[str]] = {}
    for number, entry in enumerate(entries, 1):
        _note(path, number, entry, commands, left_out)
    remarks = [_remark(kind, files) for kind, files in left_out.items()] if entries else ["it lists no commands"]
    return Database(tuple(commands.values()), tuple(remarks))


def _note(
    path: Path, number: int, entry: dict[str, Any], commands: dict[str, CFile], left_out: dict[_LeftOut, list[str]]
) -> None:
    name, directory = entry.get("file"), entry.get("directory", ".")
    if not isinstance(name, str) or not isinstance(directory, str):
        raise PincerError(f'{path}: entry {number} must have a "file" and a "directory"')
    folder = path.parent / directory
    file = _shown(folder / name)
    if PurePath(name).suffix != ".c":
        left_out.setdefault(_LeftOut.NOT_C, []).append(file)
    elif not Path(file).is_file():
        left_out.setdefault(_LeftOut.NOT_THERE, []).append(file)
    elif file not in commands:
        commands[file] = _command(file, folder, _words(path, number, entry))
    elif commands[file] != _command(file, folder, _words(path, number, entry)):
        left_out.setdefault(_LeftOut.SEVERAL_WAYS, []).append(file)


def _remark(kind: _LeftOut, files: Sequence[str]) -> str:
    """One remark for all files that it is about: the first ones by name."""
    names = list(dict.fromkeys(files))
    if len(names) == 1:
        return f"{names[0]} is {kind.value}"
    shown, more = names[:_NAMED], len(names) - _NAMED
    return f"{', '.join(shown)}{f' and {more} more' if more > 0 else ''} are {kind.value}"


def _words(path: Path, number: int, entry: dict[str, Any]) -> list[str]:
    given = entry.get("arguments", entry.get("command"))
    if isinstance(given, str):
        try:
            return shlex.split(given)
        except ValueError as error:
            raise PincerError(f"{path}: the command of entry {number} cannot be read: {error}") from None
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        return given
    raise PincerError(f'{path}: entry {number} must have "arguments" or a "command"')


def _command(file: str, folder: Path, words: Sequence[str]) -> CFile:
    include, forced = list[str](), list[str]()
    macros: list[tuple[str, str | None]] = []
    data_model: DataModel = "LP64"
    for option, value in _options(words):
        if option in _INCLUDING:
            include.append(_shown(folder / value))
        elif option == "-include":
            beside = folder / value
            forced.append(_shown(beside) if beside.is_file() else value)
        elif option == "-D":
            name, given, text = value.partition("=")
            macros.append((name, text if given else "1"))
        elif option == "-U":
            macros.append((value, None))
        elif option in ("-m32", "-m64"):
            data_model = "ILP32" if option == "-m32" else "LP64"
    return CFile(file, CFlags(tuple(include), tuple(macros), tuple(forced)), data_model)


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The options of a call that matter here, each with its value; others are passed over with theirs."""
    compiler = PurePath(words[0].replace("\\", "/")).stem.lower() if words else ""
    rest = iter(words[1:])
    for word in rest:
        if compiler in _OTHER_SYNTAX and word.startswith("/"):
            word = f"-include{word[3:]}" if word.startswith("/FI") else f"-{word[1:]}"
        joined = next((name for name in (*_INCLUDING, "-include", "-D", "-U") if word.startswith(name)), None)
        if word.startswith("-include-"):
            next(rest, "")
        elif joined is not None:
            value = word[len(joined) :] or next(rest, "")
            yield joined, value
        elif word in _WITH_A_VALUE:
            next(rest, "")
        elif word in ("-m32", "-m64"):
            yield word, ""


def _shown(path: Path) -> str:
    """A path as the user would write it: from where they are, if it lies below."""
    whole = Path(os.path.normpath(path.absolute()))
    return str(whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole)
