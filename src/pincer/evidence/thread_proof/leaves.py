"""What assertions can say beside registers and memory: who a thread is, who lives, who holds which lock, who waits.

Such a leaf is a variable with a name in brackets: `(owner 85899345920)` is the thread that holds the mutex at an
address, `(status me)` what has become of the thread itself. Arguments are numbers (addresses), `me`, `#2` (the single
thread number 2), `ghost:NAME` (the thread that a ghost names), `owner:ADDRESS` and `writer:ADDRESS` (the thread that
holds a lock). `me` and `#2` are leaves, too.
"""

from __future__ import annotations

import re
from enum import IntEnum

from msgspec import Struct

from pincer.errors import PincerError
from pincer.logic import bitvectors
from pincer.logic.terms import Term

GHOST = "ghost:"
OWNED_BY = "owner:"
WRITTEN_BY = "writer:"
ME = "me"


class ThreadStatus(IntEnum):
    """What has become of a thread."""

    UNBORN = 0
    LIVE = 1
    ENDED = 2
    JOINED = 3


class LeafKind(Struct, frozen=True):
    """A family of leaves: what its arguments are, and its width in bits, 0 for that of addresses."""

    name: str
    arguments: tuple[str, ...]
    width: int


STATUS = LeafKind("status", ("thread",), 8)
OWNER = LeafKind("owner", ("address",), 0)
WRITER = LeafKind("writer", ("address",), 0)
READERS = LeafKind("readers", ("address",), 32)
READS = LeafKind("reads", ("thread", "address"), 32)
PERMITS = LeafKind("permits", ("address",), 32)
ONCE = LeafKind("once", ("address",), 8)
WAITS = LeafKind("waits", ("thread", "address"), 8)
CREATED = LeafKind("created", ("number",), 8)
KINDS = {
    kind.name: kind for kind in (STATUS, OWNER, WRITER, READERS, READS, PERMITS, ONCE, WAITS, CREATED)
}  # fmt: skip


class Leaf(Struct, frozen=True):
    """A leaf read from its name: `kind` is None for threads themselves."""

    kind: LeafKind | None
    arguments: tuple[str, ...]


_FORM = re.compile(r"\((\w+)((?: \S+)+)\)", re.ASCII)
_THREAD = re.compile(
    rf"{ME}|#(?:0|[1-9][0-9]?)|{GHOST}[^\s()]+|(?:{OWNED_BY}|{WRITTEN_BY})(?:0|[1-9][0-9]{{0,19}})", re.ASCII
)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,19}", re.ASCII)


def leaf_of(name: str) -> Leaf | None:
    """What a name stands for; None for names of registers and ghosts."""
    if name == ME or re.fullmatch(r"#(0|[1-9][0-9]?)", name, re.ASCII):
        return Leaf(None, (name,))
    if not name.startswith("("):
        return None
    found = _FORM.fullmatch(name)
    kind = KINDS.get(found.group(1)) if found else None
    arguments = tuple(found.group(2).split()) if found else ()
    if kind is None or len(arguments) != len(kind.arguments):
        raise PincerError(f"malformed proof: {name!r} is nothing that can be said about threads")
    for wanted, given in zip(kind.arguments, arguments, strict=True):
        if not (_THREAD if wanted == "thread" else _NUMBER).fullmatch(given):
            raise PincerError(f"malformed proof: {name!r} is nothing that can be said about threads")
    return Leaf(kind, arguments)


def leaf(kind: LeafKind, *arguments: int | str, bits: int) -> Term:
    """The term of a leaf; `bits` is the width of addresses."""
    return bitvectors.variable(f"({kind.name} {' '.join(map(str, arguments))})", kind.width or bits)


def thread_leaf(name: str, bits: int) -> Term:
    """The term of a thread: `me`, or `#n`."""
    return bitvectors.variable(name, bits)


def ghost(name: str, width: int) -> Term:
    return bitvectors.variable(GHOST + name, width)
