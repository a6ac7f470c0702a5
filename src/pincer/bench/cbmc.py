"""CBMC, the bounded model checker, as the peer to compare with on C programs.

Loops are unwound 1, 2, 4, ... times with unwinding assertions, until the verdict does not rest on the bound: some other
assertion fails, or all hold. Where it is to be seen at its best, the smallest such bound is looked for, and only the
run with that bound is counted.
"""

from __future__ import annotations

import math
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pincer.bench.measure_commands import PATIENCE
from pincer.bench.measurement import Job, Measurement, Status, present
from pincer.bench.rows import CQuestion, Figures
from pincer.runtime.clock import seconds_of_children

Answer = Literal["safe", "unsafe", "bound", "error"]

_RESULT = re.compile(r"^\[(?P<property>[^\]]*)\] .*: (?P<result>SUCCESS|FAILURE|UNKNOWN|ERROR)$", re.MULTILINE)
_UNWINDING = re.compile(r"\.(?:unwind|recursion)(?:\.\d+)?$|unwinding assertion")
_FORMULA = re.compile(r"^(?P<variables>\d+) variables, (?P<clauses>\d+) clauses$", re.MULTILINE)
_SOLVER = re.compile(r"^Runtime Solver: (?P<seconds>[\d.e+-]+)s$", re.MULTILINE)
_UNKNOWN_FUNCTION = ".no-body."
"""The check that fails where a function is called that CBMC knows nothing of: what else fails says nothing then."""
_MEMORY = ("--bounds-check", "--pointer-check")
_ARITHMETIC = ("--signed-overflow-check", "--div-by-zero-check", "--undefined-shift-check")
_CHECKS: Mapping[str, tuple[str, ...]] = {"memory": _MEMORY, "everything": (*_MEMORY, *_ARITHMETIC)}
_FUNCTIONS = ("-D", "__NO_CTYPE")
"""Headers of the GNU library make tables of functions about characters, which CBMC has a model of."""
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
        bounded = _bounded(command, bound, left, job) if left > 0 else None
        if bounded is None:
            break
        unwound = bound
        if bounded.answer != "bound":
            return bounded.answer, unwound, bounded.reason
    return "time", unwound, f"the verdict still rests on the bound {unwound}"


class _Bounded(Struct, frozen=True):
    """One run with one bound."""

    bound: int
    answer: Answer
    seconds: float
    figures: Figures
    reason: str


def _bounded(command: list[str], bound: int, timeout: float, job: Job) -> _Bounded | None:
    """None if it did not end in time."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (job.memory_mb << 20, job.memory_mb << 20))
        if job.processor:
            whole = math.ceil(timeout)
            resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))

    started = _now(job)
    try:
        done = subprocess.run(
            [*command, "--unwind", str(bound)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE * timeout if job.processor else timeout,
            preexec_fn=limit,
        )
    except subprocess.TimeoutExpired:
        return None
    seconds = _now(job) - started
    if seconds > timeout or done.returncode == -signal.SIGXCPU:
        return None
    answer = judged(done.returncode, done.stdout)
    reason = _complaint(done.stdout + done.stderr) if answer == "error" else ""
    return _Bounded(bound, answer, seconds, _figures(done.stdout), reason)


def _now(job: Job) -> float:
    """The clock of the job's limits."""
    return seconds_of_children() if job.processor else time.perf_counter()


def _figures(output: str) -> Figures:
    """The size of the last formula (variables and clauses), and the time in the solver."""
    sizes = [int(found["variables"]) + int(found["clauses"]) for found in _FORMULA.finditer(output)]
    seconds = [float(found["seconds"]) for found in _SOLVER.finditer(output)]
    return present(formula=sizes[-1] if sizes else None, solver_s=sum(seconds) if seconds else None)


def measure_smallest(job: Job) -> Measurement:
    """CBMC with the smallest bound that its unwinding assertions accept; what finding it takes is not counted."""
    blank = Measurement(job.row.name, "cbmc", "time", job.row.expected)
    started, clock = _now(job), "cpu_s" if job.processor else "wall_s"
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        found = _smallest([*_command(job, Path(name)), "--verbosity", "8"], job)
    if found is None:
        return replace(blank, figures={clock: _now(job) - started}, reason="no bound is accepted in time")
    assert found.answer != "bound"
    figures = {**found.figures, "iterations": found.bound, clock: found.seconds}
    return replace(blank, status=found.answer, time_s=found.seconds, figures=figures, reason=found.reason)


def _smallest(command: list[str], job: Job) -> _Bounded | None:
    """Doubling until a bound is accepted or takes too long, then halving between it and the last that was refused.

    A search that has taken as long as one run may begins no other run.

    Most loops run once over the input and leave: one more than its size is tried first, unless the job knows better,
    and one less than that next if it is accepted.
    """
    assert isinstance(job.row.question, CQuestion)
    deadline = _now(job) + job.timeout
    first = job.unwinding or (job.row.question.size or 0) + 1
    refused, bound = 0, first
    best: _Bounded | None = None
    limit: int | None = None
    while limit is None or limit - refused > 1:
        bounded = _bounded(command, bound, job.timeout, job)
        if bounded is not None and bounded.answer == "bound":
            refused = bound
        else:
            best, limit = bounded or best, bound
        if _now(job) > deadline:
            break
        if limit is None:
            bound *= 2
        else:
            is_accepted = best is not None and best.bound == first
            bound = limit - 1 if limit == first and is_accepted else (refused + limit) // 2
    return best


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
    if any(_UNKNOWN_FUNCTION in line["property"] for line in failed):
        return "error"
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
    words = (*question.options, *job.options)
    folders = [word for option, word in pairwise(words) if option == "-I"]
    macros = [word for pair in pairwise(words) if pair[0] == "-D" for word in pair]
    texts = [text, *_headers(text, folders)]
    stubs = [stub for name, stub in _STUBS.items() if any(_used_but_undefined(name, part) for part in texts)]
    files = [str(program)]
    if stubs:
        (workdir / "stubs.c").write_text("\n".join(stubs) + "\n", encoding="utf-8")
        files.append(str(workdir / "stubs.c"))
    checks = _CHECKS.get(question.kind, ())
    includes = [word for folder in folders for word in ("-I", folder)]
    return [
        "cbmc",
        *files,
        *includes,
        *macros,
        *_FUNCTIONS,
        model,
        "--unwinding-assertions",
        *_quiet_defaults(),
        *checks,
    ]


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
    lines = [line for line in output.splitlines() if "error" in line.lower() or _UNKNOWN_FUNCTION in line]
    return lines[0] if lines else (output.strip().splitlines() or ["no output"])[-1]
