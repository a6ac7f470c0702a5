"""The execution of a C test in the user's own lines: what each line changed, calls indented, rounds of loops folded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pincer.errors import Position
from pincer.evidence.c.test_suite import input_literal
from pincer.evidence.c.trace import CStep, CTest, InputValue
from pincer.report.finding import CodeRow

SourceLine = Callable[[Position], str | None]

_LONGEST_ROUND = 24
_ROUNDS_WORTH_FOLDING = 4
_CALL = "call of "
_NAMES = {"nondet": "{}()", "argument": "argument {}"}


class SourceFiles:
    """The lines of source files, each read once; a file that is not here has no lines."""

    def __init__(self, first: Path, name: str) -> None:
        """`first` is where the program is, `name` what its positions call it."""
        self._lines: dict[str, list[str]] = {name: _lines_of(first)}

    def line(self, position: Position) -> str | None:
        """The line at a position, without its indentation."""
        lines = self._lines.get(position.file)
        if lines is None:
            lines = self._lines[position.file] = _lines_of(Path(position.file))
        return lines[position.line - 1].strip() if 0 < position.line <= len(lines) else None


def _lines_of(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def code_rows(test: CTest, source_line: SourceLine, verbose: bool = False) -> tuple[CodeRow, ...]:
    """The lines a test passes, ending with the one that goes wrong; unless `verbose`, loops are folded."""
    rows = list(_rows(test, source_line))
    return tuple(rows if verbose else folded(rows))


def input_texts(test: CTest) -> tuple[str, ...]:
    """The inputs of a test, in order: from where, what value, at which line."""
    return tuple(_input_text(value) for value in test.inputs)


def _input_text(value: InputValue) -> str:
    name = _NAMES.get(value.kind, "{}").format(value.name if value.kind == "argument" else value.source)
    return f"{name} = {input_literal(value)} ({_place(value.position)})"


def _place(position: Position) -> str:
    return f"{Path(position.file).name}:{position.line}"


def _rows(test: CTest, source_line: SourceLine) -> Iterator[CodeRow]:
    """One row for consecutive steps of one line; steps in text that is not the user's are left out."""
    current: CodeRow | None = None
    last: tuple[Position, int] | None = None
    for depth, step in _with_depth(test):
        text = source_line(step.position)
        if text is None:
            continue
        here = (step.position._replace(column=0), depth)
        if current is None or here != last:
            if current is not None:
                yield current
            current = CodeRow(depth, _place(step.position), text)
        current = _extended(current, step)
        last = here
    failing = test.failure.position
    text = source_line(failing)
    failed = CodeRow(current.depth if current else 0, _place(failing), text or "", note="goes wrong")
    # What goes wrong in text that is not the user's goes wrong in the line that led there.
    if current is not None and last is not None and (text is None or last[0] == failing._replace(column=0)):
        yield replace(current, note=failed.note)
        return
    if current is not None:
        yield current
    yield failed


def _with_depth(test: CTest) -> Iterator[tuple[int, CStep]]:
    """Each step with the number of calls that are active."""
    stack: list[str] = []
    for step in test.steps:
        if step.procedure in stack:
            while stack[-1] != step.procedure:
                stack.pop()
        else:
            stack.append(step.procedure)
        yield len(stack) - 1, step
        if step.text.startswith(_CALL):
            stack.append(step.text.removeprefix(_CALL))


def _extended(row: CodeRow, step: CStep) -> CodeRow:
    changes = tuple({**dict(row.changes), **dict(step.changes)}.items())
    note = row.note if step.branch is None else str(step.branch).lower()
    return replace(row, changes=changes, note=note)


def folded(rows: Sequence[CodeRow]) -> list[CodeRow]:
    """Of a loop that goes round many times, the first round, how many are left out, and the last one."""
    items = list(rows)
    for length in range(1, _LONGEST_ROUND + 1):
        items = _fold(items, length)
    return items


def _fold(items: Sequence[CodeRow], length: int) -> list[CodeRow]:
    keys = [(row.depth, row.place, row.rounds > 0) for row in items]
    result: list[CodeRow] = []
    at = 0
    while at < len(items):
        rounds = _rounds(keys, at, length)
        if rounds < _ROUNDS_WORTH_FOLDING:
            result.append(items[at])
            at += 1
            continue
        end = at + rounds * length
        result += items[at : at + length]
        result.append(_marker(items[at : at + length], rounds - 2))
        result += items[end - length : end]
        at = end
    return result


def _rounds(keys: Sequence[object], at: int, length: int) -> int:
    """How often the keys from `at` on repeat with this period."""
    same = at
    while same + length < len(keys) and keys[same] == keys[same + length]:
        same += 1
    return (same - at) // length + 1


def _marker(lines: Sequence[CodeRow], rounds: int) -> CodeRow:
    return CodeRow(min(row.depth for row in lines), lines[0].place, "", rounds=rounds)
