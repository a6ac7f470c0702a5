"""One C file that runs a program under a recorded schedule, and the script that builds and runs it.

The file has two parts that are compiled one by one: the program's own preprocessed text, and the recorded data with
the runtime (`runtime/*.c`). The compiler announces every access of the program to memory as it does for its thread
sanitizer; the runtime answers in place of that library. The script compiles the program to assembly, where each
announced call stands below the line it belongs to, and adds a table from return addresses to lines. Calls of the
threads library are redirected by the linker.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.evidence.c.execution import Build, compiler_words, linker_words
from pincer.evidence.c.harness import harness, input_types, is_result
from pincer.evidence.c.instrument import FAILING_ALLOCATION, Instrumented, inserted, instrument_all
from pincer.evidence.c.numbers import input_function
from pincer.evidence.c.scanning import SCANNERS, scanning_functions
from pincer.evidence.c.tokens import CText, read
from pincer.evidence.c.words import NONDET_PREFIXES, return_type
from pincer.evidence.threads.library_bodies import LIBRARY, bodies_of
from pincer.evidence.threads.shared_text import exchanging_statements, global_variables, volatile_globals
from pincer.evidence.threads.statements import before_statement, statement_lines
from pincer.evidence.threads.trace import Point, ThreadedTest

RUNTIME = Path(__file__).with_name("runtime")
MOST_THREADS = 128

_KINDS = ("assertion", "deadlock", "race", "memory", "endless", "ended", "undefined")
_ACTIONS = ("read", "write", "call", "end")
_SECTION = "__VERIFIER_atomic_"
_SECTIONS = frozenset({f"{_SECTION}begin", f"{_SECTION}end"})
_SECTION_GUARD = " int __pincer_guard __attribute__((cleanup(__pincer_section_end))) = __pincer_section_begin(); "
_SECTION_DECLARATIONS = (
    "extern int __pincer_section_begin(void); extern void __pincer_section_end(int *); "
    "extern void __pincer_target(int, int);\n"
)
_ANY_LINE = 2**31 - 1
_WRAPPED = re.compile(r"\b__wrap_(\w+)\(|PINCER_(?:PLAIN_CALL|COPY)\((\w+)\)|PINCER_RWLOCK_CALL\((\w+)")


class ReplayProgram(Struct, frozen=True, dict=True):
    """The program's texts, ready for a schedule."""

    test: ThreadedTest
    sources: tuple[CText, ...]
    program: Instrumented

    @classmethod
    def of(cls, test: ThreadedTest, preprocessed: Sequence[str], volatile: bool = False) -> ReplayProgram:
        """The program in preprocessed texts; its own atomic functions become sections. With `volatile` the compiler
        leaves out no access to the global variables of the schedule."""
        sources = tuple(map(read, preprocessed))
        placed = _targets(sources, test)
        named = _named_objects(test) if volatile else {}
        texts = []
        for source, before in zip(sources, preprocessed, strict=True):
            changes = [*_sections(source), *placed.get(id(source), ()), *volatile_globals(source, named)]
            text = inserted(before, changes)
            texts.append(text if text == before else _SECTION_DECLARATIONS + text)
        # What files hold, and which allocations fail, is not delivered to threads: nothing of it counts as used.
        inputs = [value for value in test.inputs if value.source != FAILING_ALLOCATION]
        program = replace(instrument_all(texts, test.entry, inputs), used=frozenset())
        if test.entry != "main" and test.entry not in program.defined:
            raise PincerError(f"the program does not define the entry function {test.entry}")
        return cls(test, sources, program)

    def text(self, stubs: Iterable[str] = ()) -> str:
        """The whole file; `stubs` are names that nobody defines."""
        kept = frozenset(name for name in self.program.mentioned if not name.startswith(NONDET_PREFIXES))
        kept -= _SECTIONS | SCANNERS
        supported = harness((), replace(self.program, mentioned=kept, undefined=()), stubs)
        scheduled = [
            _runtime("points"),
            *self._schedule(),
            *map(_runtime, ("turns", "memory", "arithmetic", "library", "c11", "watchdog")),
        ]
        if self.test.targets:
            scheduled.append(_runtime("targets"))
        parts = []
        for number, program in enumerate((self.program.text, *self.program.others), 1):
            parts += [f"#{'if' if number == 1 else 'elif'} PINCER_PROGRAM == {number}", program]
            parts += self._objects(number)
        if self._bodies[0]:
            parts += [f"#elif PINCER_PROGRAM == {self.parts}", self._bodies[0]]
        parts += ["#else", '# 1 "pincer-runtime"', supported]
        parts += [_runtime("inputs"), *self._inputs(), _runtime("take"), *self._input_functions()]
        parts += scanning_functions(self.program, "__pincer_thread_take")
        parts += ["#ifdef PINCER_PLAIN", _runtime("plain"), "#else", *scheduled, "#endif", "#endif"]
        return "\n".join(parts) + "\n"

    @property
    def parts(self) -> int:
        """How many parts of the file are compiled as the program."""
        return len(self.sources) + bool(self._bodies[0])

    @cached_property
    def redirected(self) -> list[str]:
        """The functions that the linker redirects, to the runtime or to bodies of our own."""
        return sorted({*wrapped(), *self._bodies[1]})

    @cached_property
    def _bodies(self) -> tuple[str, frozenset[str]]:
        """Functions of the C library, where the schedule passes through one."""
        points = (*self.test.points, *self.test.failure.stops)
        inside = any(point.position.file == LIBRARY for point in points)
        return bodies_of(self.sources, self.program.defined) if inside else ("", frozenset())

    @cached_property
    def unplaced(self) -> tuple[str, ...]:
        """Uninitialised variables that need a value but have no place to get it."""
        return tuple(f"{value.source} = {value.value}" for value in self.program.unplaced if value.value)

    def _inputs(self) -> Iterator[str]:
        yield "static struct __pincer_thread_input __pincer_thread_inputs[] = {"
        for item in self.test.inputs:
            if is_result(item, self.program):
                signed = not item.floating and return_type(item.name, item.width)[1]
                number = item.signed_value if signed else item.value
                yield f"    {{{item.thread}, {_quoted(item.name)}, (unsigned long long){_literal(number)}}},"
        yield "    {-1, 0, 0}\n};"
        yield "static struct __pincer_filling __pincer_fillings[] = {"
        yield from self._fillings()
        yield "    {-1, -1, 1, 0}\n};"

    def _fillings(self) -> Iterator[str]:
        """Values of uninitialised variables, of each thread in order."""
        for number, group in enumerate(self.program.undefined):
            places = {(value.name, value.position) for value in group}
            rows = [item for item in self.test.inputs if (item.name, item.position) in places]
            for index, item in enumerate(rows):
                last = all(later.thread != item.thread for later in rows[index + 1 :])
                yield f"    {{{number}, {item.thread}, {int(last)}, {item.value}ULL}}, /* {item.name} */"

    def _input_functions(self) -> Iterator[str]:
        called = [item for item in self.test.inputs if is_result(item, self.program)]
        types = input_types(called, self.program)
        for name in sorted(types.keys() - self.program.defined - SCANNERS):
            yield input_function(name, types[name], "__pincer_thread_take")

    def _schedule(self) -> Iterator[str]:
        stops = self.test.failure.stops or self._last_thread()
        yield f"#define PINCER_KIND {_KINDS.index(self.test.kind)}"
        yield f"#define PINCER_MOST_THREADS {MOST_THREADS}"
        yield f"#define PINCER_POINTS {len(self.test.points)}"
        yield f"#define PINCER_STOPS {len(stops)}"
        yield f"#define PINCER_OBJECTS {len(self.globals)}"
        rounds = self.test.rounds
        yield f"#define PINCER_STEM {len(self.test.points) if rounds is None else rounds.stem}"
        yield f"#define PINCER_LOOP {0 if rounds is None else rounds.loop}"
        yield "static const struct __pincer_lines __pincer_exchanges[] = {"
        for lines in dict.fromkeys(lines for source in self.sources for lines in exchanging_statements(source)):
            yield f"    {{{_quoted(lines.file)}, {lines.first}, {lines.last}}},"
        yield "    {0, 0, 0}\n};"
        for name, points in (("points", self.test.points), ("stops", stops)):
            yield f"static const struct __pincer_point __pincer_{name}[] = {{"
            yield from map(self._point, points)
            yield "    {-1}\n};"
        if self.test.targets:
            yield f"enum {{ PINCER_TARGETS = {len(self.test.targets)} }};"
            yield f"static const int __pincer_needed[] = {{{', '.join(str(t.count) for t in self.test.targets)}}};"

    @cached_property
    def globals(self) -> tuple[str, ...]:
        """The global variables that points of the schedule are about."""
        return tuple(self._homes)

    @cached_property
    def _homes(self) -> dict[str, int]:
        """Those variables, each with the number of the first file that declares it."""
        known: dict[str, int] = {}
        for number, source in enumerate(self.sources, 1):
            known = dict.fromkeys(global_variables(source), number) | known
        return {name: known[name] for name in _named_objects(self.test) if name in known}

    @cached_property
    def is_exact(self) -> bool:
        """Whether every access of the schedule is to a global variable, so that it is told from all others."""
        accesses = [point for point in self.test.points if point.action in ("read", "write")]
        return all(point.place[0] in self.globals for point in accesses)

    def _objects(self, file: int) -> Iterator[str]:
        """Functions that tell the runtime where the global variables of a file are; the first file asks the others."""
        for type_, name, value in (
            ("void *", "__pincer_object", "(void *)&{}"),
            ("unsigned long ", "__pincer_object_size", "sizeof {}"),
        ):
            others = range(2, 1 + len(self.sources)) if file == 1 else ()
            homes = enumerate(self._homes.items())
            cases = [f"case {number}: return {value.format(known)};" for number, (known, home) in homes if home == file]
            yield " ".join(f"extern {type_}{name}_{other}(int);" for other in others)
            asked = "".join(f"if ({name}_{other}(number)) return {name}_{other}(number); " for other in others)
            own = name if file == 1 else f"{name}_{file}"
            yield f"{type_}{own}(int number) {{ switch (number) {{ {' '.join(cases)} }} {asked}return 0; }}"

    def _last_thread(self) -> tuple[Point, ...]:
        thread = self.test.points[-1].thread if self.test.points else 0
        return (Point(thread, "end", "", self.test.failure.position),)

    def _statement_lines(self, position: Position) -> tuple[int, int]:
        if position.file == LIBRARY:
            return 0, _ANY_LINE
        found = [statement_lines(source, position) for source in self.sources]
        return min(first for first, _ in found), max(last for _, last in found)

    def _point(self, point: Point) -> str:
        first, last = self._statement_lines(point.position)
        texts = map(_quoted, (point.name, point.object, PurePath(point.position.file).name))
        base, offset = point.place
        known = self.globals.index(base) if base in self.globals and point.action in ("read", "write") else -1
        numbers = (
            point.position.line,
            first,
            last,
            point.pick,
            known,
            f"{offset if known >= 0 else 0}UL",
        )
        values = (point.thread, _ACTIONS.index(point.action), *texts, *numbers)
        return f"    {{{', '.join(map(str, values))}}},"


def _named_objects(test: ThreadedTest) -> Mapping[str, None]:
    """What the accesses of a schedule are to, by the names of whole objects, in order."""
    points = (*test.points, *test.failure.stops)
    return dict.fromkeys(point.place[0] for point in points if point.action in ("read", "write"))


def script(build: Build, instrumentation: Sequence[str], sanitizer: bool, program: ReplayProgram, run: str) -> str:
    """The script that builds `replay.c` and runs it, with the command `run`; with the argument `build` or `sanitizer`,
    other parts of that."""
    files, word = len(program.sources), ".long" if "-m32" in build.flags else ".quad"
    words = [*build.compiler, *build.flags, *compiler_words(files)]
    command, linked = shlex.join(words), shlex.join([*words, *linker_words(files)])
    parts = [("program", 1), *((f"program-{number}", number) for number in range(2, program.parts + 1))]
    objects, assembly = (" ".join(f"{name}{end}" for name, _ in parts) for end in (".o", ".sites.s"))
    wrap = shlex.join(f"-Wl,--wrap={name}" for name in program.redirected)
    plain_wrap = shlex.join(f"-Wl,--wrap={name}" for name in ("pthread_create", *sorted(_SECTIONS)))
    lines = [
        "#!/bin/sh",
        "# Builds and runs one schedule. Status 97: the assertion fails; 96: a deadlock; 95: a race; 94: a memory",
        "# error; 93: rounds without an end; 92: arithmetic without a defined result; 98: an assumption does not",
        "# hold; 99: the run left the recorded inputs.",
        'cd "$(dirname "$0")" || exit 2',
    ]
    if sanitizer:
        lines += [
            'if [ "$1" = sanitizer ]; then',
            *(
                f"    {command} -DPINCER_PROGRAM={number} -fsanitize=thread -c -o {name}.o replay.c || exit 2"
                for name, number in parts
            ),
            f"    {command} -DPINCER_PLAIN -c -o runtime.o replay.c || exit 2",
            f"    {linked} -fsanitize=thread {plain_wrap} -o plain {objects} runtime.o -lm || exit 2",
            f"    rm -f {objects} runtime.o",
            "    TSAN_OPTIONS=halt_on_error=1:exitcode=66 exec ./plain",
            "fi",
        ]
    for name, number in parts:
        lines += [
            f"{command} {shlex.join(instrumentation)} -DPINCER_PROGRAM={number} -S -o {name}.s replay.c || exit 2",
            f"awk -v word={word} '{_SITES}' {name}.s > {name}.sites.s || exit 2",
        ]
    lines += [
        f"{linked} {wrap} -o test {assembly} replay.c -lm || exit 2",
        f"rm -f {' '.join(f'{name}.s' for name, _ in parts)} {assembly}",
        f'[ "$1" = build ] || {run}',
    ]
    return "\n".join(lines) + "\n"


def wrapped() -> list[str]:
    """The functions that the linker redirects to the runtime."""
    text = "".join(map(_runtime, ("memory", "library", "c11")))
    names = {plain or direct or f"pthread_rwlock_{lock}" for direct, plain, lock in _WRAPPED.findall(text)}
    return sorted(name for name in names if name not in ("name", "pthread_rwlock_name"))


# Each call that the runtime answers gets a label behind it, and a row in a section of its own: label, line, file.
_SITES = r"""
/^[ \t]*\.file[ \t]+[0-9]/ { n = split($0, part, "\""); name = part[n - 1]; sub(/.*\//, "", name); files[$2] = name }
/^[ \t]*\.loc[ \t]/ { file = $2; line = files[file] == "<library>" ? 0 : $3 }
{ print }
$1 !~ /^\./ &&
$2 ~ /^(__(ts|ubs)an_|__pincer_section_|__VERIFIER_atomic_|pthread_|sem_|thrd_|mtx_|cnd_|call_once|free|mem)/ {
    sites++
    used[file] = 1
    printf ".Lpincer_site%d:\n\t.pushsection pincer_sites,\"aw\"\n", sites
    exchanges = $2 ~ /compare_exchange/ ? 1 : 0
    printf "\t%s\t.Lpincer_site%d, %d, .Lpincer_file%d, %d\n\t.popsection\n", word, sites, line, file, exchanges
}
END {
    print "\t.pushsection .rodata"
    for (file in used) printf ".Lpincer_file%d:\n\t.string\t\"%s\"\n", file, files[file]
    print "\t.popsection"
}
"""


def _sections(source: CText) -> list[tuple[int, str]]:
    """Functions like `__VERIFIER_atomic_swap` run as one step."""
    return [
        (source.tokens[definition.body].end, _SECTION_GUARD)
        for name, definition in source.definitions.items()
        if name.startswith(_SECTION) and name not in _SECTIONS
    ]


def _targets(sources: Iterable[CText], test: ThreadedTest) -> dict[int, list[tuple[int, str]]]:
    """Calls before the statements that threads are to be at, by the identity of the text they go into."""
    placed: dict[int, list[tuple[int, str]]] = {}
    for number, target in enumerate(test.targets):
        line, call = target.position.line, f"__pincer_target({number}, {target.position.line})"
        found = ((source, before_statement(source, target.position, call)) for source in sources)
        home = next(((source, place) for source, place in found if place is not None), None)
        if home is None:
            raise PincerError(f"no statement begins on line {line}, so a run cannot be watched there")
        placed.setdefault(id(home[0]), []).append(home[1])
    return placed


def _runtime(name: str) -> str:
    return (RUNTIME / f"{name}.c").read_text(encoding="utf-8")


def _quoted(text: str) -> str:
    """A C string; bytes that are not plain text as octal escapes."""
    data = text.encode("utf-8", "surrogateescape")
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in data) + '"'


def _literal(number: int) -> str:
    return f"{number}ULL" if number >= 0 else f"-{-number}ULL"
