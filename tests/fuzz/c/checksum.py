"""One program, run by the compiler's code and by our interpreter: the checksums must be the same."""

from __future__ import annotations

import re
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.c.load import load
from pincer.program.property import DataModel
from tests.execution.interpreted import interpret

from . import compiler, csmith, generator, numbers

Generator = Literal["own", "csmith", "numbers"]
FOR_32_BITS = ("-m32", "-msse2", "-mfpmath=sse")
Outcome = Literal["identical", "different", "unsupported", "slow", "discarded", "refused", "crash"]


@dataclass(frozen=True)
class Comparison:
    """What came of one program. `steps` counts the interpreter's."""

    outcome: Outcome
    detail: str = ""
    steps: int = 0

    @property
    def failed(self) -> bool:
        return self.outcome in ("different", "refused", "crash")


def program_text(kind: Generator, seed: int, size: int, data_model: DataModel) -> str:
    if kind == "csmith":
        return csmith.generate(seed, size)
    if kind == "numbers":
        return numbers.generate(seed, size)
    return generator.generate(seed, size, 32 if data_model == "ILP32" else 64)


def compare(
    text: str, kind: Generator, max_steps: int, thorough: bool = False, data_model: DataModel = "LP64"
) -> Comparison:
    """Run a program both ways. Failures, and with `thorough` all programs, are discarded if their meaning is open.

    What is open shows as a difference between levels of optimisation, or as a report of the sanitizers.
    """
    with tempfile.TemporaryDirectory(prefix="pincer-fuzz-") as folder:
        source = Path(folder) / "program.c"
        source.write_text(text, encoding="utf-8")
        include = (f"-I{csmith.headers()}",) if kind == "csmith" else ()
        flags = (*include, *(FOR_32_BITS if data_model == "ILP32" else ()))
        try:
            expected = _expected(compiler.output(source, ("-O0", *flags)))
            ours = compiler.preprocess(source, flags) if kind == "csmith" else source
            result = _interpreted(ours, kind, expected, max_steps, data_model)
            if thorough or result.failed:
                compiler.require_defined(source, flags)
        except compiler.Rejected as reason:
            return Comparison("discarded", str(reason))
        return result


def _expected(printed: str) -> int:
    found = re.search(r"checksum = ([0-9A-F]+)$", printed)
    if found:
        return int(found[1], 16) ^ 0xFFFFFFFF
    if not printed.isdigit():
        raise compiler.Rejected("no checksum printed")
    return int(printed)


def _interpreted(source: Path, kind: Generator, expected: int, max_steps: int, data_model: DataModel) -> Comparison:
    try:
        outcome = interpret(load(source, data_model=data_model), max_steps=max_steps)
    except UnsupportedError as problem:
        return Comparison("unsupported", problem.message)
    except PincerError as problem:
        return Comparison("refused", str(problem))
    except Exception:
        return Comparison("crash", traceback.format_exc())
    stop, steps = outcome.stop, outcome.steps
    if stop.kind == "unsupported":
        return Comparison("unsupported", stop.message, steps)
    if stop.kind == "steps":
        return Comparison("slow", stop.message, steps)
    if stop.kind != "halt":
        where = f" at {stop.edge.position}" if stop.edge else ""
        return Comparison("different", f"stopped by {stop.kind}: {stop.message}{where}", steps)
    value = outcome.global_value("crc32_context" if kind == "csmith" else "checksum")
    if value != expected:
        return Comparison("different", f"gcc computes {expected}, we compute {value}", steps)
    return Comparison("identical", steps=steps)
