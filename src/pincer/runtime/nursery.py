"""A process that has imported what its children need, and is forked for each of them: starting an interpreter for every
small task would cost more than most of the tasks.

It is asked over a socket, its standard input: `+` with two descriptors, and a folder if need be, forks a child that
reads the one and writes the other, and is answered with its number; `w` with a number waits for the end of that child,
and is answered with its status. It ends when nobody can ask it any more.
"""

from __future__ import annotations

import importlib
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from pincer.runtime.processes import LineProcess, blocked_signals, python_command

_NUMBER = struct.Struct("q")
_FORK, _WAIT = b"+", b"w"
_LONGEST_QUESTION = 1 << 13
"""A folder's name and more."""


class Nursery:
    """The process as those see it who want children of it; `module` has the `main` of a child, and `needs` are modules
    that are imported before."""

    def __init__(self, module: str, needs: Sequence[str] = (), quiet: bool = True) -> None:
        here, there = socket.socketpair()
        with there, blocked_signals():
            command = python_command(__name__)
            environment = {**os.environ, "PINCER_NURSERY": " ".join((module, *needs))}
            self._process = subprocess.Popen(
                command, stdin=there.fileno(), env=environment, stderr=subprocess.DEVNULL if quiet else None
            )
        self._socket = here
        self._lock = threading.Lock()

    def child(self, folder: Path | None = None) -> Child:
        """A new child, in a folder other than the current one if that is given; an `OSError` if there can be none any
        more."""
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        try:
            where = b"" if folder is None else os.fsencode(folder.resolve())
            number = self._asked(_FORK + where, [theirs_in, theirs_out])
        except OSError:
            os.close(ours_in)
            os.close(ours_out)
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        return Child(self, number, os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb"))

    def status_of(self, child: int) -> int:
        """The status a child ends with, negative for a signal."""
        return self._asked(_WAIT + _NUMBER.pack(child), [])

    def _asked(self, question: bytes, descriptors: Sequence[int]) -> int:
        with self._lock:
            socket.send_fds(self._socket, [question], descriptors)
            answer = self._socket.recv(_NUMBER.size)
        if len(answer) != _NUMBER.size:
            raise OSError("the process that starts others has ended")
        return int(_NUMBER.unpack(answer)[0])

    def end(self) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()


class Child(LineProcess):
    """A forked process that works for this one."""

    def __init__(self, nursery: Nursery, number: int, reads: BinaryIO, writes: BinaryIO) -> None:
        super().__init__(number, reads, writes)
        self._nursery = nursery
        self._status: int | None = None

    def wait(self) -> int:
        if self._status is None:
            try:
                self._status = self._nursery.status_of(self.pid)
            except OSError:
                self._status = 1
        return self._status

    def end(self) -> None:
        # Until it has been waited for, its number is no other's.
        if self._status is None:
            self.kill()
        self.wait()
        self.close()


def main() -> None:
    """Import, then fork whenever that is asked for."""
    module, *needs = os.environ.pop("PINCER_NURSERY").split()
    for name in needs:
        importlib.import_module(name)
    begin = importlib.import_module(module).main
    asked = socket.socket(fileno=os.dup(0))
    while True:
        question, descriptors, _, _ = socket.recv_fds(asked, _LONGEST_QUESTION, 2)
        if not question:
            os._exit(0)
        if question.startswith(_WAIT):
            [child] = _NUMBER.unpack(question[1:])
            asked.sendall(_NUMBER.pack(_ended(child)))
            continue
        child = os.fork()
        if child == 0:
            asked.close()
            _become(begin, question[1:], *descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        asked.sendall(_NUMBER.pack(child))


def _ended(child: int) -> int:
    try:
        _, status = os.waitpid(child, 0)
    except ChildProcessError:
        return 1
    return os.waitstatus_to_exitcode(status)


def _become(begin: object, folder: bytes, reads: int, writes: int) -> None:
    """In the forked process: what it reads and writes is its standard input and output."""
    status = 1
    try:
        if folder:
            os.chdir(folder)
        os.dup2(reads, 0)
        os.dup2(writes, 1)
        os.close(reads)
        os.close(writes)
        assert callable(begin)
        begin()
        status = 0
    finally:
        sys.stderr.flush()
        os._exit(status)
