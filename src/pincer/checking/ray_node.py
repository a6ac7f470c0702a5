"""What a node of a Ray cluster does with a parcel: the same as this machine would, within the same limits.

Modules of Pincer are imported on the node, so it must be installed there, in the same version.
"""

from __future__ import annotations

import os
import tempfile
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import ray
from msgspec import Struct

from pincer import __version__
from pincer.checking import worker
from pincer.checking.parcel import Parcel, unpacked
from pincer.checking.supervise import Ending, Limits, Tick, Watch, watched
from pincer.runtime.nursery import Nursery
from pincer.runtime.processes import Helper, LineProcess

_ANSWER_SECONDS = 30.0
"""For whoever collects news; who does not answer for so long is gone."""


class Delivery(Struct, frozen=True):
    """What came of a parcel: events as lines, how it ended, and files that were written."""

    events: tuple[bytes, ...]
    ending: Ending
    made: dict[str, bytes]


class NewsDesk:
    """Collects what parcels under way have to tell, for all nodes; whoever tells something hears whether to stop."""

    def __init__(self) -> None:
        self._latest: dict[int, Tick] = {}
        self._stopped = False

    def post(self, number: int, tick: Tick) -> bool:
        self._latest[number] = tick
        return self._stopped

    def collect(self) -> dict[int, Tick]:
        found, self._latest = self._latest, {}
        return found

    def stop(self) -> None:
        self._stopped = True


def work(number: int, parcel: Parcel, limits: Limits, desk: Any, how: WorkOrder) -> Delivery:
    """Do what a parcel asks for. When a node dies, the same is done again elsewhere, from the beginning."""
    if how.version != __version__:
        died = f"a node has Pincer {__version__}, and not {how.version}; install the same version on all nodes"
        return Delivery((), Ending(died=died), {})
    with tempfile.TemporaryDirectory(prefix="pincer-") as name:
        place = unpacked(parcel, Path(name).resolve())
        events: list[bytes] = []
        with watched(place.request, limits, _begun(how.module, place.folder)) as watch:
            next_post = 0.0
            for event in watch.events():
                if not isinstance(event, Tick):
                    events.append(place.told(event))
                elif time.monotonic() >= next_post:
                    next_post = time.monotonic() + how.interval
                    _post(desk, number, event, watch)
        return Delivery(tuple(events), watch.ending, place.made())


def _begun(module: str, folder: Path) -> LineProcess:
    """A process that waits for its order. Ray keeps its own processes for further tasks: the first of them imports what
    they need, and is forked for the others."""
    if module == worker.__name__ and hasattr(os, "fork"):
        try:
            return _nursery().child(folder)
        except OSError:
            _nursery.cache_clear()
    return Helper(import_module(module).worker_command(), True, folder)


@cache
def _nursery() -> Nursery:
    return Nursery(worker.__name__, worker.NEEDED)


class WorkOrder(Struct, frozen=True):
    """How parcels are worked at: by the worker of which `module`, in which version, with news at which `interval`."""

    module: str
    interval: float
    version: str = __version__


def _post(desk: Any, number: int, tick: Tick, watch: Watch) -> None:
    """Tell what is going on; stop when it is not wanted any more, or nobody listens."""
    try:
        is_stopped = ray.get(desk.post.remote(number, tick), timeout=_ANSWER_SECONDS)
    except ray.exceptions.RayError:
        is_stopped = True
    if is_stopped:
        watch.interrupt()
