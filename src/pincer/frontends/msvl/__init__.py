"""MSVL: `.m` files in, programs for the interpreter by reduction out.

Property blocks `</ ... />` are not read here: they come back as text with their position, for `pincer.temporal` to
parse; `parse_condition` reads the expression of a `define`. Decisions beyond the language's description:

- Functions and structs are known everywhere in a file, wherever they are defined; the definitions take no time.
- Declarations belong to the function (or `local`) around them, not to the block.
- A name that no declaration in reach introduces is an error; a framed name without one is a warning.
"""

from __future__ import annotations

import stat
from pathlib import Path

from pincer.errors import PincerError, Position
from pincer.frontends.gcl.source import Source, generous_limits
from pincer.frontends.msvl.blanking import PropertyBlock
from pincer.frontends.msvl.errors import MsvlSyntaxError, StaticError
from pincer.frontends.msvl.program import Program, branch_sites
from pincer.frontends.msvl.syntax import Expression
from pincer.frontends.msvl.text import expression_text, program_text, statement_text

__all__ = [
    "MsvlSyntaxError",
    "Program",
    "PropertyBlock",
    "StaticError",
    "branch_sites",
    "expression_text",
    "load",
    "parse_condition",
    "parse_program",
    "program_text",
    "statement_text",
]


def load(path: Path) -> Program:
    """The program in the file."""
    return parse_program(_read(path), str(path))


def parse_program(text: str, file: str) -> Program:
    """The program that `text` describes; `file` names it in messages and positions."""
    from pincer.frontends.msvl.reading import read_program

    with generous_limits():
        return read_program(Source(file, text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")))


def parse_condition(text: str, source: Source, at: int = 0) -> Expression:
    """The expression of a `define`, found at offset `at` of the program or property file."""
    from pincer.frontends.msvl.reading import read_expression

    with generous_limits():
        return read_expression(source, text, at)


def _read(path: Path) -> str:
    try:
        if not path.is_dir() and not stat.S_ISREG(path.stat().st_mode):
            raise PincerError(f"{path} is not a regular file; save the program in one first")
        data = path.read_bytes()
    except FileNotFoundError:
        raise PincerError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise PincerError(f"{path} is a directory; name a .m file in it") from None
    except (OSError, ValueError) as error:
        raise PincerError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        position = Position(str(path), before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise PincerError("this is not a text file in UTF-8; save it as UTF-8", position) from None
