"""Report data made safe to look at: what cannot be seen is written out, what JSON cannot say becomes text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pincer.report.terminal import escape


def visible(value: Any) -> Any:
    """A copy of JSON data in which control characters, text direction marks and the like are spelled out.

    Browsers would swallow them or, worse, reorder the line around them; a reader must see what a program contains.
    """
    if isinstance(value, str):
        return visible_text(value)
    if isinstance(value, Mapping):
        return {visible_text(str(key)): visible(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [visible(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def visible_text(text: str) -> str:
    """The text with everything unprintable escaped, except line ends and tabs."""
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(_escaped, line.split("\t"))) for line in lines)


def _escaped(part: str) -> str:
    return part if part.isprintable() else escape(part)
