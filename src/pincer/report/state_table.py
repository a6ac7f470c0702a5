"""States of a run for people: side by side while they fit, one below the other otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SIDE_BY_SIDE = 12


def state_table(
    names: Sequence[str],
    states: Sequence[Mapping[str, str]],
    marks: Mapping[str, Sequence[bool]] | None = None,
    width: int = 76,
) -> list[str]:
    """Variables with their values in each state; `marks` are propositions, shown as + where they hold."""
    held = marks or {}
    if len(states) > SIDE_BY_SIDE:
        return _changes(states, held)
    rows = [["", *(f"s{i}" for i in range(len(states)))]]
    rows += [[name, *(state.get(name, "") for state in states)] for name in names]
    rows += [[name, *("+" if holds else "-" for holds in where)] for name, where in held.items()]
    columns = _columns(rows)
    if sum(columns) + 2 * len(columns) > width:
        rows = [list(column) for column in zip(*rows, strict=True)]
        columns = _columns(rows)
    return ["  ".join(cell.rjust(size) for cell, size in zip(row, columns, strict=True)).rstrip() for row in rows]


def _columns(rows: Sequence[Sequence[str]]) -> list[int]:
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
