"""Fixtures of the command-line tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

import pincer.checking.supervise
from tests.checking.scripted_worker import fake_worker


@pytest.fixture
def worker_says(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Replace the worker of every command run in this test."""

    def install(events: Sequence[Mapping[str, Any]] = (), behaviour: str = "emit('done')") -> list[str]:
        command = fake_worker(events, behaviour)
        monkeypatch.setattr(pincer.checking.supervise, "worker_command", lambda: command)
        return command

    return install
