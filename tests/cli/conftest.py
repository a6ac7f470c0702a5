"""Fixtures of the command-line tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import pincer.checking.worker
import pincer.cli.check
import pincer.cli.jobs
from pincer.checking.messages import Event
from tests.checking.scripted_worker import fake_worker

BOUNDED = """
program bounded;
const N = 3;
var x : int = 0;
trans up: x < N -> x := x + 1;
safety ok : x <= N;
safety low: x < 3;
"""


@pytest.fixture
def worker_says(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Replace the worker of every command run in this test."""

    def install(events: Sequence[Event] = (), behaviour: str = "emit('Done')") -> list[str]:
        command = fake_worker(events, behaviour)
        for module in (pincer.checking.worker, pincer.cli.jobs):
            monkeypatch.setattr(module, "worker_command", lambda: command)
        monkeypatch.setattr(pincer.cli.check, "_nursery", lambda *_: None)
        return command

    return install


@pytest.fixture
def bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program of guarded commands in the current folder: `ok` holds and `low` is violated."""
    monkeypatch.chdir(tmp_path)
    Path("bounded.gcl").write_text(BOUNDED, encoding="utf-8")
    return "bounded.gcl"
