"""The programs that a call is about: files, folders, compilation databases, and those that the settings name."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pincer.checking.compile_commands import NAME, read_database
from pincer.checking.programs import LibraryFile, Programs, function_of, grouped, is_c, without_entry
from pincer.checking.task import Source
from pincer.cli.arguments import known_file, source_of
from pincer.cli.folders import programs_below
from pincer.errors import PincerError
from pincer.program.c_file import CFile, CFlags


class Inputs(Struct, frozen=True):
    """Programs to check, files that belong to none, and what was passed over."""

    sources: tuple[Source, ...]
    libraries: tuple[LibraryFile, ...] = ()
    remarks: tuple[str, ...] = ()


def programs_of(args: argparse.Namespace) -> Inputs:
    """What a call of `check` names; with `--program` only the programs of that name."""
    like = source_of("", args)
    found, remarks = Programs(()), list[str]()
    explicit = [text for text in args.path if is_c(text) and not Path(text).is_dir()]
    for text in dict.fromkeys(args.path):
        database = _database(Path(text))
        if database is not None:
            read = read_database(database)
            found += _named(grouped([_with_flags(file, like.flags) for file in read.files], like, False), text)
            remarks += (f"{database}: {remark}" for remark in read.remarks)
        elif text in explicit:
            # All files that are named one by one stand where the first of them does.
            files = [CFile(name, like.flags) for name in dict.fromkeys(map(known_file, explicit))]
            found += grouped(files, like, not args.skip_libraries) if text == explicit[0] else Programs(())
        elif Path(text).is_dir():
            below = programs_below(Path(text))
            found += _others(below.files, like)
            remarks += below.remarks
        else:
            found += _others([known_file(text)], like)
    for name, table in (args.programs or {}).items():
        found += Programs((_listed(name, table, like),))
    inputs = Inputs(_distinct(found.sources), found.libraries, tuple(remarks))
    return inputs if args.skip_libraries and inputs.libraries else _chosen(inputs, args.program, like)


def one_program(paths: Sequence[str], args: argparse.Namespace) -> Source:
    """The program of a command that is about one: a file, or the files of one program."""
    like = source_of(paths[0], args)
    if len(paths) == 1:
        return like
    if not all(map(is_c, paths)):
        raise PincerError("several files are one program only if all of them are C")
    found = grouped([CFile(path, like.flags) for path in paths], like, True)
    if len(found.sources) != 1:
        raise PincerError(f"these files are no single program: one of them must have the function {_entry(like)!r}")
    return found.sources[0]


def _entry(like: Source) -> str:
    return function_of(like.entry or "main")


def _database(path: Path) -> Path | None:
    """The compilation database that a path names, or that its folder has."""
    if path.is_dir() and (path / NAME).is_file():
        return path / NAME
    return path if path.suffix == ".json" else None


def _with_flags(file: CFile, flags: CFlags) -> CFile:
    """A file with the flags of the database, then those of the call, of which all that is no compiler's counts."""
    own = file.flags
    include, macros, forced = (*own.include, *flags.include), (*own.macros, *flags.macros), (*own.forced, *flags.forced)
    return replace(file, flags=replace(flags, include=include, macros=macros, forced=forced))


def _named(found: Programs, text: str) -> Programs:
    """Programs of a database are named by it and their first file: flags are not repeated."""
    sources = (replace(source, named=(text, "--program", source.file)) for source in found.sources)
    return Programs(tuple(sources), found.libraries)


def _others(files: Sequence[str], like: Source) -> Programs:
    """The programs of a folder, in the order of their names; those of C may belong together."""
    c_files = [CFile(name, like.flags) for name in files if is_c(name)]
    found = grouped(c_files, like, False)
    rest = Programs(tuple(replace(like, file=name) for name in files if not is_c(name)))
    both = found + rest
    order = {name: number for number, name in enumerate(files)}
    return replace(both, sources=tuple(sorted(both.sources, key=lambda source: order[source.file])))


def _listed(name: str, table: Mapping[str, Any], like: Source) -> Source:
    """A program that the settings describe; flags of the call come behind its own."""
    own = CFlags(tuple(table.get("include", ())), tuple(table.get("define", ())))
    files = [_with_flags(CFile(path, own), like.flags) for path in table["files"]]
    about = replace(
        like,
        data_model=like.data_model or table.get("data-model"),
        entry=like.entry or table.get("entry"),
    )
    found = grouped(files, about, True).sources
    if len(found) != 1:
        raise PincerError(f"the program {name} of the settings must have one function {_entry(about)!r}")
    return replace(found[0], named=("--program", name))


def _distinct(sources: Sequence[Source]) -> tuple[Source, ...]:
    return tuple(dict.fromkeys(sources))


def _called(name: str, sources: Sequence[Source]) -> tuple[Source, ...]:
    """The programs of a name: that of the settings, the path of the first file, or its end where only one has it."""
    exactly = tuple(source for source in sources if name in (source.file, *source.named[1:]))
    in_folders = tuple(source for source in sources if Path(source.file).name == name)
    return exactly or (in_folders if len(in_folders) == 1 else ())


def _chosen(found: Inputs, name: str | None, like: Source) -> Inputs:
    if name is not None:
        wanted = _called(name, found.sources)
        if not wanted:
            known = [source.named[-1] if source.named else source.file for source in found.sources]
            raise PincerError(f"there is no program {name!r} here; there are {', '.join(known) or 'none'}")
        return Inputs(wanted, (), found.remarks)
    if not found.sources:
        if found.libraries:
            raise PincerError(without_entry(found.libraries, _entry(like)))
        raise PincerError("; ".join(("there is no program here", *found.remarks)))
    return found
