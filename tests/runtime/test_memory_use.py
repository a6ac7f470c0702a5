"""The memory of an analysis is that of all its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pincer.runtime.memory_use import MemoryMeter, own_peak_mb

HELD = 80
FORKS = """
import os, sys, time
{before}
for _ in range({children}):
    if not os.fork():
        {inside}
        os.write(1, b"ready\\n")
        time.sleep(60)
time.sleep(60)
"""
HOLDS = f"held = bytearray(b'x') * {HELD * 1_000_000}"

only_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@contextmanager
def started(code: str, children: int) -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert process.stdout is not None
        for _ in range(children):
            assert process.stdout.readline() == b"ready\n"
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@only_linux
def test_what_forked_processes_hold_is_counted() -> None:
    with started(FORKS.format(before="", inside=HOLDS, children=2), 2) as pid:
        found = MemoryMeter(pid).mb()
    assert found is not None and found > 2 * HELD


@only_linux
def test_what_forked_processes_share_is_counted_once() -> None:
    with started(FORKS.format(before=HOLDS, inside="pass", children=2), 2) as pid:
        found = MemoryMeter(pid).mb()
    assert found is not None and HELD < found < 2 * HELD


@only_linux
def test_what_is_held_later_is_counted_between_looks_at_shares() -> None:
    later = f"os.read(0, 1); more = {HOLDS.removeprefix('held = ')}"
    code = FORKS.format(before=HOLDS, inside="os.write(1, b'ready\\n'); " + later, children=1)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.readline() == b"ready\n"
        meter = MemoryMeter(process.pid)
        before = meter.mb()
        process.stdin.write(b"x")
        process.stdin.flush()
        assert process.stdout.readline() == b"ready\n"
        after = meter.mb()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert before is not None and before < 2 * HELD
    assert after is not None and after - before > 0.9 * HELD


@only_linux
def test_a_process_that_is_gone_has_no_memory() -> None:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    assert MemoryMeter(process.pid).mb() is None


def test_this_process_has_some_memory() -> None:
    assert own_peak_mb() > 1
