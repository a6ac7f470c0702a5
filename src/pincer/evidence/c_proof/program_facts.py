"""What the checker must know about a program before it looks at a proof: registers, their owners, effects, errors.

Everything here is read off the edges. A program the checker does not understand is refused with a `PincerError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from pincer.errors import PincerError
from pincer.evidence.c_proof.term_data import Reader, variables
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
    Input,
    Label,
    Procedure,
    Store,
    Unsupported,
)
from pincer.program.property import PropertyKind
from pincer.program.registers import Register, Role
from pincer.program.thread_labels import ThreadOperation

TOP = "$top"


class Effects(Struct):
    """What a call of a procedure may change.

    `slots` are the fixed slots it writes to or whose objects begin or end in it; `anywhere` and `any_room` say that it
    also writes to, or ends objects in, slots that are not fixed. `allocates` concerns only slots from `$top` on.
    """

    registers: set[str] = set()
    slots: set[int] = set()
    anywhere: bool = False
    room_slots: set[int] = set()
    any_room: bool = False
    allocates: bool = False

    def include(self, other: Effects) -> bool:
        """Add the effects of another; whether that changed anything."""
        before = self._size()
        self.registers |= other.registers
        self.slots |= other.slots
        self.room_slots |= other.room_slots
        self.anywhere |= other.anywhere
        self.any_room |= other.any_room
        self.allocates |= other.allocates
        return self._size() != before

    def _size(self) -> tuple[int, ...]:
        return (
            len(self.registers), len(self.slots), len(self.room_slots), self.anywhere, self.any_room, self.allocates
        )  # fmt: skip


def assigned_register(label: Label) -> Term | None:
    """The register that a label gives a value, `$top` apart."""
    match label:
        case Assign(register) | Input(register) | Allocate(register):
            return register
        case Call(_, _, result) | ThreadOperation(result=result):
            return result
    return None


def label_terms(label: Label) -> tuple[Term, ...]:
    """The terms that a label evaluates in the state before it."""
    match label:
        case Assign(_, value):
            return (value,)
        case Store(address, value):
            return (address, value)
        case Copy(target, source, size):
            return (target, source, size)
        case Fill(target, size, byte):
            return (target, size, byte)
        case Assume(condition) | Check(_, condition):
            return (condition,)
        case Allocate(_, size):
            return (size,)
        case End(address) | Free(address):
            return (address,)
        case Call(_, arguments) | ThreadOperation(operands=arguments):
            return arguments
    return ()


class ProgramFacts:
    """The registers of a program with their widths and owners, and per procedure its effects and whether it can err."""

    def __init__(self, program: ControlFlowProgram, property_: PropertyKind) -> None:
        self.program = program
        self.property = property_
        self.reader = Reader()
        self.globals = {_name(register) for register in program.initial} | {TOP}
        self.widths: dict[str, int] = {}
        self._registers: dict[str, Register] = {}
        self._well_formed()
        self._note_registers()
        self.effects = self._all_effects()
        self.erring = self._all_erring()
        self.called = self._all_called()

    def owner(self, register: str) -> str | None:
        """The procedure whose activations have this register, None for a global one."""
        known = self._registers.get(register)
        if register in self.globals or known is None or known.owner not in self.program.procedures:
            return None
        return known.owner

    def is_temporary(self, register: str) -> bool:
        """Whether a register holds one value inside an expression, and is no variable of the program."""
        known = self._registers.get(register)
        return known is not None and known.role is Role.TEMPORARY

    @property
    def largest_object(self) -> int:
        """The largest object the memory model stands for: pointers one past its end stay in its slot."""
        return self.program.layout.slot // 2

    def may_err(self, edge: Edge) -> bool:
        """Whether an edge other than a call can be an error for the property."""
        match edge.label:
            case Unsupported() | ThreadOperation():
                return True
            case Fail():
                return self.property == "assertions"
            case Check():
                return self.property == "memory"
        return False

    def open_allocations(self) -> Iterator[tuple[Procedure, Edge]]:
        """Allocations, in what the program may call, whose size is not evidently within the memory model."""
        for name, procedure in self.program.procedures.items():
            for edge in procedure.edges if name in self.called else ():
                match edge.label:
                    case Allocate(_, size) if size.op != "bvconst" or size.args[0] > self.largest_object:
                        yield procedure, edge

    def _well_formed(self) -> None:
        program = self.program
        slot, limit = program.layout.slot, program.first_free
        fixed = [edge.label.address for edge in program.edges() if isinstance(edge.label, Begin)]
        fixed.extend(item.address for item in program.objects)
        if limit % slot or not 0 < limit < 1 << program.layout.pointer_bits:
            raise PincerError("the first free address of the program is not the start of a slot")
        if any(address % slot or not 0 < address < limit for address in fixed):
            raise PincerError("an object of the program is not at the start of a slot of its own")
        if len({item.address for item in program.objects}) < len(program.objects):
            raise PincerError("two static objects of the program share a slot")
        if program.entry not in program.procedures:
            raise PincerError(f"the program has no procedure {program.entry}")
        for procedure in program.procedures.values():
            for edge in procedure.edges:
                self._check_edge(edge)

    def _check_edge(self, edge: Edge) -> None:
        label = edge.label
        register = assigned_register(label)
        if register is not None and _name(register) == TOP:
            raise PincerError("only an allocation may change $top", edge.position)
        if isinstance(label, Store) and ((label.value.sort.width or 1) % 8):
            raise PincerError("a store of a value that is not whole bytes", edge.position)
        if isinstance(label, Call):
            callee = self.program.procedures.get(label.procedure)
            if callee is None:
                raise PincerError(f"a call of {label.procedure}, which the program does not have", edge.position)
            if [a.sort for a in label.arguments] != [p.sort for p in callee.parameters]:
                raise PincerError(f"the arguments of {label.procedure} do not fit its parameters", edge.position)
            if label.result is not None and callee.result is not None and label.result.sort is not callee.result.sort:
                raise PincerError(f"the result of {label.procedure} does not fit its register", edge.position)

    def _note_registers(self) -> None:
        program = self.program
        self._note(None, [*program.initial, program.top])
        for procedure in program.procedures.values():
            self._note(procedure, procedure.parameters)
            if procedure.result is not None:
                self._note(procedure, [procedure.result])
            for edge in procedure.edges:
                register = assigned_register(edge.label)
                if register is not None:
                    self._note(procedure, [register])
                for term in label_terms(edge.label):
                    self._note(procedure, variables(term))

    def _note(self, procedure: Procedure | None, registers: Iterable[Term]) -> None:
        for register in registers:
            name = _name(register)
            if self._registers.setdefault(name, register.args[0]) != register.args[0]:
                raise PincerError(f"two registers are called {name}")
            width = register.sort.width or 0
            if self.widths.setdefault(name, width) != width or not width:
                raise PincerError(f"register {name} has no single width")
            owner = self.owner(name)
            if owner is not None and (procedure is None or owner != procedure.name):
                where = procedure.name if procedure else "the initial state"
                raise PincerError(f"{where} uses register {name} of another procedure")

    def _all_effects(self) -> Mapping[str, Effects]:
        effects = {name: self._own_effects(p) for name, p in self.program.procedures.items()}
        calls = self._calls()
        changed = True
        while changed:
            changed = False
            for name, callees in calls.items():
                for callee in callees:
                    changed |= effects[name].include(effects[callee])
        return effects

    def _own_effects(self, procedure: Procedure) -> Effects:
        found = Effects()
        for edge in procedure.edges:
            register = assigned_register(edge.label)
            if register is not None and self.owner(_name(register)) is None:
                found.registers.add(_name(register))
            self._memory_effects(edge.label, found)
        return found

    def _memory_effects(self, label: Label, found: Effects) -> None:
        match label:
            case Store(address, value):
                self._written(address, (value.sort.width or 0) // 8, found)
            case Copy(target, _, size) | Fill(target, size):
                self._written(target, size.args[0] if size.op == "bvconst" else None, found)
            case Begin(address):
                found.slots.add(address)
                found.room_slots.add(address)
            case End(address) | Free(address):
                slot = self._fixed_slot(address, 1)
                if slot is None:
                    found.any_room = True
                else:
                    found.room_slots.add(slot)
            case Allocate():
                found.allocates = True
                found.registers.add(TOP)
            case ThreadOperation():
                found.anywhere = found.any_room = found.allocates = True
                found.registers.update(self.globals)

    def _written(self, address: Term, size: int | None, found: Effects) -> None:
        slot = None if size is None else self._fixed_slot(address, size)
        if slot is None:
            found.anywhere = True
        else:
            found.slots.add(slot)

    def _fixed_slot(self, address: Term, size: int) -> int | None:
        """The slot that an access stays in, when its address is a constant."""
        if address.op != "bvconst":
            return None
        slot = self.program.layout.slot
        start: int = address.args[0] - address.args[0] % slot
        return start if address.args[0] + size <= start + slot else None

    def _calls(self) -> Mapping[str, frozenset[str]]:
        return {
            name: frozenset(edge.label.procedure for edge in procedure.edges if isinstance(edge.label, Call))
            for name, procedure in self.program.procedures.items()
        }

    def _all_called(self) -> frozenset[str]:
        """The entry procedure and what it calls, directly or not."""
        calls, found = self._calls(), {self.program.entry}
        pending = [self.program.entry]
        while pending:
            new = calls[pending.pop()] - found
            found |= new
            pending.extend(new)
        return frozenset(found)

    def _all_erring(self) -> frozenset[str]:
        erring = {name for name, p in self.program.procedures.items() if any(map(self.may_err, p.edges))}
        calls = self._calls()
        while True:
            more = {name for name, callees in calls.items() if name not in erring and callees & erring}
            if not more:
                return frozenset(erring)
            erring |= more


def _name(register: Term) -> str:
    if register.op != "var" or not isinstance(register.args[0], Register):
        raise PincerError(f"{register} is not a register")
    return str(register.args[0])
