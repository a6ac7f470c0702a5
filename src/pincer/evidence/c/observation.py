"""What a compiled test showed, and whether that is what the model said: the same failure at the same place.

A different failure, or the same one elsewhere (inside the harness, for example), confirms nothing.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from pathlib import Path

from pincer.evidence.c.failures import STATED, FailureKind, Observed, Place
from pincer.evidence.c.harness import REACHED
from pincer.evidence.c.tokens import CText
from pincer.evidence.c.trace import CTest
from pincer.runtime.commands import Finished, run

_CRASHES: Mapping[signal.Signals, tuple[str, frozenset[FailureKind]]] = {
    **dict.fromkeys(
        (signal.SIGSEGV, signal.SIGBUS),
        (
            "invalid memory access",
            frozenset(
                {
                    FailureKind.DEREFERENCE,
                    FailureKind.BOUNDS,
                    FailureKind.READ_ONLY,
                    FailureKind.CALL,
                    FailureKind.FREE,
                }
            ),
        ),
    ),
    # Told by tests only in which the compiler's own checks of arithmetic end so.
    signal.SIGABRT: ("signed overflow", frozenset({FailureKind.OVERFLOW})),
    signal.SIGFPE: ("division", frozenset({FailureKind.DIVISION, FailureKind.OVERFLOW})),
}
_REACHED = re.compile(r"^pincer: reached (?P<what>.*?)(?: at (?P<file>[^\n]*):(?P<line>\d+))?$", re.MULTILINE)
_CRASHED_AT = re.compile(r"^pincer: crashed below ((?:0x[0-9a-f]+ ?)+)$", re.MULTILINE)
_REPORT = re.compile(
    r"ERROR: (?:AddressSanitizer|LeakSanitizer|pincer): (?P<address>[^\n]*)|"
    r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: runtime error: (?P<undefined>[^\n]*)",
    re.MULTILINE,
)
_FRAME = re.compile(r"^\s*#\d+ [^\n]*? (?P<file>[^\s:]+(?: [^\s:]+)*):(?P<line>\d+)(?::\d+)?$", re.MULTILINE)
_NO_FUNCTION = re.compile(r"SEGV on unknown address 0x0*(?P<address>[0-9a-f]*) \(pc 0x0*(?P=address) ")
"""Something was called that is no function: the stack lacks the place of the call."""
_WATCHED = re.compile(
    r"^==\d+== (?P<what>[^\n]*uninitialised (?:value|byte)[^\n]*)\n(?P<stack>(?:==\d+==    [^\n]*\n)*)", re.MULTILINE
)
"""What valgrind says of a value that nobody gave."""
_WATCHED_FRAME = re.compile(r"\((?P<file>[^():]+):(?P<line>\d+)\)$", re.MULTILINE)
_SYSTEM_HEADERS = "/usr/include/"
"""Functions for inlining that these define belong to the C library."""
_TEXT_OVERFLOW = re.compile(r"^\*\*\* buffer overflow detected \*\*\*", re.MULTILINE)
_POISONED = "use-after-poison"
"""Only objects without bytes are marked so, by the test."""
_NOISE = re.compile(r" on unknown address.*| on address 0x.*| on 0x.*| \(pc .*|: 0x.*|: memory ranges .*")
_KINDS: tuple[tuple[str, frozenset[FailureKind]], ...] = (
    # What follows from running out of memory or of stack is no failure of the model.
    (r"stack-overflow|requested allocation size|out of memory|out-of-memory|allocator is out", frozenset()),
    (r"double-free|attempting free|bad-free|attempting to call", frozenset({FailureKind.FREE})),
    (r"param-overlap", frozenset({FailureKind.OVERLAP})),
    (r"unreachable program point", frozenset({FailureKind.UNREACHABLE})),
    (r"^variable length array bound", frozenset({FailureKind.BOUNDS})),
    (r"^buffer overflow detected", frozenset({FailureKind.BOUNDS})),
    (r"of what is no character", frozenset({FailureKind.CHARACTER, FailureKind.ARGUMENTS})),
    (r"detected memory leaks", frozenset({FailureKind.LEAK, FailureKind.UNFREED})),
    (r"^SEGV|^BUS", _CRASHES[signal.SIGSEGV][1]),
    (r"^FPE", frozenset({FailureKind.DIVISION, FailureKind.OVERFLOW})),
    (r"division by zero|^passing zero to", frozenset({FailureKind.DIVISION})),
    (r"not a valid value for type '_Bool'", frozenset({FailureKind.TRUTH})),
    (r"^division of", frozenset({FailureKind.DIVISION, FailureKind.OVERFLOW})),
    (r"^shift exponent", frozenset({FailureKind.SHIFT, FailureKind.OVERFLOW})),
    (r"^left shift of negative", frozenset({FailureKind.SHIFT})),
    (r"^left shift", frozenset({FailureKind.OVERFLOW})),
    (r"signed integer overflow|^negation of", frozenset({FailureKind.OVERFLOW})),
    (r"out of bounds", frozenset({FailureKind.DEREFERENCE, FailureKind.BOUNDS})),
    (r"overflow|underflow|use-after|null pointer", frozenset({FailureKind.DEREFERENCE, FailureKind.BOUNDS})),
    (r"misaligned|insufficient space|negative-size|unknown-crash", frozenset({FailureKind.DEREFERENCE})),
    (r"outside the range of representable", frozenset({FailureKind.CONVERSION})),
)


def observed(finished: Finished, source: CText, directory: Path) -> Observed | None:
    """How a run went wrong; None when it did not, or nobody can say how. The test's files are in the directory."""
    stated = stated_failure(finished)
    if stated is not None:
        return stated
    report = _REPORT.search(finished.errors)
    if report is not None:
        return _reported(report, finished.errors, source)
    watched = list(_WATCHED.finditer(finished.errors))
    if watched:
        return _uninitialised(watched, source)
    ended_by = signal.Signals(-finished.status) if finished.status < 0 and not finished.timed_out else None
    if ended_by is None or ended_by not in _CRASHES:
        return None
    if ended_by is signal.SIGABRT and _CRASHED_AT.search(finished.errors) is None:
        return None
    text, kinds = _CRASHES[ended_by]
    if ended_by is signal.SIGABRT and _TEXT_OVERFLOW.search(finished.errors):
        text, kinds = "buffer overflow detected", frozenset({FailureKind.BOUNDS})
    return Observed(kinds, f"{text} ({ended_by.name})", _crashed_at(finished.errors, source, directory))


def disagreement(test: CTest, seen: Observed, source: CText) -> str:
    """Why what was seen is not what a test claims; empty when it is."""
    claimed = test.failure.kind
    stated = claimed in STATED if claimed is not None else test.kind == "assertions"
    same = bool(seen.kinds & STATED) if stated else claimed in seen.kinds or (claimed is None and bool(seen.kinds))
    if not same or (not stated and seen.kinds & STATED):
        return "another failure than the violation"
    if stated and (seen.place is None or claimed is FailureKind.RULE):
        return ""
    place = place_of(test)
    if seen.place is None and claimed is FailureKind.UNINITIALISED:
        return "" if test.failure.depth == 0 and "exit" in seen.text else "nobody can say where"
    if seen.place is None:
        return "nobody can say where"
    if not any(
        shown.file in ("", place.file)
        and (same_statement(source, place, shown.line) or _is_case_of(source, place, shown.line))
        for shown in (seen.place, *seen.others)
    ):
        return f"at {seen.place.told(test.file)}, another place than the violation"
    return ""


def place_of(test: CTest) -> Place:
    """The line of the program at which a test goes wrong; within a function of the library, that of the call."""
    position, depth = test.failure.position, test.failure.depth
    while position.file.startswith("<") and depth > 0:
        depth -= 1
        callers = [step.position for step in test.steps if step.depth == depth]
        position = callers[-1] if callers else position
    return Place.of(position.file, position.line)


def same_statement(source: CText, place: Place, line: int) -> bool:
    """Whether a statement that stands on one line of a file reaches to the other: compilers place its parts there."""
    if place.line == line:
        return True
    first, last = sorted((place.line, line))
    depth = 0
    for token in source.tokens:
        if Place.of(token.file, token.line).file != place.file or not first <= token.line < last:
            continue
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if token.text in ("{", "}") or (token.text == ";" and depth <= 0):
            return False
    return True


def _is_case_of(source: CText, place: Place, line: int) -> bool:
    """Whether a label of a switch stands on one line and its switch, where compilers decide, on the other."""
    here = [token for token in source.tokens if Place.of(token.file, 0).file == place.file and token.line <= place.line]
    switches = [token.line for token in here if token.text == "switch"]
    labelled = any(token.line == place.line and token.text in ("case", "default") for token in here)
    return labelled and bool(switches) and switches[-1] == line


def stated_failure(finished: Finished) -> Observed | None:
    """The failing assertion, or its like, that a run has reached."""
    reached = list(_REACHED.finditer(finished.errors))
    if finished.status != REACHED or not reached:
        return None
    place = None if reached[-1]["line"] is None else Place.of(reached[-1]["file"], int(reached[-1]["line"]))
    return Observed(STATED, reached[-1]["what"], place)


def _reported(report: re.Match[str], errors: str, source: CText) -> Observed:
    """What a sanitizer reports: the line of the program that is innermost on the first stack."""
    what = _NOISE.sub("", (report["address"] or report["undefined"]).strip())
    if _TEXT_OVERFLOW.search(errors[: report.start()]):
        what = "buffer overflow detected"
    kinds = next((kinds for pattern, kinds in _KINDS if re.search(pattern, what)), frozenset())
    what = what.replace(_POISONED, "use of an object without bytes")
    if report["undefined"] is not None:
        return Observed(kinds, what, Place.of(report["file"], int(report["line"])))
    if FailureKind.LEAK in kinds:
        places = _leaking(errors[report.start() :], source)
        return Observed(kinds, what, places[0] if places else None, places[1:])
    first_stack = re.split(r"\n\n|\n(?:freed|previously allocated) by", errors[report.start() :], maxsplit=1)[0]
    if _NO_FUNCTION.search(first_stack):
        return Observed(kinds, what, None)
    found = [frame for frame in _FRAME.finditer(first_stack) if _SYSTEM_HEADERS not in frame["file"]]
    frames = [Place.of(frame["file"], int(frame["line"])) for frame in found]
    return Observed(kinds, what, _innermost(frames, source))


def _leaking(report: str, source: CText) -> tuple[Place, ...]:
    """Where memory was allocated that leaks."""
    stacks = re.split(r"^(?:Direct|Indirect) leak", report, flags=re.MULTILINE)[1:]
    frames = ([Place.of(frame["file"], int(frame["line"])) for frame in _FRAME.finditer(stack)] for stack in stacks)
    return tuple(place for found in frames if (place := _innermost(found, source)) is not None)


def _uninitialised(reports: list[re.Match[str]], source: CText) -> Observed:
    """A value that nobody gave decides something; one that the program returns is seen when all of it is over."""
    stacks = (_WATCHED_FRAME.finditer(report["stack"]) for report in reports)
    frames = ([Place.of(frame["file"], int(frame["line"])) for frame in stack] for stack in stacks)
    first, *others = (_innermost(found, source) for found in frames)
    what = reports[0]["what"][0].lower() + reports[0]["what"][1:]
    places = tuple(place for place in others if place is not None)
    return Observed(frozenset({FailureKind.UNINITIALISED}), what, first, places)


def _innermost(frames: list[Place], source: CText) -> Place | None:
    """The first place that is one of the program's; the library's own functions are none."""
    files = {Place.of(token.file, 0).file for token in source.tokens}
    return next((frame for frame in frames if frame.file in files), None)


def _crashed_at(errors: str, source: CText, directory: Path) -> Place | None:
    """Where a program crashed that no sanitizer watches, if there is a tool that reads the compiler's tables."""
    found = _CRASHED_AT.search(errors)
    if found is None:
        return None
    try:
        said = run(("sh", "-c", f"addr2line -i -e test {found[1]} >&2"), directory, 10.0)
    except OSError:
        return None
    lines = [line.split(" ")[0].rpartition(":") for line in said.errors.splitlines()]
    own = ((file, number) for file, _, number in lines if number.isdecimal() and _SYSTEM_HEADERS not in file)
    frames = [Place.of(file, int(number)) for file, number in own]
    return _innermost(frames, source)
