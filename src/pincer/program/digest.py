"""What a program is, in one number: two programs with the same digest are the same to the last position.

The values are written out one after the other in a form that reads only one way, terms once each, and hashed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Any

from msgspec import Struct

from pincer.logic.terms import Term


def digest(*values: Any) -> str:
    """The SHA-256 of values that are made of structures, terms and plain data."""
    writer = _Writer()
    for value in values:
        writer.write(value)
    return hashlib.sha256("".join(writer.out).encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _field_names(kind: Hashable) -> tuple[str, ...]:
    """The fields of a class of structures or dataclasses."""
    found = vars(kind).get("__dataclass_fields__")
    return tuple(getattr(kind, "__struct_fields__", ()) if found is None else found)


class _Writer:
    """Writes values; a term is written out where it first occurs, and is a number from then on."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self._terms: dict[Term, int] = {}

    def write(self, value: Any) -> None:
        if isinstance(value, Term):
            self._term(value)
        elif value is None or isinstance(value, bool | int | float | bytes):
            self.out.append(f"{value!r};")
        elif isinstance(value, Enum):
            self._named(type(value).__name__, (value.name,))
        elif isinstance(value, str):
            self.out.append(f"{len(value)}'{value}")
        elif isinstance(value, PurePath):
            self._named("path", (str(value),))
        elif isinstance(value, tuple | list):
            self._named("", tuple(value))
        elif isinstance(value, Mapping):
            self._named("map", _sorted(value.items()))
        elif isinstance(value, set | frozenset):
            self._named("set", _sorted(value))
        elif isinstance(value, Struct) or is_dataclass(value):
            kind: type = type(value)
            self._named(kind.__name__, tuple(getattr(value, name) for name in _field_names(kind)))
        else:
            raise TypeError(f"there is no digest of a {type(value).__name__}")

    def _named(self, name: str, parts: tuple[Any, ...]) -> None:
        self.out.append(f"{name}{len(parts)}(")
        for part in parts:
            self.write(part)

    def _term(self, term: Term) -> None:
        known = self._terms.get(term)
        if known is None:
            self._named(f"{term.op}:{term.sort}", term.args)
            self._terms[term] = len(self._terms)
        else:
            self.out.append(f"#{known};")


def _sorted(items: Any) -> tuple[Any, ...]:
    """The items in an order that does not depend on the process."""
    listed = list(items)
    return tuple(sorted(listed, key=_key)) if len(listed) > 1 else tuple(listed)


def _key(item: Any) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, tuple) and item and isinstance(item[0], str | int) and not isinstance(item[0], Enum):
        return f"{item[0]:>20}"
    return digest(item)
