"""What is known about one program after it was checked: the common ground of the machine-readable reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal

from pincer.errors import Mistake
from pincer.report.finding import Finding

Language = Literal["gcl", "c", "msvl"]
_LANGUAGES: Mapping[str, Language] = {".gcl": "gcl", ".m": "msvl"}


@dataclass(frozen=True, slots=True)
class CheckedProgram:
    """`file` is what the user named, `source` the program's text: the same, or what a task names.

    Findings come in the order of the properties. `sha256` is empty when the text could not be read.
    """

    file: str
    source: str
    language: Language
    sha256: str
    findings: tuple[Finding, ...]
    mistakes: tuple[Mistake, ...]


def checked_program(
    file: str, program: Mapping[str, Any] | None, findings: Iterable[Finding], mistakes: Iterable[Mistake]
) -> CheckedProgram:
    """`program` is how the analysis described what it read, None if it could not."""
    described = program or {}
    source = str(described.get("file", file))
    language = _LANGUAGES.get(PurePath(source).suffix, "c")
    return CheckedProgram(file, source, language, str(described.get("sha256", "")), tuple(findings), tuple(mistakes))
