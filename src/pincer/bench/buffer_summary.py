"""What `pincer bench buffers` is run for: sizes reached beside CBMC and beside an earlier run, mistakes found, time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from rich.console import Console

from pincer.bench.buffer_rows import UNBOUNDED
from pincer.bench.climb import Climb, Point, common_seconds
from pincer.bench.measurement import ACCEPTED, Measurement
from pincer.bench.rows import Row
from pincer.errors import PincerError


class Earlier(Struct, frozen=True):
    """An earlier run: the size each harness reached, and what each size took, by harness and size."""

    reached: Mapping[str, int] = {}
    points: Mapping[str, Sequence[Point]] = {}


def read_earlier(path: Path) -> Earlier:
    """What `--json` wrote."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        reached = {name: tools["pincer"] for name, tools in data["reached"].items() if "pincer" in tools}
        points: dict[str, list[Point]] = {}
        for entry in data["measurements"]:
            name, _, size = entry["row"].removesuffix(")").rpartition("(")
            if entry["tool"] == "pincer" and name:
                points.setdefault(name, []).append((int(size), _measurement(entry)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise PincerError(f"{path} is not what --json of this table writes: {error}") from error
    return Earlier(reached, points)


def _measurement(entry: Mapping[str, Any]) -> Measurement:
    return Measurement(
        entry["row"], "pincer", entry["status"], entry["expected"], entry["time_s"], entry.get("figures", {})
    )


def print_targets(
    console: Console,
    climbs: Sequence[Climb],
    rows: Mapping[str, Row],
    others: Sequence[Measurement],
    startup: Mapping[str, float],
    earlier: Earlier,
) -> None:
    """One line for each question the table answers; `others` are broken variants and programs without a size."""
    for line in _lines(climbs, rows, others, startup, earlier):
        console.print(line)


def _lines(
    climbs: Sequence[Climb],
    rows: Mapping[str, Row],
    others: Sequence[Measurement],
    startup: Mapping[str, float],
    earlier: Earlier,
) -> Iterator[str]:
    own = {climb.harness.name: climb for climb in climbs if climb.tool == "pincer"}
    peers = {climb.harness.name: climb for climb in climbs if climb.tool == "cbmc"}
    both = sorted(own.keys() & peers.keys())
    if both:
        level = [name for name in both if own[name].reached >= peers[name].reached]
        yield f"N at least CBMC's on {len(level)} of {len(both)} harnesses"
        ours, theirs = common_seconds(climbs, ("pincer", "cbmc"), startup)
        yield f"sizes that both decide: pincer {ours:.1f} s, cbmc {theirs:.1f} s, starting up apart"
    before = sorted(own.keys() & earlier.reached.keys())
    if before:
        twice = [name for name in before if own[name].exhausted or own[name].reached >= 2 * earlier.reached[name]]
        yield f"N twice that of the earlier run, or the greatest asked for, on {len(twice)} of {len(before)} harnesses"
    for tool in dict.fromkeys(measured.tool for measured in others):
        mine = [measured for measured in others if measured.tool == tool]
        unbounded = [measured for measured in mine if rows[measured.row].group == UNBOUNDED]
        broken = [measured for measured in mine if rows[measured.row].group != UNBOUNDED]
        if broken:
            yield f"{tool}: broken variants found {_judged(broken)}"
        if unbounded:
            yield f"{tool}: buffers of any length decided {_judged(unbounded)}"


def _judged(measurements: Sequence[Measurement]) -> str:
    right = [measured for measured in measurements if measured.right]
    text = f"{len(right)} of {len(measurements)}"
    if any(measured.evidence for measured in right):
        text += f", with evidence that was checked {sum(measured.evidence in ACCEPTED for measured in right)}"
    return text
