"""`python -m tests.fuzz.live.growth [--most N] [--output OUT.svg]`: the liveness of tickets against the processes.

Processor time of whole calls, and a picture of it.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

from pincer.bench.plot import require_matplotlib

ROOT = Path(__file__).parents[3]
PROPERTIES = {
    "served": ("#1b6ca8", "o", "served: proved, with certificate"),
    "again": ("#c77a1e", "s", "again: refuted by a lasso"),
}


def measured(processes: int, name: str, timeout: int) -> tuple[str, float]:
    """The verdict of one call, and its processor time."""
    call = ["check", str(ROOT / "benchmarks/live/ticket.gcl"), "-D", f"N={processes}", "--property", name]
    limits = ["--format", "json", "--timeout", str(timeout)]
    before = _spent()
    done = subprocess.run([sys.executable, "-m", "pincer.cli", *call, *limits], capture_output=True, text=True)
    return json.loads(done.stdout)["properties"][0]["verdict"], _spent() - before


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def drawn(times: dict[str, dict[int, float]], output: Path) -> None:
    pyplot = require_matplotlib()
    pyplot.rcParams["svg.hashsalt"] = "growth"
    figure, axes = pyplot.subplots(figsize=(4.6, 3.2), layout="constrained")
    for name, (colour, marker, label) in PROPERTIES.items():
        sizes = list(times[name])
        seconds = list(times[name].values())
        axes.plot(sizes, seconds, color=colour, marker=marker, linewidth=1, label=label)
        axes.set_xticks(sizes)
    axes.set_yscale("log")
    axes.set_xlabel("N")
    axes.set_ylabel("seconds of processor time")
    axes.set_title("ticket, weak fairness")
    axes.legend(frameon=False, fontsize=8)
    figure.savefig(output, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=4)
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--output", type=Path, default=Path("ticket-liveness.svg"))
    args = parser.parse_args()
    times: dict[str, dict[int, float]] = {name: {} for name in PROPERTIES}
    for processes in range(2, args.most + 1):
        for name in PROPERTIES:
            verdict, seconds = measured(processes, name, args.timeout)
            print(f"N = {processes}: {name} {verdict}, {seconds:.2f} s", flush=True)
            times[name][processes] = seconds
    drawn(times, args.output)


if __name__ == "__main__":
    main()
