"""Why an exploration does not end well: something is wrong with the program, or it is not followed so far."""

from __future__ import annotations

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Node


class ExplorationRefused(PincerError):
    """The program may do what the property forbids, or something undefined."""


class Unexplored(PincerError):
    """The exploration comes to a limit of its own, which says nothing about the program."""


class Meeting(Exception):
    """Two threads may access the same data at the same time, so that moves must not be merged."""


class OpenValue(Exception):
    """An address, a size or an operand must have one value before a step can be taken."""

    def __init__(self, node: Node) -> None:
        super().__init__(node.text)
        self.node = node
