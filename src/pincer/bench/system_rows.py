"""The rows of `pincer bench systems`: transition systems of the kinds that public collections are made of.

Coherence protocols of any number of caches, nets, windows, buffers, clocks, loops in phases. A program says what is
true of it in a line `// expect: NAME holds, NAME violated`.
"""

from __future__ import annotations

from pathlib import Path

from pincer.bench.live_rows import expected_verdicts
from pincer.bench.rows import GuardedQuestion, Row, benchmarks_directory

TOOLS = ("ase", "spacer")


def system_rows(folder: Path | None = None) -> list[Row]:
    """All rows of a folder; without one, our own."""
    root = benchmarks_directory("systems") if folder is None else folder
    return [
        Row(f"{path.stem}: {name}", path.stem, path, expected, GuardedQuestion(name, {}))
        for path in sorted(root.glob("*.gcl"))
        for name, expected in expected_verdicts(path)
    ]
