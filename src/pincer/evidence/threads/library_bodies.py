"""Functions of the C library that a schedule passes through, compiled from the bodies that the model has for them.

The library of the system announces none of its accesses. Our own bodies, which are plain C, do what C asks of these
functions byte by byte; compiled with the program, each of their accesses is a step of the schedule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from pincer.evidence.c.tokens import CText
from pincer.frontends.c.library.bodies import ENVIRONMENT, library_functions, library_source

LIBRARY = "<library>"
"""The file of the model's bodies."""
ANSWERED = frozenset({"memcpy", "memmove", "memset"})
"""Functions that the runtime answers itself: it calls the body where the schedule passes through it."""

_OTHER_NAMES = ("__isoc99_sscanf", "__isoc23_sscanf")
"""What the headers of the system may have the linker call `sscanf`."""
_ALIAS = '__attribute__((alias("__wrap_{}")))'
_WORD = re.compile(r"\w+")
_DEFINED = re.compile(r"^\w[^\n;{(]*?\**(\w+)\([^\n]*\) \{$", re.MULTILINE)
_OBJECTS = re.compile(r"^\w[^\n;{(]*?\**(\w+)(?:\[\w*\])?(?: = [^\n]*)?;$", re.MULTILINE)
_ASKED = re.compile(r"\b(__(?:pincer|must|any|too)_\w+)")
_STUBS = {
    "__pincer_pick": "int __pincer_pick(const char *what, int low, int high, int usual) { return usual; }",
    "__pincer_pick_long": "long __pincer_pick_long(const char *what, long low, long high, long usual)"
    " { return usual; }",
    "__pincer_any_errno": "void __pincer_any_errno(void) { }",
    "__pincer_read_text": "void __pincer_read_text(const char *text) { }",
    "__pincer_unsupported": "void __pincer_unsupported(const char *what) { __builtin_trap(); }",
    "__must_be_apart": "void __must_be_apart(const void *to, const void *from, __library_size size) { }",
    "__must_be_disjoint": "void __must_be_disjoint(const void *to, __library_size size, const void *from,"
    " __library_size other) { }",
}


def bodies_of(sources: Iterable[CText], defined: frozenset[str]) -> tuple[str, frozenset[str]]:
    """C text with bodies of the library functions that a program uses and does not define, and the names that the
    linker redirects."""
    used = frozenset(name for source in sources for name in _used(source)) & library_functions()
    names = frozenset(name for name in used if _is_plain(name)) - defined
    if not names:
        return "", names
    renamed = {name: f"__pincer_bytes_{name}" if name in ANSWERED else f"__wrap_{name}" for name in names}
    text = _WORD.sub(lambda word: renamed.get(word[0], word[0]), library_source(names))
    others = frozenset(_OTHER_NAMES) if "sscanf" in names else frozenset[str]()
    aliases = [f"int __wrap_{name}(const char *, const char *, ...) {_ALIAS.format('sscanf')};" for name in others]
    parts = (f'# 1 "{LIBRARY}"', text, *_STUBS.values(), *sorted(aliases))
    return "\n".join(parts) + "\n", (names - ANSWERED) | others


def _used(source: CText) -> Iterator[str]:
    """The names in the bodies of functions."""
    for definition in source.definitions.values():
        for index in range(definition.body, min(definition.end, len(source.tokens))):
            if source.tokens[index].is_name:
                yield source.text(index)


@cache
def _is_plain(name: str) -> bool:
    """Whether a function works on what it is given, and asks the world for nothing."""
    if name in ENVIRONMENT or name.startswith("__"):
        return False
    text = library_source({name})
    if name not in _DEFINED.findall(text) or re.search(r"\b(errno|struct _IO_FILE \*\w+\))", text):
        return False
    bodies = "\n".join(line for line in text.splitlines() if not line.endswith(");") or line.startswith(" "))
    known = {*_STUBS, *_DEFINED.findall(text), *_OBJECTS.findall(text)}
    return frozenset(_ASKED.findall(bodies)) <= known
