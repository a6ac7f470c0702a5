"""Checking what a page has sent: in a folder of its own, and without a trace of that folder in what is answered."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pincer.api import Answer, Options, Progress, Result, check
from pincer.cli.serving.checks import Outcome
from pincer.cli.serving.orders import Bounds, Order
from pincer.errors import PincerError
from pincer.report.page import render
from pincer.report.page.preparation import visible_text
from pincer.report.verdicts import WORDS


def check_order(order: Order, bounds: Bounds, on_progress: Callable[[Mapping[str, Any]], None]) -> Outcome:
    """Check a program within the bounds. What is wrong with the program is part of the outcome."""
    with tempfile.TemporaryDirectory(prefix="pincer-") as folder:
        program, data = Path(folder) / order.name, Path(folder) / "report.json"
        program.write_text(order.text, encoding="utf-8", errors="surrogatepass")
        options: Options = {
            "engine": order.engine,
            "timeout": order.seconds,
            "memory": bounds.memory_mb,
            "report": data,
            "on_progress": lambda progress: on_progress(_numbers(progress)),
        }
        if order.property:
            options["property"] = order.property
        try:
            result = check(program, **options)
        except PincerError as error:
            return Outcome(error=_mistake(error, program))
        report = render(json.loads(_local(data.read_text(encoding="utf-8"), folder)))
        return Outcome(tuple(_shown(result, program)), report, _unfinished(result, folder))


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


def _shown(result: Result, program: Path) -> list[Mapping[str, Any]]:
    return [
        {
            "name": visible_text(answer.name),
            "verdict": answer.verdict,
            "word": WORDS[answer.verdict],
            "why": _said(answer.why, str(program.parent)),
            "line": _line(answer, program),
        }
        for answer in result.properties
    ]


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
