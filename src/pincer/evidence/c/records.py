"""Functions without a body that return structures: definitions for a test, which fill them member by member."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pincer.evidence.c.tokens import CText
from pincer.evidence.c.trace import InputValue

_MEMBER = re.compile(r"member at (?P<offset>\d+) of (?P<name>\w+)")


def member(value: InputValue) -> tuple[str, int] | None:
    """The function that returns a structure with this value in it, and at which offset."""
    found = _MEMBER.fullmatch(value.source)
    return None if found is None else (found["name"], int(found["offset"]))


def record_functions(source: CText, inputs: Iterable[InputValue]) -> dict[str, str]:
    """Definitions of the functions that return recorded structures, by the words of their declarations."""
    members = [found for value in inputs if (found := member(value)) is not None]
    names = dict.fromkeys(name for name, _ in members if name not in source.definitions)
    texts = {name: _definition(source, name) for name in names}
    return {name: text for name, text in texts.items() if text is not None}


def _definition(source: CText, name: str) -> str | None:
    bodies = {index for found in source.definitions.values() for index in range(found.body, found.end)}
    for index, token in enumerate(source.tokens):
        if token.text != name or index in bodies or source.text(index + 1) != "(":
            continue
        close = source.partners[index + 1]
        type = " ".join(_type_before(source, index))
        if source.text(close + 1) == ";" and type:
            parameters = " ".join(source.text(at) for at in range(index + 2, close))
            return (
                f"__attribute__((weak)) {type} {name}({parameters}) {{ {type} __pincer_result; "
                f'__pincer_members("{name}", &__pincer_result); return __pincer_result; }}\n'
            )
    return None


def _type_before(source: CText, index: int) -> list[str]:
    """The words of a declaration before the name that it declares; of a structure that it declares, too, the tag."""
    words: list[str] = []
    while index > 0 and source.text(index - 1) != ";":
        index -= 1
        if source.text(index) == "}":
            start = _tagged(source, index)
            if start is None:
                break
            index = start
            words.insert(0, source.text(index))
            continue
        words.insert(0, source.text(index))
    return [word for word in words if word not in ("extern", "static")]


def _tagged(source: CText, closing: int) -> int | None:
    """Where the tag is whose members end with this bracket; None where none do, or nothing is the name of them."""
    opening = next((start for start, end in source.partners.items() if end == closing), None)
    if opening is None or source.text(opening - 2) not in ("struct", "union") or not source.tokens[opening - 1].is_name:
        return None
    return opening - 1
