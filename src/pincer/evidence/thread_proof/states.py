"""States of a program with threads as formulas, and the values of terms in them.

A state is about a few threads: the one that moves, called `me`, and others, such as `you` and a newborn, `new`. All
share global registers, memory, ghosts and what the library keeps (tables over addresses and threads). What is not
`changed` has the value that the variable of its name stands for. Ids of threads are unknown numbers, different from
each other and from zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.memory import AnyBytes, AnyRooms, Bytes, Rooms, StaticBytes, StaticRooms
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.term_data import children, combined
from pincer.evidence.thread_proof import leaves
from pincer.evidence.thread_proof.leaves import GHOST, ME, OWNED_BY, WRITTEN_BY, Leaf, LeafKind, ThreadStatus
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.logic.terms import Term
from pincer.program.threaded_system import Move, ThreadedSystem, UnfoldedThread


class View(Struct, frozen=True):
    """A thread that looks at a state: what it is called, so that its registers are told apart, and its id."""

    who: str
    id: Node


class Ghost(Struct, frozen=True):
    """A variable of the proof alone; the program does not know it."""

    width: int
    initial: int


class Table(Struct, frozen=True):
    """What the library keeps, by address, thread or both: unknown at first (or given), then changed step by step."""

    script: Script
    name: str
    width: int
    initial: Callable[[Node], Node] | None = None
    changes: tuple[tuple[Callable[[Node], Node], Node], ...] = ()

    def at(self, index: Node) -> Node:
        if self.initial is not None:
            value = self.initial(index)
        else:
            array = self.script.array(f"{self.name} {index.width}", index.width, self.width)
            value = self.script.read(array, index, self.width)
        for is_changed, new in self.changes:
            value = self.script.conditional(is_changed(index), new, value)
        return value

    def set(self, index: Node, value: Node) -> Table:
        script = self.script
        return self.where(lambda other: script.equal(other, index), value)

    def where(self, is_changed: Callable[[Node], Node], value: Node) -> Table:
        return replace(self, changes=(*self.changes, (is_changed, value)))


class State(Struct, frozen=True, eq=False):
    """Values of registers and ghosts by scoped name, memory, and the library's tables."""

    changed: Mapping[str, Node]
    memory: Bytes
    rooms: Rooms
    tables: Mapping[str, Table]
    memo: dict[tuple[View, Term], Node] = {}

    def with_values(self, values: Mapping[str, Node]) -> State:
        return replace(self, changed={**self.changed, **values}, memo={})

    def with_table(self, kind: LeafKind, table: Table) -> State:
        return replace(self, tables={**self.tables, kind.name: table}, memo={})


class Birth(Struct, frozen=True):
    """A thread begins: its id, and the value of its argument."""

    thread: UnfoldedThread
    view: View


class Step(Struct, frozen=True):
    """One way in which a move may end; taken only where `guard` holds."""

    guard: Node
    after: State
    birth: Birth | None = None


class Turn(Struct, frozen=True):
    """A move of a thread, and how the thread is seen."""

    thread: UnfoldedThread
    move: Move
    me: View


@dataclass(eq=False, repr=False)
class ThreadEncoder:
    """Writes terms about one or two threads. With `coarse`, reads of memory of different sizes are unrelated."""

    registers: ProgramRegisters
    system: ThreadedSystem
    ghosts: Mapping[str, Ghost]
    script: Script
    coarse: bool

    def __post_init__(self) -> None:
        self.program = self.registers.program
        self.bits = self.program.layout.pointer_bits
        tables = {kind.name: self._table(kind) for kind in leaves.KINDS.values()}
        rooms = AnyRooms(self.script, self.bits, "rooms", self._null)
        self.before = State({}, AnyBytes(self.script, "memory"), rooms, tables)

    def _table(self, kind: LeafKind, initial: Callable[[Node], Node] | None = None) -> Table:
        return Table(self.script, kind.name, kind.width or self.bits, initial)

    def _null(self, slot: Node, room: Node) -> Node:
        """No object lies at the null pointer."""
        script = self.script
        null = script.equal(slot, script.constant(0, slot.width))
        return script.implication(null, script.equal(room, script.constant(0, room.width)))

    def slot_of(self, address: Node) -> Node:
        return self.script.extract(self.bits - 1, self.program.layout.slot_bits, address)

    def single(self, number: int) -> Node:
        """The id of a thread of which there is only one."""
        return self.script.variable(f"id {number}", self.bits)

    def view(self, who: str, thread: UnfoldedThread) -> View:
        """A thread, or any one of several."""
        several = thread.several
        return View(who, self.script.variable(f"id of {who}", self.bits) if several else self.single(thread.number))

    def identities(self, *about: View) -> list[Node]:
        """That ids are not zero and different from each other."""
        script = self.script
        singles = [self.single(thread.number) for thread in self.system.threads if not thread.several]
        every = [*singles, *(view.id for view in about if view.id not in singles)]
        zero = script.constant(0, self.bits)
        facts = [script.negation(script.equal(node, zero)) for node in every]
        pairs = ((a, b) for i, a in enumerate(every) for b in every[i + 1 :])
        return [*facts, *(script.negation(script.equal(a, b)) for a, b in pairs)]

    def initial(self) -> State:
        """The initial states: given registers, static objects, only the main thread; nothing is locked."""
        program, script = self.program, self.script
        values = {
            self.registers.scoped(register, "me"): script.constant(value, register.sort.width or 1)
            for register, value in program.initial.items()
        }
        values |= {GHOST + name: script.constant(ghost.initial, ghost.width) for name, ghost in self.ghosts.items()}
        objects = [(item.address, item.size, item.contents) for item in program.objects]
        sizes = [(address // program.layout.slot, size) for address, size, _ in objects]
        main = self.single(0)

        def status(thread: Node) -> Node:
            live, unborn = (script.constant(value, 8) for value in (ThreadStatus.LIVE, ThreadStatus.UNBORN))
            return script.conditional(script.equal(thread, main), live, unborn)

        tables = {
            kind.name: self._table(kind, status if kind is leaves.STATUS else self._zero(kind))
            for kind in leaves.KINDS.values()
        }
        memory = StaticBytes(script, self.before.memory, objects)
        return State(values, memory, StaticRooms(script, self.bits, sizes), tables)

    def _zero(self, kind: LeafKind) -> Callable[[Node], Node]:
        zero = self.script.constant(0, kind.width or self.bits)
        return lambda _: zero

    def encode(self, term: Term, state: State, view: View) -> Node:
        """The value of a term in a state, as a thread sees it."""
        memo = state.memo
        if (view, term) in memo:
            return memo[view, term]
        pending = [term]
        while pending:
            current = pending[-1]
            waiting = [child for child in children(current) if (view, child) not in memo]
            if waiting and (view, current) not in memo:
                pending.extend(waiting)
                continue
            pending.pop()
            if (view, current) not in memo:
                memo[view, current] = self._encode(current, state, view)
        return memo[view, term]

    def _encode(self, term: Term, state: State, view: View) -> Node:
        script, op, width = self.script, term.op, term.sort.width
        if op == "var" and width is not None:
            return self._variable(term, width, state, view)
        args = [state.memo[view, child] for child in children(term)]
        if op == "load" and width is not None:
            read = state.memory.coarse_load if self.coarse else state.memory.load
            return read(args[0], term.args[1])
        if op == "room":
            return state.rooms.at(self.slot_of(args[0]))
        return combined(script, term, args)

    def _variable(self, term: Term, width: int, state: State, view: View) -> Node:
        name = term.args[0]
        found = leaves.leaf_of(name) if isinstance(name, str) else None
        node = self.read(self.registers.scoped(term, view.who), width, state) if found is None else None
        if node is None:
            assert found is not None
            node = self._leaf(found, state, view)
        if node.width != width:
            raise PincerError(f"{name} is used with {width} bits and with {node.width} bits")
        return node

    def read(self, scoped: str, width: int, state: State) -> Node:
        """The value of a register or ghost by its scoped name."""
        known = state.changed.get(scoped)
        return self.script.variable(f"state {scoped}", width) if known is None else known

    def _leaf(self, found: Leaf, state: State, view: View) -> Node:
        if found.kind is None:
            return self._thread(found.arguments[0], state, view)
        wanted = zip(found.kind.arguments, found.arguments, strict=True)
        nodes = [
            self._thread(text, state, view) if kind == "thread" else self.script.constant(int(text), self.bits)
            for kind, text in wanted
        ]
        return state.tables[found.kind.name].at(self.index(*nodes))

    def index(self, *nodes: Node) -> Node:
        """Where in a table something about these stands."""
        return nodes[0] if len(nodes) == 1 else self.script.concat(*nodes)

    def _thread(self, text: str, state: State, view: View) -> Node:
        if text == ME:
            return view.id
        if text.startswith(GHOST):
            ghost = self.ghosts.get(text.removeprefix(GHOST))
            if ghost is None or ghost.width != self.bits:
                raise PincerError(f"the proof has no {text} that names a thread")
            return self.read(text, self.bits, state)
        for prefix, kind in ((OWNED_BY, leaves.OWNER), (WRITTEN_BY, leaves.WRITER)):
            if text.startswith(prefix):
                return state.tables[kind.name].at(self.script.constant(int(text.removeprefix(prefix)), self.bits))
        number = int(text[1:])
        if number >= len(self.system.threads) or self.system.threads[number].several:
            raise PincerError(f"there is no single thread {text}")
        return self.single(number)
