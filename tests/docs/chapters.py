"""Executing a page of documentation: its Python and console blocks, in order, against the output it shows.

A `python` block runs in the namespace of its page; a fence without a language right after it is what it prints. A
`console` block holds commands after `$` and what they print. Any other fence after a paragraph that ends with
"as `NAME`:" is saved under that name first.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FENCE = re.compile(r"^(```+)([^\n`]*)\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_SAVED_AS = re.compile(r"as\s+`([^`]+)`[^`]*:\s*$")
_SECONDS = re.compile(r"\d+\.\d+ s\b")


@dataclass(frozen=True)
class Block:
    """A fence: its language, its text, the line it begins at, and the prose right before it."""

    language: str
    text: str
    line: int
    before: str


@dataclass(frozen=True)
class Shown:
    """What a block printed beside what the page says it prints."""

    line: int
    printed: str
    expected: str


def blocks_of(page: str) -> list[Block]:
    found = []
    end = 0
    for match in _FENCE.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        found.append(Block(match[2].strip(), match[3], line, page[end : match.start()]))
        end = match.end()
    return found


def comparable(text: str) -> str:
    """The words, without line breaks and with every time as the same one: those differ from run to run."""
    return " ".join(_SECONDS.sub("0.00 s", text).split())


def run_page(page: str, folder: Path) -> Iterator[Shown]:
    """Run the blocks of a page in a folder, the current one; what a page does not show must not be printed."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    blocks = blocks_of(page)
    for number, block in enumerate(blocks):
        saved = _SAVED_AS.search(block.before)
        if block.language == "python":
            follower = blocks[number + 1] if number + 1 < len(blocks) else None
            is_output = follower is not None and not follower.language and not follower.before.strip()
            yield Shown(block.line, _python(block, namespace), follower.text if follower and is_output else "")
        elif block.language == "console":
            for command, expected in _commands(block.text):
                yield Shown(block.line, _console(command, folder), expected)
        elif saved:
            (folder / saved[1]).write_text(block.text, encoding="utf-8")


def _python(block: Block, namespace: dict[str, Any]) -> str:
    printed = io.StringIO()
    # Empty lines before the text make its line numbers those of the page.
    code = compile("\n" * block.line + block.text, "page", "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


def _commands(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def _console(command: str, folder: Path) -> str:
    tools = folder / ".bin"
    tools.mkdir(exist_ok=True)
    script = tools / "pincer"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pincer.cli "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
    }
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return done.stdout + done.stderr
