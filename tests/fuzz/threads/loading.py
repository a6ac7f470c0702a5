"""Generated programs through the C front end, many at a time: the headers are preprocessed once for all of them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pincer.frontends.c.load import load
from pincer.frontends.c.preprocessing.preprocess import preprocess
from pincer.program.control_flow import ControlFlowProgram

from .printing import HEADER, body
from .syntax import Program

_MARK = "int next_program_begins_here;"
_NAME = re.compile(r"\w+")
_DECLARED = re.compile(r"typedef .*\b(\w+);$|[\w *]*?\b(\w+)\(.*\);$")
_LINE = re.compile(r"^#\s*(?:line\s+)?\d.*$", re.MULTILINE)


def load_all(programs: Sequence[Program]) -> Iterator[ControlFlowProgram]:
    """The programs as the front end lowers them; positions count lines of the preprocessed text."""
    texts = [HEADER, *(body(program) for program in programs)]
    whole = preprocess(f"\n{_MARK}\n".join(texts), Path("programs.c"))
    prelude, *bodies = _LINE.sub("", whole).split(_MARK)
    assert len(bodies) == len(programs)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.i"
        for text in bodies:
            file.write_text(_needed(prelude, text) + text)
            yield load(file)


def _needed(prelude: str, text: str) -> str:
    """The declarations of the headers without the functions and types that neither the text nor the others mention."""
    names = set(_NAME.findall(text))
    kept = []
    for line in reversed(prelude.splitlines()):
        declared = _DECLARED.match(line)
        if line.strip() and (declared is None or names.intersection(declared.groups())):
            names.update(_NAME.findall(line))
            kept.append(line)
    return "\n".join(reversed(kept)) + "\n"
