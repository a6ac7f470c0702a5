"""Transitions as data: what one thread does from one scheduling point to the next, done or under way."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pincer.execution.machine import History, chronological
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node
from pincer.execution.threads.accesses import Access, Footprint
from pincer.execution.threads.calls import Waiting
from pincer.execution.threads.state import ThreadedState
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import Edge


class Underway(Struct, frozen=True):
    """A transition under way. `node` is where its thread is; the state in `threads` is the one before the transition.

    `begun` once it has done something that others may notice; `joint` while the step to come belongs to the last one
    (a check and the access it is for); `atomic` counts the atomic sections it is in.
    """

    threads: ThreadedState
    node: Node
    pick: int
    begun: bool
    accesses: tuple[Access, ...] = ()
    atomic: int = 0
    joint: bool = False
    edges: History | None = None
    steps: int = 0
    parts: int = 1

    @property
    def may_touch_more(self) -> bool:
        """Whether the steps to come may touch something that others may notice."""
        return not self.begun or self.atomic > 0 or self.joint


class InputTurn(Struct, frozen=True):
    """Another way to go on: before a step, the path's conditions so far and the one that makes the difference."""

    progress: Underway
    path: History | None
    condition: Term


class ThreadTransition(Struct, frozen=True):
    """What a thread did, the state it led to, and why the program stopped if it did. `parts` is how many transitions it
    is when nothing is merged."""

    thread: int
    pick: int
    threads: ThreadedState
    footprint: Footprint
    edges: tuple[Edge, ...]
    stop: Stop | None
    turns: tuple[InputTurn, ...]
    parts: int = 1


class NextTransition(Struct, frozen=True):
    """A thread's next transition: what it waits for, if it cannot be taken, and what is known of its accesses.

    With `settled`, nothing but conflicting accesses of others can change whether it waits."""

    waiting: Waiting | None = None
    accesses: tuple[Access, ...] = ()
    settled: bool = True


def finished(progress: Underway) -> ThreadTransition:
    """The transition that ends here, before the thread's next step that others may notice."""
    node, threads = progress.node, progress.threads
    thread = replace(threads.threads[threads.running], location=node.location, frame=node.frame, fresh=False)
    after = replace(threads, state=node.state, conditions=node.conditions).with_thread(thread)
    return _made(progress, after, Footprint(progress.accesses), None)


def stopped(progress: Underway, stop: Stop, accesses: tuple[Access, ...] = ()) -> ThreadTransition:
    """The program ends with the step to come; others may go first, so that step is a transition of its own."""
    if progress.begun and not progress.atomic and not progress.joint:
        return finished(progress)
    node = progress.node
    after = replace(progress.threads, state=node.state, conditions=node.conditions)
    if stop.edge is not None:
        progress = replace(progress, edges=History(stop.edge, progress.edges))
    return _made(progress, after, Footprint(progress.accesses + accesses, ends=True), stop)


def _made(progress: Underway, after: ThreadedState, footprint: Footprint, stop: Stop | None) -> ThreadTransition:
    edges = tuple(chronological(progress.edges))
    return ThreadTransition(
        progress.threads.running, progress.pick, after, footprint, edges, stop, (), progress.parts
    )  # fmt: skip


def note_turns(progress: Underway, node: Node, following: Node, turns: list[InputTurn]) -> None:
    """The conditions that a step has added could have been otherwise."""
    new: list[Term] = []
    history = following.conditions
    while history is not node.conditions and history is not None:
        new.append(history.item)
        history = history.earlier
    path = node.conditions
    for condition in reversed(new):
        turns.append(InputTurn(progress, path, negate(condition)))
        path = History(condition, path)
