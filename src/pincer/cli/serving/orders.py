"""What a page may ask for: one text to check, within the bounds that the server was started with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pincer.checking.task import ENGINES, EngineName
from pincer.errors import PincerError

_SUFFIXES = (".c", ".i", ".gcl", ".m")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,80}")
_PROPERTY = re.compile(r"[A-Za-z_$][A-Za-z0-9_$,-]{0,200}")
"""Names, with commas between them. No dots: a property with an ending would be a file of the server's folder."""


class Bounds(Struct, frozen=True):
    """What one check may use, and how many may wait."""

    bytes: int = 1_000_000
    seconds: float = 60.0
    memory_mb: int = 2_000
    waiting: int = 1_000


class Order(Struct, frozen=True):
    """One program to check; `name` says by its ending in which language it is written."""

    name: str
    text: str
    engine: EngineName
    property: str
    seconds: float


def read_order(data: Any, bounds: Bounds) -> Order:
    """The order in the body of a request. Whatever is wrong with it is said in one sentence."""
    if not isinstance(data, Mapping):
        raise PincerError("an order is a JSON object with the members name and text")
    name, text = _text(data, "name"), _text(data, "text")
    if not _NAME.fullmatch(name) or not name.endswith(_SUFFIXES):
        raise PincerError(f"a program needs a plain file name that ends with {', '.join(_SUFFIXES)}")
    if len(text.encode("utf-8", "surrogatepass")) > bounds.bytes:
        raise PincerError(f"the program is larger than {bounds.bytes} bytes")
    engine, wanted = _text(data, "engine", "auto"), _text(data, "property", "")
    chosen = next((known for known in ENGINES if known == engine), None)
    if chosen is None:
        raise PincerError(f"the engine is one of {', '.join(ENGINES)}")
    if wanted and not _PROPERTY.fullmatch(wanted):
        raise PincerError("a property is asked for by its name")
    return Order(name, text, chosen, wanted, _seconds(data, bounds))


def _text(data: Mapping[str, Any], member: str, default: str | None = None) -> str:
    value = data.get(member, default)
    if not isinstance(value, str):
        raise PincerError(f"the member {member} has to be a text")
    return value


def _seconds(data: Mapping[str, Any], bounds: Bounds) -> float:
    value = data.get("seconds", bounds.seconds)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= bounds.seconds:
        raise PincerError(f"seconds has to be a number above 0, at most {bounds.seconds:g}")
    return float(value)
