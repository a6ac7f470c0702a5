"""Typed values as plain data and back: the one codec of files and messages.

Plain data is what JSON can say. Dataclasses become objects with their fields, named tuples and tuples become lists;
reading follows the types of the fields, so a class says all there is to know about its form. Fields that a reader does
not know are ignored, fields with a default may be missing: older and newer files can be read.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from pincer.errors import PincerError

T = TypeVar("T")

Natural: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number that is not negative."""


def plain(value: Any) -> Any:
    """The value as plain data; numbers of any size and names of files that are no text stay what they are."""
    return _with_lists(msgspec.to_builtins(value, str_keys=True))


def _with_lists(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: _with_lists(item) for name, item in data.items()}
    return [_with_lists(item) for item in data] if isinstance(data, list | tuple) else data


def typed(data: Any, type_: type[T], what: str) -> T:
    """The value of a type that plain data says; anything malformed is a `PincerError` that names `what` and the field.

    Nothing is converted: a number is not taken for a text, nor a truth value for a number.
    """
    try:
        return msgspec.convert(data, type_, str_keys=True)
    except RecursionError:
        raise PincerError(f"malformed {what}: it is nested too deeply") from None
    except (msgspec.ValidationError, ValueError) as error:
        raise PincerError(f"malformed {what}: {_sentence(str(error))}") from None


_KINDS = {
    "str": "text", "int": "a whole number", "float": "a number with a fraction", "bool": "true or false",
    "array": "a list", "object": "an object", "null": "nothing",
}  # fmt: skip


_SENTENCES = (
    (r"^Expected (.+?), got (.+)$", r"must be \1, but is \2"),
    (r"^Expected (.+)$", r"must be \1"),
    (r"^Object missing required field (.+)$", r"has no field \1"),
    (r"^Invalid (?:enum )?value (.+)$", r"has the unknown value \1"),
    (r">= (\S+)$", r"of at least \1"),
)


def _sentence(message: str) -> str:
    """The message with the field first, and the kinds of values in words."""
    message, _, place = message.partition(" - at ")
    message = re.sub(r"`([a-z|\s]+)`", lambda found: _in_words(found[1]), message)
    known = 0
    for pattern, words in _SENTENCES:
        message, changes = re.subn(pattern, words, message)
        known += changes
    place = re.sub(r"\$\.?|`", "", place)
    subject = f'the field "{place}" ' if place else "it " if known else ""
    return subject + message


def _in_words(kinds: str) -> str:
    return " or ".join(_KINDS.get(kind, f'"{kind}"') for kind in kinds.split(" | "))


class Format(Struct, Generic[T], frozen=True):
    """A kind of file: the `tag` in its field "format", `what` people call it, and the type of what it says.

    The fields named in `program` stand together in an object of that name.
    """

    tag: str
    what: str
    type: type[T]
    program: tuple[str, ...] = ()

    def data(self, value: T) -> dict[str, Any]:
        """What the file says, as plain data."""
        fields = plain(value)
        inner = {name: fields.pop(name) for name in self.program}
        return {"format": self.tag, **({"program": inner} if inner else {}), **fields}

    def value(self, data: Any) -> T:
        """What plain data says; anything malformed is a `PincerError`."""
        if not isinstance(data, dict) or data.get("format") != self.tag:
            raise PincerError(f'not a {self.what}: the field "format" must be "{self.tag}"')
        if self.program:
            inner = data.get("program")
            if not isinstance(inner, dict):
                raise PincerError(f'malformed {self.what}: the field "program" must be an object')
            data = data | inner
        return typed(data, self.type, self.what)

    def save(self, path: Path, value: T) -> None:
        path.write_text(json.dumps(self.data(value), separators=(",", ":")) + "\n", encoding="utf-8")

    def load(self, path: Path) -> T:
        return self.value(read_json(path, self.what))


def read_json(path: Path, what: str) -> Any:
    """The plain data of a file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PincerError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise PincerError(f"{path} is not a {what}: {error}") from error
