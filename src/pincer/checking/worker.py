"""The process that analyses: it takes one request, does one job, and reports events; it prints nothing.

Native code (cvc5, for one) holds the interpreter lock for as long as a call takes, so no thread of this
process can be trusted to keep a time limit or to answer Ctrl-C. The supervising process can always do both.

Protocol, one JSON object per line. In: the request, then `{"stop": reason}`; the end of the input means that
the supervisor is gone. Out: objects with an `event` member, the last of them `done`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, BinaryIO

from pincer.errors import PincerError
from pincer.report.mistakes import Mistake, mistake_of
from pincer.runtime.processes import kill_descendants, own_memory_mb
from pincer.runtime.run import Run, Stopped

Emit = Callable[[str, Mapping[str, Any]], None]
Job = Callable[[Mapping[str, Any], Run, Emit], None]

_STACK_BYTES = 512 * 1024 * 1024
_RECURSION_LIMIT = 100_000
_TICK_SECONDS = 0.1


class _Channel:
    """The way to the supervisor, shared by the analysis and the ticker."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def emit(self, event: str, data: Mapping[str, Any]) -> None:
        line = json.dumps({"event": event, **data}, default=str).encode() + b"\n"
        with self._lock:
            try:
                self._stream.write(line)
                self._stream.flush()
            except OSError:
                os._exit(1)


def main() -> None:
    """Entry point of the worker process."""
    from pincer.checking.jobs import JOBS

    sys.set_int_max_str_digits(0)
    channel = _Channel(_claim_stdout())
    supervisor = _claim_stdin()
    request = json.loads(supervisor.readline() or b"null")
    if request is None:
        return
    run = Run(timeout=request["timeout"], started=request["started"])
    done = threading.Event()
    _start_analysis(JOBS[request["job"]], request, run, channel.emit, done)
    threading.Thread(target=_listen, args=(run, supervisor), daemon=True).start()
    _tick(run, channel.emit, done)
    channel.emit("done", {})
    # Tearing solvers down takes longer than a process deserves at its end.
    os._exit(0)


def _claim_stdout() -> BinaryIO:
    """Keep standard output for events; whatever a library prints goes to standard error."""
    private = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(private, "wb")


def _claim_stdin() -> BinaryIO:
    """Keep standard input for the supervisor. A forked process closes `sys.stdin`, and would wait for its lock for ever
    while a thread reads from it."""
    private = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(private, "rb")


def _start_analysis(job: Job, request: Mapping[str, Any], run: Run, emit: Emit, done: threading.Event) -> None:
    """Deeply nested input means deep recursion: the analysis gets a thread with a big stack."""
    sys.setrecursionlimit(_RECURSION_LIMIT)
    threading.stack_size(_STACK_BYTES)
    threading.Thread(target=_analyse, args=(job, request, run, emit, done), daemon=True).start()
    threading.stack_size(0)


def _analyse(job: Job, request: Mapping[str, Any], run: Run, emit: Emit, done: threading.Event) -> None:
    file = str(request["file"])
    try:
        job(request, run, emit)
    except Stopped:
        pass  # The supervisor knows why and says so.
    except PincerError as error:
        emit("mistake", asdict(mistake_of(error, file)))
    except RecursionError:
        emit("mistake", asdict(Mistake("error", "the input is nested too deeply", file)))
    except MemoryError:
        emit("mistake", asdict(Mistake("unsupported", "out of memory", file)))
    except OSError as error:
        emit("mistake", asdict(Mistake("error", f"{error.strerror or error}", str(error.filename or file))))
    except BaseException as error:
        message = f"{type(error).__name__}: {error}"
        emit("mistake", asdict(Mistake("internal", message, file, traceback=traceback.format_exc())))
    finally:
        done.set()


def _listen(run: Run, supervisor: BinaryIO) -> None:
    for line in supervisor:
        run.stop(str(json.loads(line)["stop"]))
    kill_descendants(os.getpid())
    os._exit(1)


def _tick(run: Run, emit: Emit, done: threading.Event) -> None:
    """Publish the latest progress at a bearable rate, and end the run on time even inside a solver call."""
    while not done.wait(_TICK_SECONDS):
        latest = run.latest
        emit(
            "progress",
            {
                "memory_mb": own_memory_mb(),
                "engine": latest.engine if latest else "",
                "phase": latest.phase if latest else "",
                "numbers": latest.numbers if latest else {},
            },
        )
        remaining = run.remaining()
        if remaining is not None and remaining <= 0:
            run.stop(f"time limit of {run.timeout:g} s reached")
