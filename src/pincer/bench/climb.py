"""How many symbolic bytes a tool takes: the size of a harness is doubled until the time does not suffice.

After the first size that is not decided, the one halfway between it and the last decided one is tried as well; sizes
that a harness wants besides come last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.bench.buffer_rows import Harness
from pincer.bench.measurement import Measurement

Point: TypeAlias = tuple[int, Measurement]


class Climb(Struct, frozen=True):
    """All that one tool did with one harness: by growing size, then the one halfway, then what is also wanted."""

    harness: Harness
    tool: str
    points: tuple[Point, ...]

    @property
    def reached(self) -> int:
        """The largest size that was decided as it should be; 0 if none was."""
        return max((size for size, measured in self.points if measured.right), default=0)

    @property
    def exhausted(self) -> bool:
        """Whether no larger size is asked for."""
        return self.reached == self.harness.greatest

    def summary(self) -> Measurement:
        """The line of the table: what came out for the largest size that was decided; a wrong verdict before all."""
        wrong = [point for point in self.points if point[1].wrong]
        decided = [point for point in self.points if point[0] == self.reached]
        size, measured = (wrong or decided or self.points)[0]
        figures = {**measured.figures, "N": size if measured.decided else 0, "ended_by": self._end()}
        return replace(measured, row=self.harness.name, figures=figures)

    def _end(self) -> str:
        """Why it went no further."""
        failed = [measured for _, measured in self.points if not measured.decided]
        return failed[0].status if failed else ""


def climbed(harness: Harness, tool: str, measure: Callable[[int], Measurement]) -> Climb:
    """Ask about growing sizes, and those that are wanted besides."""
    points = list(_doubled(harness, measure))
    asked = {size for size, _ in points}
    points += ((size, measure(size)) for size in harness.also if size not in asked)
    return Climb(harness, tool, tuple(points))


def _doubled(harness: Harness, measure: Callable[[int], Measurement]) -> Iterator[Point]:
    decided, size = 0, harness.least
    while True:
        measured = measure(size)
        yield size, measured
        if not measured.right:
            break
        if size >= harness.greatest:
            return
        decided, size = size, min(2 * size, harness.greatest)
    between = (decided + size) // 2
    if decided < between and not measured.wrong:
        yield between, measure(between)


def common_seconds(climbs: Sequence[Climb], tools: tuple[str, str], startup: Mapping[str, float]) -> tuple[float, ...]:
    """What two tools take for all sizes of all harnesses that both decide, starting up not counted."""
    times: dict[str, dict[tuple[str, int], float]] = {tool: {} for tool in tools}
    for climb in climbs:
        if climb.tool in times:
            for size, measured in climb.points:
                if measured.right:
                    seconds = max(measured.spent_s - startup.get(climb.tool, 0.0), 0.001)
                    times[climb.tool][climb.harness.name, size] = seconds
    common = times[tools[0]].keys() & times[tools[1]].keys()
    return tuple(sum(times[tool][key] for key in common) for tool in tools)
