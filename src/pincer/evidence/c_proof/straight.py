"""The one path of a program that reads no inputs, walked by the checker at the speed of generated code.

Values on such a path are numbers. Some are not known (inputs, bytes that were never written, registers without a
value): they may be computed with, stored and copied. As soon as one decides something, or more than one step is
possible, the path is left to the walk with symbols (`Unsettled`). What a
step does is said once more here, for numbers; nothing is shared with the executor of the engines.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from pincer.evidence.c_proof.float_values import result
from pincer.evidence.c_proof.program_facts import TOP, ProgramFacts
from pincer.evidence.c_proof.smt import VALUES
from pincer.evidence.c_proof.straight_terms import TermText, Unsettled
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    Copy,
    Edge,
    End,
    Fail,
    Fill,
    Free,
    Halt,
    Input,
    Procedure,
    Skip,
    Store,
)

_MOST_BYTES = 1 << 28
_STEPS_IN_A_ROW = 40
_DEEPEST = 10
_AT_ONCE = 1_000


class Over(Exception):
    """The path has ended, and nothing was wrong with it."""


class Wrong(Exception):
    """The path does what the property forbids."""


class _Unknown:
    """A value that is not known, as little as what is computed from it. To go one way or another by it, or to find an
    address with it, is an error."""

    def _computed(self, *_: object) -> _Unknown:
        return self

    def _look(self, *_: object) -> NoReturn:
        raise Unsettled

    __lt__ = __le__ = __gt__ = __ge__ = __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _computed
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = _computed
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _computed
    __eq__ = __ne__ = _computed  # type: ignore[assignment]
    __bool__ = __index__ = _look
    __hash__ = None  # type: ignore[assignment]


UNKNOWN: Any = _Unknown()


class _Bytes:
    """An object: its size, the bytes up to the last one that was written, and a one for each that is not known.

    What lies behind them is not known, or zero, as `rest` says."""

    __slots__ = ("data", "rest", "size", "unknown")

    def __init__(self, size: int, contents: bytes | None) -> None:
        self.size = size
        self.data = bytearray(contents or b"")
        self.rest = b"\1" if contents is None else b"\0"
        self.unknown = bytearray(len(self.data))

    def reach(self, end: int) -> None:
        """Have bytes up to an offset."""
        more = max(end - len(self.data), min(self.size - len(self.data), len(self.data)), 0)
        if end > _MOST_BYTES:
            raise Unsettled
        self.data += bytes(more)
        self.unknown += self.rest * more


def _loads(things: dict[int, _Bytes], slot: int) -> Callable[[int, int], int]:
    """What reads the bytes at an address; it is called more often than anything else."""
    low, number = slot - 1, int.from_bytes

    def load(address: int, size: int) -> int:
        offset = address & low
        thing = things.get(address - offset)
        if thing is None or offset + size > thing.size:
            return UNKNOWN  # type: ignore[no-any-return]
        if offset + size > len(thing.data):
            thing.reach(offset + size)
        if 1 in thing.unknown[offset : offset + size]:
            return UNKNOWN  # type: ignore[no-any-return]
        return number(thing.data[offset : offset + size], "little")

    return load


class _Registers:
    """Numbers for the registers of each procedure, and for those of the program (under None)."""

    def __init__(self, facts: ProgramFacts) -> None:
        self._facts = facts
        self.numbers: dict[str | None, dict[str, int]] = {name: {} for name in (None, *facts.program.procedures)}
        for name in (TOP, *facts.widths):
            self.number(name)

    def number(self, name: str) -> int:
        owned = self.numbers[self._facts.owner(name)]
        return owned.setdefault(name, len(owned))

    def fresh(self, owner: str | None) -> list[Any]:
        return [UNKNOWN] * len(self.numbers[owner])


class StraightPath:
    """Registers by number: those of the present activation in `own`, those of the program in `all`."""

    def __init__(self, facts: ProgramFacts) -> None:
        self._facts = facts
        self._program = program = facts.program
        self._slot = program.layout.slot
        self.things: dict[int, _Bytes] = {}
        self.steps = 0
        self.names = _Registers(facts)
        self._top = self.names.number(TOP)
        initial = {self.names.number(str(register.args[0])): value for register, value in program.initial.items()}
        self.all = self.names.fresh(None)
        for number, value in {**initial, self._top: program.first_free}.items():
            self.all[number] = value
        self.own = self.names.fresh(program.entry)
        self._stack: list[tuple[list[Any], Edge]] = []
        for item in program.objects:
            self.begin(item.address, item.size, item.contents)
        self._stretches: dict[int, Callable[[StraightPath], int]] = {}
        self._owners = {place: procedure for procedure in program.procedures.values() for place in procedure.locations}
        self._edges: list[Edge] = []
        self._scope: dict[str, Any] = {
            "load": _loads(self.things, self._slot), "room": self.room, "edges": self._edges, "VALUES": VALUES,
            "NUMBER": result,
            "UNKNOWN": UNKNOWN, "only": _only, "Over": Over, "Wrong": Wrong, "Unsettled": Unsettled,
        }  # fmt: skip

    def walk(self, most: int, poll: Callable[[], None]) -> None:
        """Until the path ends; raises `Wrong`, or `Unsettled` where this walk cannot go on or takes too many steps."""
        location = self._program.procedures[self._program.entry].entry
        stretches = self._stretches
        try:
            while self.steps <= most:
                for _ in range(_AT_ONCE):
                    stretch = stretches.get(location) or self._compiled(location)
                    location = stretch(self)
                poll()
        except Over:
            return
        except (TypeError, AttributeError) as unknown:
            raise Unsettled from unknown
        raise Unsettled

    def _compiled(self, location: int) -> Callable[[StraightPath], int]:
        lines = _Stretch(self._owners[location], self._facts, self.names, self._edges).lines(location, 0, 1)
        source = "\n".join(["def stretch(path):", "    own, all = path.own, path.all", *lines, ""])
        exec(compile(source, "<a stretch of the path>", "exec"), self._scope)
        made: Callable[[StraightPath], int] = self._scope["stretch"]
        self._stretches[location] = made
        return made

    def room(self, address: int) -> int:
        thing = self.things.get(address - address % self._slot)
        return 0 if thing is None else thing.size

    def begin(self, start: int, size: int, contents: bytes | None) -> None:
        """A new object in a slot; it hides what was there."""
        self.things[start] = _Bytes(size, contents)

    def end(self, address: int) -> None:
        """No room is left in the slot of an address."""
        thing = self.things.get(address - address % self._slot)
        if thing is not None:
            thing.size = 0

    def _written(self, address: int, size: int) -> tuple[_Bytes, int]:
        offset = address & (self._slot - 1)
        thing = self.things.get(address - offset)
        if thing is None or offset + size > thing.size:
            raise Wrong("this may write outside of all objects")
        if offset + size > len(thing.data):
            thing.reach(offset + size)
        return thing, offset

    def store(self, address: int, size: int, value: int) -> None:
        thing, offset = self._written(address, size)
        if value is UNKNOWN:
            thing.unknown[offset : offset + size] = b"\1" * size
            return
        thing.data[offset : offset + size] = value.to_bytes(size, "little")
        thing.unknown[offset : offset + size] = bytes(size)

    def fill(self, address: int, size: int, byte: int) -> None:
        if size:
            thing, offset = self._written(address, size)
            thing.data[offset : offset + size] = bytes((byte & 255,)) * size
            thing.unknown[offset : offset + size] = bytes(size)

    def copy(self, target: int, source: int, size: int) -> None:
        if not size:
            return
        first = source % self._slot
        origin = self.things.get(source - first)
        if origin is None or first + size > origin.size:
            raise Unsettled
        origin.reach(first + size)
        thing, offset = self._written(target, size)
        thing.data[offset : offset + size] = origin.data[first : first + size]
        thing.unknown[offset : offset + size] = origin.unknown[first : first + size]

    def allocate(self, size: int, zero: bool) -> int:
        base = self.all[self._top]
        if size > self._facts.largest_object or (base + self._slot) >> self._program.layout.pointer_bits:
            raise Unsettled
        self.begin(base, size, b"" if zero else None)
        self.all[self._top] = base + self._slot
        return base  # type: ignore[no-any-return]

    def enter(self, call: Edge, arguments: tuple[Any, ...]) -> int:
        assert isinstance(call.label, Call)
        self._stack.append((self.own, call))
        callee = self._program.procedures[call.label.procedure]
        self.own = self.names.fresh(callee.name)
        for parameter, argument in zip(callee.parameters, arguments, strict=True):
            self.own[self.names.number(str(parameter.args[0]))] = argument
        return callee.entry

    def leave(self, result: int) -> int:
        if not self._stack:
            raise Over
        self.own, call = self._stack.pop()
        assert isinstance(call.label, Call)
        if call.label.result is not None:
            name = str(call.label.result.args[0])
            (self.all if self._facts.owner(name) is None else self.own)[self.names.number(name)] = result
        return call.target


class _Stretch:
    """The text of the steps from a location to the next call or join."""

    def __init__(self, procedure: Procedure, facts: ProgramFacts, names: _Registers, edges: list[Edge]) -> None:
        self._procedure = procedure
        self._facts = facts
        self._names = names
        self._edges = edges
        self._terms = TermText(self._place)

    def _place(self, name: str) -> str:
        owner = self._facts.owner(name)
        if owner not in (None, self._procedure.name):
            raise Unsettled
        return f"{'all' if owner is None else 'own'}[{self._names.number(name)}]"

    def lines(self, location: int, steps: int, depth: int) -> list[str]:
        """Everything from a location on, `steps` after the beginning of the stretch."""
        lines: list[str] = []
        while True:
            if location == self._procedure.exit:
                result = self._procedure.result
                value = "UNKNOWN" if result is None else self._place(str(result.args[0]))
                return _at(depth, [*lines, f"path.steps += {steps + 1}", f"return path.leave({value})"])
            edges = self._procedure.outgoing.get(location, ())
            if len(edges) != 1 or isinstance(edges[0].label, Assume):
                return [*_at(depth, lines), *self._decision(edges, steps + 1, depth)]
            edge, steps = edges[0], steps + 1
            if isinstance(edge.label, Call):
                return _at(depth, [*lines, f"path.steps += {steps}", self._call(edge, edge.label)])
            lines += self._step(edge)
            location = edge.target
            if self._is_left_to_others(location, steps):
                return _at(depth, [*lines, f"path.steps += {steps}", f"return {location}"])

    def _is_left_to_others(self, location: int, steps: int) -> bool:
        return len(self._procedure.incoming.get(location, ())) != 1 or steps > _STEPS_IN_A_ROW

    def _decision(self, edges: tuple[Edge, ...], steps: int, depth: int) -> list[str]:
        """The only edge whose condition holds; none ends the path."""
        conditions = [edge.label.condition for edge in edges if isinstance(edge.label, Assume)]
        if len(conditions) != len(edges):
            raise Unsettled
        if len(edges) == 2 and depth < _DEEPEST and _are_opposite(*conditions):
            yes, no = (self._following(edge.target, steps, depth + 1) for edge in edges)
            head = _at(depth, [f"if {self._terms.of(conditions[0])}:"])
            return [*head, *yes, *_at(depth, ["else:"]), *no]
        texts = [
            f"{edge.target} if {self._terms.of(condition)} else None"
            for edge, condition in zip(edges, conditions, strict=True)
        ]
        return _at(depth, [f"path.steps += {steps}", f"return only([{', '.join(texts)}])"])

    def _following(self, location: int, steps: int, depth: int) -> list[str]:
        if self._is_left_to_others(location, steps):
            return _at(depth, [f"path.steps += {steps}", f"return {location}"])
        return self.lines(location, steps, depth)

    def _call(self, edge: Edge, label: Call) -> str:
        self._edges.append(edge)
        passed = "".join(f"{self._terms.of(term)}, " for term in label.arguments)
        return f"return path.enter(edges[{len(self._edges) - 1}], ({passed}))"

    def _step(self, edge: Edge) -> list[str]:
        of = self._terms.of
        match edge.label:
            case Assign(register, value):
                return [f"{self._place(str(register.args[0]))} = {of(value)}"]
            case Input(register):
                return [f"{self._place(str(register.args[0]))} = UNKNOWN"]
            case Store(address, value):
                return [f"path.store({of(address)}, {(value.sort.width or 8) // 8}, {of(value)})"]
            case Check(_, condition, message):
                failed = repr(f"{edge.position}: this may go wrong: {message}")
                ended = "Over" if self._facts.property != "memory" else f"Wrong({failed})"
                return [f"if not {of(condition)}: raise {ended}"]
            case Skip():
                return []
            case Fail():
                reached = repr(f"{edge.position}: this fail may be reached")
                return ["raise Over" if self._facts.property != "assertions" else f"raise Wrong({reached})"]
            case Halt():
                return ["raise Over"]
            case Begin(address, size):
                return [f"path.begin({address}, {size}, None)"]
            case End(address) | Free(address):
                return [f"path.end({of(address)})"]
        return self._block(edge, of)

    def _block(self, edge: Edge, of: Callable[[Term], str]) -> list[str]:
        match edge.label:
            case Allocate(register, size, zero):
                return [f"{self._place(str(register.args[0]))} = path.allocate({of(size)}, {zero})"]
            case Fill(target, size, byte):
                return [f"path.fill({of(target)}, {of(size)}, {of(byte)})"]
            case Copy(target, source, size):
                return [f"path.copy({of(target)}, {of(source)}, {of(size)})"]
        return ["raise Unsettled"]


def _at(depth: int, lines: list[str]) -> list[str]:
    return ["    " * depth + line for line in lines]


def _are_opposite(left: Term, right: Term) -> bool:
    return (left.op == "not" and left.args[0] is right) or (right.op == "not" and right.args[0] is left)


def _only(possible: list[int | None]) -> int:
    """The one location that a path goes on to."""
    following = [location for location in possible if location is not None]
    if len(following) > 1:
        raise Unsettled
    if not following:
        raise Over
    return following[0]


def is_harmless(facts: ProgramFacts, most: int, poll: Callable[[], None]) -> bool:
    """Whether the program is one path without inputs that ends well; False where this walk cannot tell."""
    try:
        StraightPath(facts).walk(most, poll)
    except Unsettled:
        return False
    return True
