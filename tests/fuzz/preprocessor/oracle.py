"""What `gcc -E` makes of a text, with our headers and our predefined macros, beside what we make of it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincer.errors import PincerError
from pincer.frontends.c.preprocessing.predefined import predefined
from pincer.frontends.c.preprocessing.preprocess import HEADERS, preprocess
from pincer.frontends.c.preprocessing.source import read_source
from pincer.frontends.c.preprocessing.tokens import tokens
from pincer.program.c_file import CFlags

_SECONDS = 20
_DIRECTIVE = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
_PRAGMA = re.compile(r'_Pragma \( "(?:[^"\\]|\\.)*" \)')


@dataclass(frozen=True)
class Answers:
    """The tokens of both, with single spaces between them; None where the text was refused, and our reason for it."""

    compiler: str | None
    ours: str | None
    reason: str = ""

    @property
    def agree(self) -> bool:
        return self.compiler == self.ours


def compare(path: Path, include: Sequence[Path] = ()) -> Answers:
    """Both answers on a file."""
    command = ["gcc", "-E", "-P", "-w", "-nostdinc", "-undef", "-x", "c"]
    macros = [f"-D{head}={text}" for head, text in predefined(64).items()]
    folders = [f"-I{folder}" for folder in (*include, HEADERS)]
    done = subprocess.run([*command, *macros, *folders, str(path)], capture_output=True, timeout=_SECONDS, check=False)
    text, encoding = read_source(path)
    compiler = _normal(done.stdout.decode(encoding)) if done.returncode == 0 else None
    try:
        return Answers(compiler, _normal(preprocess(text, path, flags=CFlags(tuple(map(str, include))))))
    except PincerError as error:
        return Answers(compiler, None, str(error))


def _normal(text: str) -> str:
    """The tokens alone: directives and pragmas are the parser's business."""
    joined = " ".join(token.text for token in tokens(_DIRECTIVE.sub("", text)))
    return _PRAGMA.sub("", joined).replace("  ", " ").strip()
