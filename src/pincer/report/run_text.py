"""A run that violates a property as text: a table of transitions, lines of source, lanes of threads, or states."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from pincer.evidence.violating_run import RunForm, RunStep, ViolatingRun
from pincer.report.terminal import Look, escape, join_items

SHOWN_ROWS = 40
SHOWN_IN_LANES = 60
SIDE_BY_SIDE = 12
NARROWEST_LANE = 24
_LANES_WIDTH, _STATES_WIDTH = 80, 76
_SHOWN_INPUTS = 12
_LONGEST_ROUND = 24
_ROUNDS_WORTH_FOLDING = 4
_ELEMENTS_WORTH_GATHERING = 6
_CHARACTERS_WORTH_GATHERING = 3
_CHARACTER = re.compile(r"\d+ '(?P<character>.)'")
_ELEMENT = re.compile(r"(?P<array>.+)\[(?P<index>\d+)\] = (?P<value>.*)", re.DOTALL)
_INDENT = "  "


class Rounds(Struct, frozen=True):
    """Repetitions of lines that are left out: how many rounds, and how many lines these have."""

    depth: int
    place: str
    count: int
    lines: int = 0


class LeftOut(Struct, frozen=True):
    """The middle of a long run, of which only the length is told."""

    count: int


def run_lines(run: ViolatingRun, look: Look, verbose: bool = False) -> list[str]:
    """The run in the way that suits its steps, between empty lines; nothing of one that is wrong where it begins."""
    if not run.steps:
        return []
    match run.form:
        case RunForm.TRANSITIONS:
            lines = transition_table(run, look, verbose)
            lines += [] if run.loop_from is None else [f"  {'':>4}  and again from step {run.loop_from}, for ever"]
        case RunForm.LINES:
            lines = code_table(run.steps, look, verbose)
        case RunForm.LANES:
            lines = [f"  {line}" for line in lane_table(run.steps, _LANES_WIDTH, verbose)]
        case RunForm.STATES:
            lines = [f"  {line}" for line in _state_lines(run, verbose)]
    return ["", *lines, ""] if lines else []


def shown_inputs(run: ViolatingRun, verbose: bool = False) -> list[str]:
    """The inputs, one item each; of many, the first ones."""
    inputs = [escape(str(item)) for item in run.inputs]
    if not inputs:
        return ["none: every run goes wrong"] if run.form is RunForm.LINES else []
    if verbose or len(inputs) <= _SHOWN_INPUTS:
        return inputs
    return [*inputs[:_SHOWN_INPUTS], f"and {len(inputs) - _SHOWN_INPUTS} more (--verbose)"]


def _elided(items: Sequence[RunStep | Rounds], most: int, verbose: bool) -> list[RunStep | Rounds | LeftOut]:
    """The items, the middle of many replaced by its length."""
    if verbose or len(items) <= most:
        return list(items)
    half = most // 2
    return [*items[:half], LeftOut(len(items) - 2 * half), *items[-half:]]


def _left_out(count: int, place: int) -> str:
    return f"  {'...':<{place}}  {count} lines left out, --verbose shows them"


def transition_table(run: ViolatingRun, look: Look, verbose: bool = False) -> list[str]:
    """Step, process (where there are several), transition, line, and only what changed."""
    columns = _Columns.of(run)
    lines = [look.paint(columns.cells("step", "process", "transition", "line") + "changes", "dim")]
    for step in _elided(run.steps, SHOWN_ROWS, verbose):
        if isinstance(step, LeftOut):
            lines.append(f"  {'...':>{columns.step}}  {step.count} steps left out, --verbose shows them")
        elif isinstance(step, RunStep):
            lines += _transition_lines(run, step, columns, look)
    return lines


class _Columns(Struct, frozen=True):
    """The widths of the narrow columns; `process` is 0 when there is at most one process."""

    step: int
    process: int
    transition: int
    line: int

    @staticmethod
    def of(run: ViolatingRun) -> _Columns:
        steps = run.steps
        return _Columns(
            step=max(len("step"), len(str(steps[-1].number))),
            process=max(map(len, [*map(escape, run.lanes), "process"])) if len(run.lanes) > 1 else 0,
            transition=max(len("transition"), *(len(_transition(step)) for step in steps)),
            line=max(len("line"), *(len(str(step.line or "")) for step in steps)),
        )

    def cells(self, step: str, process: str, transition: str, line: str) -> str:
        who = [f"{process:<{self.process}}"] if self.process else []
        cells = [
            f"  {step:>{self.step}}",
            *who,
            f"{transition:<{self.transition}}",
            f"{line:>{self.line}}",
            "",
        ]
        return "  ".join(cells)


def _transition(step: RunStep) -> str:
    return escape(step.text) if step.number else "(initial)"


def _transition_lines(run: ViolatingRun, step: RunStep, columns: _Columns, look: Look) -> list[str]:
    start = columns.cells(str(step.number), escape(run.lane_of(step)), _transition(step), str(step.line or ""))
    changes = [escape(str(change)) for change in step.changes] or ["nothing"]
    if len(start) <= look.width // 2:
        return join_items(changes, look.width, start, " " * len(start))
    indent = " " * (columns.step + 6)
    return [start.rstrip(), *join_items(changes, look.width, indent, indent)]


def code_table(steps: Sequence[RunStep], look: Look, verbose: bool = False) -> list[str]:
    """One line for each step: `FILE:LINE`, the source indented by calls, changed variables or the decision's side.

    Unless `verbose`, rounds of loops are folded."""
    rows = list[RunStep | Rounds](steps) if verbose else folded(steps)
    place = max(len(escape(row.place)) for row in rows)
    room = look.width - place - 4
    code = min(max(len(_code(row)) for row in rows), room * 3 // 5)
    lines = []
    for row in _elided(rows, SHOWN_ROWS, verbose):
        match row:
            case LeftOut(count):
                lines.append(_left_out(count, place))
            case Rounds(depth=depth, count=count):
                more = "round" if count == 1 else "rounds"
                lines.append(f"  {'...':<{place}}  {_INDENT * depth}({count} more {more})")
            case RunStep():
                remarks = row.remarks if verbose else gathered(row.remarks)
                lines += _code_lines(row, remarks, place, code, look)
    return lines


def gathered(remarks: Sequence[str]) -> list[str]:
    """What a step changed, with many elements of an array in a row told together."""
    found = [_ELEMENT.fullmatch(remark) for remark in remarks]
    told: list[str] = []
    at = 0
    while at < len(remarks):
        end = at + 1
        while end < len(remarks) and _follows(found[end - 1], found[end]):
            end += 1
        row = [element for element in found[at:end] if element is not None]
        words = _text_of([element["value"] for element in row])
        worth = _ELEMENTS_WORTH_GATHERING if words is None else _CHARACTERS_WORTH_GATHERING
        told += remarks[at:end] if end - at < worth else [_together(row, words)]
        at = end
    return told


def _follows(before: re.Match[str] | None, element: re.Match[str] | None) -> bool:
    if before is None or element is None:
        return False
    return before["array"] == element["array"] and int(before["index"]) + 1 == int(element["index"])


def _together(row: Sequence[re.Match[str]], words: str | None) -> str:
    values = [element["value"] for element in row]
    shown = values[:1] if len(set(values)) == 1 else [*values[:3], "...", values[-1]]
    return f"{row[0]['array']}[{row[0]['index']}..{row[-1]['index']}] = {words or ', '.join(shown)}"


def _text_of(values: Sequence[str]) -> str | None:
    """Characters, and perhaps zeros behind them, as a text; None for other values."""
    found = [_CHARACTER.fullmatch(value) for value in values]
    length = next((number for number, one in enumerate(found) if one is None), len(found))
    if length == 0 or any(value != "0" for value in values[length:]):
        return None
    text = "".join(one["character"] for one in found[:length] if one is not None)
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _code(row: RunStep | Rounds) -> str:
    return _INDENT * row.depth + (escape(row.text.replace("\t", " ")) if isinstance(row, RunStep) else "")


def _code_lines(step: RunStep, remarks: Sequence[str], place: int, code: int, look: Look) -> list[str]:
    start = f"  {escape(step.place):<{place}}  {_cut(_code(step), code):<{code}}  "
    lines = join_items(map(escape, remarks), look.width, start, " " * len(start))
    if step.note:
        lines[-1] = lines[-1].replace(step.note, look.paint(step.note, "red"))
    return lines


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 3]}..."


def folded(steps: Sequence[RunStep]) -> list[RunStep | Rounds]:
    """Of a loop that goes round many times, the first round, how many are left out, and the last one."""
    items = list[RunStep | Rounds](steps)
    for length in range(1, _LONGEST_ROUND + 1):
        items = _fold(items, length)
    return items


def _fold(items: Sequence[RunStep | Rounds], length: int) -> list[RunStep | Rounds]:
    keys = [(row.depth, row.place, row.lane if isinstance(row, RunStep) else "rounds") for row in items]
    result: list[RunStep | Rounds] = []
    at = 0
    while at < len(items):
        rounds = _rounds(keys, at, length)
        if rounds < _ROUNDS_WORTH_FOLDING:
            result.append(items[at])
            at += 1
            continue
        end = at + rounds * length
        first = items[at : at + length]
        result += first
        hidden = sum(row.lines if isinstance(row, Rounds) else 1 for row in items[at + length : end - length])
        result.append(Rounds(min(row.depth for row in first), first[0].place, rounds - 2, hidden))
        result += items[end - length : end]
        at = end
    return result


def _rounds(keys: Sequence[object], at: int, length: int) -> int:
    """How often the keys from `at` on repeat with this period."""
    same = at
    while same + length < len(keys) and keys[same] == keys[same + length]:
        same += 1
    return (same - at) // length + 1


def lane_table(steps: Sequence[RunStep], width: int = _LANES_WIDTH, verbose: bool = False) -> list[str]:
    """The steps of threads: side by side where the lanes have room, otherwise with a rail of thread numbers."""
    if not steps:
        return []
    threads = 1 + max(step.lane or 0 for step in steps)
    place = max(len(escape(step.place)) for step in steps)
    room = (width - place - 2) // threads
    beside = room >= NARROWEST_LANE
    heads = (f"  {f'thread {number}':<{room - 2}}" for number in range(threads))
    lines = [f"  {'':<{place}}{''.join(heads)}".rstrip()] if beside else []
    draw = _beside(place, room) if beside else _with_rail(place, threads, width)
    for row in _elided(steps, SHOWN_IN_LANES, verbose):
        if isinstance(row, LeftOut):
            lines.append(_left_out(row.count, place))
        elif isinstance(row, RunStep):
            lines += draw(row)
    return lines


_Draw = Callable[[RunStep], Iterator[str]]


def _beside(place: int, room: int) -> _Draw:
    """Each lane a column."""

    def draw(step: RunStep) -> Iterator[str]:
        indent = " " * ((step.lane or 0) * room + 2)
        for number, line in enumerate(_lane_lines(step, room - 2)):
            yield f"  {escape(step.place) if number == 0 else '':<{place}}{indent}{line}".rstrip()

    return draw


def _with_rail(place: int, threads: int, width: int) -> _Draw:
    """All lanes in one column, the thread's number before it."""
    cell = len(str(threads - 1))

    def draw(step: RunStep) -> Iterator[str]:
        rail = " ".join(str(lane if step.lane == lane else ".").rjust(cell) for lane in range(threads))
        start = f"  {escape(step.place):<{place}}  {rail}  "
        for number, line in enumerate(_lane_lines(step, max(width - len(start), NARROWEST_LANE))):
            yield f"{start if number == 0 else ' ' * len(start)}{line}".rstrip()

    return draw


def _lane_lines(step: RunStep, room: int) -> Iterator[str]:
    """The source line, cut where it is too long, and below it what there is to say."""
    yield _cut(_INDENT * step.depth + _printable(step.text), room)
    for remark in step.remarks:
        indent = _INDENT * min(step.depth + 2, room // 8)
        yield from textwrap.wrap(
            _printable(remark), room, initial_indent=indent, subsequent_indent=f"{indent}{_INDENT}"
        )


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)


def _state_lines(run: ViolatingRun, verbose: bool) -> list[str]:
    """The states side by side: variables first, then propositions. Many are a line each, without the middle."""
    states, now = list[Mapping[str, str]](), dict[str, str]()
    for step in run.steps:
        now = now | {escape(change.name): escape(change.value) for change in step.changes}
        states.append(now)
    names = list(dict.fromkeys(name for state in states for name in state))
    marks = {escape(name): [name in step.holds for step in run.steps] for name in run.propositions}
    lines = state_table(names, states, marks, _STATES_WIDTH)
    if verbose or len(states) <= SHOWN_ROWS:
        return lines
    half = SHOWN_ROWS // 2
    said = f"{'...':<{len(str(len(states)))}}  {len(lines) - 2 * half} states left out, --verbose shows them"
    return [*lines[:half], said, *lines[-half:]]


def state_table(
    names: Sequence[str],
    states: Sequence[Mapping[str, str]],
    marks: Mapping[str, Sequence[bool]] | None = None,
    width: int = _STATES_WIDTH,
) -> list[str]:
    """Variables with their values in each state; `marks` are propositions, shown as + where they hold.

    Side by side while they fit, one below the other otherwise."""
    held = marks or {}
    if len(states) > SIDE_BY_SIDE:
        return _changes(states, held)
    rows = [["", *(f"s{i}" for i in range(len(states)))]]
    rows += [[name, *(state.get(name, "") for state in states)] for name in names]
    rows += [[name, *("+" if holds else "-" for holds in where)] for name, where in held.items()]
    columns = _widths(rows)
    if sum(columns) + 2 * len(columns) > width:
        rows = [list(column) for column in zip(*rows, strict=True)]
        columns = _widths(rows)
    return ["  ".join(cell.rjust(size) for cell, size in zip(row, columns, strict=True)).rstrip() for row in rows]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]


def _changes(states: Sequence[Mapping[str, str]], marks: Mapping[str, Sequence[bool]]) -> list[str]:
    """One line per state, with what has changed."""
    lines, before = [], dict[str, str]()
    for number, state in enumerate(states):
        now = {**state, **{name: "+" if where[number] else "-" for name, where in marks.items()}}
        changed = [f"{name} = {value}" for name, value in now.items() if before.get(name) != value]
        lines.append(f"s{number}  {', '.join(changed)}".rstrip())
        before = now
    return lines
