"""Which registers can lack a value at all, whatever the order of steps: only those need shadows."""

from __future__ import annotations

from msgspec import Struct

from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Assign, Begin, Call, ControlFlowProgram, Edge, Fill, Input, Store


class Unset(Struct, frozen=True):
    """Registers that may lack a value, and whether memory may."""

    registers: frozenset[Term]
    memory: bool


def lacks_a_value(label: Input, edge: Edge) -> bool:
    """Whether an input stands for what nobody gave; what the library leaves open is a value all the same."""
    return label.kind == "undefined" and not edge.position.file.startswith("<")


def unset(program: ControlFlowProgram) -> Unset:
    """Values are followed through assignments, calls and memory, which is one place here."""
    return _Search(program).found()


class _Search:
    def __init__(self, program: ControlFlowProgram) -> None:
        self._program = program
        self._registers: set[Term] = set()
        self._memory = any(
            (isinstance(edge.label, Begin) and not edge.label.given)
            or (isinstance(edge.label, Allocate) and not edge.label.zero)
            for edge in program.edges()
        )

    def found(self) -> Unset:
        before = (-1, self._memory)
        while before != (len(self._registers), self._memory):
            before = (len(self._registers), self._memory)
            for edge in self._program.edges():
                self._follow(edge)
        return Unset(frozenset(self._registers), self._memory)

    def _may_lack(self, term: Term) -> bool:
        if not self._registers.isdisjoint(term.variables):
            return True
        return self._memory and any(part.op == "load" for part in bitvectors.state_reads(term))

    def _follow(self, edge: Edge) -> None:
        match edge.label:
            case Input(register) if lacks_a_value(edge.label, edge):
                self._registers.add(register)
            case Assign(register, value) if self._may_lack(value):
                self._registers.add(register)
            case Store(_, value) | Fill(_, _, value) if self._may_lack(value):
                self._memory = True
            case Call(procedure, arguments, result):
                callee = self._program.procedures[procedure]
                if procedure != self._program.entry:
                    given = zip(callee.parameters, arguments, strict=True)
                    self._registers.update(parameter for parameter, term in given if self._may_lack(term))
                if result is not None and callee.result in self._registers:
                    self._registers.add(result)
