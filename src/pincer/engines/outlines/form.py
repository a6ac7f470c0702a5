"""The threaded form: what is shared, which moves others may notice, and where a thread's blocks begin and end.

A *visible* move touches a shared cell, calls the library, or ends something. A *cut point* is a place from which one
leaves by a visible move or with an input, to which loops come back, or where conditions need not be exhaustive. A
*block* is a visible move and the local ones after it, up to the next cut point: where it will end is known as soon as
it begins, and a ghost can tell others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct

from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term, postorder
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Check,
    ControlFlowProgram,
    End,
    Fail,
    Free,
    Halt,
    Input,
    Skip,
    Store,
    Unsupported,
)
from pincer.program.labels import read_terms, written_register, written_span
from pincer.program.registers import is_global, is_local
from pincer.program.thread_labels import ThreadOperation
from pincer.program.threaded_system import (
    Action,
    EndThread,
    Enter,
    Leave,
    Move,
    Perform,
    Place,
    ThreadedSystem,
    UnfoldedThread,
)


class ThreadedForm(Struct, frozen=True, eq=False, dict=True):
    """A program with threads, its unfolding, and the objects of the library in it."""

    program: ControlFlowProgram
    system: ThreadedSystem
    objects: SyncObjects

    @property
    def bits(self) -> int:
        return self.program.layout.pointer_bits

    @cached_property
    def cells(self) -> tuple[Term, ...]:
        """The shared data that programs name: global registers that are assigned, and memory at constant addresses."""
        found: dict[Term, None] = {}
        written = {register for move in self._moves() for register in _written(move) if is_global(register)}
        for move in self._moves():
            for term in mentioned(move):
                for part in postorder(term):
                    if (part.op == "var" and part in written) or self._is_cell(part):
                        found[part] = None
        return tuple(found)

    def _is_cell(self, part: Term) -> bool:
        if part.op != "load" or part.args[0].op != "bvconst":
            return False
        address, size = part.args[0].args[0], part.args[1]
        return not any(start < address + size and address < start + length for start, length in self.objects.spans)

    def _moves(self) -> Iterator[Move]:
        return (move for thread in self.system.threads for move in thread.moves)

    def is_visible(self, move: Move) -> bool:
        return any(self._is_noticed(action) for action in move.actions)

    def _is_noticed(self, action: Action) -> bool:
        match action:
            case Perform(label=ThreadOperation()) | EndThread():
                return True
            case Perform(label=Allocate() | Begin() | End() | Free() | Halt() | Fail() | Unsupported()):
                return True
            case Perform(label=label):
                written = written_register(label)
                shared = (written is not None and not is_local(written)) or written_span(label) is not None
                return shared or any(map(_reads_shared, read_terms(label)))
            case Enter(arguments=arguments):
                return any(map(_reads_shared, arguments))
            case Leave(result=result):
                return result is not None and not is_local(result)
        return True

    @cached_property
    def cuts(self) -> tuple[tuple[Place, ...], ...]:
        """The cut points of each thread, the entry first."""
        return tuple(
            tuple(place for place in thread.places if place == thread.entry or self._is_cut(thread, place))
            for thread in self.system.threads
        )

    @cached_property
    def _loop_heads(self) -> frozenset[int]:
        return frozenset(head for made in self.program.procedures.values() for head in made.loop_heads)

    def _is_cut(self, thread: UnfoldedThread, place: Place) -> bool:
        moves = thread.outgoing[place]
        if not moves or place.location in self._loop_heads or any(map(self.is_visible, moves)):
            return True
        if any(isinstance(move.label, Input | Check) for move in moves):
            return True
        if len(moves) == 1:
            return isinstance(moves[0].label, Assume)
        conditions = [move.label.condition for move in moves if isinstance(move.label, Assume)]
        return len(conditions) != 2 or len(moves) != 2 or terms.negate(conditions[0]) is not conditions[1]

    def block_end(self, thread: UnfoldedThread, place: Place, numbers: Mapping[Place, Term]) -> Term:
        """The number of the cut point to which the local moves from a place lead, over the registers there."""
        if place in numbers:
            return numbers[place]
        moves = thread.outgoing[place]
        ends = []
        for move in moves:
            assert move.target is not None
            end = self.block_end(thread, move.target, numbers)
            for action in reversed(move.actions):
                end = _local_before(action, end)
            ends.append(end)
        if len(moves) == 1:
            return ends[0]
        first = moves[0].label
        assert isinstance(first, Assume)
        return terms.conditional(first.condition, ends[0], ends[1])


def _local_before(action: Action, value: Term) -> Term:
    match action:
        case Perform(label=Assign(register, assigned)):
            return terms.substitute(value, {register: assigned})
        case Enter(procedure, arguments):
            return terms.substitute(value, dict(zip(procedure.parameters, arguments, strict=True)))
        case Leave(procedure, result) if result is not None and procedure.result is not None:
            return terms.substitute(value, {result: procedure.result})
        case Perform(label=Skip() | Assume()) | Leave():
            return value
    # What else is local assigns a register that no condition of a block can have read before.
    return value


def mentioned(move: Move) -> Iterator[Term]:
    """The terms of a move, and what it stores to as reads."""
    for action in move.actions:
        match action:
            case Perform(label=label):
                yield from read_terms(label)
                if isinstance(label, Store):
                    yield bitvectors.load(label.address, bitvectors.width(label.value) // 8)
                written = written_register(label)
                if written is not None:
                    yield written
            case Enter(arguments=arguments):
                yield from arguments
            case Leave(result=Term() as result):
                yield result


def _written(move: Move) -> Iterator[Term]:
    for action in move.actions:
        match action:
            case Perform(label=label):
                register = written_register(label)
                if register is not None:
                    yield register
            case Leave(result=Term() as result):
                yield result


def _reads_shared(term: Term) -> bool:
    return bool(bitvectors.state_reads(term)) or not all(map(is_local, term.variables))


def flags(form: ThreadedForm) -> list[Term]:
    """The shared cells that are only ever given constants."""
    written: dict[Term, bool] = {}
    cells = set(form.cells)
    for thread in form.system.threads:
        for move in thread.moves:
            for action in move.actions:
                match action:
                    case Perform(label=Assign(register, value)) if register in cells:
                        written[register] = written.get(register, True) and value.op == "bvconst"
                    case Perform(label=Store(address, value)):
                        cell = bitvectors.load(address, bitvectors.width(value) // 8)
                        written[cell] = written.get(cell, True) and value.op == "bvconst"
    return [cell for cell in form.cells if written.get(cell, False)]
