"""Fixtures of the command-line tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import pincer.cli.jobs
from pincer.checking.messages import Event
from tests.checking.scripted_worker import fake_worker


@pytest.fixture
def worker_says(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Replace the worker of every command run in this test."""

    def install(events: Sequence[Event] = (), behaviour: str = "emit('Done')") -> list[str]:
        command = fake_worker(events, behaviour)
        monkeypatch.setattr(pincer.cli.jobs, "worker_command", lambda: command)
        return command

    return install
