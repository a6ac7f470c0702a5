"""Bodies for functions of the C library that a program calls and does not define, written in plain C.

The `.c` files beside this module are ordinary C files, one per header, in which every function begins in the first
column and ends with a closing brace there. Where C leaves a result open they do what the common C library does;
`ASSUMED` says so in words, to be listed with the verdict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from pincer.program.graphs import reachable
from pincer.program.property import Assumption

_FILES = ("ctype.c", "string.c", "strings.c", "stdlib.c")
_DEFINITION = re.compile(r"^(?P<head>[a-z][^\n;{]*?\**(?P<name>\w+)\([^\n]*\)) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)
_WORD = re.compile(r"\w+")
_PREFIX = "__library_"
# The type of `sizeof` without a header, under a name that no program has.
_PROLOGUE = """\
typedef __typeof__(sizeof 0) __library_size;
void *malloc(__library_size);
void __too_many_exit_handlers(void);
void __must_be_apart(const void *, const void *, __library_size);
"""

_MASK = "{} returns the nonzero values of the GNU C library in the C locale (C only says nonzero)"
_CLASSES = "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit"
ASSUMED: Mapping[str, Assumption] = {
    **{name: Assumption(_MASK.format(name)) for name in _CLASSES.split()},
    "qsort": Assumption("qsort is an insertion sort: equal elements keep their order (C leaves it open)"),
}


def library_functions() -> frozenset[str]:
    """The functions that `library_source` has a body for."""
    return frozenset(name for name in _definitions() if not name.startswith("__"))


def library_source(names: Iterable[str]) -> str:
    """C text (without directives) that defines the functions asked for; other names are ignored.

    Functions that those need and that were not asked for come along under private names: the program may well have
    its own function of that name.
    """
    definitions = _definitions()
    asked = {name for name in names if name in definitions}
    needed = _closure(asked)
    if not needed:
        return ""
    chosen = [(head, text) for name, (head, text) in definitions.items() if name in needed]
    renamed = {name: _PREFIX + name for name in needed - asked} | {"size_t": "__library_size"}
    text = "".join(f"{head};\n" for head, _ in chosen) + "".join(text for _, text in chosen)
    return _PROLOGUE + _WORD.sub(lambda word: renamed.get(word.group(), word.group()), text)


def _closure(names: set[str]) -> set[str]:
    definitions = _definitions()
    return reachable(names, lambda name: (w for w in _WORD.findall(definitions[name][1]) if w in definitions))


@cache
def _definitions() -> Mapping[str, tuple[str, str]]:
    """Function name to its head (for a declaration) and its whole text, in the order of the files."""
    folder = Path(__file__).parent
    text = "\n".join((folder / file).read_text(encoding="utf-8") for file in _FILES)
    return {found["name"]: (found["head"], found.group()) for found in _DEFINITION.finditer(text)}
