"""Pincer's own headers say what those of the C library say: constants, sizes of types, places of members."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import pincer.frontends.c
from pincer.evidence.c.compiler import can_build, find_compiler
from pincer.frontends.c.load import read
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.symbols import Enumerator, TypeName
from pincer.frontends.c.semantics.types import CType, Function, Record, Void
from pincer.program.property import DataModel

_FOLDER = Path(pincer.frontends.c.__file__).parent / "headers"
_NOT_OF_THE_LIBRARY = ("pincer", "goblint.h", "klee", "pincer.h", "smack.h")
_ALONE = ("tgmath.h", "complex.h", "threads.h", "stdatomic.h", "setjmp.h", "stdbit.h", "stdckdint.h")
"""Headers whose macros get in the way of others, those whose objects nobody looks into, and those of C23."""
_OF_C23 = frozenset({"nullptr_t"})
"""Types that compilers of earlier years do not have."""
_HEADERS = sorted(
    str(path.relative_to(_FOLDER))
    for path in _FOLDER.rglob("*.h")
    if path.relative_to(_FOLDER).parts[0] not in _NOT_OF_THE_LIBRARY
)
_NUMBER = re.compile(r"^#define ([A-Z]\w*) \(?-?(?:0[xX][\da-fA-F]+|\d+)[uUlL]*\)?$", re.MULTILINE)
_TYPE = re.compile(r"^typedef [\w *]*?\b([a-z]\w*);$", re.MULTILINE)
_OURS = frozenset(
    # Values that the library asks the system for, or leaves out where it has none.
    [
        "SIGRTMIN",
        "SIGRTMAX",
        "MINSIGSTKSZ",
        "SIGSTKSZ",
        "O_LARGEFILE",
        "OPEN_MAX",
        "ARG_MAX",
        "PTHREAD_STACK_MIN",
        "HOST_NAME_MAX",
    ]
)


def _program(folder: Path, text: str, data_model: DataModel) -> TypedProgram:
    file = folder / "program.c"
    file.write_text(f"#define _GNU_SOURCE 1\n{text}int main(void) {{ return 0; }}\n")
    return read(file, data_model=data_model)


def _together() -> str:
    """All headers, and mentions of all types that they name, without which they would be left out."""
    names = [name for name in _HEADERS if name not in _ALONE]
    types = {found for name in names for found in _TYPE.findall((_FOLDER / name).read_text(encoding="utf-8"))}
    mentions = "".join(f'_Static_assert(sizeof({name}) > 0, "");\n' for name in sorted(types - _OF_C23))
    return "".join(f"#include <{name}>\n" for name in names) + mentions


def _types(program: TypedProgram) -> Iterator[tuple[str, CType]]:
    for tag, type in program.scope.tags.items():
        if isinstance(type, Record):
            yield f"{type.kind} {tag}", type
    for name, symbol in program.scope.names.items():
        if isinstance(symbol, TypeName):
            yield name, symbol.type


def _layouts(program: TypedProgram) -> Iterator[str]:
    """What gcc must find as well; names that begin with underscores belong to each library itself."""
    for name, type in _types(program):
        size = None if isinstance(type, Void | Function) else program.target.size(type)
        if name.split()[-1].startswith("_") or name in _OF_C23 or not size:
            continue
        yield f'_Static_assert(sizeof({name}) == {size}, "sizeof {name}");'
        for member, place in type.index.items() if isinstance(type, Record) else ():
            if not member.startswith("_") and place.bits is None:
                where = f"__builtin_offsetof({name}, {member})"
                yield f'_Static_assert({where} == {place.offset}, "{member} of {name}");'


def _constants(folder: Path, data_model: DataModel) -> Iterator[str]:
    """The numbers that macros stand for, as our front end reads them, for those that gcc's headers define as well."""
    texts = [(_FOLDER / name).read_text(encoding="utf-8") for name in _HEADERS]
    names = sorted({name for text in texts for name in _NUMBER.findall(text)} - _OURS)
    asked = "".join(f"#ifdef {name}\nenum {{ claim_{name} = {name} }};\n#endif\n" for name in names)
    found = _program(folder, _together() + asked, data_model).scope.names
    for name in names:
        symbol = found.get(f"claim_{name}")
        if isinstance(symbol, Enumerator):
            yield f'#ifdef {name}\n_Static_assert(({name}) == {symbol.value}, "{name}");\n#endif'


@pytest.mark.parametrize("name", _HEADERS)
def test_every_header_can_be_included_alone(name: str, tmp_path: Path) -> None:
    assert "main" in _program(tmp_path, f"#include <{name}>\n", "LP64").definitions


@pytest.mark.parametrize(("data_model", "flag"), [("LP64", "-m64"), ("ILP32", "-m32")])
def test_constants_and_layouts_are_those_of_the_c_library(data_model: DataModel, flag: str, tmp_path: Path) -> None:
    compiler = find_compiler()
    if compiler is None or not can_build(compiler, (flag,)):
        pytest.skip("no compiler for this data model")
    layouts = _layouts(_program(tmp_path, _together(), data_model))
    claims = [*layouts, *_constants(tmp_path, data_model)]
    assert len(claims) > 500
    text = tmp_path / "claims.c"
    text.write_text("#define _GNU_SOURCE 1\n" + _together() + "\n".join(claims) + "\n")
    done = subprocess.run(
        [*compiler, flag, "-msse2", "-mfpmath=sse", "-w", "-fsyntax-only", str(text)], capture_output=True, text=True
    )
    assert done.returncode == 0, "\n".join(line for line in done.stderr.splitlines() if "error" in line)
