"""Limits count time that passes, or work where that is wanted."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from pincer.runtime import clock

SLEEPING = """\
import time
from pincer.runtime import clock
from pincer.runtime.run import Run

run = Run(timeout=1.0) if clock.counts_processor_time() else Run(timeout=0.2)
time.sleep(0.4)
print(run.is_over())
while clock.processor_seconds() < 1.2:
    pass
print(run.is_over())
"""


@pytest.mark.parametrize(("value", "printed"), [("", ["True", "True"]), ("processor", ["False", "True"])])
def test_waiting_counts_against_a_limit_of_time_and_not_against_one_of_work(
    value: str, printed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(clock.VARIABLE, value)
    done = subprocess.run([sys.executable, "-c", SLEEPING], capture_output=True, text=True, check=True)
    assert done.stdout.split() == printed


def test_limits_by_the_clock_on_the_wall_are_stretched_where_work_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert clock.on_the_wall(3.0) == 3.0
    monkeypatch.setenv(clock.VARIABLE, clock.PROCESSOR)
    monkeypatch.setattr(clock, "processor_seconds", lambda: 2.0)
    monkeypatch.setattr(clock, "_begun", time.monotonic() - 8.0)
    assert 12.0 <= clock.on_the_wall(3.0) < 24.0


def test_what_processes_took_that_were_waited_for_is_counted() -> None:
    before = clock.processor_seconds()
    subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.2: pass"], check=True)
    assert clock.processor_seconds() - before >= 0.2
