"""MSVL: `.m` files in, programs for the interpreter by reduction out.

Property blocks `</ ... />` are not read here: they come back as text with their position, for `pincer.temporal` to
parse; `parse_condition` reads the expression of a `define`. Decisions beyond the language's description:

- Functions and structs are known everywhere in a file, wherever they are defined; the definitions take no time.
- Declarations belong to the function (or `local`) around them, not to the block.
- A name that no declaration in reach introduces is an error; a framed name without one is a warning.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct

from pincer.frontends.msvl.program import Program, PropertyBlock, branch_sites
from pincer.frontends.msvl.reading import read_expression, read_program
from pincer.frontends.msvl.syntax import Expression, MsvlSyntaxError, StaticError
from pincer.frontends.msvl.text import expression_text, program_text, statement_text
from pincer.frontends.source import SourceText, decoded, generous_limits, plain_lines, read_bytes

__all__ = [
    "MsvlSyntaxError",
    "Program",
    "ProgramFile",
    "PropertyBlock",
    "StaticError",
    "branch_sites",
    "expression_text",
    "load",
    "load_file",
    "parse_condition",
    "parse_program",
    "program_text",
    "statement_text",
]


class ProgramFile(Struct, frozen=True):
    """A program with the text that it was read from, and the hash of its file."""

    program: Program
    text: str
    sha256: str


def load_file(path: Path) -> ProgramFile:
    """What is in the file."""
    data = read_bytes(path, ".m")
    text = plain_lines(decoded(data, str(path)))
    return ProgramFile(parse_program(text, str(path)), text, hashlib.sha256(data).hexdigest())


def load(path: Path) -> Program:
    """The program in the file."""
    return load_file(path).program


def parse_program(text: str, file: str) -> Program:
    """The program that `text` describes; `file` names it in messages and positions."""
    with generous_limits():
        return read_program(SourceText(file, plain_lines(text)))


def parse_condition(text: str, source: SourceText, at: int = 0) -> Expression:
    """The expression of a `define`, found at offset `at` of the program or property file."""
    with generous_limits():
        return read_expression(source, text, at)
