"""Procedures as generated Python functions, one for each stretch of steps without a join.

A function takes the steps of its stretch on the run it is given, and returns the function of the next one. Stretches
are compiled when a run comes to them for the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pincer.execution.stepping import Stop
from pincer.execution.straight_memory import UNKNOWN, NeedsInput, RunEnded, StraightMemory
from pincer.logic.bitvectors import width
from pincer.logic.compilation import ExpressionWriter
from pincer.logic.terms import TRUE, Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    ControlFlowProgram,
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
from pincer.program.labels import read_registers, written_register

Stretch: TypeAlias = Callable[[Any], Any]
"""From a run to the next stretch."""
_LONGEST = 60
_DEEPEST = 8


class Places:
    """Where the registers of activations are kept: `r[number]` for their own, `g[number]` for those of the program."""

    def __init__(self) -> None:
        self.shared: dict[Term, int] = {}
        self.own: dict[str, dict[Term, int]] = {}

    def of(self, register: Term, procedure: str) -> str:
        owner = register.args[0].owner
        if owner is None:
            return f"g[{self.shared.setdefault(register, len(self.shared))}]"
        if owner != procedure:
            raise NeedsInput
        own = self.own.setdefault(procedure, {})
        return f"r[{own.setdefault(register, len(own))}]"

    def prepare(self, program: ControlFlowProgram) -> None:
        """Give all registers their places."""
        for name, procedure in program.procedures.items():
            self.own.setdefault(name, {})
            for parameter in procedure.parameters:
                self.of(parameter, name)
            if procedure.result is not None:
                self.of(procedure.result, name)
            for edge in procedure.edges:
                written = written_register(edge.label)
                for register in (*read_registers(edge.label), *(() if written is None else (written,))):
                    self.of(register, name)


class StraightCode:
    """The functions of one program for one memory, made on demand."""

    def __init__(self, program: ControlFlowProgram, memory: StraightMemory) -> None:
        self.program = program
        self.places = Places()
        self.places.prepare(program)
        self._edges: list[Edge] = []
        self._scope: dict[str, Any] = {
            "load": memory.load, "room": memory.room, "store": memory.store, "fill": memory.fill, "copy": memory.copy,
            "begin": memory.begin, "end": memory.end, "E": self._edges, "RunEnded": RunEnded, "Stop": Stop,
            "NeedsInput": NeedsInput, "UNKNOWN": UNKNOWN,
        }  # fmt: skip
        for procedure in program.procedures.values():
            for location in procedure.locations:
                self._scope[f"B{location}"] = self._stub(procedure, location)

    def at(self, location: int) -> Stretch:
        """The function of the stretch that begins at a location."""
        found: Stretch = self._scope[f"B{location}"]
        return found

    @staticmethod
    def location(stretch: Stretch) -> int:
        """Where a stretch begins."""
        return int(stretch.__name__.removeprefix("B"))

    def _stub(self, procedure: Procedure, location: int) -> Stretch:
        def compiled_now(run: Any) -> Any:
            writer = _StretchWriter(self, procedure)
            writer.write(location, 1, 0)
            source = "\n".join([f"def B{location}(m):", "    r = m.registers", "    g = m.shared", *writer.lines, ""])
            exec(compile(source, "<generated stretch>", "exec"), self._scope)
            return self._scope[f"B{location}"](run)

        compiled_now.__name__ = f"B{location}"
        return compiled_now

    def edge(self, edge: Edge) -> str:
        """The code of an edge as a value."""
        self._edges.append(edge)
        return f"E[{len(self._edges) - 1}]"

    def know(self, scope: dict[str, Any]) -> None:
        """Functions that the code of expressions calls."""
        self._scope.update(scope)


class _StretchWriter:
    """The body of one function: steps one after the other, and decisions with what follows them."""

    def __init__(self, code: StraightCode, procedure: Procedure) -> None:
        self.code = code
        self.procedure = procedure
        self.lines: list[str] = []

    def write(self, location: int, depth: int, steps: int) -> None:
        """Everything from a location on until another function takes over; `steps` were taken before."""
        while True:
            if location == self.procedure.exit:
                self._end(depth, steps, f"return m.leave({self._result()})")
                return
            edges = self.procedure.outgoing.get(location, ())
            if len(edges) != 1 or isinstance(edges[0].label, Assume):
                self._decision(edges, depth, steps)
                return
            edge = edges[0]
            steps += 1
            if isinstance(edge.label, Call):
                self._call(edge, edge.label, depth, steps)
                return
            if not self._step(edge, depth, steps):
                return
            location = edge.target
            if self._is_joined(location) or len(self.lines) > _LONGEST:
                self._end(depth, steps, f"return B{location}")
                return

    def _is_joined(self, location: int) -> bool:
        return len(self.procedure.incoming.get(location, ())) != 1

    def _line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _end(self, depth: int, steps: int, text: str) -> None:
        if steps:
            self._line(depth, f"m.steps += {steps}")
        self._line(depth, text)

    def _value(self, term: Term, depth: int) -> str:
        writer = ExpressionWriter(term, lambda register: self.code.places.of(register, self.procedure.name))
        result = writer.result()
        self.code.know(writer.scope)
        for line in writer.lines:
            self._line(depth - 1, line)
        return result

    def _decision(self, edges: tuple[Edge, ...], depth: int, steps: int) -> None:
        for edge in edges:
            label = edge.label
            if not isinstance(label, Assume):
                raise NeedsInput
            always = label.condition is TRUE
            condition = "True" if always else self._value(label.condition, depth)
            self._line(depth, f"if {condition}:")
            if self._is_joined(edge.target) or depth > _DEEPEST or len(self.lines) > _LONGEST:
                self._end(depth + 1, steps + 1, f"return B{edge.target}")
            else:
                self.write(edge.target, depth + 1, steps + 1)
        self._end(depth, steps, "raise RunEnded(Stop('halt', 'the assumption does not hold'))")

    def _call(self, edge: Edge, label: Call, depth: int, steps: int) -> None:
        callee = self.code.program.procedures[label.procedure]
        places = self.code.places
        targets = [places.of(parameter, callee.name) for parameter in callee.parameters]
        self._line(depth, f"q = [0] * {len(places.own[callee.name])}")
        for place, term in zip(targets, label.arguments, strict=False):
            self._kept(f"q{place[1:]}", term, depth)
        self._end(depth, steps, f"m.enter({self.code.edge(edge)}, q)")
        self._line(depth, f"return B{callee.entry}")

    def _result(self) -> str:
        result = self.procedure.result
        return "0" if result is None else self.code.places.of(result, self.procedure.name)

    def _step(self, edge: Edge, depth: int, steps: int) -> bool:
        """One label; whether the stretch goes on behind it."""
        match edge.label:
            case Assign(register, value):
                code = self._value(value, depth)
                self._line(depth, f"{self.code.places.of(register, self.procedure.name)} = {code}")
            case Store(address, value):
                self._kept("where", address, depth)
                what = self._value(value, depth)
                self._line(depth, f"store(where, {width(value) // 8}, {what}, {self.code.edge(edge)})")
            case Check(_, condition, message):
                self._line(depth, f"if not {self._value(condition, depth)}:")
                self._stop(edge, Stop("check", message), depth + 1, steps - 1)
            case Skip():
                pass
            case Fail(message):
                self._stop(edge, Stop("fail", message), depth, steps - 1)
                return False
            case Halt(what):
                self._stop(edge, Stop("halt", what), depth, steps - 1)
                return False
            case _:
                return self._memory_step(edge, depth, steps)
        return True

    def _kept(self, name: str, term: Term, depth: int) -> None:
        """The value in a variable of its own, before the code of another term uses the same names for its parts."""
        self._line(depth, f"{name} = {self._value(term, depth)}")

    def _stop(self, edge: Edge, stop: Stop, depth: int, steps: int) -> None:
        self._end(depth, steps, f"raise RunEnded(Stop({stop.kind!r}, {stop.message!r}, {self.code.edge(edge)}))")

    def _memory_step(self, edge: Edge, depth: int, steps: int) -> bool:
        match edge.label:
            case Input(register):
                self._line(depth, f"{self.code.places.of(register, self.procedure.name)} = UNKNOWN")
            case Begin(address, size):
                self._line(depth, f"begin({address}, {size}, {address}, False, {f'local object at {edge.position}'!r})")
            case End(address) | Free(address):
                self._line(depth, f"end({self._value(address, depth)})")
            case Allocate(size=size):
                self._line(depth, f"made = m.allocate({self._value(size, depth)}, {self.code.edge(edge)})")
                self._line(depth, f"{self.code.places.of(edge.label.register, self.procedure.name)} = made")
            case Fill(target, size, byte):
                self._operands(depth, target, size, byte)
                self._line(depth, f"fill(a0, a1, a2, {self.code.edge(edge)})")
            case Copy(target, source, size):
                self._operands(depth, target, source, size)
                self._line(depth, f"copy(a0, a1, a2, {self.code.edge(edge)})")
            case _:
                self._end(depth, steps - 1, "raise NeedsInput")
                return False
        return True

    def _operands(self, depth: int, *operands: Term) -> None:
        for number, term in enumerate(operands):
            self._kept(f"a{number}", term, depth)
