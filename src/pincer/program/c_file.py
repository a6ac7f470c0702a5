"""The files of a C program, and what a compiler is told about reading them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from msgspec import Struct

from pincer.program.property import DataModel


class CFlags(Struct, frozen=True):
    """Folders of headers (`-I`), macros in the order of the call, and files that are read first (`-include`).

    A macro has its replacement (`-D`), or None where it is taken away (`-U`). With `malloc_may_fail` every allocation
    may fail; with `externals` havoc, functions without a body write all that they can reach. Compilers know nothing of
    that."""

    include: tuple[str, ...] = ()
    macros: tuple[tuple[str, str | None], ...] = ()
    forced: tuple[str, ...] = ()
    malloc_may_fail: bool = False
    externals: Literal["keep", "havoc"] = "keep"

    def words(self) -> tuple[str, ...]:
        """The flags as options of Pincer."""
        macros = [("-U", name) if text is None else ("-D", f"{name}={text}") for name, text in self.macros]
        pairs = [("-I", folder) for folder in self.include], macros, [("-include", name) for name in self.forced]
        failing = ("--malloc-may-fail",) if self.malloc_may_fail else ()
        writing = ("--externals", self.externals) if self.externals != "keep" else ()
        return (*failing, *writing, *(word for part in pairs for pair in part for word in pair))

    def compiler_words(self) -> tuple[str, ...]:
        """The flags as options of a compiler that is started in another folder."""
        folders = [f"-I{Path(folder).absolute()}" for folder in self.include]
        files = [Path(name).absolute() if Path(name).is_file() else name for name in self.forced]
        macros = [f"-U{name}" if text is None else f"-D{name}={text}" for name, text in self.macros]
        return (*folders, *macros, *(word for name in files for word in ("-include", str(name))))


NO_FLAGS = CFlags()


class CFile(Struct, frozen=True):
    """A file of C and how it is read; without a data model that of the program counts. `added` is C text without
    directives that is read behind the file's own."""

    path: str
    flags: CFlags = NO_FLAGS
    data_model: DataModel | None = None
    added: str = ""
