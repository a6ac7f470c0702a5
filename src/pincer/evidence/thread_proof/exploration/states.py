"""States of a program with threads: what is kept of them, and states at work, which steps change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct

from pincer.evidence.c_proof.smt import Node
from pincer.evidence.thread_proof.exploration.library_objects import LibraryObject
from pincer.evidence.thread_proof.exploration.things import Thing
from pincer.program.control_flow import Edge, Procedure

Value: TypeAlias = int | Node
"""A number, or something that depends on inputs."""
Registers: TypeAlias = tuple[Value | None, ...]
"""Values by number of the register; None for one that has none."""


class ThreadPhase(Struct, frozen=True):
    """A call that takes several steps is past its first: it waits, or has been `woken`."""

    kind: Literal["condition", "barrier", "target"]
    address: int
    mutex: int = 0
    woken: bool = False
    result: int = 0
    timed: bool = False
    serial: bool = False


class CallerFrame(NamedTuple):
    """A caller: its procedure, the edge of the call, and the registers that it still needs."""

    procedure: Procedure
    call: Edge
    own: Registers


class ThreadState(NamedTuple):
    """One thread between two of its steps. One that is `stuck` has met an assumption that does not hold."""

    procedure: Procedure
    location: int
    frames: tuple[CallerFrame, ...]
    own: Registers
    thread: Registers
    phase: ThreadPhase | None = None
    stuck: bool = False
    ended: bool = False
    detached: bool = False
    joined: bool = False
    result: Value | None = 0


class State(NamedTuple):
    """All threads in the order of their creation, registers of the program, memory, the library's objects; `owners`
    says which objects only one thread can know, `conditions` what the inputs satisfy."""

    threads: tuple[ThreadState, ...]
    all: Registers
    memory: dict[int, Thing]
    library: dict[int, LibraryObject]
    owners: dict[int, int]
    conditions: frozenset[Node]

    def live(self) -> list[int]:
        return [number for number, thread in enumerate(self.threads) if not thread.ended]


class StepAccess(NamedTuple):
    """Bytes of memory (or a register of the program, by number) that a step reads or writes and others may, too.
    Steps of the library and of atomic sections are `atomic`; those with which an object of the library begins or ends
    are `lone`."""

    start: int
    size: int
    write: bool
    atomic: bool = False
    register: bool = False
    life: bool = False
    lone: bool = False

    def overlaps(self, other: StepAccess) -> bool:
        if self.register != other.register or self.life != other.life:
            return False
        return self.start < other.start + other.size and other.start < self.start + self.size


class TakenLock(NamedTuple):
    """A lock that a move begins with, perhaps shared with other readers."""

    address: int
    shared: bool = False


class WorkingState:
    """A state while one thread, `me`, takes steps. `touched` is what others could notice of them, `taken` the lock with
    which they began; it has `told` others something when what comes next must not be seen with what came before. It is
    `seen` if it may have changed what a formula speaks of."""

    __slots__ = (
        "all", "atomic", "begun", "born", "conditions", "fixed", "frames", "handed", "heads", "joint", "library",
        "location", "me", "memory", "over", "own", "owners", "phase", "procedure", "seen", "steps", "stuck", "taken",
        "thread", "threads", "told", "touched",
    )  # fmt: skip

    def __init__(self, state: State, me: int) -> None:
        mine = state.threads[me]
        self.me = me
        self.threads = state.threads
        self.procedure = mine.procedure
        self.location = mine.location
        self.frames = mine.frames
        self.own = list(mine.own)
        self.thread = list(mine.thread)
        self.phase = mine.phase
        self.stuck = mine.stuck
        self.all = list(state.all)
        self.memory = dict(state.memory)
        self.library = dict(state.library)
        self.owners = dict(state.owners)
        self.conditions = state.conditions
        self.fixed: dict[Node, int] = {}
        self.handed: dict[str, None] = {}
        self.touched: tuple[StepAccess, ...] = ()
        self.born: tuple[int, ...] = ()
        self.heads: dict[int, int] = {}
        self.taken: TakenLock | None = None
        self.begun = self.told = self.joint = self.over = self.seen = False
        self.atomic = self.steps = 0

    def copy(self) -> WorkingState:
        other = WorkingState.__new__(WorkingState)
        other.me, other.threads, other.procedure, other.location = self.me, self.threads, self.procedure, self.location
        other.frames, other.phase, other.stuck, other.taken = self.frames, self.phase, self.stuck, self.taken
        other.own, other.thread, other.all = self.own.copy(), self.thread.copy(), self.all.copy()
        other.memory, other.library, other.owners = self.memory.copy(), self.library.copy(), self.owners.copy()
        other.conditions, other.fixed, other.handed = self.conditions, self.fixed.copy(), self.handed.copy()
        other.touched, other.born, other.heads = self.touched, self.born, self.heads.copy()
        other.begun, other.told, other.joint, other.over = self.begun, self.told, self.joint, self.over
        other.atomic, other.steps, other.seen = self.atomic, self.steps, self.seen
        return other

    def mine(self, needed: Iterable[int] | None = None) -> ThreadState:
        """The thread at work as it is now; with only the registers of its activation that are `needed`."""
        own = tuple(self.own)
        if needed is not None:
            own = tuple(value if number in needed else None for number, value in enumerate(own))
        return self.threads[self.me]._replace(
            procedure=self.procedure, location=self.location, frames=self.frames, own=own, thread=tuple(self.thread),
            phase=self.phase, stuck=self.stuck,
        )  # fmt: skip

    def changed_thread(self, number: int, thread: ThreadState) -> None:
        """Another thread is changed."""
        self.threads = (*self.threads[:number], thread, *self.threads[number + 1 :])

    def is_alone(self) -> bool:
        """Whether all other threads have ended."""
        return all(thread.ended for number, thread in enumerate(self.threads) if number != self.me)

    def values(self) -> Iterator[Value | None]:
        """All values in the state but those of memory."""
        yield from self.own
        yield from self.thread
        yield from self.all
        for frame in self.frames:
            yield from frame.own
        for number, thread in enumerate(self.threads):
            yield thread.result
            if number != self.me:
                yield from thread.own
                yield from thread.thread
                for frame in thread.frames:
                    yield from frame.own

    def variables(self) -> set[str]:
        """The variables that the state depends on, without its conditions."""
        found: set[str] = set()
        for value in self.values():
            if isinstance(value, Node):
                found |= value.variables
        for thing in self.memory.values():
            for _, node in thing.nodes:
                found |= node.variables
        return found
