"""Confirming a violation of a threaded program: compiled code runs under its schedule, and must really go wrong.

What counts is what the compiled program does: a failing assertion, threads in calls of which none can ever return, two
threads stopped right before accesses to the same memory, an access to memory that is not there, or arithmetic that the
compiler's own checks object to. It must be what the test claims, at the same place: an assertion that fails in the line
of an overflow does not confirm the overflow. A run that leaves the schedule is no proof of anything by itself; if it
goes wrong all the same, it does go wrong.
"""

from __future__ import annotations

import json
import re
import shlex
import signal
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c.command_line import command_line
from pincer.evidence.c.compiler import COMPILE_TIMEOUT, can_build, understands
from pincer.evidence.c.execution import (
    ARITHMETIC_CHECKS,
    CRASHES,
    FOR_32_BITS,
    LENIENT,
    NO_BUILTINS,
    STOP_AT_REPORT,
    TOO_LONG,
    WRAPPING,
    ZERO_LOCALS,
    Build,
    Confirmation,
    environment,
    in_folder,
    preprocess_all,
)
from pincer.evidence.c.failures import FailureKind, Observed, Place
from pincer.evidence.c.harness import ASSUMPTION_FAILED, DIVERGED
from pincer.evidence.c.observation import observed, same_statement, stated_failure
from pincer.evidence.threads.program import ReplayProgram, script
from pincer.evidence.threads.trace import ThreadedTest, to_json
from pincer.program.c_file import CFile
from pincer.runtime.commands import Finished, run

UNDEFINED, ENDLESS, MEMORY, RACE, DEADLOCK = 92, 93, 94, 95, 96
SANITIZER = "-fsanitize=thread"
SANITIZER_REPEATS = 2
REPORTED = 66
SANITIZER_OPTIONS = {"TSAN_OPTIONS": f"halt_on_error=1:exitcode={REPORTED}"}
INEXACT = "pincer: inexact"
LATE = {"PINCER_LATE": "1"}
"""Where a compiler evaluates the parts of a statement in another order, they can be taken early or put off."""
NOTHING_SET: Mapping[str, str] = {}
SKIP = {"PINCER_SKIP": "1"}
"""Where a compiler leaves out an access, the schedule can go on without it."""
ALL_READS = ("-mllvm", "-tsan-instrument-read-before-write=1")
"""clang says nothing of a read right before a write, unless it is asked to."""
BOUNDS = ("-fsanitize=bounds",)
"""Arrays have bounds that compilers know: the runtime answers when an index is beyond them."""
CHECKED_ARITHMETIC = (ARITHMETIC_CHECKS, STOP_AT_REPORT)
"""The runtime answers, too, where a result is not defined."""

_RACE = re.compile(r"^pincer: race: (.*)$", re.MULTILINE)
_MEMORY = re.compile(r"^pincer: memory: (.*)$", re.MULTILINE)
_ENDLESS = re.compile(r"^pincer: endless: (.*)$", re.MULTILINE)
_WAIT = re.compile(r"^pincer: (thread \d+(?: at line \d+)? waits for .*)$", re.MULTILINE)
_LEFT = re.compile(r"^pincer: left the schedule (at .*)$", re.MULTILINE)
_DIVERGED = re.compile(r"^pincer: diverged: (.*)$", re.MULTILINE)
_UNDEFINED = re.compile(r"undefined reference to [`'\"]?([A-Za-z_$][\w$]*)")


class _ThreadedSubject(Struct, frozen=True):
    """What is compiled: a test, its program, the arguments of the preprocessor, and how."""

    test: ThreadedTest
    source: Path
    preprocessor: Sequence[str]
    build: Build
    files: Sequence[CFile] = ()


def confirm(
    test: ThreadedTest,
    source: Path,
    workdir: Path | None = None,
    timeout: float = 10,
    preprocessor: Sequence[str] = (),
    files: Sequence[CFile] = (),
) -> Confirmation:
    """Compile the program in `source`, or in `files`, and run it under the schedule of a test.

    With `workdir` the files stay there (replay.c, test.json, build.sh). `preprocessor` are `-I` and `-D` arguments.
    """

    def confirmed(directory: Path, compiler: tuple[str, ...]) -> Confirmation:
        answers = []
        for build in _builds(compiler, test):
            subject = _ThreadedSubject(test, source, preprocessor, build, files)
            answers.append(_confirm_in(directory, subject, timeout))
            if answers[-1].status == "confirmed":
                return answers[-1]
        return answers[0]

    return in_folder(test.inputs, workdir, confirmed)


def _builds(compiler: tuple[str, ...], test: ThreadedTest) -> Iterator[Build]:
    """Ways to build a test, the most telling first."""
    build = _build(compiler, test)
    yield build
    if test.failure.kind is FailureKind.OVERFLOW:
        # `abs` is arithmetic only for a compiler that knows it.
        yield replace(build, flags=tuple(flag for flag in build.flags if flag != NO_BUILTINS))


def _build(compiler: tuple[str, ...], test: ThreadedTest) -> Build:
    # Where arithmetic is said to wrap around, the compiler does not look for overflow.
    wrapping = () if test.kind == "undefined" else (WRAPPING,)
    flags: tuple[str, ...] = (*(flag for flag in LENIENT if flag != WRAPPING), *wrapping, "-pthread")
    if understands(compiler, ZERO_LOCALS):
        flags += (ZERO_LOCALS,)
    if test.data_model == "LP64":
        return Build(compiler, flags)
    if can_build(compiler, ("-m32",)):
        return Build(compiler, (*flags, *FOR_32_BITS))
    return Build(compiler, flags, "built for 64 bits, the compiler cannot link 32-bit programs")


def _confirm_in(directory: Path, subject: _ThreadedSubject, timeout: float) -> Confirmation:
    test = subject.test
    command = f"sh {shlex.quote(str(directory / 'build.sh'))}"
    try:
        program = _prepare(directory, subject)
    except PincerError as error:
        return Confirmation("not confirmed", f"not confirmed: {error.message}", command)
    answer, left = _tried(directory, subject, program, timeout)
    if left:
        answer = _tried_volatile(directory, subject, timeout) or answer
    if test.kind == "race":
        answer = _sanitized(directory, subject, answer, timeout)
    if program.unplaced and answer.status != "confirmed":
        needed = f"not confirmable by plain execution: it needs {', '.join(program.unplaced)}"
        answer = Confirmation("not confirmed", f"{needed}; {answer.detail}")
    if subject.build.remark:
        answer = replace(answer, detail=f"{answer.detail} ({subject.build.remark})")
        if answer.status == "contradicted":
            answer = replace(answer, status="not confirmed")
    return replace(answer, command=command)


def _tried(
    directory: Path, subject: _ThreadedSubject, program: ReplayProgram, timeout: float
) -> tuple[Confirmation, bool]:
    """What runs under the schedule show, and whether all of them left it; the script repeats the one that shows it."""
    started = ("./test", *command_line(subject.test.inputs).words)
    finished = run(started, directory, timeout, environment())
    answer = judged(finished, program, program.is_exact)
    left = bool(_LEFT.search(finished.errors)) and not finished.timed_out
    ways = [LATE] if INEXACT in finished.errors and not finished.timed_out else []
    ways += [SKIP] if left else []
    ways += [{**LATE, **SKIP}] if len(ways) == 2 else []
    for way in ways if answer.status != "confirmed" else []:
        other = judged(run(started, directory, timeout, {**environment(), **way}), program)
        if other.status == "confirmed":
            (directory / "build.sh").write_text(_script(subject, program, way), encoding="utf-8")
            return other, False
    return answer, left and answer.status != "confirmed"


def _tried_volatile(directory: Path, subject: _ThreadedSubject, timeout: float) -> Confirmation | None:
    """What a program shows that makes every access to the variables of the schedule, if it shows the failure."""
    try:
        answer, _ = _tried(directory, subject, _prepare(directory, subject, volatile=True), timeout)
    except PincerError:
        answer = None
    if answer is not None and answer.status == "confirmed":
        return replace(answer, detail=f"{answer.detail} (shared variables declared volatile)")
    _prepare(directory, subject)
    return None


def _prepare(directory: Path, subject: _ThreadedSubject, volatile: bool = False) -> ReplayProgram:
    """Write the files and build `test`; names that stay undefined get stubs. A failure is a `PincerError`."""
    build, test = subject.build, subject.test
    texts = preprocess_all(directory, build, subject.source, subject.preprocessor, subject.files)
    program = ReplayProgram.of(test, texts, volatile)
    (directory / "test.json").write_text(json.dumps(to_json(test), indent=1) + "\n", encoding="utf-8")
    (directory / "build.sh").write_text(_script(subject, program), encoding="utf-8")
    stubs: frozenset[str] = frozenset()
    while True:
        text = program.text(stubs)
        (directory / "replay.c").write_text(text, encoding="utf-8", errors="surrogateescape")
        built = run(("sh", "build.sh", "build"), directory, COMPILE_TIMEOUT)
        if built.status == 0:
            return program
        missing = frozenset(_UNDEFINED.findall(built.errors)) - stubs - program.program.defined
        missing = frozenset(name for name in missing if name != "main" and not name.startswith("__wrap_"))
        if not missing:
            raise PincerError(f"the test does not compile: {_first_error(built)}")
        stubs |= missing


def _script(subject: _ThreadedSubject, program: ReplayProgram, settings: Mapping[str, str] = NOTHING_SET) -> str:
    build = subject.build
    instrumentation: tuple[str, ...] = (SANITIZER,)
    if can_build(build.compiler, ALL_READS):
        instrumentation += ALL_READS
    if subject.test.kind == "memory" and can_build(build.compiler, BOUNDS):
        instrumentation += BOUNDS
    if subject.test.kind == "undefined" and can_build(build.compiler, CHECKED_ARITHMETIC):
        instrumentation += CHECKED_ARITHMETIC
    words = shlex.join(("./test", *command_line(subject.test.inputs).words))
    start = " ".join((*(f"{name}={value}" for name, value in settings.items()), "exec", words))
    return script(build, instrumentation, _can_sanitize(build), program, start)


def _can_sanitize(build: Build) -> bool:
    return can_build(build.compiler, (*build.flags, SANITIZER))


def _first_error(finished: Finished) -> str:
    lines = finished.errors.strip().splitlines()
    if finished.timed_out or not lines:
        return "the compiler did not end in time" if finished.timed_out else f"status {finished.status}"
    return next((line for line in lines if "error" in line or "undefined" in line), lines[0])


def judged(finished: Finished, program: ReplayProgram, exact: bool = False) -> Confirmation:
    """What a run under the schedule shows about a test; only an `exact` one can speak against it."""
    test = program.test
    seen = _seen(finished, program)
    if seen is not None and seen[0] == test.kind and _is_claimed(finished, program):
        return Confirmation("confirmed", f"confirmed by execution: {seen[1]}")
    left = _LEFT.findall(finished.errors)
    if test.kind == "ended" and not left and _has_ended(finished):
        return Confirmation("confirmed", "confirmed by execution: the program ends after all steps of the schedule")
    what = f"the run left the recorded schedule {left[0]}, and " if left else ""
    claimed = test.kind if test.failure.kind is None or test.kind != "undefined" else test.failure.kind.value
    ending = f"instead of the {claimed}: {seen[1]}" if seen is not None else _ending(finished)
    exact = (
        exact
        and test.kind == "assertion"
        and seen is None
        and not left
        and finished.status >= 0
        and not finished.timed_out
    )
    exact = exact and INEXACT not in finished.errors and finished.status != DIVERGED
    exact = exact and all(item.kind == "nondet" for item in test.inputs)
    return Confirmation("contradicted" if exact else "not confirmed", f"not confirmed: {what}{ending}")


def _is_claimed(finished: Finished, program: ReplayProgram) -> bool:
    """Whether a run of the right kind goes wrong as the test says and where; the runtime looks for races and deadlocks
    there only."""
    failure = program.test.failure
    if program.test.kind == "memory":
        divides = _signal(finished) is signal.SIGFPE
        return failure.kind is None or divides == (failure.kind is FailureKind.DIVISION)
    found = stated_failure(finished) or _undefined(finished, program)
    if found is None or program.test.targets:
        return True
    if program.test.kind == "undefined" and (failure.kind not in found.kinds or found.place is None):
        return False
    if found.place is None:
        return True
    place = Place.of(failure.position.file, failure.position.line)
    return found.place.file in ("", place.file) and same_statement(program.program.source, place, found.place.line)


def _undefined(finished: Finished, program: ReplayProgram) -> Observed | None:
    """Arithmetic that the compiler's checks object to."""
    if finished.status != UNDEFINED:
        return None
    return observed(finished, program.program.source, Path())


def _seen(finished: Finished, program: ReplayProgram) -> tuple[str, str] | None:
    """The kind of failure that a run shows, and a sentence about it."""
    errors, ended_by = finished.errors, _signal(finished)
    found = stated_failure(finished) or _undefined(finished, program)
    if found is not None:
        where = f" at {found.place.told(program.test.file)}" if found.place else ""
        if finished.status == UNDEFINED:
            return "undefined", f"{found.text}{where}"
        return "assertion", f"reached {found.text}{where}"
    if finished.status == DEADLOCK and (waits := _WAIT.findall(errors)):
        return "deadlock", "; ".join(waits)
    if finished.status == RACE and (race := _RACE.findall(errors)):
        return "race", race[-1]
    if finished.status == MEMORY and (memory := _MEMORY.findall(errors)):
        return "memory", memory[-1]
    if finished.status == ENDLESS and (rounds := _ENDLESS.findall(errors)):
        return "endless", rounds[-1]
    if ended_by in CRASHES:
        return "memory", f"{CRASHES[ended_by]} ({ended_by.name})"
    return None


def _has_ended(finished: Finished) -> bool:
    """Whether a program has come to an end of its own: a failing assertion is one, and undefined behaviour is not."""
    if stated_failure(finished) is not None:
        return True
    other = (UNDEFINED, ENDLESS, MEMORY, RACE, DEADLOCK, ASSUMPTION_FAILED, DIVERGED)
    return not finished.timed_out and finished.status >= 0 and finished.status not in other


def _signal(finished: Finished) -> signal.Signals | None:
    return signal.Signals(-finished.status) if finished.status < 0 and not finished.timed_out else None


def _ending(finished: Finished) -> str:
    if finished.timed_out:
        return TOO_LONG
    if finished.status == DIVERGED and (diverged := _DIVERGED.findall(finished.errors)):
        return str(diverged[-1])
    if finished.status == ASSUMPTION_FAILED and "pincer: an assumption" in finished.errors:
        return "an assumption of the program does not hold"
    ended_by = _signal(finished)
    if ended_by is not None:
        return f"the program was ended by {ended_by.name}"
    return f"the program ends with status {finished.status} and nothing goes wrong"


def _sanitized(directory: Path, subject: _ThreadedSubject, answer: Confirmation, timeout: float) -> Confirmation:
    """A race is shown to the compiler's thread sanitizer, too; it must name both lines."""
    if not _can_sanitize(subject.build):
        return answer
    command: tuple[str, ...] = ("sh", "build.sh", "sanitizer")
    for limit in (COMPILE_TIMEOUT + timeout, *[timeout] * SANITIZER_REPEATS):
        finished = run(command, directory, limit, SANITIZER_OPTIONS)
        command = ("./plain",)
        if finished.status != REPORTED or not _names_both(finished.errors, subject.test):
            continue
        lines = " and ".join(str(stop.position.line) for stop in subject.test.failure.stops)
        said = f"ThreadSanitizer reports a data race at lines {lines}"
        if answer.status == "confirmed":
            return replace(answer, detail=f"{answer.detail}; {said}")
        return Confirmation("confirmed", f"confirmed by execution: {said}")
    return answer


def _names_both(report: str, test: ThreadedTest) -> bool:
    """Whether the two accesses of the first report are at the lines where the threads of the test stand."""
    accesses = re.findall(r"(?:[Rr]ead|[Ww]rite) of size \d+[^\n]*\n\s*#0 [^\n]*?/([^/\n:]+):(\d+)", report)
    found = [(file, int(line)) for file, line in accesses[:2]]
    stops = [(Path(stop.position.file).name, stop.position.line) for stop in test.failure.stops]
    return sorted(found) == sorted(stops)
