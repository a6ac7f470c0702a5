"""C to MSVL, after C2M: one state per declaration, assignment, empty branch and input; jumps become flags.

The C front end reads and types the program. C's meaning survives: integers wrap as their types do, effects happen in
the order of C, what the program skips is skipped. What has no exact counterpart (unions, bit-fields, `goto`, calls
through pointers, `float`, reinterpreted memory, `malloc`) raises `UnsupportedError` with its position. Undefined
behaviour of the C program is an error of the run where the interpreter notices it, and has no meaning to keep
otherwise; signed integers wrap. An `assert` that fails, or `abort`, sets `error$` and ends the program.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pincer.frontends.msvl.from_c.context import Scheme
from pincer.frontends.source import generous_limits

__all__ = ["DEFAULT", "Scheme", "Translation", "translate", "translate_with_property", "translation"]

DEFAULT = Scheme()


class Translation(Struct, frozen=True):
    """An MSVL text that means what a C file means.

    `int32` says how it must be run: with 32-bit integers, or (False) with mathematical ones, into which every C type
    has been fitted. `globals` maps the C names of variables outside functions to their names in the text, `locals`
    those of parameters, local and static variables, which may be several. `fails` says that `error$` exists.
    """

    text: str
    int32: bool
    fails: bool
    globals: dict[str, str]
    locals: dict[str, tuple[str, ...]]

    def headed(self) -> str:
        """The text after what it is meant for: the integers, and that no assertion fails."""
        integers = "integers of 32 bits (--int32)" if self.int32 else "mathematical integers"
        block = "</ define failed: error$=1; alw(!failed) />\n" if self.fails else ""
        return f"// for {integers}\n{block}{self.text}"


def translate(path: Path, scheme: Scheme = DEFAULT) -> str:
    """The MSVL text of a C file: for which integers it is meant, that no assertion fails, and the program."""
    return translation(path, scheme).headed()


def translation(path: Path, scheme: Scheme = DEFAULT) -> Translation:
    """The translation without a property block."""
    from pincer.frontends.msvl.from_c.program import made
    from pincer.frontends.msvl.from_c.reading import read
    from pincer.frontends.msvl.text import program_text

    with generous_limits():
        result = made(read(path), scheme)
        return Translation(program_text(result.tree), result.int32, result.fails, result.globals, result.locals)


def translate_with_property(path: Path, property_path: Path, scheme: Scheme = DEFAULT) -> Translation:
    """The translation headed by the blocks of a property file, whose `define`s may name variables as C does."""
    from pincer.frontends.msvl.from_c.properties import renamed_blocks

    found = translation(path, scheme)
    blocks = renamed_blocks(property_path, found.globals, found.locals)
    return Translation(blocks + found.text, found.int32, found.fails, found.globals, found.locals)
