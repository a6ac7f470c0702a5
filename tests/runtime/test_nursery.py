"""A process that is forked for each task: children are processes of their own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincer.runtime.nursery import Child, Nursery

ECHO = "tests.runtime.echoing"


@pytest.fixture
def nursery() -> Iterator[Nursery]:
    made = Nursery(ECHO, ["json"])
    try:
        yield made
    finally:
        made.end()


def said(child: Child) -> bytes | None:
    return next(iter(child.lines(60)))


def test_children_answer_for_themselves(nursery: Nursery) -> None:
    first, second = nursery.child(), nursery.child()
    second.write(b"two\n")
    first.write(b"one\n")
    assert (said(first), said(second)) == (b"one True\n", b"two True\n")
    assert first.pid != second.pid
    for child in (first, second):
        child.end()


@pytest.mark.parametrize(("order", "status"), [(b"status 3\n", 3), (b"die\n", -signal.SIGKILL)])
def test_how_a_child_ends_is_known_and_the_others_go_on(nursery: Nursery, order: bytes, status: int) -> None:
    other, child = nursery.child(), nursery.child()
    child.write(order)
    assert said(child) is None
    assert child.wait() == status
    child.end()
    other.write(b"here\n")
    assert said(other) == b"here True\n"
    other.end()


def test_a_child_can_be_ended_before_it_has_done_anything(nursery: Nursery) -> None:
    child = nursery.child()
    child.end()
    with pytest.raises(ProcessLookupError):
        os.kill(child.pid, 0)
    child.write(b"nobody reads this\n")


def test_without_the_process_there_are_no_children(nursery: Nursery) -> None:
    nursery.end()
    with pytest.raises(OSError):
        nursery.child()


def test_a_child_may_work_in_a_folder_of_its_own(nursery: Nursery, tmp_path: Path) -> None:
    here, there = nursery.child(), nursery.child(tmp_path)
    for child in (here, there):
        child.write(b"where\n")
    assert said(there) == f"{tmp_path.resolve()}\n".encode()
    assert said(here) == f"{Path.cwd()}\n".encode()
    for child in (here, there):
        child.end()
