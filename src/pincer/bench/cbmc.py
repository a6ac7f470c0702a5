"""CBMC, the bounded model checker, as the peer to compare with on C programs.

Loops are unwound 1, 2, 4, ... times with unwinding assertions, until the verdict does not rest on the bound: some other
assertion fails, or all hold.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from pincer.bench.measurement import Job, Measurement, Status, present
from pincer.bench.rows import CQuestion

Answer = Literal["safe", "unsafe", "bound", "error"]

_RESULT = re.compile(r"^\[(?P<property>[^\]]*)\] .*: (?P<result>SUCCESS|FAILURE|UNKNOWN|ERROR)$", re.MULTILINE)
_UNWINDING = re.compile(r"\.(?:unwind|recursion)(?:\.\d+)?$|unwinding assertion")
_MEMORY = ("--bounds-check", "--pointer-check", "--div-by-zero-check")
_STUBS = {
    "reach_error": 'void reach_error(void) { __CPROVER_assert(0, "reach_error"); }',
    "__VERIFIER_error": 'void __VERIFIER_error(void) { __CPROVER_assert(0, "__VERIFIER_error"); }',
    "__VERIFIER_assume": "void __VERIFIER_assume(int condition) { __CPROVER_assume(condition); }",
}


def measure_cbmc(job: Job) -> Measurement:
    """CBMC on a row about assertions or memory; others are not given to it."""
    blank = Measurement(job.row.name, "cbmc", "unsupported", job.row.expected)
    assert isinstance(job.row.question, CQuestion)
    if job.row.question.kind in ("rule", "other"):
        return replace(blank, reason="CBMC is not asked about API rules, overflow, leaks and uninitialised values")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        status, unwound, reason = _deepened(job, Path(name), started + job.timeout)
    seconds = time.perf_counter() - started
    return replace(
        blank,
        status=status,
        time_s=seconds,
        figures=present(iterations=unwound or None, wall_s=seconds),
        reason=reason,
    )


def _deepened(job: Job, workdir: Path, deadline: float) -> tuple[Status, int, str]:
    """The verdict, the bound it was reached with, and a reason when there is none."""
    command = _command(job, workdir)
    unwound = 0
    for bound in _bounds():
        left = deadline - time.perf_counter()
        if left <= 0:
            break
        try:
            done = subprocess.run(
                [*command, "--unwind", str(bound)], capture_output=True, text=True, errors="replace", timeout=left
            )
        except subprocess.TimeoutExpired:
            break
        unwound = bound
        match judged(done.returncode, done.stdout):
            case "bound":
                continue
            case "error":
                return "error", unwound, _complaint(done.stdout + done.stderr)
            case "safe":
                return "safe", unwound, ""
            case "unsafe":
                return "unsafe", unwound, ""
    return "time", unwound, f"the verdict still rests on the bound {unwound}"


def _bounds() -> Iterator[int]:
    bound = 1
    while True:
        yield bound
        bound *= 2


def judged(status: int, output: str) -> Answer:
    """What a run of CBMC says, by its exit status and its list of properties."""
    if status == 0:
        return "safe"
    if status != 10:
        return "error"
    failed = [line for line in _RESULT.finditer(output) if line["result"] == "FAILURE"]
    beyond = [line for line in failed if not _UNWINDING.search(line["property"]) and "unwinding" not in line[0]]
    if beyond:
        return "unsafe"
    return "bound" if failed else "error"


def _command(job: Job, workdir: Path) -> list[str]:
    question = job.row.question
    assert isinstance(question, CQuestion)
    model = "--32" if question.data_model == "ILP32" else "--64"
    program = question.source or job.row.file
    text = program.read_text(encoding="utf-8", errors="replace")
    folders = [word for option, word in pairwise(job.options) if option == "-I"]
    texts = [text, *_headers(text, folders)]
    stubs = [stub for name, stub in _STUBS.items() if any(_used_but_undefined(name, part) for part in texts)]
    files = [str(program)]
    if stubs:
        (workdir / "stubs.c").write_text("\n".join(stubs) + "\n", encoding="utf-8")
        files.append(str(workdir / "stubs.c"))
    checks = list(_MEMORY) if question.kind == "memory" else []
    includes = [word for folder in folders for word in ("-I", folder)]
    return ["cbmc", *files, *includes, model, "--unwinding-assertions", *_quiet_defaults(), *checks]


def _headers(text: str, folders: list[str]) -> Iterator[str]:
    """The texts of the headers that a program includes from the given folders."""
    for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.MULTILINE):
        for file in (Path(folder) / name for folder in folders):
            if file.is_file():
                yield file.read_text(encoding="utf-8", errors="replace")


@cache
def _quiet_defaults() -> tuple[str, ...]:
    """The option that switches off the checks which newer versions make unasked."""
    help_text = subprocess.run(["cbmc", "--help"], capture_output=True, text=True).stdout
    return ("--no-standard-checks",) if "--no-standard-checks" in help_text else ()


def _used_but_undefined(name: str, text: str) -> bool:
    if not re.search(rf"\b{name}\s*\(", text):
        return False
    return not re.search(rf"\b{name}\s*\([^;{{}}]*\)\s*(?:__attribute__\s*\(\([^;{{}}]*\)\)\s*)?\{{", text)


def _complaint(output: str) -> str:
    lines = [line for line in output.splitlines() if "error" in line.lower()]
    return lines[0] if lines else (output.strip().splitlines() or ["no output"])[-1]
