"""The command line of a test: the recorded characters of its arguments as texts, for processes and for people."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pincer.evidence.c.trace import InputValue

_CHARACTER = re.compile(r"argv\[(\d+)\]\[(\d+)\]")
MOST_ARGUMENTS = 1000
"""A test is started with fewer: more are of no use to anybody."""
_ESCAPES = {ord("\n"): "\\n", ord("\t"): "\\t", ord("\r"): "\\r", ord('"'): '\\"', ord("\\"): "\\\\"}


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The arguments after the program's name; `count` is argc, None where the program looks at no argument."""

    count: int | None = None
    texts: tuple[bytes, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments as they are handed to a process."""
        return tuple(os.fsdecode(text) for text in self.texts)

    def shown(self) -> list[tuple[str, str]]:
        """What people are told: argc and each argument in quotes."""
        if self.count is None:
            return []
        return [("argc", str(self.count)), *((f"argv[{i}]", quoted(text)) for i, text in enumerate(self.texts, 1))]


def command_line(inputs: Iterable[InputValue]) -> CommandLine:
    """The command line that recorded inputs give; an argument ends before its first zero."""
    count: int | None = None
    characters: dict[int, dict[int, int]] = {}
    for value in inputs:
        if value.kind != "command":
            continue
        found = _CHARACTER.fullmatch(value.name)
        if found is None:
            count = value.signed_value
        else:
            characters.setdefault(int(found[1]), {})[int(found[2])] = value.value
    if count is None:
        return CommandLine()
    given = range(1, min(count, MOST_ARGUMENTS))
    texts = (bytes(text for _, text in sorted(characters.get(i, {}).items())) for i in given)
    return CommandLine(count, tuple(text.split(b"\0", 1)[0] for text in texts))


def quoted(text: bytes) -> str:
    """A text as a C program would write it."""
    return '"' + "".join(_ESCAPES.get(byte) or _plain(byte) for byte in text) + '"'


def _plain(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"
