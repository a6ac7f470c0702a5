"""GCL, the guarded-command language: `.gcl` files in, flat guarded programs out.

Decisions beyond the language's description:

- The `program` line may be left out; the program is then named after its file.
- Constants, variables and values of enumerations share one name space. Only the names of values may repeat,
  from one enumeration to another; what such a name means follows from what it is compared with or goes to.
- A binder may not reuse a name that already means something where it stands.
- Transition names are unique within a process. Where several processes use one, it is qualified: `P.take[2]`.
- Enumeration values have no order and no arithmetic; a range variable is an ordinary integer in expressions.
- A part of an expression that a constant to its left makes irrelevant is still checked for names and types,
  but not for indices and ranges: `i < N => a[i] <= a[i+1]` is fine for `i = N`. The same goes for the
  assignments of a transition whose guard is constantly false.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Mapping
from pathlib import Path

from pincer.errors import PincerError, Position
from pincer.frontends.gcl.source import Source, generous_limits
from pincer.frontends.gcl.text import expression_text, formula_text
from pincer.program.guarded import Formula, GuardedProgram

__all__ = ["expression_text", "formula_text", "load", "parse_formula", "parse_program"]

_NO_DEFINES: Mapping[str, int] = {}


def load(path: Path, defines: Mapping[str, int] = _NO_DEFINES) -> GuardedProgram:
    """The program in the file, its constants overridden by `defines`."""
    data = _read(path)
    return _program(_decode(data, str(path)), str(path), hashlib.sha256(data).hexdigest(), defines)


def parse_program(text: str, file: str, defines: Mapping[str, int] = _NO_DEFINES) -> GuardedProgram:
    """The program that `text` describes; `file` names it in messages and positions."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return _program(text, file, digest, defines)


def parse_formula(text: str, program: GuardedProgram) -> Formula:
    """A formula over the expanded variables of `program`, such as `a[2] <= s + 1 && pc[1] = crit`.

    A finite variable may also stand for its number here: `busy + x <= 3`, `pc[1] < 2`.
    """
    from pincer.frontends.gcl.expressions import Context, Elaborator
    from pincer.frontends.gcl.parser import parse_formula_tree
    from pincer.frontends.gcl.scope import program_scope

    source = Source("<formula>", text)
    with generous_limits():
        tree = parse_formula_tree(source)
        return Elaborator(source, program_scope(program)).formula(tree, Context())


def _program(text: str, file: str, sha256: str, defines: Mapping[str, int]) -> GuardedProgram:
    from pincer.frontends.gcl.elaborate import elaborate
    from pincer.frontends.gcl.parser import parse_program_tree

    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    source = Source(file, lines)
    with generous_limits():
        tree = parse_program_tree(source)
        if tree.name is None and not tree.declarations:
            raise source.error(0, "the file is empty; a program needs variables, transitions and properties")
        return elaborate(tree, source, Path(file).stem, sha256, defines)


def _read(path: Path) -> bytes:
    try:
        if not path.is_dir() and not stat.S_ISREG(path.stat().st_mode):
            raise PincerError(f"{path} is not a regular file; save the program in one first")
        return path.read_bytes()
    except FileNotFoundError:
        raise PincerError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise PincerError(f"{path} is a directory; name a .gcl file in it") from None
    except (OSError, ValueError) as error:
        raise PincerError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _decode(data: bytes, file: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        raise PincerError(
            f"this is not a text file in UTF-8 (byte 0x{data[error.start]:02x}); save it as UTF-8",
            Position(file, line, column),
        ) from None
    if "\0" in text:
        raise Source(file, text).error(text.index("\0"), "this is not a text file: it contains a NUL byte")
    return text
