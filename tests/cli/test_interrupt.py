"""Ctrl-C and SIGTERM: what is known so far is printed, and the command does not wait for what hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pincer.checking.messages import Decided
from tests.checking.scripted_worker import SAFE, fake_worker, program_read

STUCK = "open('ready', 'w').close()\ntime.sleep(3600)"


def start(folder: Path, arguments: list[str]) -> subprocess.Popen[str]:
    """`pincer check` in a process of its own, with one property decided and one that never will be."""
    worker = fake_worker([program_read("mutex", "live"), Decided(SAFE)], STUCK)
    code = (
        "import sys, pincer.checking.worker as s\nfrom pincer.cli.main import main\n"
        f"s.worker_command = lambda: {worker!r}\nsys.exit(main({arguments!r}))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not (folder / "ready").exists():
        assert process.poll() is None
        time.sleep(0.02)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_known_results_are_printed_and_the_rest_is_undecided(tmp_path: Path, number: int) -> None:
    process = start(tmp_path, ["check", "--quiet", "--jobs", "1", "p.gcl", "q.gcl"])
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == 3
    assert err == ""
    assert "HOLDS      p.gcl: mutex" in out
    assert "UNDECIDED  p.gcl: live: interrupted" in out
    assert "interrupted: 1 further file was not looked at" in out


def test_a_second_interrupt_ends_at_once(tmp_path: Path) -> None:
    process = start(tmp_path, ["check", "p.gcl"])
    process.send_signal(signal.SIGINT)
    time.sleep(0.15)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 3
    process.communicate()
