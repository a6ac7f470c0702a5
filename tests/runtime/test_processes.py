"""What an analysis starts ends with it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pincer.checking.messages import Replay, Text
from pincer.checking.supervise import Limits, supervised
from pincer.runtime.processes import kill_descendants, process_tree
from tests.checking.scripted_worker import fake_worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who started whom")

_SLEEPER = "import subprocess; print(subprocess.Popen(['sleep', '60'], start_new_session=True).pid, flush=True)"


@contextmanager
def parent() -> Iterator[tuple[int, int]]:
    """A process, and one that it started in a session of its own."""
    code = f"{_SLEEPER}; import time; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())
        process.kill()


def gone(pid: int) -> bool:
    """Whether a process has ended; nobody may have asked for its status yet."""
    for _ in range(100):
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
        if not state.strip() or state.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


def test_the_tree_begins_with_the_process_and_names_its_children() -> None:
    with parent() as (pid, child):
        assert list(process_tree(pid)) == [pid, child]
        kill_descendants(pid)
        assert gone(child)


def test_a_test_that_hangs_ends_with_the_analysis_whose_time_is_up() -> None:
    behaviour = (
        "import subprocess, time; "
        "emit('Text', text=str(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)); time.sleep(60)"
    )
    command = fake_worker([], behaviour)
    with supervised(Replay("w.json"), Limits(timeout=2.0), command) as watch:
        [told] = [event for event in watch.events() if isinstance(event, Text)]
    assert str(watch.ending.stopped) == "time limit of 2 s reached"
    assert gone(int(told.text))
