"""Functions that a program declares itself, and that only have the name of one of the C library's.

Names of POSIX are free in C, and programs use them for their own functions: `void read(int)` in one file, its body in
another. Whether a declaration can be that of the library's function is told by its kinds of types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Literal, TypeAlias

from pycparser import c_ast

from pincer.frontends.c.library.bodies import library_head
from pincer.frontends.c.preprocessing.preprocess import HEADERS
from pincer.frontends.c.semantics.mistakes import is_ours

Kind: TypeAlias = Literal["pointer", "number", "floating", "nothing", "unknown"]
Kinds: TypeAlias = tuple[Kind, ...]
"""Of the result and of the parameters, in order."""

_NUMBERS = frozenset(
    (
        "int", "char", "short", "long", "unsigned", "signed", "_Bool", "const", "extern", "static", "inline",
        "restrict", "volatile", "size_t", "ssize_t", "off_t", "time_t", "clock_t", "mode_t", "pid_t", "uid_t",
        "gid_t", "useconds_t", "socklen_t", "wchar_t", "wint_t",
    )
)  # fmt: skip
_FLOATING = frozenset(("float", "double"))
_WORD = re.compile(r"[A-Za-z_]\w*")


def of_other_meaning(trees: Iterable[c_ast.FileAST], is_known: Callable[[str], bool]) -> frozenset[str]:
    """Functions that files declare themselves, with other types than those of the library have."""
    declared = (item for tree in trees for item in tree.ext if isinstance(item, c_ast.Decl) and not is_ours(item))
    functions = ((item.name, item.type) for item in declared if isinstance(item.type, c_ast.FuncDecl))
    return frozenset(name for name, type in functions if is_known(name) and _differs(name, type))


def _differs(name: str, type: c_ast.FuncDecl) -> bool:
    theirs, ours = _declared_kinds(type), library_kinds(name)
    if theirs is None or ours is None:
        return False
    if len(theirs) != len(ours):
        return True
    return any(
        a != b and "unknown" not in (a, b) and "nothing" not in (a, b) for a, b in zip(theirs, ours, strict=True)
    )


@cache
def library_kinds(name: str) -> Kinds | None:
    """The kinds of a function of the library; None where it is not known here, or takes further arguments."""
    head = library_head(name) or _in_headers(name)
    if head is None or "..." in head:
        return None
    start = head.index(name + "(") if name + "(" in head else head.index(name)
    inside = head[head.index("(", start) + 1 : head.rindex(")")]
    parameters = _split(inside)
    return (_kind_of_text(head[:start]), *map(_kind_of_text, [] if parameters == ["void"] else parameters))


@cache
def _headers() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(HEADERS.rglob("*.h")))


def _in_headers(name: str) -> str | None:
    """The first declaration of a function in the headers, up to the end of its parameters."""
    text = _headers()
    for found in re.finditer(rf"\b{name}\(", text):
        start, end = text.rfind("\n", 0, found.start()) + 1, _closing(text, found.end())
        line = text[start : found.start()]
        if line.strip() and "#" not in line and "(" not in line and ";" not in text[start:end]:
            return text[start:end]
    return None


def _closing(text: str, start: int) -> int:
    """Behind the bracket that closes the one before `start`."""
    depth, at = 1, start
    while depth and at < len(text):
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return at


def _split(inside: str) -> list[str]:
    """Parameters; what stands in brackets makes one a pointer to a function."""
    changed = 1
    while changed:
        inside, changed = re.subn(r"\([^()]*\)", "*", inside)
    return [part.strip() for part in inside.split(",") if part.strip()]


def _kind_of_text(text: str) -> Kind:
    if "*" in text or "[" in text:
        return "pointer"
    words = _WORD.findall(text)
    if _FLOATING.intersection(words):
        return "floating"
    if "void" in words:
        return "nothing"
    # The last word may be the parameter's name.
    return "number" if words and words[0] in _NUMBERS and "struct" not in words else "unknown"


def _declared_kinds(type: c_ast.FuncDecl) -> Kinds | None:
    if type.args is None or any(isinstance(one, c_ast.EllipsisParam | c_ast.ID) for one in type.args.params):
        return None
    parameters = [_kind(one.type) for one in type.args.params]
    return (_kind(type.type), *([] if parameters == ["nothing"] else parameters))


def _kind(type: c_ast.Node) -> Kind:
    if isinstance(type, c_ast.PtrDecl | c_ast.ArrayDecl | c_ast.FuncDecl):
        return "pointer"
    names: Sequence[str] = getattr(getattr(type, "type", None), "names", ())
    if _FLOATING.intersection(names):
        return "floating"
    if "void" in names:
        return "nothing"
    return "number" if names and _NUMBERS.issuperset(names) else "unknown"
