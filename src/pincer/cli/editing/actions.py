"""What an editor offers to do about a program: write the test, check another property, keep an invariant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote, urlparse

from lsprotocol.types import (
    CodeAction,
    CodeActionKind,
    Command,
    Diagnostic,
    Position,
    Range,
    TextEdit,
    WorkspaceEdit,
)

from pincer.cli.editing.proofs import Proofs

CHECK_PROPERTY = "pincer.checkProperty"
WRITE_TEST = "pincer.writeTest"
_COMPILED = (".c", ".i")
_ASKED_BY_NAME = ("memory", "overflow", "leaks", "uninitialised", "termination")
_LOOP = re.compile(r"\s*while\s*\(")
_EXPRESSION = re.compile(r"[\w\s().\[\]<>=!&|+\-*/%~^,?:]+")
_HEADER = re.compile(r"^\s*#\s*include\s*<assert\.h>", re.MULTILINE)


def actions_at(
    uri: str, line: int, diagnostics: Sequence[Diagnostic], proofs: Proofs, text: str
) -> Iterator[CodeAction]:
    """All that is offered at a line (from 0)."""
    if PurePosixPath(unquote(urlparse(uri).path)).suffix not in _COMPILED:
        return
    for found in diagnostics:
        if found.source == "pincer" and isinstance(found.code, str) and found.related_information:
            title = f"Write the test that shows this ({found.code})"
            command = Command(title, WRITE_TEST, arguments=[uri, found.code])
            yield CodeAction(title, CodeActionKind.QuickFix, diagnostics=[found], command=command)
    for invariant in proofs.invariants.get(line, ()):
        edit = _asserted(text, line, invariant)
        if edit is not None:
            changes = WorkspaceEdit(changes={uri: edit})
            yield CodeAction(f"Add `assert({invariant});`", CodeActionKind.RefactorRewrite, edit=changes)
    for name in _ASKED_BY_NAME:
        title = f"Check {name}"
        yield CodeAction(title, CodeActionKind.Source, command=Command(title, CHECK_PROPERTY, arguments=[uri, name]))


def _asserted(text: str, line: int, invariant: str) -> list[TextEdit] | None:
    """The invariant as an assertion before a loop, where that can be said in C."""
    lines = text.splitlines()
    if line >= len(lines) or _LOOP.match(lines[line]) is None or _EXPRESSION.fullmatch(invariant) is None:
        return None
    indent = lines[line][: len(lines[line]) - len(lines[line].lstrip())]
    edits = [_inserted(line, f"{indent}assert({invariant});\n")]
    return edits if _HEADER.search(text) else [_inserted(0, "#include <assert.h>\n"), *edits]


def _inserted(line: int, text: str) -> TextEdit:
    return TextEdit(Range(Position(line, 0), Position(line, 0)), text)
