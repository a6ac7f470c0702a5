"""A schedule for people: one lane for each thread, the source lines in the order they ran, only what changed."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from pincer.errors import Position
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep

SourceLine = Callable[[Position], str | None]

NARROWEST_LANE = 24
SHOWN_ROWS = 60


@dataclass(frozen=True, slots=True)
class LaneRow:
    """What one thread did on one line before another line, or another thread, came; `note` is what else to say: the
    side a decision took, the thread that begins, what goes wrong. `reads` matter where nothing changed yet."""

    thread: int
    place: str
    text: str
    changes: tuple[tuple[str, str], ...] = ()
    note: str = ""
    reads: tuple[tuple[str, str], ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is said about the line, in pieces."""
        values = [f"{name} = {value}" for name, value in self.changes]
        if not self.changes:
            values = [f"reads {name} ({value})" for name, value in self.reads]
        return (*values, *([self.note] if self.note else []))


def lane_rows(test: ThreadedTest, source_line: SourceLine) -> tuple[LaneRow, ...]:
    """The lines a test passes, over all threads in their order, and where its threads stand at the end."""
    passed, standing = list(_passed(test, source_line)), list(_standing(test, source_line))
    if passed and standing and (passed[-1].thread, passed[-1].place) == (standing[0].thread, standing[0].place):
        standing[0] = replace(passed.pop(), note=standing[0].note)
    return (*passed, *standing)


def _place(position: Position) -> str:
    return f"{PurePath(position.file).name}:{position.line}"


def _passed(test: ThreadedTest, source_line: SourceLine) -> Iterator[LaneRow]:
    """One row for consecutive steps of one thread on one line; steps in text that is not the user's are left out."""
    current: LaneRow | None = None
    for step in test.steps:
        text = source_line(step.position)
        if text is None:
            continue
        if current is None or (current.thread, current.place) != (step.thread, _place(step.position)):
            if current is not None:
                yield current
            current = LaneRow(step.thread, _place(step.position), text)
        current = _extended(current, step)
    if current is not None:
        yield current


def _extended(row: LaneRow, step: ThreadStep) -> LaneRow:
    changes = tuple({**dict(row.changes), **dict(step.changes)}.items())
    reads = tuple({**dict(row.reads), **dict(step.reads)}.items())
    note = row.note
    if step.branch is not None:
        note = str(step.branch).lower()
    if step.creates is not None:
        note = f"thread {step.creates} begins"
    return replace(row, changes=changes, note=note, reads=reads)


_ENDINGS = {"assertion": "goes wrong", "memory": "goes wrong", "deadlock": "waits for ever"}


def _standing(test: ThreadedTest, source_line: SourceLine) -> Iterator[LaneRow]:
    for stop in test.failure.stops:
        note = _ENDINGS.get(test.kind, f"is about to {stop.action} {stop.name or 'the same memory'}")
        if test.kind == "deadlock" and stop.object:
            note = f"waits for {stop.object}"
        yield LaneRow(stop.thread, _place(stop.position), source_line(stop.position) or "", note=note)


def lane_table(rows: Sequence[LaneRow], width: int = 80, verbose: bool = False) -> list[str]:
    """The rows as lines of text: side by side where the lanes have room, otherwise with a rail of thread numbers."""
    if not rows:
        return []
    threads = 1 + max(row.thread for row in rows)
    place = max(len(row.place) for row in rows)
    room = (width - place - 2) // threads
    return list(_side_by_side(rows, threads, place, room, verbose) if room >= NARROWEST_LANE
                else _with_rail(rows, threads, place, width, verbose))  # fmt: skip


def _side_by_side(rows: Sequence[LaneRow], threads: int, place: int, room: int, verbose: bool) -> Iterator[str]:
    heads = "".join(f"  {f'thread {number}':<{room - 2}}" for number in range(threads))
    yield f"  {'':<{place}}{heads}".rstrip()
    for row in _shown(rows, verbose):
        if isinstance(row, int):
            yield _left_out(row, place)
            continue
        indent = " " * (row.thread * room + 2)
        for number, line in enumerate(_lines(row, room - 2)):
            yield f"  {row.place if number == 0 else '':<{place}}{indent}{line}".rstrip()


def _with_rail(rows: Sequence[LaneRow], threads: int, place: int, width: int, verbose: bool) -> Iterator[str]:
    cell = len(str(threads - 1))
    for row in _shown(rows, verbose):
        if isinstance(row, int):
            yield _left_out(row, place)
            continue
        rail = " ".join(str(row.thread if row.thread == lane else ".").rjust(cell) for lane in range(threads))
        start = f"  {row.place:<{place}}  {rail}  "
        for number, line in enumerate(_lines(row, max(width - len(start), NARROWEST_LANE))):
            yield f"{start if number == 0 else ' ' * len(start)}{line}".rstrip()


def _left_out(count: int, place: int) -> str:
    return f"  {'...':<{place}}  {count} lines left out, --verbose shows them"


def _lines(row: LaneRow, room: int) -> Iterator[str]:
    """The source line, cut where it is too long, and below it what there is to say."""
    text = _printable(row.text)
    yield text if len(text) <= room else f"{text[: room - 3]}..."
    for remark in row.remarks:
        yield from textwrap.wrap(_printable(remark), room, initial_indent="    ", subsequent_indent="      ")


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _shown(rows: Sequence[LaneRow], verbose: bool) -> list[LaneRow | int]:
    """The rows, the middle of many replaced by its length."""
    if verbose or len(rows) <= SHOWN_ROWS:
        return list(rows)
    half = SHOWN_ROWS // 2
    return [*rows[:half], len(rows) - 2 * half, *rows[-half:]]
