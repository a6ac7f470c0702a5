"""Branch and line coverage of a test suite, measured by gcc and gcov on real runs."""

from __future__ import annotations

import gzip
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c.command_line import command_line
from pincer.evidence.c.compiler import COMPILE_TIMEOUT, can_build, find_compiler, understands
from pincer.evidence.c.execution import (
    FOR_32_BITS,
    LENIENT,
    ZERO_LOCALS,
    Build,
    compiler_words,
    environment,
    link,
    linker_words,
    preprocess_all,
    program_files,
    write_program,
)
from pincer.evidence.c.instrument import Instrumented, instrument_all
from pincer.evidence.c.test_suite import Suite
from pincer.program.c_file import CFile
from pincer.runtime.commands import run


class SuiteCoverage(Struct, frozen=True):
    """How much of the program the suite's runs executed. A branch is one side of a decision of the compiled code."""

    branches_covered: int
    branches_total: int
    lines_covered: int
    lines_total: int
    timeouts: int = 0

    @property
    def branch_percentage(self) -> float:
        return 100.0 * self.branches_covered / self.branches_total if self.branches_total else 100.0


def measure_coverage(
    suite: Suite, timeout: float = 10, preprocessor: Sequence[str] = (), files: Sequence[CFile] = ()
) -> SuiteCoverage:
    """Run every test case and add up what was executed. Without gcc and gcov this is a `PincerError` that says so.

    A run that does not end in time adds nothing; `timeouts` counts those.
    """
    compiler = find_compiler()
    gcov = _gcov_for(compiler) if compiler else None
    if compiler is None or gcov is None or not can_build(compiler, ("--coverage",)):
        raise PincerError("coverage is not measured: it needs gcc and gcov on the PATH")
    flags = (*LENIENT, *((ZERO_LOCALS,) if understands(compiler, ZERO_LOCALS) else ()), *_model_flags(compiler, suite))
    build = Build(compiler, (*flags, "--coverage", "-DPINCER_COVERAGE"))
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        texts = preprocess_all(Path(name), build, suite.source, preprocessor, files)
        runs = _Runs(Path(name), build, suite, texts, [Path(file.path) for file in files] or [suite.source])
        timeouts = sum(not runs.play(number, timeout) for number in range(len(suite.cases)))
        return runs.add_up(gcov, timeouts)


def _gcov_for(compiler: tuple[str, ...]) -> str | None:
    """The gcov that belongs to a gcc: `gcov-12` for `gcc-12`."""
    name = Path(compiler[0]).name
    return shutil.which(name.replace("gcc", "gcov") if "gcc" in name else "gcov")


def _model_flags(compiler: tuple[str, ...], suite: Suite) -> tuple[str, ...]:
    return FOR_32_BITS if suite.data_model == "ILP32" and can_build(compiler, ("-m32",)) else ()


@dataclass
class _Runs:
    """The runs of a suite. Cases whose instrumented program is the same share one object and its counters."""

    directory: Path
    build: Build
    suite: Suite
    texts: Sequence[str]
    sources: Sequence[Path]
    folders: dict[tuple[str, ...], Path] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.suite.cases:
            self._folder(self._program(()))

    def _program(self, inputs: Sequence[Any]) -> Instrumented:
        return instrument_all(self.texts, self.suite.entry, inputs)

    def _folder(self, program: Instrumented) -> Path:
        """The folder with the compiled program."""
        key = (program.text, *program.others)
        if key not in self.folders:
            folder = self.directory / f"program-{len(self.folders)}"
            folder.mkdir()
            write_program(folder, program)
            files = program_files(program)
            command = (*self.build.compiler, *self.build.flags, *compiler_words(len(files)), "-c", *files)
            if run(command, folder, COMPILE_TIMEOUT).status != 0:
                raise PincerError("coverage is not measured: the program does not compile")
            self.folders[key] = folder
        return self.folders[key]

    def play(self, number: int, timeout: float) -> bool:
        """Run one test case; False when it did not end in time."""
        inputs = self.suite.cases[number].inputs
        program = self._program(inputs)
        folder = self._folder(program)
        objects = [str(Path(name).with_suffix(".o")) for name in program_files(program)]
        words = (*self.build.flags, *linker_words(len(objects)))
        command = (*self.build.compiler, *words, "-o", "test", *objects, "harness.c", "-lm")
        link(folder, command, inputs, program, coverage=True)
        return not run(("./test", *command_line(inputs).words), folder, timeout, environment()).timed_out

    def add_up(self, gcov: str, timeouts: int) -> SuiteCoverage:
        """The union over all programs, by line and by number of the branch in its line."""
        lines: dict[tuple[int, int], bool] = {}
        branches: dict[tuple[int, int, int], bool] = {}
        for file, source in enumerate(self.sources):
            last_line = source.read_bytes().count(b"\n") + 1
            found = (line for folder in self.folders.values() for line in _lines(gcov, folder, source, file))
            for line in found:
                number = line["line_number"]
                if number <= last_line:
                    lines[file, number] = lines.get((file, number), False) or line["count"] > 0
                    for index, branch in enumerate(line["branches"]):
                        key = file, number, index
                        branches[key] = branches.get(key, False) or branch["count"] > 0
        return SuiteCoverage(sum(branches.values()), len(branches), sum(lines.values()), len(lines), timeouts)


def _lines(gcov: str, folder: Path, source: Path, number: int) -> Iterator[dict[str, Any]]:
    """gcov's records for the lines of one of the user's files."""
    name = "program" if number == 0 else f"program-{number + 1}"
    if run((gcov, "-b", "--json-format", f"{name}.gcno"), folder, COMPILE_TIMEOUT).status != 0:
        raise PincerError("coverage is not measured: gcov cannot read what gcc wrote; do their versions agree?")
    for report in folder.glob(f"{name}.*gcov.json.gz"):
        data = json.loads(gzip.decompress(report.read_bytes()))
        for file in data["files"]:
            if Path(file["file"]).name == source.name:
                yield from file["lines"]
