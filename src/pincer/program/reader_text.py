"""Terms that cannot be said in C, for readers: variables, places and objects by the names of the source."""

from __future__ import annotations

from collections.abc import Callable

from pincer.logic.bitvectors import constant_value, linear_parts, width
from pincer.logic.terms import Term, postorder
from pincer.program.control_flow import Allocate, ControlFlowProgram, Label, SourceVariable, Store
from pincer.program.listing import INFIX, Wording
from pincer.program.parts import name_behind
from pincer.program.registers import Register, Role
from pincer.program.thread_labels import ThreadOperation

_ROLES = {
    Role.TEMPORARY: "...",
    Role.RESULT: "the result",
    Role.INTO: "where the result goes",
    Role.ARGUMENTS: "the further arguments",
    Role.TOP: "the next free address",
}


def address_name(program: ControlFlowProgram, term: Term) -> str | None:
    """What lies at an address that is a constant: `&x`, a function, a literal; None for other numbers."""
    value = constant_value(term) if term.op == "bvconst" else None
    if value is None or width(term) != program.layout.pointer_bits or value < program.layout.slot:
        return None
    named = program.name_at(value, whole=True)
    if named is not None:
        return f"&{named}"
    return next((item.name for item in program.objects if item.address == value), None)


def mentions_addresses(program: ControlFlowProgram, term: Term) -> bool:
    """Whether a term compares or computes with addresses of the program's objects."""
    return any(address_name(program, part) is not None for part in postorder(term))


class ReaderWording(Wording, frozen=True, kw_only=True):
    """How terms of a program are written for readers; `variable` knows those that have a name."""

    program: ControlFlowProgram
    variable: Callable[[Term], SourceVariable | None]

    def term(self, term: Term) -> str:
        match term.op:
            case "bvconst":
                return address_name(self.program, term) or super().term(term)
            case "room":
                return f"room at {self.term(term.args[0])}"
            case "sign_extend" | "zero_extend":
                return self.term(term.args[1])
            case op if op in INFIX:
                operator = INFIX[op].rstrip("usf")
                return "(" + f" {operator} ".join(map(self.term, term.args)) + ")"
        return super().term(term)

    def label(self, label: Label) -> str:
        match label:
            case Store(address=address, value=value):
                return f"{self._memory(address, width(value) // 8)} = {self.value(value)}"
            case Allocate(register=register, size=size):
                return f"{self._name(register)} = new object of {self.value(size)} bytes"
            case ThreadOperation(function=name, operands=operands):
                return f"{name}({', '.join(map(self.value, operands))})"
        return super().label(label)

    def value(self, term: Term) -> str:
        """What is stored or passed on; nothing of what bits it is put together from."""
        if any(part.op in ("concat", "extract") for part in postorder(term)):
            return "..."
        text = self.term(term)
        return text[1:-1] if term.op == "bvlin" else text

    def _memory(self, address: Term, size: int) -> str:
        known = constant_value(address)
        named = None if known is None else self.program.name_at(known)
        if named is not None:
            return named
        parts, offset = linear_parts(address)
        pointer = self.variable(parts[0][0]) if len(parts) == 1 and parts[0][1] == 1 else None
        if pointer is not None and pointer.pointed is not None:
            behind = name_behind(pointer.name, pointer.pointed, offset)
            if behind is not None:
                return behind
        return f"*{self.term(address)}"

    def _name(self, variable: Term) -> str:
        found = self.variable(variable)
        if found is not None:
            return found.name
        name = variable.args[0]
        if not isinstance(name, Register):
            return str(name)
        plain = name.name.rpartition("::")[2].lstrip("$")
        return _ROLES.get(name.role) or (f"&{plain}" if name.role is Role.ADDRESS else plain)
