"""`python -m tests.fuzz.c.public_sources FOLDER...`: which public C files the front end reads with nothing left out.

Of the `.c` and `.i` files below the folders those count that gcc accepts and that define `main`. A file is *read* when
its lowered program has no step that is unsupported; for the others the table says what is missing, by construct, and
`--list` says it for each file. Headers that only we have (those of other verifiers) are lent to gcc.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.frontends.c.preprocessing.preprocess import HEADERS
from pincer.program.c_file import CFile, CFlags
from pincer.program.control_flow import Unsupported

from .compiler import available
from .workers import run_all

_MAIN = re.compile(rb"\bmain\s*\(")
_PLACE = re.compile(r"^\S+:\d+:\d+: ")
_NAMED = re.compile(r"`[^`]*`|\b(?:the header|the function|the word|variable) \S+")


@dataclass(frozen=True)
class Outcome:
    """What came of a file: `what` is missing is empty when everything was read, None when the file does not count."""

    path: str
    what: tuple[str, ...] | None


def candidates(folders: list[Path]) -> list[str]:
    """The C files below the folders in which `main` is spelled."""
    found = (path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in (".c", ".i"))
    return [str(path) for path in found if path.is_file() and _MAIN.search(path.read_bytes())]


def is_accepted(path: str, include: tuple[str, ...]) -> bool:
    """Whether gcc finds nothing to refuse in a file."""
    folders = [word for folder in include for word in ("-I", folder)]
    command = ["gcc", "-w", "-fsyntax-only", "-x", "c", *folders, "-idirafter", str(HEADERS), path]
    try:
        return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def outcome(path: str, include: tuple[str, ...]) -> Outcome:
    """Read one file."""
    if not is_accepted(path, include):
        return Outcome(path, None)
    try:
        program = load(CFile(path, CFlags(include)))
    except PincerError as error:
        message = str(error)
        return Outcome(path, None if "no function `main`" in message else (f"refused: {_PLACE.sub('', message)}",))
    missing = {edge.label.what for edge in program.edges() if isinstance(edge.label, Unsupported)}
    return Outcome(path, tuple(sorted(missing)))


def construct(what: str) -> str:
    """What is missing without the names of a single file, except those of functions and headers."""
    kept = _NAMED.search(what)
    if what.startswith("refused: ") and kept is not None and kept.group().startswith("the header"):
        return f"{kept.group()} is not found"
    return re.sub(r"`[^`]*`", "`...`", what)[:90]


def table(outcomes: list[Outcome], late: int) -> list[str]:
    """The figures, and what is missing in how many files, the most frequent first."""
    counted = [found for found in outcomes if found.what is not None]
    read = sum(1 for found in counted if not found.what)
    total = len(counted) + late
    share = 100 * read / total if total else 0.0
    lines = [f"{read} of {total} files that gcc accepts and that have a main are read: {share:.1f} %"]
    if late:
        lines.append(f"  {late:4}  took too long")
    missing = Counter(kind for found in counted for kind in {construct(what) for what in found.what or ()})
    return [*lines, *(f"  {count:4}  {kind}" for kind, count in missing.most_common())]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("-I", dest="include", action="append", default=[], metavar="DIR", help="look for headers here")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="for each file; default: 60")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file, for a quick look")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="what is missing in each file")
    args = parser.parse_args(words)
    if not available():
        print("gcc is not installed", file=sys.stderr)
        return 2
    outcomes, late = [], 0
    read_one = partial(outcome, include=tuple(args.include))
    for path, found in run_all(read_one, candidates(args.folders)[:: args.every], args.jobs, args.timeout):
        if found is None:
            late += 1
        else:
            outcomes.append(found)
        if args.list and (found is None or found.what):
            print(f"{path}: {'took too long' if found is None else '; '.join(found.what or ())}", flush=True)
    print("\n".join(table(outcomes, late)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
