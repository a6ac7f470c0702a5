"""What a search is made of, and how an analysis may end."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from msgspec import Struct

from pincer.engines.dash.regions import Abstraction, Frontier, Region
from pincer.execution.stepping import Stop
from pincer.execution.testing import ExecutionFrame, Node
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge

Result = TypeVar("Result")
Searching = Generator[None, None, Result]
"""A search that can be interrupted between two of its steps."""


class ErrorReached(Exception):
    """A test violates the property."""

    def __init__(self, node: Node, stop: Stop) -> None:
        super().__init__(stop.message)
        self.node = node
        self.stop = stop


class UndefinedBehaviourFound(Exception):
    """A test runs into undefined behaviour, so a proof must not rest on executions ending there."""


class Undecided(Exception):
    """Some frontier could be neither crossed nor refined; the argument says which and why."""

    @property
    def reason(self) -> str:
        return str(self.args[0])


class Search(Struct):
    """One search: its abstraction, and for a nested one the call it is about and the activations it looks at."""

    abstraction: Abstraction
    procedure: str | None = None
    goal: Term | None = None
    call: Edge | None = None
    caller_node: Node | None = None
    frames: set[ExecutionFrame] = set()
    reached: Node | None = None
    pending: list[Frontier | Region] = []
    not_initial: set[Region] = set()
    depth: int = 0

    def accepts(self, node: Node) -> bool:
        """Whether a new state belongs to this search's forest."""
        if self.procedure is None:
            return True
        frame = node.frame
        if frame in self.frames:
            return True
        before = frame.call_node
        assert self.caller_node is not None
        if frame.call is not self.call or before is None or before.conditions is not self.caller_node.conditions:
            return False
        self.frames.add(frame)
        return True


class Statistics(Struct):
    """What the tables print."""

    iterations: int = 0
    tests: int = 0
    nested: int = 0
    reused: int = 0
