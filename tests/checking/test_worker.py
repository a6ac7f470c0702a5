"""The worker process: events on its own channel, mistakes as events, no life of its own."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pincer.checking.supervise import worker_command
from pincer.checking.worker import Job, _analyse
from pincer.errors import PincerError, Position, UnsupportedError
from pincer.runtime.run import Run, Stopped

REQUEST = {"file": "p.gcl"}


def events_of(job: Job) -> list[tuple[str, Mapping[str, Any]]]:
    events: list[tuple[str, Mapping[str, Any]]] = []
    done = threading.Event()
    _analyse(job, REQUEST, Run(), lambda event, data: events.append((event, data)), done)
    assert done.is_set()
    return events


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (PincerError("unknown name", Position("p.gcl", 2, 7), "x := y"), "error", "unknown name"),
        (UnsupportedError("nondet"), "unsupported", "nondet"),
        (RecursionError(), "error", "nested too deeply"),
        (FileNotFoundError(2, "No such file or directory", "w.json"), "error", "No such file"),
        (MemoryError(), "unsupported", "out of memory"),
        (KeyError("x"), "internal", "KeyError"),
    ],
)
def test_every_exception_becomes_a_mistake(error: Exception, kind: str, words: str) -> None:
    def job(*_: object) -> None:
        raise error

    [(event, data)] = events_of(job)
    assert (event, data["kind"]) == ("mistake", kind)
    assert words in data["message"]


def test_a_stopped_job_is_no_mistake() -> None:
    def job(*_: object) -> None:
        raise Stopped("interrupted")

    assert events_of(job) == []


def test_the_worker_ends_when_its_supervisor_is_gone(tmp_path: Path) -> None:
    fifo = tmp_path / "never.json"
    os.mkfifo(fifo)
    process = subprocess.Popen(worker_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    request = {
        "job": "replay",
        "file": str(fifo),
        "program": None,
        "timeout": None,
        "started": time.monotonic(),
    }
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["event"] == "progress"
    process.stdin.close()
    assert process.wait(timeout=10) == 1
    process.stdout.close()
