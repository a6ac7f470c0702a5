"""What can be said about threads, by name."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import Leaf, leaf, leaf_of


def test_leaves_are_read_as_they_are_written() -> None:
    written = leaf(leaves.WAITS, "#2", 4096, bits=64)
    assert leaf_of(written.args[0]) == Leaf(leaves.WAITS, ("#2", "4096"))
    assert leaf_of("me") == Leaf(None, ("me",))
    assert leaf_of("worker::x") is None


@pytest.mark.parametrize(
    "name", ["(owner)", "(owner #1)", "(status 5)", "(owner 1 2)", "(waits 1 2)", "(x 1)", "(owner 01)"]
)
def test_other_names_in_brackets_are_refused(name: str) -> None:
    with pytest.raises(PincerError):
        leaf_of(name)
