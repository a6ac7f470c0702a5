"""A child for tests: it says back what it is told, ends with a status, or dies."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path


def main() -> None:
    for line in os.fdopen(os.dup(0), "rb"):
        word = line.decode().strip()
        if word == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if word.startswith("status "):
            os._exit(int(word.split()[1]))
        if word == "where":
            os.write(1, f"{Path.cwd()}\n".encode())
            continue
        loaded = "json" in sys.modules
        os.write(1, f"{word} {loaded}\n".encode())
