"""Objects as values: bytes that are numbers, that nobody has written, that depend on inputs."""

from __future__ import annotations

import pytest

from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.exploration.refusals import Unexplored
from pincer.evidence.thread_proof.exploration.things import KEPT_BYTES, ended, made


def test_static_objects_are_filled_up_with_zeros() -> None:
    thing = made(4, b"\1\2")
    assert thing.number(0, 4) == 0x0201 and thing.is_plain(0, 4) and thing.is_defined(0, 4)


def test_objects_that_nobody_has_written_are_defined_byte_by_byte() -> None:
    thing = made(4, None).with_bytes(1, b"\7\7")
    assert thing.is_defined(1, 2) and not thing.is_defined(0, 2) and not thing.is_plain(2, 2)
    assert thing.with_bytes(0, b"\0").with_bytes(3, b"\0") == made(4, None).with_bytes(0, b"\0\7\7\0")


def test_values_that_depend_on_inputs_are_put_away_in_bytes() -> None:
    script = Script()
    node = script.variable("n", 16)
    thing = made(4, b"").with_node(script, 1, node)
    assert thing.is_plain(0, 1) and not thing.is_plain(0, 2) and thing.is_defined(0, 4)
    low, high = thing.node_at(1), thing.node_at(2)
    assert low is not None and high is not None and script.concat(high, low) is node
    assert thing.with_bytes(1, b"\0\0") == made(4, b"")


def test_constant_parts_of_values_are_numbers() -> None:
    script = Script()
    node = script.concat(script.constant(5, 8), script.variable("n", 8))
    thing = made(2, b"").with_node(script, 0, node)
    assert thing.is_plain(1, 1) and thing.number(1, 1) == 5 and not thing.is_plain(0, 1)


def test_copies_bring_along_what_is_not_defined() -> None:
    thing = made(4, b"\1\1\1\1").with_bytes(1, b"\0\0", b"\1\0")
    assert not thing.is_defined(1, 1) and thing.is_defined(2, 2)


def test_an_object_that_has_ended_is_empty() -> None:
    assert ended(made(4, b"\1", maker=2)).size == 0 and ended(made(4, None, maker=2)).maker == 2


def test_the_far_end_of_large_objects_is_not_explored() -> None:
    thing = made(2 * KEPT_BYTES, b"")
    assert thing.with_bytes(KEPT_BYTES - 1, b"\1").size == 2 * KEPT_BYTES
    with pytest.raises(Unexplored):
        thing.with_bytes(KEPT_BYTES, b"\1")
    with pytest.raises(Unexplored):
        thing.is_plain(KEPT_BYTES, 1)
