"""Confirming a violation: the test is compiled with the system's compiler, run, and must really go wrong.

The program runs as compiled code with the user's rights, in its own folder and process group and with a time limit.
Functions without a body whose results the test recorded are replaced by the harness, even those of the C library.

A failing assertion that depends on nothing but values the harness delivers must fail in the compiled program too. When
that one ends in another way, model and compiler disagree about C: the violation is contradicted, not just unconfirmed.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c.command_line import command_line
from pincer.evidence.c.compiler import COMPILE_TIMEOUT, can_build, find_compiler, understands
from pincer.evidence.c.failures import STATED, FailureKind
from pincer.evidence.c.harness import ASSUMPTION_FAILED, DIVERGED, REACHED, harness, undeliverable
from pincer.evidence.c.instrument import Instrumented, instrument_all
from pincer.evidence.c.observation import disagreement, observed, place_of
from pincer.evidence.c.rounds import GONE_ROUND, WatchedRounds, watched
from pincer.evidence.c.trace import CTest, InputValue, to_json
from pincer.evidence.c.weave import weave
from pincer.evidence.c.words import looks_at_objects, return_type
from pincer.frontends.c.preprocessing.predefined import WORDS_OF_CBMC
from pincer.frontends.c.rules import Instrumentation
from pincer.program.c_file import CFile
from pincer.program.control_flow import LITERALS_ARE_APART, WHERE_OBJECTS_LIE
from pincer.runtime.commands import Finished, run

HEADERS = Path(__file__).parents[2] / "frontends" / "c" / "headers"

WRAPPING = "-fwrapv"
NO_BUILTINS = "-fno-builtin"
# AddressSanitizer guards no common object.
OWN_OBJECTS = "-fno-common"
LENIENT = (
    "-std=gnu11", "-O0", "-g", "-w", WRAPPING, "-ffp-contract=off", "-fno-strict-aliasing", NO_BUILTINS, OWN_OBJECTS,
    "-Wno-implicit-function-declaration", "-Wno-implicit-int", "-Wno-int-conversion",
    "-Wno-incompatible-pointer-types", "-Wno-return-mismatch",
)  # fmt: skip
# Numbers are computed in their own precision, by SSE and not by x87.
FOR_32_BITS = ("-m32", "-msse2", "-mfpmath=sse")
# Without these words every function of the file is emitted and every variable has an address.
PLAIN_WORDS = ("-Dinline=", "-D__inline=", "-D__inline__=", "-Dregister=", "-Dstatic_assert=_Static_assert")
# The words of other verifiers for atomic sections become the one that all the tests know.
ATOMIC_WORDS = tuple(
    f"-D__{verifier}_atomic_{end}=__VERIFIER_atomic_{end}"
    for verifier in ("CPROVER", "ESBMC")
    for end in ("begin", "end")
)
ZERO_LOCALS = "-ftrivial-auto-var-init=zero"
PATTERN_LOCALS = "-ftrivial-auto-var-init=pattern"
# What follows values that nobody gave through a whole run: until the first of them decides something, or to its end.
WATCHED = ("valgrind", "-q", "--error-exitcode=98", "--malloc-fill=0xa5")
UNTIL_FIRST, TO_THE_END = (*WATCHED, "--exit-on-first-error=yes"), (*WATCHED, "--error-limit=no")
# Array bounds and null members are reported even where no object is left: those reports count only at the right line.
OBJECT_CHECKS = "-fsanitize=address"
ARRAY_CHECKS = (
    "-fsanitize=address,null,integer-divide-by-zero,shift-exponent,bounds,float-cast-overflow,unreachable,bool,"
    "vla-bound"
)
ARITHMETIC_CHECKS = "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift,float-cast-overflow,builtin"
# LeakSanitizer alone: the stacks that AddressSanitizer keeps would still point to what is lost.
LEAK_CHECKS = ("-fsanitize=leak", "-fsanitize=address")
# Functions of the C library that allocate keep no frame pointers: their callers are found by the compiler's tables.
LEAKS_ARE_REPORTED = (
    "ASAN_OPTIONS",
    "detect_leaks=1:detect_stack_use_after_return=0:allocator_may_return_null=1:fast_unwind_on_malloc=0",
)
LOST = "fast_unwind_on_malloc=0"
EVERYTHING_LEAKS = f"{LOST}:use_globals=0:use_stacks=0:use_registers=0:use_tls=0:use_root_regions=0"
# What is written by functions for texts is checked where the compiler knows the member; that needs optimisation.
TEXT_CHECKS = ("-O1", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2")
ABORTS_ARE_REPORTED = (("ASAN_OPTIONS", "detect_leaks=0:handle_abort=1:allocator_may_return_null=1"),)
STOP_AT_REPORT = "-fno-sanitize-recover=all"
ASAN_OPTIONS = (
    "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:redzone=1024:"
    "max_malloc_fill_size=1000000000:detect_odr_violation=0"
)
# Functions about characters are functions, and are called through those of the test, which look at what they are given.
_CHARACTER_FUNCTIONS = (
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
    "isupper", "isxdigit", "tolower", "toupper",
)  # fmt: skip
CHARACTERS_ARE_CHECKED = (
    "-D__NO_CTYPE",
    "-DPINCER_CHARACTERS=" + " ".join(f"PINCER_CHARACTER({name})" for name in _CHARACTER_FUNCTIONS),
    *(f"-Wl,--wrap={name}" for name in _CHARACTER_FUNCTIONS),
)
# Uses of objects without bytes are reported as well.
EMPTY_OBJECTS = ("-DPINCER_EMPTY_OBJECTS", *(f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc")))
ABORTS_TELL = ("-DPINCER_TRAPS",)
TRAPPING = ("-ftrapv", *ABORTS_TELL)
# Where no sanitizer can, the test itself says where it crashes.
CRASHES_TELL = ("-DPINCER_CRASHES", "-no-pie", "-fno-omit-frame-pointer", "-gdwarf-4")
CRASHES = {signal.SIGSEGV: "invalid memory access", signal.SIGBUS: "invalid memory access", signal.SIGFPE: "division"}

_MOST_FILLINGS = 8
TOO_LONG = "the test does not end in time"

_UNDEFINED = re.compile(r"undefined reference to [`'\"]?([A-Za-z_$][\w$]*)")


Status: TypeAlias = Literal["confirmed", "not confirmed", "contradicted", "no compiler"]


class Confirmation(Struct, frozen=True):
    """`command` is one shell line that repeats the test; it is empty when the test's files were not kept.

    With `unfinished` the test did not end in time."""

    status: Status
    detail: str
    command: str = ""
    unfinished: bool = False


class Build(Struct, frozen=True):
    """One way to compile the test, settings under which it runs, and what to say about it when it differs from what the
    test asks for. The test is run by the `runner`, if there is one. A `plain` program has no functions for inlining. A
    `sanitized` build is none where the compiler has no such sanitizer; an `unexplained` crash counts only then."""

    compiler: tuple[str, ...]
    flags: tuple[str, ...]
    remark: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    runner: tuple[str, ...] = ()
    plain: bool = True
    sanitized: bool = False
    unexplained: bool = False

    def environment(self, fill: int) -> dict[str, str]:
        return {**environment(fill), **dict(self.settings)}

    def command(self, program: Instrumented) -> tuple[str, ...]:
        """How the program and its harness are compiled."""
        files = program_files(program)
        words = (*self.flags, *compiler_words(len(files)), *linker_words(len(files)), *wrapping_words(program))
        return (*self.compiler, *words, "-o", "test", *files, "harness.c", "-lm")


def program_files(program: Instrumented) -> list[str]:
    """The names under which the texts of a program are written."""
    return ["program.i", *(f"program-{number}.i" for number in range(2, 2 + len(program.others)))]


def linker_words(files: int) -> tuple[str, ...]:
    """Functions for inlining are emitted by every file that has them: the linker takes the first."""
    return ("-Wl,--allow-multiple-definition",) if files > 1 else ()


def wrapping_words(program: Instrumented) -> tuple[str, ...]:
    """Functions whose names say so are put by the linker in the place of others."""
    wrapping = sorted(name for name in program.source.definitions if name.startswith("__wrap_"))
    return tuple(f"-Wl,--wrap={name.removeprefix('__wrap_')}" for name in wrapping)


def compiler_words(files: int) -> tuple[str, ...]:
    """Of the definitions that several files have of an object the linker takes the one with a value."""
    return ("-fcommon",) if files > 1 else ()


class _Subject(Struct, frozen=True):
    """What is compiled: a test, its program with the arguments of the preprocessor or all its files, and the rule it
    violates, if any; or the rounds that it goes for ever."""

    test: CTest
    source: Path
    preprocessor: Sequence[str]
    rule: Instrumentation | None
    files: Sequence[CFile] = ()
    rounds: WatchedRounds | None = None

    def looks_at_objects(self) -> bool:
        paths = [Path(file.path) for file in self.files] or [self.source]
        return any(looks_at_objects(path.read_text("utf-8", "surrogateescape")) for path in paths if path.is_file())


def confirm(
    test: CTest,
    source: Path,
    workdir: Path | None = None,
    timeout: float = 10,
    preprocessor: Sequence[str] = (),
    rule: Instrumentation | None = None,
    files: Sequence[CFile] = (),
    rounds: WatchedRounds | None = None,
) -> Confirmation:
    """Compile and run a test of the program in `source`, or in `files`, with the rule or the rounds it is about.

    With `workdir` the files stay there (program.i, harness.c, test.json, build.sh). `preprocessor` are `-I` and `-D`
    arguments for the program.
    """
    subject = _Subject(test, source, preprocessor, rule, files, rounds)
    return in_folder(
        test.inputs, workdir, lambda directory, compiler: _confirm_in(directory, compiler, subject, timeout)
    )


def in_folder(
    inputs: Iterable[InputValue], workdir: Path | None, confirmed: Callable[[Path, tuple[str, ...]], Confirmation]
) -> Confirmation:
    """What comes of compiling and running in a folder, if there is a compiler and it can deliver the inputs."""
    compiler = find_compiler()
    if compiler is None:
        return Confirmation("no compiler", "not confirmed: there is no C compiler (set CC, or install gcc or clang)")
    reason = undeliverable(inputs)
    if reason is not None:
        return Confirmation("not confirmed", f"not confirmable by plain execution: {reason}")
    if workdir is not None:
        workdir.mkdir(parents=True, exist_ok=True)
        return confirmed(workdir.absolute(), compiler)
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        return replace(confirmed(Path(name), compiler), command="")


def _confirm_in(directory: Path, compiler: tuple[str, ...], subject: _Subject, timeout: float) -> Confirmation:
    """Try the builds in turn until one run shows the violation; otherwise the first one's answer stands.

    Whether there is a sanitizer is asked only when a run with it shows nothing."""
    answers = []
    sanitized = False
    for build in _builds(compiler, subject):
        if build.unexplained and sanitized:
            continue
        answer = _attempt(directory, build, subject, timeout)
        if build.sanitized and answer.status != "confirmed" and not can_build(compiler, build.flags):
            continue
        sanitized |= build.sanitized
        answers.append(answer)
        if answer.status == "confirmed" or answer.unfinished:
            break
    if subject.test.kind == "uninitialised" and (not answers or answers[-1].status != "confirmed"):
        answers.append(_by_two_fills(directory, compiler, subject, timeout))
    return answers[-1] if answers[-1].status == "confirmed" else answers[0]


def _builds(compiler: tuple[str, ...], subject: _Subject) -> Iterator[Build]:
    """Ways to build a test, the most telling first. A bare crash counts only where no sanitizer can explain it."""
    test = subject.test
    flags: tuple[str, ...] = LENIENT
    remark = ""
    if understands(compiler, ZERO_LOCALS):
        flags += (ZERO_LOCALS,)
    if test.data_model == "ILP32" and can_build(compiler, ("-m32",)):
        flags += FOR_32_BITS
    elif test.data_model == "ILP32":
        remark = "built for 64 bits, the compiler cannot link 32-bit programs"
    if test.kind in ("assertions", "overflow") and subject.looks_at_objects():
        flags += (OBJECT_CHECKS,)
    if test.failure.kind in (FailureKind.LEAK, FailureKind.UNFREED):
        yield from _leak_builds(compiler, flags, remark, test.failure.kind)
        return
    explained = False
    if test.kind == "uninitialised":
        # What is not initialised must stay so.
        if shutil.which(WATCHED[0]) is None:
            return
        explained = True
        plain = tuple(flag for flag in flags if flag != ZERO_LOCALS)
        yield Build(compiler, plain, remark, runner=UNTIL_FIRST)
        # gcc makes choices of its own (of `(a < b) << 8`), which may come earlier.
        yield Build(compiler, plain, remark, runner=TO_THE_END)
    if test.kind == "overflow":
        # Where arithmetic is said to wrap around, the compiler does not look for overflow.
        flags = tuple(flag for flag in flags if flag != WRAPPING)
        yield Build(compiler, (*flags, ARITHMETIC_CHECKS, STOP_AT_REPORT), remark, sanitized=True)
        if test.failure.kind is FailureKind.OVERFLOW:
            # gcc simplifies some comparisons (`x + 5 > 9`) before its sanitizer sees them.
            explained = True
            yield Build(compiler, (*flags, *TRAPPING, *CRASHES_TELL), remark)
            # `abs` is arithmetic only for a compiler that knows it.
            known = tuple(flag for flag in flags if flag != NO_BUILTINS)
            yield Build(compiler, (*known, ARITHMETIC_CHECKS, STOP_AT_REPORT), remark)
    if test.failure.kind is FailureKind.CHARACTER:
        flags += CHARACTERS_ARE_CHECKED
    if test.failure.kind is FailureKind.CALL:
        # Sanitizers lose the place from which something is called that is no function.
        explained = True
        yield Build(compiler, (*flags, *CRASHES_TELL), remark)
    elif test.kind == "memory":
        for checks in (ARRAY_CHECKS, OBJECT_CHECKS):
            words = (*flags, "-fno-omit-frame-pointer", *EMPTY_OBJECTS, checks, STOP_AT_REPORT)
            yield Build(compiler, words, remark, sanitized=True)
    if test.failure.kind is FailureKind.BOUNDS and can_build(compiler, (*flags, *TEXT_CHECKS, OBJECT_CHECKS)):
        yield Build(compiler, (*flags, *TEXT_CHECKS, OBJECT_CHECKS), remark, ABORTS_ARE_REPORTED, plain=False)
        # AddressSanitizer puts functions of its own in the place of those that check what is printed.
        yield Build(compiler, (*flags, *TEXT_CHECKS, *ABORTS_TELL, *CRASHES_TELL), remark, plain=False)
    if not explained:
        words = (*flags, *CRASHES_TELL) if test.kind == "memory" else flags
        yield Build(compiler, words, remark, unexplained=True)


def _leak_builds(
    compiler: tuple[str, ...], flags: tuple[str, ...], remark: str, kind: FailureKind
) -> Iterator[Build]:  # fmt: skip
    """LeakSanitizer reports what nothing points to; when nothing is looked at, that is all that is still allocated."""
    settings = (LEAKS_ARE_REPORTED, ("LSAN_OPTIONS", EVERYTHING_LEAKS if kind is FailureKind.UNFREED else LOST))
    usable = [checks for checks in LEAK_CHECKS if can_build(compiler, (*flags, checks))]
    for checks in usable:
        yield Build(compiler, (*flags, "-fno-omit-frame-pointer", checks), remark, settings)
    if not usable:
        yield Build(compiler, flags, "the compiler has no LeakSanitizer")


def _attempt(directory: Path, build: Build, subject: _Subject, timeout: float) -> Confirmation:
    command = f"sh {shlex.quote(str(directory / 'build.sh'))}"
    test = subject.test
    try:
        program = _prepare(directory, build, subject)
    except PincerError as error:
        return Confirmation("not confirmed", f"not confirmed: {error.message}", command)
    needed = [value for value in program.unplaced if value.value]
    for fill in _fillings(needed):
        words = command_line(test.inputs).words
        (directory / "build.sh").write_text(_script(build, program, fill, words), "utf-8", "surrogateescape")
        finished = run((*build.runner, "./test", *words), directory, timeout, build.environment(fill))
        confirmed, detail = _judged(finished, subject, program, directory)
        if confirmed or finished.timed_out:
            break
    if build.remark:
        detail += f" ({build.remark})"
    if confirmed:
        return Confirmation("confirmed", detail, command)
    if needed:
        names = ", ".join(f"{value.source} = {value.value}" for value in needed)
        detail = f"not confirmable by plain execution: it needs {names}; {detail}"
    if any(value.source == LITERALS_ARE_APART and value.value for value in test.inputs):
        detail = f"it needs equal string literals that do not share memory, which is up to compilers; {detail}"
    if any(value.source in WHERE_OBJECTS_LIE for value in test.inputs):
        detail = f"it depends on where objects lie in memory, which is up to compilers; {detail}"
    exact = test.kind == "assertions" and not build.remark and all(map(_is_delivered, test.inputs))
    contradicted = exact and finished.status >= 0 and not finished.timed_out
    return Confirmation("contradicted" if contradicted else "not confirmed", detail, command, finished.timed_out)


def _by_two_fills(directory: Path, compiler: tuple[str, ...], subject: _Subject, timeout: float) -> Confirmation:
    """Where no tool shows how uninitialised values go: two runs that differ in nothing else must end differently."""
    ends = []
    for locals_, byte in ((ZERO_LOCALS, 0), (PATTERN_LOCALS, 0xA5)):
        build = Build(compiler, (*LENIENT, locals_))
        try:
            program = _prepare(directory, build, subject)
        except PincerError as error:
            return Confirmation("not confirmed", f"not confirmed: {error.message}")
        words = command_line(subject.test.inputs).words
        (directory / "build.sh").write_text(_script(build, program, byte, words), "utf-8", "surrogateescape")
        finished = run(("./test", *words), directory, timeout, environment(byte))
        ends.append((finished.status, finished.errors))
    if ends[0] == ends[1]:
        return Confirmation("not confirmed", "not confirmed: what fills uninitialised memory makes no difference")
    command = f"sh {shlex.quote(str(directory / 'build.sh'))}"
    return Confirmation(
        "confirmed", "confirmed by execution: what fills uninitialised memory makes a difference", command
    )


def _fillings(needed: Sequence[InputValue]) -> Iterator[int]:
    """Bytes to fill fresh heap memory with: zero, then those of values that nothing else can put there."""
    found = {value.value >> shift & 0xFF for value in needed for shift in range(0, value.width, 8)}
    yield from dict.fromkeys((0, *sorted(found)[:_MOST_FILLINGS]))


def environment(fill: int = 0) -> dict[str, str]:
    """Settings under which the allocators of glibc and of the sanitizers fill what they give out."""
    return {"ASAN_OPTIONS": f"{ASAN_OPTIONS}:malloc_fill_byte={fill}", "MALLOC_PERTURB_": str(fill ^ 0xFF)}


def _is_delivered(value: InputValue) -> bool:
    """Whether a compiled program gets this very value: addresses of the model mean nothing to it."""
    is_pointer = "*" in return_type(value.name, value.width)[0]
    return value.kind == "nondet" and (value.value == 0 or not is_pointer)


def _prepare(directory: Path, build: Build, subject: _Subject) -> Instrumented:
    """Write a test's files and compile them to `test` in the same folder; a failure is a `PincerError`."""
    test = subject.test
    texts = preprocess_all(directory, build, subject.source, subject.preprocessor, subject.files)
    if subject.rule is not None:
        if len(texts) > 1:
            raise PincerError("a rule is not compiled into a program of several files")
        texts = [weave(texts[0], subject.rule, test.entry)]
    if subject.rounds is not None:
        texts = watched(texts, subject.rounds)
    inputs = test.inputs if test.kind != "uninitialised" else tuple(i for i in test.inputs if i.kind != "undefined")
    program = instrument_all(texts, test.entry, inputs)
    if test.entry != "main" and test.entry not in program.defined:
        raise PincerError(f"the program does not define the entry function {test.entry}")
    write_program(directory, program)
    (directory / "test.json").write_text(json.dumps(to_json(test), indent=1) + "\n", encoding="utf-8")
    link(directory, build.command(program), inputs, program)
    return program


def write_program(directory: Path, program: Instrumented) -> None:
    """Write the instrumented texts as `program.i` and so on, byte for byte what files have between insertions."""
    for name, text in zip(program_files(program), (program.text, *program.others), strict=True):
        (directory / name).write_text(text, encoding="utf-8", errors="surrogateescape")


def link(
    directory: Path,
    command: Sequence[str],
    inputs: Sequence[InputValue],
    program: Instrumented,
    coverage: bool = False,
) -> None:
    """Write `harness.c` and run the command that builds the test; names that stay undefined get stubs."""
    stubs: frozenset[str] = frozenset()
    while True:
        (directory / "harness.c").write_text(harness(inputs, program, stubs, coverage), encoding="utf-8")
        built = run(command, directory, COMPILE_TIMEOUT)
        if built.status == 0:
            return
        missing = frozenset(_UNDEFINED.findall(built.errors)) - stubs - program.defined - {"main"}
        if not missing:
            raise PincerError(f"the test does not compile: {_first_error(built)}")
        stubs |= missing


def preprocess_all(
    directory: Path, build: Build, source: Path, preprocessor: Sequence[str], files: Sequence[CFile]
) -> list[str]:
    """The texts of all files of a program: of one in `source`, or of those in `files`."""
    if not files:
        return [preprocess(directory, build, source, preprocessor)]
    texts = []
    for file in files:
        text = preprocess(directory, build, Path(file.path), file.flags.compiler_words())
        texts.append(f'{text}\n# 1 "<added>"\n{file.added}' if file.added else text)
    return texts


def preprocess(directory: Path, build: Build, source: Path, preprocessor: Sequence[str]) -> str:
    """The program's text after the compiler's own preprocessor; our headers serve where the system has none."""
    headers = ("-idirafter", str(HEADERS)) if HEADERS.is_dir() else ()
    language = ("-x", "c")
    command = (
        *build.compiler,
        *build.flags,
        *(PLAIN_WORDS if build.plain else ()),
        *ATOMIC_WORDS,
        *(f"-D{name}={text}" for name, text in WORDS_OF_CBMC.items()),
        *preprocessor,
        *headers,
    )
    output = directory / "preprocessed.i"
    done = run((*command, *language, "-E", "-o", str(output), str(source.absolute())), directory, COMPILE_TIMEOUT)
    if done.status != 0:
        raise PincerError(f"the preprocessor fails: {_first_error(done)}")
    text = output.read_text(encoding="utf-8", errors="surrogateescape")
    output.unlink()
    return text


def _first_error(finished: Finished) -> str:
    lines = finished.errors.strip().splitlines()
    if finished.timed_out or not lines:
        return "the compiler did not end in time" if finished.timed_out else f"status {finished.status}"
    return next((line for line in lines if "error" in line or "undefined" in line), lines[0])


def _script(build: Build, program: Instrumented, fill: int, words: Sequence[str] = ()) -> str:
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in build.environment(fill).items())
    return (
        "#!/bin/sh\n"
        f"# Builds and runs one test. Status {REACHED}: the assertion fails; {ASSUMPTION_FAILED}: an assumption does\n"
        f"# not hold; {DIVERGED}: the run left the recorded path. Memory errors are reported by the sanitizers.\n"
        'cd "$(dirname "$0")" || exit 2\n'
        f"{shlex.join(build.command(program))} || exit 2\n"
        f"{settings} exec {shlex.join((*build.runner, './test', *words))}\n"
    )


def _judged(finished: Finished, subject: _Subject, program: Instrumented, directory: Path) -> tuple[bool, str]:
    """Whether a run shows the failure that a test claims, and what to say of it. A rule fails with its message."""
    test = subject.test
    if subject.rounds is not None:
        gone = finished.status == GONE_ROUND and "pincer: went round" in finished.errors
        return gone, "" if gone else f"not confirmed: {_ending(finished)}"
    seen = observed(finished, program.source, directory)
    if seen is None:
        return False, f"not confirmed: {_ending(finished)}"
    stated = bool(seen.kinds & STATED)
    what = f"reached {seen.text}" if stated else seen.text
    if subject.rule is not None and stated and seen.text != test.failure.message:
        return False, f"not confirmed: {what} before that"
    different = disagreement(test, seen, program.source)
    if different:
        return False, f"not confirmed: {what}, {different}"
    where = "" if seen.place is None else f" at {place_of(test).told(test.file)}"
    return True, f"confirmed by execution: {what}{where}"


def _signal(finished: Finished) -> signal.Signals | None:
    return signal.Signals(-finished.status) if finished.status < 0 and not finished.timed_out else None


def _ending(finished: Finished) -> str:
    if finished.timed_out:
        return TOO_LONG
    if finished.status == DIVERGED and "pincer: diverged" in finished.errors:
        return "the run left the recorded path" + finished.errors.rsplit("pincer: diverged", 1)[1].rstrip()
    if finished.status == DIVERGED and "pincer: left the region" in finished.errors:
        return "the run leaves the region that it should stay in"
    if finished.status == ASSUMPTION_FAILED and "pincer: an assumption" in finished.errors:
        return "an assumption of the program does not hold"
    ended_by = _signal(finished)
    if ended_by is not None:
        return f"the program was ended by {ended_by.name}"
    return f"the program ends with status {finished.status} and nothing goes wrong"
