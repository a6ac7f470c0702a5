"""Answers about a C program, from its text to the confirmed verdict, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from pincer.checking.decide import decide
from pincer.checking.load import load
from pincer.checking.result import Result, Safe, Unknown, Unsafe
from pincer.checking.task import Asked, Source, Task
from pincer.runtime.run import Run


def answer(text: str, kind: str = "assertions", file: str = "p.c") -> Result:
    """The answer about one property of a file with this text in the current folder."""
    Path(file).write_text(text, encoding="utf-8")
    return answers(Task(Source(file), Asked((kind,))))[kind]


def answers(task: Task) -> dict[str, Result]:
    run = Run(timeout=60)
    return {decision.result.name: decision.result for decision in decide(load(task, run), task, run)}


def safe(result: Result) -> Safe:
    assert isinstance(result, Safe), result
    return result


def confirmed(result: Result) -> Unsafe:
    """A violation that compiled code has shown."""
    assert isinstance(result, Unsafe), result
    assert result.evidence.kind == "execution", result.evidence
    return result


def reason(result: Result) -> str:
    """Why there is no verdict."""
    assert isinstance(result, Unknown), result
    return result.reason.text
