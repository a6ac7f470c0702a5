"""`python -m tests.fuzz.c.public_libraries --sources FOLDER`: what comes of the unit tests that public libraries bring.

`libraries.toml` names the tests, their files and what is expected of each property; the libraries themselves are not
here, they are looked for below FOLDER. Each row is one `pincer check` in a process of its own, one after the other,
with everything that is checked by default. A violation that nobody expects is a false alarm until a person has looked
at it.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

MANIFEST = Path(__file__).with_name("libraries.toml")
PROPERTIES = ("assertions", "memory", "overflow")
_UNITY_TEST = re.compile(r"^void\s+(test\w*)\s*\(", re.MULTILINE)
_GRACE = 60.0  # what the process of a row may need beyond its limit, for starting and for writing its answer


class ManifestError(Exception):
    """A row of the manifest that cannot be used, with the reason."""


@dataclass(frozen=True)
class Row:
    """One test program of a library, and what is expected of it."""

    library: str
    program: str
    files: tuple[str, ...]
    include: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    unity: str = ""
    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    select: str = ""
    timeout: float = 120.0
    violated: tuple[tuple[str, str], ...] = ()
    undecided: tuple[str, ...] = ()

    def expected(self, name: str) -> Verdict:
        """What a property is expected to come to: it holds unless the row says otherwise."""
        place = dict(self.violated).get(name)
        if place is not None:
            return Verdict("VIOLATED", place)
        return Verdict("undecided" if name in self.undecided else "holds")


@dataclass(frozen=True)
class Verdict:
    """What a property comes to; `place` is where it is violated, or where undefined behaviour ends what holds."""

    word: str
    place: str = ""

    def agrees(self, expected: Verdict) -> bool:
        if self.word != expected.word:
            return False
        return self.word != "VIOLATED" or self.place == expected.place

    def __str__(self) -> str:
        if not self.place:
            return self.word
        return f"{self.word} {'at' if self.word == 'VIOLATED' else 'up to'} {self.place}"


@dataclass(frozen=True)
class Outcome:
    """What came of a row: verdicts, the seconds of a processor, and why there are no verdicts, or not all."""

    row: Row
    files: int
    verdicts: dict[str, Verdict]
    seconds: float
    remark: str = ""

    @property
    def as_expected(self) -> bool:
        return all(self.verdict(name).agrees(self.row.expected(name)) for name in self.names())

    @property
    def false_alarms(self) -> list[str]:
        """The properties that are violated where that is not expected."""
        return [
            name
            for name in self.names()
            if self.verdict(name).word == "VIOLATED" and not self.verdict(name).agrees(self.row.expected(name))
        ]

    def verdict(self, name: str) -> Verdict:
        return self.verdicts.get(name, Verdict("no answer"))

    def names(self) -> list[str]:
        """The properties that were asked about, and any other that has an answer."""
        return [*PROPERTIES, *(name for name in self.verdicts if name not in PROPERTIES)]


def rows(manifest: Path) -> list[Row]:
    """The rows of a manifest, one for each word of `each`."""
    try:
        tables = tomllib.loads(manifest.read_text())["rows"]
        return [row for table in tables for row in _rows_of(dict(table))]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ManifestError(f"{manifest.name}: {error}") from error


def _rows_of(table: dict[str, Any]) -> Iterator[Row]:
    words = table.pop("each", None)
    unknown = set(table) - {field.name for field in fields(Row)}
    if unknown:
        raise ManifestError(f"{table.get('library')}: nothing is known of {', '.join(sorted(unknown))}")
    violated = tuple(table.pop("violated", {}).items())
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    row = Row(**values, violated=violated)
    if words is None:
        yield row
        return
    for word in words:
        yield replace(
            row,
            program=row.program.replace("{}", word),
            files=tuple(path.replace("{}", word) for path in row.files),
            unity=row.unity.replace("{}", word),
            select=row.select.replace("{}", word),
        )


def missing(row: Row, sources: Path) -> list[str]:
    """What a row needs and is not there."""
    needed = [*row.files, *row.include, *([row.unity] if row.unity else [])]
    return [path for path in needed if not (sources / path).exists()]


def unity_tests(text: str, row: Row) -> list[str]:
    """The tests of a file for Unity that a row wants, in their order."""
    found = _UNITY_TEST.findall(text)
    absent = [name for name in (*row.only, *row.without) if name not in found]
    if absent:
        raise ManifestError(f"{row.library}, {row.program}: no test {', '.join(absent)}")
    return [name for name in found if name not in row.without and (not row.only or name in row.only)]


def unity_caller(tests: Iterable[str]) -> str:
    """A file with a `main` that calls tests, and nothing else."""
    names = list(tests)
    declared = "".join(f"void {name}(void);\n" for name in names)
    called = "".join(f"    RUN_TEST({name});\n" for name in names)
    return f'#include "unity.h"\n{declared}int main(void) {{\n    UNITY_BEGIN();\n{called}    return UNITY_END();\n}}\n'


def given_files(row: Row, sources: Path, folder: Path) -> list[str]:
    """The files of a row as `pincer check` is given them; a `main` for Unity is written to the folder first."""
    files = [str(sources / path) for path in row.files]
    if not row.unity:
        return files
    tests = sources / row.unity
    caller = folder / "caller.c"
    caller.write_text(unity_caller(unity_tests(tests.read_text(errors="replace"), row)))
    return [str(caller), str(tests), *files]


def command(row: Row, given: list[str], sources: Path) -> list[str]:
    """The call for a row."""
    words = [sys.executable, "-m", "pincer.cli", "check", *given, "--format", "json", "--no-store"]
    words += [f"--timeout={row.timeout:g}"]
    words += [word for path in row.include for word in ("-I", str(sources / path))]
    words += [word for definition in row.definitions for word in ("-D", definition)]
    return [*words, "--program", row.select] if row.select else words


def read_answer(answer: str) -> dict[str, Verdict]:
    """The verdicts in what `pincer check --format json` prints about one program."""
    found: dict[str, Verdict] = {}
    for line in answer.splitlines():
        for entry in json.loads(line).get("properties", ()):
            found[entry["name"]] = _verdict(entry)
    return found


def files_checked(answer: str) -> int:
    """Of how many files the program consists that was checked: a database of compilation names more than one."""
    programs = [json.loads(line).get("program") or {} for line in answer.splitlines()]
    return sum(len(program.get("files") or ()) for program in programs)


def _verdict(entry: dict[str, Any]) -> Verdict:
    if entry["verdict"] == "unsafe":
        return Verdict("VIOLATED", _place((entry.get("run") or {}).get("failure")))
    if entry["verdict"] == "safe":
        return Verdict("holds", _place(entry.get("up_to_undefined_behaviour")))
    return Verdict("undecided")


def _place(entry: dict[str, Any] | None) -> str:
    return f"{Path(entry['file']).name}:{entry['line']}" if entry else ""


def run(row: Row, sources: Path) -> Outcome:
    """Check one row; the folder it runs in is empty, so that no settings are found."""
    absent = missing(row, sources)
    if absent:
        return Outcome(row, 0, {}, 0.0, f"not there: {', '.join(absent)}")
    with tempfile.TemporaryDirectory() as name:
        given = given_files(row, sources, Path(name))
        before = _children_seconds()
        try:
            done = subprocess.run(
                command(row, given, sources),
                cwd=name,
                capture_output=True,
                text=True,
                timeout=row.timeout + _GRACE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Outcome(row, len(given), {}, _children_seconds() - before, "did not end in time")
    seconds = _children_seconds() - before
    try:
        verdicts = read_answer(done.stdout)
    except (json.JSONDecodeError, KeyError) as error:
        return Outcome(row, len(given), {}, seconds, f"an answer that cannot be read: {error}")
    count = files_checked(done.stdout) or len(given)
    return Outcome(row, count, verdicts, seconds, remark(done.stdout, done.stderr))


def remark(answer: str, errors: str) -> str:
    """Why something has no verdict: the first reason or mistake that is told."""
    for line in answer.splitlines():
        entry = json.loads(line)
        if "error" in entry:
            return str(entry["error"].get("message", ""))
        reasons = [told["reason"] for told in entry.get("properties", ()) if told.get("reason")]
        if reasons:
            return str(reasons[0])
    return "" if answer else errors.strip().splitlines()[-1] if errors.strip() else ""


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


HEAD = (
    "| library | program | files | assertions | memory | overflow | s |",
    "|---|---|---|---|---|---|---|",
)


def table_line(outcome: Outcome) -> str:
    """A row of the table: where something differs from what is expected, both are said."""
    row = outcome.row
    cells = [_cell(outcome.verdict(name), row.expected(name)) for name in PROPERTIES]
    cells = [row.library, row.program, str(outcome.files), *cells, f"{outcome.seconds:.1f}"]
    return f"| {' | '.join(cells)} |"


def _cell(verdict: Verdict, expected: Verdict) -> str:
    return str(verdict) if verdict.agrees(expected) else f"**{verdict}** (expected: {expected})"


def closing_line(outcomes: list[Outcome]) -> str:
    right = sum(outcome.as_expected for outcome in outcomes)
    alarms = sum(len(outcome.false_alarms) for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    return f"{len(outcomes)} rows, {right} as expected, {alarms} false alarms, {seconds:.1f} s of a processor"


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=Path, required=True, metavar="FOLDER", help="where the repositories lie")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows with this in the library or program")
    parser.add_argument(
        "--patience", type=float, default=1.0, metavar="N", help="times every time limit, on a busy machine"
    )
    parser.add_argument("--manifest", type=Path, default=MANIFEST, metavar="FILE")
    args = parser.parse_args(words)
    sources = args.sources.resolve()
    outcomes = []
    try:
        chosen = [row for row in rows(args.manifest) if args.only in f"{row.library} {row.program}"]
        print("\n".join(HEAD))
        for row in chosen:
            outcome = run(replace(row, timeout=row.timeout * args.patience), sources)
            outcomes.append(outcome)
            print(table_line(outcome), flush=True)
            if outcome.remark and not outcome.as_expected:
                print(f"{row.library}, {row.program}: {outcome.remark}", file=sys.stderr, flush=True)
    except ManifestError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"\n{closing_line(outcomes)}")
    return 0 if all(outcome.as_expected for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
