"""The rows of `pincer bench live`: temporal properties of guarded commands and MSVL, and C programs that end or do not.

A program says what is true of it in a line `// expect: NAME holds, NAME violated`, or in one `// holds: FORMULA` or
`// violated: FORMULA` for each formula. C and MSVL programs are in a folder for each family.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from pincer.bench.measurement import Measurement
from pincer.bench.rows import CQuestion, Row, benchmarks_directory
from pincer.errors import PincerError
from pincer.program.property import Verdict

TOOLS = ("pincer",)
GUARDED = "guarded commands"
_EXPECTED = re.compile(r"^// expect: (.*)$", re.MULTILINE)
_FORMULA = re.compile(r"^// (holds|violated): (.*)$", re.MULTILINE)
_PROPERTY = re.compile(r"([\w\[\]]+) (holds|violated)")
_VERDICTS: Mapping[str, Verdict] = {"holds": "safe", "violated": "unsafe"}


def live_rows(folder: Path | None = None) -> list[Row]:
    """All rows of a folder; without one, our own."""
    root = benchmarks_directory("live") if folder is None else folder
    return [row for path in sorted((*root.glob("*.gcl"), *root.glob("*/*.[cm]"))) for row in _rows(root, path)]


def _rows(root: Path, path: Path) -> Iterator[Row]:
    family = GUARDED if path.parent == root else path.parent.name
    expected = expected_verdicts(path)
    for name, verdict in expected:
        row = path.stem if len(expected) == 1 else f"{path.stem} {name}"
        question = CQuestion(("--property", name), kind="other")
        yield Row(f"{family}: {row}", family, path, verdict, question)


def expected_verdicts(path: Path) -> list[tuple[str, Verdict]]:
    """The properties and formulas that a program's comments speak of."""
    text = path.read_text(encoding="utf-8")
    found = _EXPECTED.search(text)
    expected = _PROPERTY.findall(found[1]) if found else []
    expected += [(formula, verdict) for verdict, formula in _FORMULA.findall(text)]
    if not expected:
        raise PincerError(f"{path} does not say what is expected: it needs a line `// expect: NAME holds`")
    return [(name, _VERDICTS[verdict]) for name, verdict in expected]


class FamilyCount(Struct):
    """What became of the rows of a family."""

    rows: int = 0
    right: int = 0
    wrong: int = 0
    checked: int = 0
    seconds: float = 0.0


def by_family(rows: Sequence[Row], measurements: Sequence[Measurement]) -> dict[str, FamilyCount]:
    """How many rows of each family were decided as expected, with evidence that was checked."""
    groups = {row.name: row.group for row in rows}
    found: dict[str, FamilyCount] = {}
    for measured in measurements:
        count = found.setdefault(groups[measured.row], FamilyCount())
        count.rows += 1
        count.right += measured.right
        count.wrong += measured.wrong
        count.checked += measured.right and measured.evidence in ("confirmed", "certified", "replayed")
        count.seconds += measured.cost_s
    return found
