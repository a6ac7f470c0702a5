"""What `pincer bench buffers` is run for: sizes reached beside CBMC and beside an earlier run, mistakes found, time.

Each line is one of the targets, and names it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from pincer.bench.buffer_rows import UNBOUNDED
from pincer.bench.climb import Climb, Point, common_seconds
from pincer.bench.measurement import ACCEPTED, Measurement
from pincer.bench.rows import Row
from pincer.errors import PincerError

_SLOWEST = 10


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


def read_measured(paths: Sequence[Path], timeout: float) -> dict[tuple[str, str], Measurement]:
    """What earlier runs wrote that holds with this limit as well, by row and tool; of two about the same, the last."""
    found: dict[tuple[str, str], Measurement] = {}
    for path in paths:
        data = _read(path)
        for measured in data["measurements"]:
            if data["limit_s"] == timeout or (measured.decided and measured.spent_s <= timeout):
                found[measured.row, measured.tool] = measured
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        measurements = convert(data["measurements"], list[Measurement])
        return {"limit_s": data["limit_s"], "startup_s": data["startup_s"], "measurements": measurements}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PincerError(f"{path} is not what --json of this table writes: {error}") from error


def read_startup(paths: Sequence[Path]) -> dict[str, float]:
    """What each tool needed for a program with nothing to decide, in earlier runs."""
    return {tool: seconds for path in paths for tool, seconds in _read(path)["startup_s"].items()}


def _measurement(entry: Mapping[str, Any]) -> Measurement:
    return Measurement(
        entry["row"], "pincer", entry["status"], entry["expected"], entry["time_s"], entry.get("figures", {})
    )


def target_lines(
    climbs: Sequence[Climb],
    rows: Mapping[str, Row],
    others: Sequence[Measurement],
    startup: Mapping[str, float],
    earlier: Earlier,
) -> list[str]:
    """One line for each question the table answers; `others` are broken variants and programs without a size."""
    own = [climb for climb in climbs if climb.tool == "pincer"]
    peers = [climb for climb in climbs if climb.tool == "cbmc"]
    lines = [*_reached(own, peers, earlier), *_times(climbs, own, peers, startup), *_wanted_besides(climbs)]
    for tool in dict.fromkeys(measured.tool for measured in others):
        lines += _single(tool, [measured for measured in others if measured.tool == tool], rows)
    lines += _wrong([*(measured for climb in own for _, measured in climb.points), *others])
    return [*lines, *_slowest([measured for climb in own for _, measured in climb.points])]


def _reached(own: Sequence[Climb], peers: Sequence[Climb], earlier: Earlier) -> Iterator[str]:
    sizes = {climb.harness.name: climb.reached for climb in peers}
    both = [climb for climb in own if climb.harness.name in sizes]
    if both:
        level = [climb for climb in both if climb.reached >= sizes[climb.harness.name]]
        yield f"N at least CBMC's on {_part(len(level), len(both))} harnesses (target: 80 %)"
    before = [climb for climb in own if climb.harness.name in earlier.reached]
    if before:
        twice = [
            climb for climb in before if climb.exhausted or climb.reached >= 2 * earlier.reached[climb.harness.name]
        ]
        told = (
            f"N twice that of the earlier run, or the greatest asked for, on {_part(len(twice), len(before))} harnesses"
        )
        yield f"{told} (target: all)"


def _times(
    climbs: Sequence[Climb], own: Sequence[Climb], peers: Sequence[Climb], startup: Mapping[str, float]
) -> Iterator[str]:
    if own and peers:
        ours, theirs = common_seconds(climbs, ("pincer", "cbmc"), startup)
        told = f"sizes that both decide: pincer {ours:.1f} s, cbmc {theirs:.1f} s, starting up apart"
        yield f"{told} (target: at most CBMC's)"


def _wanted_besides(climbs: Sequence[Climb]) -> Iterator[str]:
    """The sizes that harnesses name themselves: seven elements to sort."""
    for tool in dict.fromkeys(climb.tool for climb in climbs):
        points = [
            (measured, climb.reached >= size)
            for climb in climbs
            for size, measured in climb.points
            if climb.tool == tool and size in climb.harness.also
        ]
        if points:
            decided = [measured.row for measured, is_below in points if measured.right or is_below]
            told = f"{tool}: sizes that harnesses name decided {_part(len(decided), len(points))}"
            yield f"{told}: {', '.join(decided) or 'none'} (target: all)"


def _single(tool: str, measurements: Sequence[Measurement], rows: Mapping[str, Row]) -> Iterator[str]:
    unbounded = [measured for measured in measurements if rows[measured.row].group == UNBOUNDED]
    broken = [measured for measured in measurements if rows[measured.row].group != UNBOUNDED]
    if broken:
        yield f"{tool}: broken variants found {_judged(broken)} (target: 95 %, all confirmed)"
    for expected, what, target in (
        ("safe", "right, proved", "three of four, certified"),
        ("unsafe", "broken, found", "all"),
    ):
        asked = [measured for measured in unbounded if measured.expected == expected]
        if asked:
            yield f"{tool}: loops over buffers of any length, {what} {_judged(asked)} (target: {target})"


def _wrong(measurements: Sequence[Measurement]) -> Iterator[str]:
    if measurements:
        wrong = [measured.row for measured in measurements if measured.wrong]
        yield f"wrong verdicts: {', '.join(wrong) or 'none'} (target: none)"


def _slowest(measurements: Sequence[Measurement]) -> Iterator[str]:
    """What the time of the slowest rows that were decided is spent on."""
    decided = sorted((m for m in measurements if m.right), key=lambda m: m.spent_s, reverse=True)[:_SLOWEST]
    solving = sum(float(measured.figures.get("solver_s", 0.0)) for measured in decided)
    deciding = sum(measured.time_s or 0.0 for measured in decided)
    whole = sum(measured.spent_s for measured in decided)
    if whole:
        yield (
            f"the {len(decided)} slowest rows, {whole:.1f} s: {solving / whole:.0%} in the solver, "
            f"{(deciding - solving) / whole:.0%} in the rest of deciding, "
            f"{(whole - deciding) / whole:.0%} in checking, loading and starting up"
        )


def _judged(measurements: Sequence[Measurement]) -> str:
    right = [measured for measured in measurements if measured.right]
    text = _part(len(right), len(measurements))
    if any(measured.evidence for measured in right):
        text += f", with evidence that was checked {sum(measured.evidence in ACCEPTED for measured in right)}"
    return text


def _part(number: int, whole: int) -> str:
    return f"{number} of {whole}"
