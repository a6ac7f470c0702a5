"""The clock of limits: the one on the wall, or the processor time of this process where a machine is shared.

With `PINCER_CLOCK=processor` in the environment a limit counts the work of the process and of those it has waited for,
so that what else the machine does decides nothing. Measurements are made so.
"""

from __future__ import annotations

import os
import resource
import time

VARIABLE, PROCESSOR = "PINCER_CLOCK", "processor"
_begun = time.monotonic()


def counts_processor_time() -> bool:
    """Whether limits count work, not time that passes."""
    return os.environ.get(VARIABLE) == PROCESSOR


def processor_seconds() -> float:
    """What this process has taken, with those it has waited for."""
    return time.process_time() + seconds_of_children()


def seconds_of_children() -> float:
    """What the processes have taken that this one has waited for, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_COUNTS_PROCESSOR_TIME = counts_processor_time()


def now() -> float:
    """Seconds from some beginning; of processor time, from the beginning of the process."""
    return processor_seconds() if _COUNTS_PROCESSOR_TIME else time.monotonic()


def on_the_wall(seconds: float) -> float:
    """About how long so many seconds of a limit take: for what has limits of its own, by the clock on the wall."""
    if not counts_processor_time():
        return seconds
    return seconds * max(1.0, (time.monotonic() - _begun) / max(processor_seconds(), 0.001))
