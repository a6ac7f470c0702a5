"""The process that analyses: it takes one order, does one job, and reports events; it prints nothing.

Native code (cvc5, for one) holds the interpreter lock for as long as a call takes, so no thread of this
process can be trusted to keep a time limit or to answer Ctrl-C. The supervising process can always do both.
`checking.messages` says what the two tell each other.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from msgspec import Struct

from pincer.checking.excerpts import with_excerpt
from pincer.checking.messages import (
    Answer,
    Certify,
    Check,
    Decided,
    Done,
    Event,
    MistakeMade,
    ProgramRead,
    Replay,
    Request,
    Text,
    Translate,
    Working,
    WriteTests,
    encoded,
    order_of,
    stop_of,
)
from pincer.checking.task import language_of
from pincer.errors import PincerError, mistake_of
from pincer.runtime import clock
from pincer.runtime.memory_use import MemoryMeter, own_peak_mb
from pincer.runtime.processes import kill_descendants, python_command
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.checking.decide import Decision
    from pincer.checking.load import LoadedSource

Emit: TypeAlias = Callable[[Event], None]
Job: TypeAlias = Callable[[Any, Run, Emit], None]
"""What is done for a kind of request."""
Tell: TypeAlias = "Callable[[Decision], None]"
Explain: TypeAlias = "Callable[[LoadedSource, Run, Emit], Tell]"
"""From a program that has been read to what tells readers more about each decision."""

_STACK_BYTES = 512 * 1024 * 1024
_RECURSION_LIMIT = 100_000
_TICK_SECONDS = 0.1
NEEDED = (
    "pincer.checking.confirm_c",
    "pincer.checking.decide",
    "pincer.checking.load",
    "pincer.engines.guarded.verify",
    "pincer.engines.sequential",
    "pincer.frontends.c.load",
    "pincer.frontends.gcl",
)
"""What most checks import."""
_NEEDED_FOR = {
    ".c": (
        "pincer.analysis.races",
        "pincer.evidence.c.execution",
        "pincer.evidence.thread_proof.checker",
        "pincer.frontends.c.rules",
    ),
    ".gcl": ("pincer.checking.ready_guarded",),
    ".m": ("pincer.engines.msvl.verify", "pincer.evidence.msvl.replay", "pincer.frontends.msvl"),
}
_NEEDED_WITH_STORE = ("pincer.checking.memory", "pincer.checking.recall")


class _Channel:
    """The way to the supervisor, shared by the analysis and the ticker."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def emit(self, event: Event) -> None:
        line = encoded(event)
        with self._lock:
            try:
                self._stream.write(line)
                self._stream.flush()
            except OSError:
                os._exit(1)


class Received(Struct, frozen=True):
    """The one job that was ordered, and the way to those who ordered it."""

    request: Request
    run: Run
    emit: Emit
    supervisor: BinaryIO


def main() -> None:
    """Entry point of the process."""
    received = receive()
    if received is not None:
        work(received, job_of(received.request))


def worker_command() -> list[str]:
    """What starts the process."""
    return python_command(__name__)


def needed(languages: Collection[str], store: bool) -> tuple[str, ...]:
    """What is worth importing once for many programs, by their endings, and for answers that are kept."""
    languages_need = (name for language, names in _NEEDED_FOR.items() if language in languages for name in names)
    return (*NEEDED, *languages_need, *(_NEEDED_WITH_STORE if store else ()))


def job_of(request: Request) -> Job:
    """What is done for a request; those for pictures and single runs are jobs of the command line."""
    return check if isinstance(request, Check) else answer


def receive() -> Received | None:
    """The order on standard input, None when nobody gives one."""
    sys.set_int_max_str_digits(0)
    channel = _Channel(_claim_stdout())
    supervisor = _claim_stdin()
    line = supervisor.readline()
    if not line:
        return None
    order = order_of(line)
    started = 0.0 if clock.counts_processor_time() else order.started
    return Received(order.request, Run(timeout=order.timeout, started=started), channel.emit, supervisor)


def work(received: Received, job: Job) -> None:
    """Do the job that was ordered, and end the process."""
    run, emit = received.run, received.emit
    done = threading.Event()
    _collect_rarely()
    _start_analysis(job, received.request, run, emit, done)
    threading.Thread(target=_listen, args=(run, received.supervisor), daemon=True).start()
    _tick(run, emit, done)
    emit(Done())
    # Tearing solvers down takes longer than a process deserves at its end.
    os._exit(0)


def _collect_rarely() -> None:
    """Look for circles of garbage rarely, and not among what was imported: an exploration makes millions of objects
    that all stay, and looking through them again and again takes a third of its time."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def check(request: Check, run: Run, emit: Emit, explain: Explain | None = None) -> None:
    """Decide the properties; report each as soon as its evidence has been checked."""
    from pincer.checking.decide import decide
    from pincer.checking.load import load

    source = load(request.task, run)
    emit(ProgramRead(source.described(), source.names))
    tell = None if explain is None else explain(source, run, emit)
    for decision in decide(source, request.task, run):
        for mistake in decision.mistakes:
            emit(MistakeMade(mistake))
        emit(Decided(decision.result))
        if tell is not None:
            tell(decision)


def answer(request: Replay | Certify | WriteTests | Translate, run: Run, emit: Emit) -> None:
    """Jobs whose answers are told as they come."""
    for found in _answers(request, run):
        emit(found)


def _answers(request: Replay | Certify | WriteTests | Translate, run: Run) -> Iterator[Answer]:
    match request:
        case Replay():
            from pincer.checking.recheck import replayed

            yield from replayed(request, run)
        case Certify():
            from pincer.checking.recheck import certified

            yield from certified(request, run)
        case WriteTests():
            from pincer.checking.suites import write_covering_suite

            yield write_covering_suite(request, run)
        case Translate():
            yield Text(_translated(request))


def _translated(request: Translate) -> str:
    """A C program as MSVL text."""
    from pincer.frontends.msvl.from_c import translate, translate_with_property

    path = Path(request.file)
    if language_of(request.file) != "c":
        raise PincerError("only C programs are translated: name a .c or .i file")
    return translate(path) if request.property is None else translate_with_property(path, Path(request.property)).text


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


def _start_analysis(job: Job, request: Request, run: Run, emit: Emit, done: threading.Event) -> None:
    """Deeply nested input means deep recursion: the analysis gets a thread with a big stack."""
    sys.setrecursionlimit(_RECURSION_LIMIT)
    threading.stack_size(_STACK_BYTES)
    threading.Thread(target=analyse, args=(job, request, run, emit, done), daemon=True).start()
    threading.stack_size(0)


def analyse(job: Job, request: Request, run: Run, emit: Emit, done: threading.Event) -> None:
    """Do a job; whatever goes wrong becomes a mistake that is told."""
    try:
        job(request, run, emit)
    except Stopped:
        pass  # The supervisor knows why and says so.
    except BaseException as error:
        emit(MistakeMade(with_excerpt(mistake_of(error, request.file))))
    finally:
        done.set()


def _listen(run: Run, supervisor: BinaryIO) -> None:
    for line in supervisor:
        run.stop(stop_of(line).reason)
    kill_descendants(os.getpid())
    os._exit(1)


def _tick(run: Run, emit: Emit, done: threading.Event) -> None:
    """Publish the latest progress at a bearable rate, and end the run on time even inside a solver call."""
    memory = MemoryMeter(os.getpid())
    while not done.wait(_TICK_SECONDS):
        emit(Working(run.latest, memory.mb() or own_peak_mb()))
        run.stop_in_time()
