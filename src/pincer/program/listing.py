"""A control-flow program as text that people can read, one line per edge."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pincer.logic import bitvectors
from pincer.logic.terms import Term
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
    Label,
    Procedure,
    Store,
    Unsupported,
)
from pincer.program.registers import Register
from pincer.program.thread_labels import ThreadOperation

INFIX = {
    "bvadd": "+", "bvsub": "-", "bvmul": "*", "bvand": "&", "bvor": "|", "bvxor": "^", "bvshl": "<<", "bvlshr": ">>u",
    "bvashr": ">>s", "bvudiv": "/u", "bvsdiv": "/s", "bvurem": "%u", "bvsrem": "%s", "bvule": "<=u", "bvult": "<u",
    "bvsle": "<=s", "bvslt": "<s", "same": "==", "and": "&&", "or": "||", "fpadd": "+f", "fpsub": "-f", "fpmul": "*f",
    "fpdiv": "/f", "fplt": "<f", "fple": "<=f", "fpeq": "==f",
}  # fmt: skip


def control_flow_text(program: ControlFlowProgram) -> str:
    """The whole program: static objects, then one block per procedure."""
    return "\n".join(_lines(program)) + "\n"


def _lines(program: ControlFlowProgram) -> Iterator[str]:
    for obj in program.objects:
        kind = "constant" if obj.read_only else "object"
        yield f"{kind} {obj.name} at {obj.address:#x}, {obj.size} bytes {obj.contents.hex()}".rstrip()
    for register, value in program.initial.items():
        yield f"register {register} = {value:#x}"
    for procedure in program.procedures.values():
        yield from _procedure(procedure, procedure.name == program.entry)
    for assumption in program.assumptions:
        yield f"assuming {assumption}"


def _procedure(procedure: Procedure, entry: bool) -> Iterator[str]:
    parameters = ", ".join(map(term_text, procedure.parameters))
    result = f" -> {procedure.result}" if procedure.result is not None else ""
    yield f"{'entry ' if entry else ''}procedure {procedure.name}({parameters}){result}"
    yield f"  from {procedure.entry} to {procedure.exit}, loops at {sorted(procedure.loop_heads)}"
    for edge in procedure.edges:
        yield f"  {edge.source} -> {edge.target}: {edge_text(edge)}"


def edge_text(edge: Edge) -> str:
    """The label and where it comes from."""
    return f"{label_text(edge.label)}    [{edge.position.line}:{edge.position.column}]"


class Wording(Struct, frozen=True):
    """How terms and steps are written; the registers of the procedure `inside` without their owner."""

    inside: str | None = None

    def label(self, label: Label) -> str:
        """One step in a form close to C."""
        match label:
            case Assign(register=register, value=value):
                return f"{self._name(register)} := {self.term(value)}"
            case Store(address=address, value=value):
                return f"{self._memory(address, (value.sort.width or 8) // 8)} := {self.term(value)}"
            case Copy(target=target, source=source, size=size):
                return f"copy {self.term(size)} bytes to {self.term(target)} from {self.term(source)}"
            case Fill(target=target, size=size, byte=byte):
                return f"fill {self.term(size)} bytes at {self.term(target)} with {self.term(byte)}"
            case Assume(condition=condition, branch=branch):
                side = "" if branch is None else f" ({'yes' if branch else 'no'})"
                return f"assume {self.term(condition)}{side}"
            case Input(register=register, source=origin, kind=kind):
                return f"{self._name(register)} := {kind} {origin}"
            case Check(kind=kind, condition=condition, message=message):
                return f"check {kind} {self.term(condition)}, else {message}"
            case (
                Call(procedure=name, arguments=arguments, result=result)
                | ThreadOperation(function=name, operands=arguments, result=result)
            ):
                delivers = "" if result is None else f"{self._name(result)} := "
                verb = "call" if isinstance(label, Call) else "thread call"
                return f"{delivers}{verb} {name}({', '.join(map(self.term, arguments))})"
        return self._object(label)

    def _object(self, label: Label) -> str:
        match label:
            case Allocate(register=register, size=size, zero=zero, storage=storage):
                cleared = ", zeroed" if zero else ""
                return f"{self._name(register)} := new {storage} object of {self.term(size)} bytes{cleared}"
            case Begin(address=address, size=size):
                return f"begin {address:#x}, {size} bytes"
            case End(address=address):
                return f"end {self.term(address)}"
            case Free(address=address):
                return f"free {self.term(address)}"
            case Fail(message=message):
                return f"fail: {message}"
            case Halt(what=what):
                return f"halt: {what}"
            case Unsupported(what=what):
                return f"unsupported: {what}"
        return "skip"

    def _memory(self, address: Term, size: int) -> str:
        return f"mem{size}[{self.term(address)}]"

    def _sum(self, term: Term) -> str:
        """A sum; coefficients and the constant in two's complement, so that `x - 1` reads as such."""
        bits = term.sort.width or 1
        out = ""
        for factor, coefficient in term.args[0]:
            c = bitvectors.signed(coefficient, bits)
            size = self.term(factor) if abs(c) == 1 else f"{abs(c)}*{self.term(factor)}"
            out += (f" {'-' if c < 0 else '+'} " if out else "-" * (c < 0)) + size
        constant = bitvectors.signed(term.args[1], bits)
        if constant:
            size = str(abs(constant)) if abs(constant) < 4096 else hex(abs(constant))
            out += f" {'-' if constant < 0 else '+'} {size}"
        return f"({out})"

    def term(self, term: Term) -> str:
        """A term in infix form; constants in decimal when small, in hexadecimal otherwise."""
        if term.op == "bvconst":
            value: int = term.args[0]
            return str(value) if value < 4096 else hex(value)
        if term.op == "var":
            return self._name(term)
        if term.op == "load":
            return self._memory(term.args[0], term.args[1])
        if term.op == "not":
            return f"!{self.term(term.args[0])}"
        if term.op == "extract":
            return f"{self.term(term.args[2])}[{term.args[0]}:{term.args[1]}]"
        if term.op in ("sign_extend", "zero_extend"):
            return f"{term.op[0]}ext{term.sort.width}({self.term(term.args[1])})"
        if term.op == "ite":
            condition, then, otherwise = map(self.term, term.args)
            return f"({condition} ? {then} : {otherwise})"
        if term.op == "bvlin":
            return self._sum(term)
        if term.op in INFIX:
            return "(" + f" {INFIX[term.op]} ".join(map(self.term, term.args)) + ")"
        if not term.args:
            return term.op
        return f"{term.op}({', '.join(self.term(a) if isinstance(a, Term) else str(a) for a in term.args)})"

    def _name(self, variable: Term) -> str:
        name = variable.args[0]
        own = isinstance(name, Register) and name.owner is not None and name.owner == self.inside
        return str(name._replace(owner=None) if own else name)


_PLAIN = Wording()


def label_text(label: Label) -> str:
    """One step in a form close to C."""
    return _PLAIN.label(label)


def term_text(term: Term) -> str:
    """A term in infix form; constants in decimal when small, in hexadecimal otherwise."""
    return _PLAIN.term(term)
