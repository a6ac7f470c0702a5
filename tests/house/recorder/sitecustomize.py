"""Python runs this at the start of every process that is being watched: it records which module calls which.

What it needs comes from the environment: `PINCER_WALK_OUT` names the file that the record goes to (the process number
is added), `PINCER_WALK_SOURCE` the program under check, whose openings are counted.
"""

import atexit
import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

_ROOT = "pincer."
_SECONDS_TO_WRITE = 60.0
"""A worker that is done is killed at once, which would lose its record: it gets this long to write it."""


class Recorder:
    """Calls between modules of the project, in the order in which they first happened."""

    def __init__(self, out: str, source: str) -> None:
        self.out = out
        self.source = os.path.realpath(source)
        self.calls: dict[tuple[str, str, str, str], int] = {}
        self.openings = 0

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        callee = frame.f_globals.get("__name__", "")
        if event != "call" or not callee.startswith(_ROOT) or frame.f_code.co_filename == "<string>":
            return
        back = frame.f_back
        while back is not None and not back.f_globals.get("__name__", "").startswith(_ROOT):
            back = back.f_back
        if back is None or "<module>" in (frame.f_code.co_name, back.f_code.co_name):
            return
        caller = back.f_globals["__name__"]
        if caller != callee:
            call = (caller, back.f_code.co_qualname, callee, frame.f_code.co_qualname)
            self.calls[call] = self.calls.get(call, 0) + 1

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str) and os.path.realpath(arguments[0]) == self.source:
            self.openings += 1

    def forget(self) -> None:
        """What happened before a process was forked is in the record of the one that forked it."""
        self.calls.clear()
        self.openings = 0

    def write(self) -> None:
        sys.setprofile(None)
        calls = ["\t".join((*call, str(count))) for call, count in list(self.calls.items())]
        draft = Path(f"{self.out}.{os.getpid()}.draft")
        draft.write_text("\n".join([str(self.openings), *calls]), encoding="utf-8")
        draft.rename(self.record(os.getpid()))

    def record(self, process: int) -> Path:
        return Path(f"{self.out}.{process}")


def _watch(recorder: Recorder) -> None:
    leave = os._exit

    def write_and_leave(status: int) -> NoReturn:
        recorder.write()
        leave(status)

    kill = os.kill

    def kill_later(process: int, number: int) -> None:
        enough = time.monotonic() + _SECONDS_TO_WRITE
        while number == signal.SIGKILL and not recorder.record(process).exists() and time.monotonic() < enough:
            time.sleep(0.01)
        kill(process, number)

    os.kill = kill_later
    os._exit = write_and_leave
    atexit.register(recorder.write)
    os.register_at_fork(after_in_child=recorder.forget)
    sys.addaudithook(recorder.audit)
    threading.setprofile(recorder.profile)
    sys.setprofile(recorder.profile)


if "PINCER_WALK_OUT" in os.environ:
    _watch(Recorder(os.environ["PINCER_WALK_OUT"], os.environ["PINCER_WALK_SOURCE"]))
