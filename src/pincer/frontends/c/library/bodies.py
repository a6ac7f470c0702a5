"""Bodies for functions of the C library that a program calls and does not define, written in plain C.

The `.c` files beside this module are ordinary C files, one per header. Every function begins in the first column and
ends with a closing brace there; an object takes one line, a structure is written as a function is. Where C leaves a
result open they do what the common C library does; `ASSUMED` says so in words, to be listed with the verdict. What
comes from outside (bytes of files, failures) they ask for with `__pincer_pick` and its like: see `inputs`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pincer.frontends.c.lowering.calls import EFFECTS_OF, SIGN_OF
from pincer.program.graphs import reachable
from pincer.program.property import Assumption

_FILES = (
    "errno.c", "ctype.c", "string.c", "strings.c", "stdlib.c", "stdio.c", "printing.c", "scanning.c", "unistd.c",
    "time.c", "math.c", "wchar.c", "signal.c", "getopt.c", "posix.c", "glibc.c",
    "threads.c",
)  # fmt: skip
_PARTS = (
    re.compile(r"^(?P<head>struct (?P<name>\w+)) \{\n.*?^\};\n", re.MULTILINE | re.DOTALL),
    re.compile(r"^(?P<head>[a-z_][^\n;{(]*?\**(?P<name>\w+)(?:\[\w*\])?)(?: = [^\n]*)?;\n", re.MULTILINE),
    re.compile(r"^(?P<head>[a-z][^\n;{=]*?\**(?P<name>\w+)\([^\n]*\)) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL),
)
_STRUCTURE, _OBJECT, _FUNCTION = range(3)
_OF_GLIBC = frozenset(
    ("__errno_location", "__isoc99_sscanf", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc")
)
"""Functions that only programs call which the GNU C library's own headers have been put into."""
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*')
"""A name, or a text, which is no name whatever it says."""
_PREFIX = "__library_"
# The types that headers define, under names that no program has, and what lists of arguments are made of.
_RENAMED = {
    "size_t": "__library_size", "ssize_t": "__library_ssize", "off_t": "long", "wchar_t": "int",
    "va_list": "__builtin_va_list",
    **{name: f"__builtin_{name}" for name in ("va_start", "va_end", "va_arg", "va_copy")},
}  # fmt: skip
_PROLOGUE = """\
typedef __typeof__(sizeof 0) __library_size;
typedef __typeof__((char *)0 - (char *)0) __library_ssize;
struct _IO_FILE;
struct timeval;
struct timespec;
struct tm;
struct stat;
struct termios;
struct utsname;
struct pollfd;
void *malloc(__library_size);
void *calloc(__library_size, __library_size);
void *realloc(void *, __library_size);
void free(void *);
void __too_many_exit_handlers(void);
void __must_be_apart(const void *, const void *, __library_size);
void __must_be_disjoint(const void *, __library_size, const void *, __library_size);
int __pincer_pick(const char *, int, int, int);
long __pincer_pick_long(const char *, long, long, long);
__library_size __pincer_pick_size(const char *, __library_size, __library_size, __library_size);
int __pincer_watched(void);
int __pincer_join(unsigned long, void **);
int __pincer_failures_show(void);
void __pincer_any_errno(void);
void __pincer_other_errno(void);
void __pincer_assume(int);
void __pincer_at_once(int);
void __pincer_unsupported(const char *);
void __pincer_use(struct _IO_FILE *);
void __pincer_read_text(const char *);
void __pincer_read_bytes(const void *, __library_size);
"""

_MASK = "{} returns the nonzero values of the GNU C library in the C locale (C only says nonzero)"
_CLASSES = "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit"
ASSUMED: Mapping[str, Assumption] = {
    **{name: Assumption(_MASK.format(name)) for name in _CLASSES.split()},
    "__ctype_b_loc": Assumption("what `isalpha` and its like look at is the table of the GNU C library's C locale"),
    **{name: Assumption("local time is the time of UTC") for name in ("localtime", "localtime_r")},
    "qsort": Assumption("qsort is an insertion sort: equal elements keep their order (C leaves it open)"),
}

FORMATS: Mapping[str, int] = {
    "printf": 0, "fprintf": 1, "dprintf": 1, "syslog": 1, "sprintf": 1, "snprintf": 2,
}  # fmt: skip
"""Functions that print by a format, and which argument is the format."""

_READERS = "fgetc getc _IO_getc getc_unlocked getchar getchar_unlocked fgets fgets_unlocked gets fread fread_unlocked"
_STATES = "getline getdelim ungetc feof ferror clearerr fseek fseeko rewind ftell ftello"
_OPENERS = "fopen popen fdopen tmpfile freopen fclose pclose read pread recv getrandom lseek pipe"
_CLOCKS = "time gettimeofday clock_gettime timespec_get getenv stat lstat fstat tcgetattr tcsetattr uname poll"
_NAMES = "getcwd gethostname readlink mkstemp"
ENVIRONMENT = frozenset(f"{_READERS} {_STATES} {_OPENERS} {_CLOCKS} {_NAMES}".split())
"""Functions whose results come from outside: a compiled test delivers what they read."""
_STREAMS = "state use new_stream end_stream stdin stdout stderr"
_OF_STREAMS = frozenset(
    ("stdin", "stdout", "stderr", "errno", "__library_stream", *(f"__pincer_{what}" for what in _STREAMS.split()))
)
_ASKED = re.compile(r'__pincer_pick\w*\("([^"]*)"')

PRINTERS = tuple(
    f"__pincer_put_{what}" for what in ("bytes", "text", "character", "digits", "signed", "floating", "end")
)
"""What a format that is known is made of, piece by piece; functions of the library that no program calls itself."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A definition: what kind it is, what declares it, its whole text."""

    kind: int
    head: str
    text: str


def library_functions() -> frozenset[str]:
    """The functions and objects that `library_source` has a definition for."""
    return frozenset(name for name in _definitions() if not name.startswith("__") or name in _OF_GLIBC)


def library_head(name: str) -> str | None:
    """The declaration of a function that the library has a body for."""
    part = _definitions().get(name)
    return part.head if part is not None and part.kind == _FUNCTION and name in library_functions() else None


def library_parts(names: Iterable[str], literals: Mapping[str, Collection[int]]) -> frozenset[str]:
    """The parts of the library behind the names that a program uses.

    `literals` says of which arguments all calls of a function give a string literal: where the format is one, the
    function is made of its pieces.
    """
    known = frozenset(names) & library_functions()
    spelled = frozenset(name for name in known if name in FORMATS and FORMATS[name] in literals.get(name, ()))
    return (known - spelled) | (frozenset(PRINTERS) if spelled else frozenset())


def library_source(names: Iterable[str]) -> str:
    """C text (without directives) that defines what is asked for; other names are ignored.

    What that needs and was not asked for comes along under private names: the program may well have its own function
    of that name.
    """
    definitions = _definitions()
    asked = {name for name in names if name in definitions}
    needed = _closure({*asked, *leaner_bodies(asked)})
    if not needed:
        return ""
    chosen = [part for name, part in definitions.items() if name in needed]
    renamed = {name: _PREFIX + name for name in needed - asked if not name.startswith("__")} | _RENAMED
    text = "".join(part.text for part in chosen if part.kind == _STRUCTURE)
    text += "".join(f"{part.head};\n" for part in chosen if part.kind == _FUNCTION)
    text += "".join(part.text for part in chosen if part.kind == _OBJECT)
    text += "".join(part.text for part in chosen if part.kind == _FUNCTION)
    return _PROLOGUE + _WORD.sub(lambda word: renamed.get(word.group(), word.group()), text)


def environment_source(names: Iterable[str]) -> str:
    """C text that defines those of the functions that read from outside, for a program that runs: streams are real.

    Whoever compiles it defines what the bodies ask for (`__pincer_pick` and its like), and what streams are.
    """
    definitions = _definitions()
    asked = ENVIRONMENT.intersection(names)
    needed = _closure(set(asked), _OF_STREAMS)
    if not needed:
        return ""
    chosen = [part for name, part in definitions.items() if name in needed]
    inner = {name for name in needed - asked if definitions[name].kind == _FUNCTION and not name.startswith("__")}
    renamed = {name: _PREFIX + name for name in inner} | _RENAMED
    text = "".join(part.text for part in chosen if part.kind != _FUNCTION)
    text += "".join(f"{part.head};\n" for part in chosen if part.kind == _FUNCTION)
    text += "".join(part.text for part in chosen if part.kind == _FUNCTION)
    return _WORD.sub(lambda word: renamed.get(word.group(), word.group()), text)


def sources(text: str) -> frozenset[str]:
    """What the bodies in a text ask for, in words."""
    return frozenset(_ASKED.findall(text))


def leaner_bodies(names: Iterable[str]) -> list[str]:
    """The bodies beside those of the functions that do only a part of what they do, where that is all that is asked."""
    return [body for name in names for body in (SIGN_OF + name, EFFECTS_OF + name) if body in _definitions()]


def _closure(names: set[str], without: Collection[str] = ()) -> set[str]:
    """The names with all that they need, except for some."""
    known = {name: part for name, part in _definitions().items() if name not in without}
    return reachable(names, lambda name: (word for word in _WORD.findall(known[name].text) if word in known))


@cache
def _definitions() -> Mapping[str, _Part]:
    """The name of each definition, in the order of the files."""
    folder = Path(__file__).parent
    text = "\n".join((folder / file).read_text(encoding="utf-8") for file in _FILES)
    found = [(match.start(), kind, match) for kind, part in enumerate(_PARTS) for match in part.finditer(text)]
    return {match["name"]: _Part(kind, match["head"], match.group()) for _, kind, match in sorted(found)}
