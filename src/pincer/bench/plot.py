"""Pictures of measurements: time per row and tool, and time against the size of a family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pincer.bench.measurement import Measurement
from pincer.errors import PincerError

MARKERS = {"ase": "o", "ur": "s", "spacer": "^", "pincer": "o", "cbmc": "^"} | {
    "agse": "o",
    "exhaustive": "s",
    "contexts": "^",
    "random": "D",
}
COLOURS = {"ase": "#1b6ca8", "ur": "#c77a1e", "spacer": "#5b5b5b", "pincer": "#1b6ca8", "cbmc": "#5b5b5b"} | {
    "agse": "#1b6ca8",
    "exhaustive": "#c77a1e",
    "contexts": "#5b5b5b",
    "random": "#a33b8e",
}


def require_matplotlib() -> Any:
    """The plotting module, or a sentence that says how to get it."""
    try:
        import matplotlib
    except ImportError as error:
        raise PincerError("plots need matplotlib: pip install 'pincer[plot]'") from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def plot_rows(measurements: Sequence[Measurement], limit: float, output: Path) -> None:
    """Log time per row, one mark per tool; a row it did not decide has a hollow mark at the limit."""
    pyplot = require_matplotlib()
    names = list(dict.fromkeys(m.row for m in measurements))
    figure, axes = pyplot.subplots(figsize=(max(6.0, 0.32 * len(names)), 4.5), layout="constrained")
    for tool in dict.fromkeys(m.tool for m in measurements):
        own = [m for m in measurements if m.tool == tool]
        _scatter(axes, tool, [(names.index(m.row), m) for m in own], limit)
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=8)
    _finish(pyplot, figure, axes, output)


def plot_families(
    families: Mapping[str, Sequence[tuple[int, Measurement]]], limit: float, output: Path, names: Mapping[str, str] = {}
) -> None:
    """One panel per family, log time against its size, on the same scale; tools may have other names."""
    pyplot = require_matplotlib()
    columns = min(3, len(families))
    lines = -(-len(families) // columns)
    figure, panels = pyplot.subplots(
        lines, columns, figsize=(4 * columns, 3 * lines), squeeze=False, layout="constrained", sharex=True, sharey=True
    )
    for axes in panels.flat[len(families) :]:
        axes.set_axis_off()
    for axes, (family, points) in zip(panels.flat, families.items(), strict=False):
        for tool in dict.fromkeys(m.tool for _, m in points):
            own = [(size, m) for size, m in points if m.tool == tool]
            decided = [(size, m.time_s) for size, m in own if m.decided]
            axes.plot(*zip(*decided, strict=True) if decided else ((), ()), color=COLOURS[tool], linewidth=1)
            _scatter(axes, tool, own, limit, names.get(tool))
        axes.set_title(family)
        axes.set_xlabel("N")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_minor_formatter("")
        axes.grid(axis="y", linewidth=0.4, color="#d0d0d0")
    for first in panels[:, 0]:
        first.set_ylabel("seconds")
    known = panels[0][0].get_legend_handles_labels()
    figure.legend(*known, loc="outside upper left", ncols=4, frameon=False, title="hollow: time limit reached")
    _save(pyplot, figure, output)


def plot_dash_families(families: Mapping[str, Sequence[tuple[int, Measurement]]], output: Path) -> None:
    """Two panels per family: seconds against n, and iterations against n (linear: near-constant growth must show)."""
    pyplot = require_matplotlib()
    figure, panels = pyplot.subplots(
        2, len(families), figsize=(5 * len(families), 6.5), squeeze=False, layout="constrained"
    )
    for column, (family, points) in enumerate(families.items()):
        for tool in dict.fromkeys(measured.tool for _, measured in points):
            own = [(size, measured) for size, measured in points if measured.tool == tool and measured.decided]
            sizes = [size for size, _ in own]
            style = {"color": COLOURS[tool], "marker": MARKERS[tool], "label": tool, "linewidth": 1}
            times = [measured.time_s for _, measured in own]
            panels[0][column].plot(sizes, times, **style)
            panels[1][column].plot(sizes, [measured.figures.get("iterations") for _, measured in own], **style)
        panels[0][column].set_title(family)
        panels[1][column].set_xlabel("n")
        panels[0][column].set_ylim(bottom=0)
        panels[1][column].set_ylim(bottom=0)
    panels[0][0].set_ylabel("seconds")
    panels[1][0].set_ylabel("iterations (cbmc: unwindings)")
    panels[0][0].legend(frameon=False)
    _save(pyplot, figure, output)


def plot_climbs(climbs: Mapping[str, Mapping[str, Sequence[tuple[int, Measurement]]]], output: Path) -> None:
    """Two panels per harness, both logarithmic: seconds and the size of the formula against the number of bytes.

    Lines are by label; where no label is a tool's, as for an earlier run, its line is dashed."""
    pyplot = require_matplotlib()
    figure, panels = pyplot.subplots(
        2, len(climbs), figsize=(4 * len(climbs), 6.5), squeeze=False, layout="constrained"
    )
    for column, (name, lines) in enumerate(climbs.items()):
        for label, points in lines.items():
            decided = sorted((size, measured) for size, measured in points if measured.decided)
            tool = label.split()[0]
            style = {"color": COLOURS[tool], "marker": MARKERS[tool], "label": label, "linewidth": 1}
            style["linestyle"] = "-" if label == tool else "--"
            seconds = [measured.spent_s for _, measured in decided]
            panels[0][column].plot([size for size, _ in decided], seconds, **style)
            formulas = [(size, m.figures["formula"]) for size, m in decided if "formula" in m.figures]
            panels[1][column].plot([size for size, _ in formulas], [formula for _, formula in formulas], **style)
        panels[0][column].set_title(name)
        panels[1][column].set_xlabel("N")
        for row in panels:
            row[column].set_yscale("log")
            row[column].set_xscale("log", base=2)
    panels[0][0].set_ylabel("seconds")
    panels[1][0].set_ylabel("size of the formula")
    panels[0][0].legend(frameon=False)
    _save(pyplot, figure, output)


def _scatter(
    axes: Any, tool: str, points: Sequence[tuple[int, Measurement]], limit: float, name: str | None = None
) -> None:
    solved = [(x, m.time_s) for x, m in points if m.decided]
    failed = [x for x, m in points if not m.decided and m.status != "refused"]
    axes.scatter(
        [x for x, _ in solved], [y for _, y in solved], 26, COLOURS[tool], marker=MARKERS[tool], label=name or tool
    )
    axes.scatter(failed, [limit] * len(failed), 26, "none", marker=MARKERS[tool], edgecolors=COLOURS[tool])


def _finish(pyplot: Any, figure: Any, axes: Any, output: Path) -> None:
    axes.set_yscale("log")
    axes.set_ylabel("seconds")
    axes.legend(frameon=False, ncols=3, loc="lower left", bbox_to_anchor=(0, 1.06), title="hollow: time limit reached")
    _save(pyplot, figure, output)


def _save(pyplot: Any, figure: Any, output: Path) -> None:
    try:
        figure.savefig(output)
    except (OSError, ValueError) as error:
        raise PincerError(f"cannot write the plot to {output}: {error}") from error
    finally:
        pyplot.close(figure)
