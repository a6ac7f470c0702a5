"""The worker process: events on its own channel, mistakes as events, no life of its own."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from pincer.checking.messages import Event, MistakeMade, Order, Replay, Working, encoded, event_of
from pincer.checking.worker import Job, analyse, needed, worker_command
from pincer.errors import Mistake, PincerError, Position, UnsupportedError
from pincer.runtime.run import Run, Stopped

REQUEST = Replay("p.gcl")


def mistakes_of(job: Job) -> list[Mistake]:
    events: list[Event] = []
    done = threading.Event()
    analyse(job, REQUEST, Run(), events.append, done)
    assert done.is_set()
    return [event.mistake for event in events if isinstance(event, MistakeMade)]


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

    [mistake] = mistakes_of(job)
    assert mistake.kind == kind
    assert words in mistake.message


def test_a_stopped_job_is_no_mistake() -> None:
    def job(*_: object) -> None:
        raise Stopped("interrupted")

    assert mistakes_of(job) == []


def test_the_worker_ends_when_its_supervisor_is_gone(tmp_path: Path) -> None:
    fifo = tmp_path / "never.json"
    os.mkfifo(fifo)
    process = subprocess.Popen(worker_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(encoded(Order(Replay(str(fifo)), None, time.monotonic())))
    process.stdin.flush()
    assert isinstance(event_of(process.stdout.readline()), Working)
    process.stdin.close()
    assert process.wait(timeout=10) == 1
    process.stdout.close()


def test_checks_of_c_programs_load_nothing_of_other_languages() -> None:
    names = [name for name in needed({".c"}, store=False) if "gcl" not in name and "guarded" not in name]
    others = ("pincer.frontends.msvl", "pincer.frontends.gcl", "pincer.evidence.gcl.checker", "http.client")
    code = (
        f"import importlib, sys\nfor name in {names!r}: importlib.import_module(name)\n"
        f"assert not [name for name in {others!r} if name in sys.modules]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("store", [True, False])
def test_everything_that_is_imported_beforehand_exists(store: bool) -> None:
    names = needed({".c", ".gcl", ".m"}, store)
    assert set(names) > set(needed(set(), store)) and len(set(names)) == len(names)
    for name in names:
        importlib.import_module(name)
