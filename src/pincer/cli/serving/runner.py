"""Checking what a page has sent: in a folder of its own, and without a trace of that folder in what is answered."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from pincer.api import Answer, Options, Progress, Result, check
from pincer.cli.serving.checks import Outcome
from pincer.cli.serving.orders import Bounds, Order
from pincer.errors import PincerError
from pincer.report.page import render
from pincer.report.page.preparation import visible_text
from pincer.report.verdicts import WORDS

_COMPILED = (".c", ".i")
_MOST_INVARIANTS = 40


def check_order(order: Order, bounds: Bounds, on_progress: Callable[[Mapping[str, Any]], None]) -> Outcome:
    """Check a program within the bounds. What is wrong with the program is part of the outcome."""
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder:
        program, data = Path(folder) / order.name, Path(folder) / "report.json"
        program.write_text(order.text, encoding="utf-8", errors="surrogatepass")
        known: list[Mapping[str, Any]] = []
        options: Options = {
            "engine": order.engine,
            "timeout": order.seconds,
            "memory": bounds.memory_mb,
            "report": data,
            "on_progress": lambda progress: on_progress({**_numbers(progress), "answers": list(known)}),
            "on_result": lambda answer: known.append(_short(answer, program)),
        }
        if order.property:
            options["property"] = order.property
        test = Path(folder) / "test"
        if program.suffix in _COMPILED:
            options["test_out"] = test
        try:
            result = check(program, **options)
        except PincerError as error:
            return Outcome(error=_mistake(error, program))
        told = json.loads(_local(data.read_text(encoding="utf-8"), folder))
        shown = tuple(_short(answer, program) | _invariants(answer, told) for answer in result.properties)
        return Outcome(shown, render(told), _unfinished(result, folder), _packed(test))


def _mistake(error: PincerError, program: Path) -> Mapping[str, Any]:
    """What is wrong; a place in the program as numbers, so that the page can lead to it."""
    place = error.position
    if place is None or place.file != str(program):
        return {"kind": "error", "message": _said(str(error), str(program.parent))}
    return {
        "kind": "error",
        "message": _said(error.message, str(program.parent)),
        "line": place.line,
        "column": place.column,
    }


def _numbers(progress: Progress) -> Mapping[str, Any]:
    return {
        "engine": progress.engine,
        "phase": progress.phase,
        "numbers": dict(progress.numbers),
        "memory_mb": progress.memory_mb,
        "elapsed_s": progress.elapsed_s,
    }


def _short(answer: Answer, program: Path) -> dict[str, Any]:
    return {
        "name": visible_text(answer.name),
        "verdict": answer.verdict,
        "word": WORDS[answer.verdict],
        "why": _said(answer.why, str(program.parent)),
        "line": _line(answer, program),
    }


def _invariants(answer: Answer, told: Mapping[str, Any]) -> dict[str, Any]:
    """The invariants of a proof at their lines, as the report has them."""
    properties = told["files"][0]["properties"]
    found = next((one.get("invariants", ()) for one in properties if one["name"] == answer.name), ())
    kept = [{"line": one["line"], "text": visible_text(one["text"])} for one in found if one.get("line")]
    return {"invariants": kept[:_MOST_INVARIANTS]}


def _packed(folder: Path) -> bytes:
    """The files of a folder, if it is there, in an archive."""
    if not folder.is_dir():
        return b""
    archive = BytesIO()
    with ZipFile(archive, "w") as packed:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                packed.write(file, str(file.relative_to(folder.parent)))
    return archive.getvalue()


def _line(answer: Answer, program: Path) -> int | None:
    """The line of the program in which the property is violated, where there is one."""
    if answer.violation is None or answer.violation.failure.file != str(program):
        return None
    return answer.violation.failure.line


def _unfinished(result: Result, folder: str) -> Mapping[str, Any] | None:
    return {"kind": "unsupported", "message": _said(result.reason, folder)} if result.reason else None


def _said(text: str, folder: str) -> str:
    """A sentence for the status line; it may quote the program, whose control characters are spelled out."""
    return visible_text(_local(text, folder))


def _local(text: str, folder: str) -> str:
    """Names of files as the page knows them."""
    return text.replace(f"{folder}/", "")
