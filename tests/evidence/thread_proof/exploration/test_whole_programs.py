"""Programs as people write them: the explorer accepts the good ones and nothing of what is wrong with the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused
from pincer.program.property import PropertyKind

from .explored_programs import explorer_of, read

PROGRAMS = Path(__file__).parents[4] / "benchmarks" / "threads-programs"
BROKEN: dict[str, tuple[PropertyKind, ...]] = {
    "barrier.c": ("assertions", "race"),
    "detached.c": ("memory",),
    "dining.c": ("deadlock",),
    "double_buffer.c": ("assertions", "memory"),
    "event_loop.c": ("deadlock", "memory"),
    "evicting_cache.c": ("race", "memory"),
    "heap_queue.c": ("assertions",),
    "job_groups.c": ("race", "deadlock"),
    "mailbox.c": ("deadlock",),
    "once.c": ("assertions", "race"),
    "request.c": ("assertions",),
    "semaphores.c": ("assertions",),
    "singleton.c": ("race",),
    "thread_caches.c": ("race",),
    "tree_sum.c": ("assertions", "race"),
    "work_stealing.c": ("assertions", "race"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("kind", ["assertions", "race", "deadlock", "memory"])
def test_all_properties_of_the_good_ones_are_accepted(name: str, kind: PropertyKind) -> None:
    explorer_of(read(PROGRAMS / name, kind), kind).explore()


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kinds in BROKEN.items() for kind in kinds])
def test_broken_ones_are_not(name: str, kind: PropertyKind, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text("#define BROKEN\n" + (PROGRAMS / name).read_text())
    with pytest.raises(ExplorationRefused):
        explorer_of(read(file, kind), kind).explore()
