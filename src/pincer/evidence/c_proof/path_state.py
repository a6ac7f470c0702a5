"""States of a program along one path, for the checker of proofs by exploration: values are nodes of a script.

Memory is a map from the bytes of objects to nodes. An address must be a constant, or be *fixed*: the path assumes that
it has one of its values.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.program_facts import TOP, ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.term_data import children, combined
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Procedure

LARGEST_BLOCK = 1 << 20


class OpenAddress(Exception):
    """An address or a size must have one value before the path can go on."""

    def __init__(self, node: Node) -> None:
        super().__init__(node.text)
        self.node = node


class BadWrite(Exception):
    """A write that no object has room for."""


class Thing(Struct, frozen=True):
    """An object in its slot: its number among all of the path, its size, its first bytes (None: arbitrary).

    It may be one of the `heap`; one that has `ended` has no size any more."""

    number: int
    size: Node
    contents: bytes | None
    heap: bool = False
    ended: bool = False


class Activation(Struct, frozen=True):
    """A call that has not returned: its edge, the caller, and the values its registers get back."""

    call: Edge
    caller: Procedure
    kept: Mapping[str, Node]


class PathState(Struct):
    """Where a path is, and what holds there. `conditions` are what it assumes of the inputs."""

    script: Script
    facts: ProgramFacts
    procedure: Procedure
    location: int
    registers: dict[str, Node] = {}
    things: dict[int, Thing] = {}
    contents: dict[tuple[int, int], Node] = {}
    stack: tuple[Activation, ...] = ()
    conditions: tuple[Node, ...] = ()
    fixed: dict[Node, int] = {}
    inputs: int = 0
    made: int = 0

    def copy(self) -> PathState:
        return replace(
            self,
            registers=dict(self.registers),
            things=dict(self.things),
            contents=dict(self.contents),
            fixed=dict(self.fixed),
        )

    @property
    def _program(self) -> ControlFlowProgram:
        return self.facts.program

    @property
    def bits(self) -> int:
        return self._program.layout.pointer_bits

    def address(self, value: int) -> Node:
        return self.script.constant(value, self.bits)

    def fresh(self, what: str, width: int) -> Node:
        """A value nothing is known of."""
        self.inputs += 1
        return self.script.variable(f"path {what} {self.inputs} of {width} bits", width)

    def value(self, term: Term) -> Node:
        """The value of a term here. Raises OpenAddress when it reads at an address that has no single value."""
        return self._evaluated(term, {})

    def _evaluated(self, term: Term, known: dict[Term, Node]) -> Node:
        """What a connective settles by some of its parts does not need the others, which may read anywhere."""
        node = known.get(term)
        if node is None:
            if term.op in ("and", "or"):
                node = self._connective(term, known)
            elif term.op == "ite":
                node = self._conditional(term, known)
            else:
                node = self._part(term, [self._evaluated(child, known) for child in children(term)])
            known[term] = node
        return node

    def _connective(self, term: Term, known: dict[Term, Node]) -> Node:
        parts: list[Node] = []
        unsettled: OpenAddress | None = None
        for child in term.args:
            try:
                part = self._evaluated(child, known)
            except OpenAddress as address:
                unsettled = address
                continue
            if part.is_false if term.op == "and" else part.is_true:
                return part
            parts.append(part)
        if unsettled is not None:
            raise unsettled
        return combined(self.script, term, parts)

    def _conditional(self, term: Term, known: dict[Term, Node]) -> Node:
        condition, then, otherwise = term.args
        side = self._evaluated(condition, known)
        if side.value is not None:
            return self._evaluated(then if side.is_true else otherwise, known)
        return combined(self.script, term, [side, self._evaluated(then, known), self._evaluated(otherwise, known)])

    def _part(self, term: Term, args: list[Node]) -> Node:
        if term.op == "var":
            return self._register(str(term.args[0]), term.sort.width or 1)
        if term.op == "load":
            return self.load(self.number(args[0]), term.args[1])
        if term.op == "room":
            return self._room(args[0])
        return combined(self.script, term, args)

    def _register(self, name: str, width: int) -> Node:
        known = self.registers.get(name)
        if known is None:
            known = self.registers[name] = self.fresh("register", width)
        if known.width != width:
            raise PincerError(f"{name} is used with {width} bits and with {known.width} bits")
        return known

    def number(self, node: Node) -> int:
        """The one value of an address or size."""
        value = node.value if node.value is not None else self.fixed.get(node)
        if value is None:
            raise OpenAddress(node)
        return value

    def _split(self, address: int) -> tuple[int, int]:
        slot = self._program.layout.slot
        return address - address % slot, address % slot

    def load(self, address: int, size: int) -> Node:
        """The bytes at an address; outside of all objects they are arbitrary."""
        start, offset = self._split(address)
        thing = self.things.get(start)
        if thing is None or (thing.size.value is not None and offset + size > thing.size.value):
            return self.fresh("stray read", 8 * size)
        whole = self._byte(thing, offset)
        for i in range(1, size):
            whole = self.script.concat(self._byte(thing, offset + i), whole)
        return whole

    def _byte(self, thing: Thing, offset: int) -> Node:
        key = (thing.number, offset)
        byte = self.contents.get(key)
        if byte is None:
            if thing.contents is None:
                byte = self.script.variable(f"path byte {thing.number} {offset}", 8)
            else:
                byte = self.script.constant(thing.contents[offset] if offset < len(thing.contents) else 0, 8)
            self.contents[key] = byte
        return byte

    def _room(self, address: Node) -> Node:
        value = address.value if address.value is not None else self.fixed.get(address)
        if value is not None:
            thing = self.things.get(self._split(value)[0])
            return self.address(0) if thing is None else thing.size
        script = self.script
        slot_bits = self._program.layout.slot_bits
        slot = script.extract(self.bits - 1, slot_bits, address)
        room = self.address(0)
        for start, thing in self.things.items():
            here = script.equal(slot, script.constant(start >> slot_bits, slot.width))
            room = script.conditional(here, thing.size, room)
        return room

    def store(self, address: int, value: Node) -> None:
        size = value.width // 8
        thing, offset = self._writable(address, size)
        for i in range(size):
            self.contents[thing.number, offset + i] = self.script.extract(8 * i + 7, 8 * i, value)

    def fill(self, address: int, size: int, byte: Node) -> None:
        thing, offset = self._writable(address, size)
        for i in range(size):
            self.contents[thing.number, offset + i] = self.script.extract(7, 0, byte)

    def copy_bytes(self, target: int, source: int, size: int) -> None:
        thing, offset = self._writable(target, size)
        taken = [self.load(source + i, 1) for i in range(size)]
        for i, byte in enumerate(taken):
            self.contents[thing.number, offset + i] = byte

    def _writable(self, address: int, size: int) -> tuple[Thing, int]:
        start, offset = self._split(address)
        thing = self.things.get(start)
        most = self.facts.largest_object if thing is None or thing.size.value is None else thing.size.value
        if thing is None or offset + size > most:
            raise BadWrite
        if size > LARGEST_BLOCK:
            raise PincerError(f"a path writes {size} bytes at once")
        return thing, offset

    def begin(self, start: int, size: Node, contents: bytes | None, heap: bool = False) -> None:
        """A new object in a slot; it hides what was there."""
        self.made += 1
        self.things[start] = Thing(self.made, size, contents, heap)

    def end(self, address: int) -> None:
        """No room is left in a slot; its bytes stay what they were."""
        start, _ = self._split(address)
        thing = self.things.get(start)
        if thing is not None:
            self.things[start] = replace(thing, size=self.address(0), ended=True)

    def enter(self, edge: Edge, callee: Procedure, arguments: list[Node]) -> None:
        own = [name for name in self.registers if self.facts.owner(name) == callee.name]
        kept = {name: self.registers.pop(name) for name in own}
        self.stack = (*self.stack, Activation(edge, self.procedure, kept))
        for parameter, argument in zip(callee.parameters, arguments, strict=True):
            self.registers[str(parameter.args[0])] = argument
        self.procedure, self.location = callee, callee.entry

    def leave(self, result: Node | None, into: Term | None) -> None:
        """Return to the caller."""
        activation, callee = self.stack[-1], self.procedure
        for name in [name for name in self.registers if self.facts.owner(name) == callee.name]:
            del self.registers[name]
        self.registers.update(activation.kept)
        self.stack = self.stack[:-1]
        self.procedure, self.location = activation.caller, activation.call.target
        if into is not None:
            width = into.sort.width or 1
            self.registers[str(into.args[0])] = self.fresh("result", width) if result is None else result


def initial_state(script: Script, facts: ProgramFacts) -> PathState:
    """The state in which the entry procedure begins; its parameters are arbitrary."""
    program = facts.program
    entry = program.procedures[program.entry]
    state = PathState(script, facts, entry, entry.entry)
    for register, value in program.initial.items():
        state.registers[str(register.args[0])] = script.constant(value, register.sort.width or 1)
    state.registers[TOP] = state.address(program.first_free)
    for item in program.objects:
        state.begin(item.address, state.address(item.size), item.contents)
    return state
