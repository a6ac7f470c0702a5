"""Values of terms in a state at work: at the speed of generated code where they are numbers, as nodes otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pincer.evidence.c_proof.float_values import result as floating_result
from pincer.evidence.c_proof.smt import VALUES, Node, Script
from pincer.evidence.c_proof.straight_terms import TermText, Unsettled
from pincer.evidence.c_proof.term_data import children, combined, variables
from pincer.evidence.thread_proof.exploration.refusals import OpenValue, Unexplored
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.evidence.thread_proof.exploration.states import Value, WorkingState
from pincer.logic.terms import Term


class _Compiled(NamedTuple):
    """Generated code for a term, the registers that have to be numbers for it, by their spaces, and whether it reads
    memory."""

    function: Callable[..., int]
    own: tuple[int, ...]
    thread: tuple[int, ...]
    all: tuple[int, ...]
    reads: bool


def _are_numbers(registers: Sequence[Value | None], needed: tuple[int, ...]) -> bool:
    return all(type(registers[number]) is int for number in needed)


def _no_memory(*_: int) -> int:
    raise Unsettled


_SCOPE: dict[str, Any] = {"VALUES": VALUES, "NUMBER": floating_result}


class TermValues:
    """Evaluates terms. Reads of memory that nobody has written, and outside of objects, give arbitrary values."""

    def __init__(self, slots: RegisterSlots, script: Script) -> None:
        self._slots = slots
        self.script = script
        self._layout = slots.program.layout
        self._low = slots.program.layout.slot - 1
        self._known: dict[Term, _Compiled | None] = {}
        self._by_name = {str(register.args[0]): slots.of(register) for register in slots.registers}
        self._texts = TermText(self._place)
        self.closed = False
        """Whether no value may be arbitrary."""

    def _place(self, name: str) -> str:
        slot = self._by_name[name]
        return f"{slot.space}[{slot.number}]"

    def of(self, term: Term, state: WorkingState) -> Value:
        """The value of a term, a truth value as 0 or 1."""
        if term.op == "bvconst":
            number: int = term.args[0]
            return number
        compiled = self._known.get(term) or self._compiled(term)
        if compiled is not None:
            function, own, thread, shared, reads = compiled
            if (
                (not own or _are_numbers(state.own, own))
                and (not thread or _are_numbers(state.thread, thread))
                and (not shared or _are_numbers(state.all, shared))
            ):
                loads, rooms = (self._loads(state), self._rooms(state)) if reads else (_no_memory, _no_memory)
                try:
                    return function(state.own, state.thread, state.all, loads, rooms)
                except Unsettled:
                    pass
        node = self._node(term, state, {})
        return node if node.value is None else node.value

    def number(self, term: Term, state: WorkingState) -> int:
        """The one value of a term. Raises OpenValue where it depends on inputs."""
        value = self.of(term, state)
        return value if isinstance(value, int) else self._fixed(value, state)

    @staticmethod
    def _fixed(node: Node, state: WorkingState) -> int:
        number = node.value if node.value is not None else state.fixed.get(node)
        if number is None:
            raise OpenValue(node)
        return number

    def as_node(self, value: Value, width: int) -> Node:
        return self.script.constant(value, width) if isinstance(value, int) else value

    def fresh(self, state: WorkingState, width: int) -> Node:
        """A value that nothing is known of: a variable that the state does not mention, and that the step at work has
        not had yet."""
        if self.closed:
            raise Unexplored("a value that nothing says is read")
        used = state.variables().union(*(condition.variables for condition in state.conditions))
        used |= {text for node in state.fixed for text in node.variables}
        number = 0
        while True:
            name = f"explored value {number} of thread {state.me} with {width} bits"
            variable = self.script.variable(name, width)
            if variable.text not in used and variable.text not in state.handed:
                state.handed[variable.text] = None
                return variable
            number += 1

    def _compiled(self, term: Term) -> _Compiled | None:
        if term in self._known:
            return self._known[term]
        found: _Compiled | None = None
        try:
            text = self._texts.of(term)
            if term.sort.width is None:
                text = f"1 if {text} else 0"
            function = eval(f"lambda own, thread, all, load, room: {text}", dict(_SCOPE))
            slots = [self._slots.of(register) for register in variables(term)]
            own, thread, shared = (
                tuple(slot.number for slot in slots if slot.space == space) for space in ("own", "thread", "all")
            )
            found = _Compiled(function, own, thread, shared, "load(" in text or "room(" in text)
        except Unsettled:
            pass
        self._known[term] = found
        return found

    def _loads(self, state: WorkingState) -> Callable[[int, int], int]:
        memory, low = state.memory, self._low

        def load(address: int, size: int) -> int:
            offset = address & low
            thing = memory.get(address - offset)
            if thing is None or offset + size > thing.size:
                raise Unsettled
            if (thing.undefined or thing.nodes or offset + size > len(thing.data)) and not thing.is_plain(offset, size):
                raise Unsettled
            return int.from_bytes(thing.data[offset : offset + size], "little")

        return load

    def _rooms(self, state: WorkingState) -> Callable[[int], int]:
        memory, low = state.memory, self._low

        def room(address: int) -> int:
            thing = memory.get(address & ~low)
            return 0 if thing is None else thing.size

        return room

    def _node(self, term: Term, state: WorkingState, known: dict[Term, Node]) -> Node:
        """What a connective settles by some of its parts does not need the others, which may read anywhere."""
        node = known.get(term)
        if node is None:
            if term.op in ("and", "or"):
                node = self._connective(term, state, known)
            elif term.op == "ite":
                node = self._conditional(term, state, known)
            else:
                node = self._part(term, [self._node(child, state, known) for child in children(term)], state)
            known[term] = node
        return node

    def _connective(self, term: Term, state: WorkingState, known: dict[Term, Node]) -> Node:
        parts: list[Node] = []
        unsettled: OpenValue | None = None
        for child in term.args:
            try:
                part = self._node(child, state, known)
            except OpenValue as open_:
                unsettled = open_
                continue
            if part.is_false if term.op == "and" else part.is_true:
                return part
            parts.append(part)
        if unsettled is not None:
            raise unsettled
        return combined(self.script, term, parts)

    def _conditional(self, term: Term, state: WorkingState, known: dict[Term, Node]) -> Node:
        condition, then, otherwise = term.args
        side = self._node(condition, state, known)
        if side.value is not None:
            return self._node(then if side.is_true else otherwise, state, known)
        return combined(
            self.script, term, [side, self._node(then, state, known), self._node(otherwise, state, known)]
        )  # fmt: skip

    def _part(self, term: Term, args: list[Node], state: WorkingState) -> Node:
        if term.op == "var":
            return self._register(term, state)
        if term.op == "load":
            return self.load(self._fixed(args[0], state), term.args[1], state)
        if term.op == "room":
            return self.script.constant(self._rooms(state)(self._fixed(args[0], state)), self._layout.pointer_bits)
        if term.op == "every":
            raise Unexplored("a condition about all elements is not explored")
        return combined(self.script, term, args)

    def _register(self, term: Term, state: WorkingState) -> Node:
        """The value of a register; one without a value has some from now on."""
        slot = self._slots.of(term)
        registers = {"own": state.own, "thread": state.thread, "all": state.all}[slot.space]
        value = registers[slot.number]
        if value is None:
            value = registers[slot.number] = self.fresh(state, slot.width)
        return self.as_node(value, slot.width)

    def load(self, address: int, size: int, state: WorkingState) -> Node:
        """The bytes at an address as one value; those that nobody has written have some value from now on."""
        offset = address & self._low
        start = address - offset
        thing = state.memory.get(start)
        if thing is None or offset + size > thing.size:
            return self.fresh(state, 8 * size)
        whole: Node | None = None
        for at in range(offset, offset + size):
            byte = self._byte(state, start, at)
            whole = byte if whole is None else self.script.concat(byte, whole)
        assert whole is not None
        return whole

    def _byte(self, state: WorkingState, start: int, offset: int) -> Node:
        thing = state.memory[start]
        node = thing.node_at(offset)
        if node is not None:
            return node
        if thing.undefined and thing.undefined[offset]:
            node = self.fresh(state, 8)
            state.memory[start] = thing.with_node(self.script, offset, node)
            return node
        return self.script.constant(thing.data[offset], 8)
