"""The arguments of calls: options that commands share, the settings of a project, the programs that are named, and
calls as users write them.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.store import FOLDER, MOST_MB, StoreSettings
from pincer.checking.supervise import Limits
from pincer.checking.task import DATA_MODELS, ENGINES, LANGUAGES, Source, Task
from pincer.errors import PincerError, Position
from pincer.program.c_file import CFlags
from pincer.report.file_report import Context
from pincer.runtime.files import did_you_mean

_DEFINE = re.compile(r"([A-Za-z_][A-Za-z_0-9]*(?:\([^()]*\))?)(?:=(.*))?", re.DOTALL)


def add_defines(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-D",
        dest="define",
        metavar="NAME[=VALUE]",
        action="append",
        type=definition,
        default=[],
        help="define a macro of a C program, or give a constant of a .gcl program another value",
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", "--timelimit", metavar="S", type=seconds, help="stop after S seconds (per file)")
    parser.add_argument("--memory", metavar="MB", type=positive, help="stop beyond MB megabytes")


def add_places(parser: argparse.ArgumentParser) -> None:
    """Where the work is done."""
    parser.add_argument(
        "--on", choices=["here", "ray"], default="here", help="on this machine, or on the nodes of a Ray cluster"
    )
    parser.add_argument(
        "--ray-address", metavar="ADDRESS", help="of the cluster; default: RAY_ADDRESS, or the one on this machine"
    )


def add_loudness(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("-q", "--quiet", action="store_true", help="one line per answer, no progress")
    group.add_argument("-v", "--verbose", action="store_true", help="all numbers, whole traces, tracebacks")


def add_c_options(parser: argparse.ArgumentParser, entry_aliases: bool = True) -> None:
    """How a C program is read; the aliases are those of other verifiers."""
    group = parser.add_argument_group("C programs")
    group.add_argument(
        "--data-model", choices=["ILP32", "LP64"], help="sizes of long and of pointers; default: the task's, or LP64"
    )
    group.add_argument("--32", dest="data_model", action="store_const", const="ILP32", help="same as ILP32")
    group.add_argument("--64", dest="data_model", action="store_const", const="LP64", help="same as LP64")
    aliases = ("--function", "--entry-function") if entry_aliases else ()
    group.add_argument("--entry", *aliases, metavar="F", help="start in this function; default: main")
    group.add_argument("-I", dest="include", metavar="DIR", action="append", default=[], help="look for headers here")
    group.add_argument(
        "-U", dest="define", metavar="NAME", action="append", type=undefinition, default=[], help="undefine a macro"
    )
    group.add_argument(
        "-include", dest="forced", metavar="FILE", action="append", default=[], help="read this file before the program"
    )
    group.add_argument(
        "--externals",
        choices=["keep", "havoc"],
        default="keep",
        help="functions without a body write nothing (keep, the default) or all they can reach (havoc)",
    )
    group.add_argument("--malloc-may-fail", action="store_true", help="try what happens when there is no memory left")


def add_store(parser: argparse.ArgumentParser) -> None:
    """Whether answers are kept from run to run, and where; none is an empty text."""
    group = parser.add_argument_group("answers from run to run")
    group.add_argument(
        "--store",
        metavar="DIR",
        help=f"keep answers with their evidence here; default: {FOLDER} beside pincer.toml or [tool.pincer], where "
        "there is one, else nowhere",
    )
    group.add_argument("--no-store", dest="store", action="store_const", const="", help="keep nothing, recall nothing")
    group.add_argument(
        "--trust-store", action="store_true", help="believe what was kept: check no proof and run no test again"
    )
    group.add_argument(
        "--store-limit", metavar="MB", type=positive, help=f"to which the store grows; default: {MOST_MB}"
    )


def store_of(args: argparse.Namespace) -> StoreSettings | None:
    """The store that a call uses, if any."""
    if not args.store:
        return None
    return StoreSettings(args.store, args.trust_store, args.store_limit or MOST_MB)


def source_of(file: str, args: argparse.Namespace) -> Source:
    """A file with what the options say about how it is read."""
    flags = CFlags(tuple(args.include), tuple(args.define), tuple(args.forced), args.malloc_may_fail, args.externals)
    return Source(file, args.data_model, args.entry, flags)


def definition(text: str) -> tuple[str, str]:
    """What `-D` gives: without a value a macro is 1, as with compilers."""
    match = _DEFINE.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME or NAME=VALUE")
    return match[1], "1" if match[2] is None else match[2]


def undefinition(text: str) -> tuple[str, None]:
    if _NAME.fullmatch(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not the name of a macro")
    return text, None


def seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return value


def positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number")
    return int(text)


def known_file(text: str) -> str:
    """A file as it was named; its ending says in which language it is written."""
    if Path(text).is_file() and Path(text).suffix not in LANGUAGES:
        raise PincerError(
            f"{text} is no program that can be checked: .c, .i, .gcl and .m are, .yml tasks and compile_commands.json"
        )
    return text


FORMATS = ("text", "json", "sarif", "junit")
_DEFAULTS: Mapping[str, Any] = {"engine": "auto", "format": "text"}
_TABLE = "tool.pincer"
_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class _File(Struct, frozen=True):
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


class _Key(Struct, frozen=True):
    """How a setting is read: what it must be, in words, and what makes of it the option's value, None if it is not."""

    what: str
    read: Callable[[Any, Path], Any | None]


def with_settings(args: argparse.Namespace) -> argparse.Namespace:
    """The arguments of `check`, those that were not given taken from the project's settings."""
    chosen = dict(vars(args))
    found = _found_settings(Path.cwd())
    for name, value in ({} if found is None else found[1]).items():
        if chosen[name] is None or chosen[name] == []:
            chosen[name] = value
    if chosen["store"] is None and found is not None:
        chosen["store"] = str(_shown(found[0].parent / FOLDER))
    for name, default in _DEFAULTS.items():
        if chosen[name] is None:
            chosen[name] = default
    if not chosen["path"] and not chosen["programs"]:
        raise PincerError("name a file or a folder to check, or set `paths` in [tool.pincer] of pyproject.toml")
    return argparse.Namespace(**chosen)


def project_settings(folder: Path) -> dict[str, Any]:
    """The settings for a call in `folder`, by the names the options have in the parsed arguments."""
    found = _found_settings(folder)
    return {} if found is None else found[1]


def _found_settings(folder: Path) -> tuple[Path, dict[str, Any]] | None:
    """The file with the settings for a call in `folder`, and what it says."""
    for place in (folder, *folder.parents):
        for name, table in (("pincer.toml", ""), ("pyproject.toml", _TABLE)):
            path = place / name
            if path.is_file():
                found = _read(path, table)
                if found is not None:
                    return path, found
    return None


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
        hint = did_you_mean(key, SETTINGS) or f"; there are {', '.join(SETTINGS)}"
        raise file.mistake(key, f"unknown setting `{key}`{hint}")
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


def _definitions(value: Any, folder: Path) -> list[tuple[str, str]] | None:
    if not isinstance(value, dict) or not all(_NAME.fullmatch(name) for name in value):
        return None
    right = all(isinstance(given, int | str) and not isinstance(given, bool) for given in value.values())
    return [(name, str(given)) for name, given in value.items()] if right else None


def _program_tables(value: Any, folder: Path) -> dict[str, dict[str, Any]] | None:
    """Programs by their names: files, and how they are read."""
    if not isinstance(value, dict) or not all(isinstance(table, dict) for table in value.values()):
        return None
    found = {name: _program_table(table, folder) for name, table in value.items()}
    return None if None in found.values() else {name: table for name, table in found.items() if table is not None}


def _program_table(table: dict[str, Any], folder: Path) -> dict[str, Any] | None:
    if "files" not in table or not table.keys() <= PROGRAM_SETTINGS.keys():
        return None
    read = {key: PROGRAM_SETTINGS[key].read(value, folder) for key, value in table.items()}
    return None if None in read.values() else read


def _macros(value: Any, folder: Path) -> list[tuple[str, str]] | None:
    """Macros as a table, or as a list of what stands behind `-D`."""
    if not isinstance(value, list):
        return _definitions(value, folder)
    try:
        return [definition(text) for text in value]
    except (argparse.ArgumentTypeError, TypeError):
        return None


def _store_folder(value: Any, folder: Path) -> str | None:
    """Where answers are kept; nowhere is written as an empty text."""
    return "" if value is False else None if _word(value, folder) is None else os.path.normpath(folder / value)


def _truth(value: Any, _: Path) -> bool | None:
    return value if isinstance(value, bool) else None


PROGRAM_SETTINGS: Mapping[str, _Key] = {
    "files": _Key("a file or a list of files", _paths),
    "include": _Key("a folder or a list of folders", _paths),
    "define": _Key("a table, or a list as in ['N=3']", _macros),
    "data-model": _choice(*DATA_MODELS),
    "entry": _Key("the name of a function", _word),
}


SETTINGS: Mapping[str, _Key] = {
    "paths": _Key("a path or a list of paths", _paths),
    "property": _Key("a property or a list of properties", _properties),
    "rule": _Key("a .rule file or a list of them", _paths),
    "engine": _choice(*ENGINES),
    "timeout": _Key("a positive number of seconds", _positive),
    "memory": _Key("a positive whole number of megabytes", _count),
    "define": _Key("a table of whole numbers or texts, as in { N = 3 }", _definitions),
    "data-model": _choice(*DATA_MODELS),
    "entry": _Key("the name of a function", _word),
    "include": _Key("a folder or a list of folders", _paths),
    "malloc-may-fail": _Key("true or false", _truth),
    "externals": _choice("keep", "havoc"),
    "jobs": _Key("a positive whole number", _count),
    "format": _choice(*FORMATS),
    "store": _Key("a folder, or false", _store_folder),
    "store-limit": _Key("a positive whole number of megabytes", _count),
    "programs": _Key(
        "tables [programs.NAME] with `files`, and perhaps include, define, data-model, entry", _program_tables
    ),
}


def task_words(task: Task) -> tuple[str, ...]:
    """The options that belong to every command about the same program and properties."""
    words: list[str] = []
    for option, values in (
        ("--property", task.asked.properties),
        ("--rule", task.asked.rules),
        ("--target", task.asked.targets),
    ):
        for value in values:
            words += [option, value]
    if task.asked.stutter_end:
        words.append("--stutter-end")
    if task.options.spurious_wakeups:
        words.append("--spurious-wakeups")
    if task.options.fairness is not None:
        words += ["--fairness", task.options.fairness]
    if task.source.data_model:
        words += ["--data-model", task.source.data_model]
    if task.source.entry:
        words += ["--entry", task.source.entry]
    flags = task.source.flags
    if task.source.named:  # A database or the settings know how the files are read.
        flags = replace(flags, include=(), macros=(), forced=())
    return (*words, *flags.words())


def call_about(task: Task) -> str:
    """The call about one file, for the record in witnesses."""
    return shlex.join(["pincer", "check", *task.source.words, *task_words(task)])


def whole_call(paths: Sequence[str], task: Task) -> str:
    """The call about paths, without options that only say where output goes."""
    engine = [] if task.options.engine == "auto" else ["--engine", task.options.engine]
    return shlex.join(["pincer", "check", *paths, *engine, *task_words(task)])


def context_of(task: Task, limits: Limits, one_of_many: bool = False) -> Context:
    """What a verdict needs to know about the call."""
    return Context(
        file=task.source.file,
        named=task.source.words,
        options=task_words(task),
        engine=task.options.engine,
        timeout=limits.timeout,
        memory_mb=limits.memory_mb,
        verbose=task.options.verbose,
        one_of_many=one_of_many,
    )
