"""State of one procedure while it is lowered: where we are, what is in scope, temporaries and local objects."""

from __future__ import annotations

from msgspec import Struct

from pincer.errors import Position
from pincer.frontends.c.lowering.builder import Builder
from pincer.frontends.c.lowering.unit import Observers, Unit
from pincer.frontends.c.semantics.context import STATIC
from pincer.frontends.c.semantics.tree import Case, Expression, Written
from pincer.frontends.c.semantics.types import VOID, Function, Length, Target
from pincer.logic.terms import Term
from pincer.program import control_flow
from pincer.program.control_flow import Label, Observe, Unsupported
from pincer.program.registers import Role, register_of


class LocalObject(Struct, frozen=True):
    """An object of an activation or of one of its blocks: at a fixed address, or where a register points."""

    address: Term
    size: int


class OpenBlock(Struct, eq=False):
    """A block being lowered whose objects end with it: how many loops surround it, and the ways out by jumps.

    `exits` gives, for the target of a jump, the location from which the objects end and the jump goes on.
    """

    loops: int
    exits: dict[int, int] = {}


class Landing(Struct, frozen=True):
    """Where a `longjmp` may lead to: its mark, an object; where the mark is put; the location, and its result.

    From `again` on it is set anew, if the buffer is the same then.
    """

    mark: Term
    buffer: Term
    location: int
    result: Term
    again: int | None


class LoopExit(Struct, frozen=True):
    """Where `break` or `continue` lead to, and how many blocks and waiting cleanups there are."""

    target: int
    blocks: int
    cleanups: int


class Frame(Struct, eq=False):
    """Lowering of one procedure. `several` is true when it may have more than one activation at a time.

    `result` is the register of the returned value; for a returned record it is the register that holds the address
    the caller gave for it. `arguments` holds the address of the variable arguments. `objects` and `arrays` are those of
    the innermost block with lifetimes of its own, and of the whole function; `defining` holds the addresses of those
    that get their first value now; `until_return` and `linked` belong to `stack`; `breaks` and `continues` tell where
    to jump; `cleanups` wait for the end of a block; `landings` and `way_out` belong to `long_jumps`.
    """

    unit: Unit
    name: str
    type: Function
    builder: Builder
    position: Position
    several: bool = False
    result: Term | None = None
    arguments: Term | None = None
    hooked: bool = True
    scratch: bool = False
    labelled: bool = False
    addressed: tuple[str, ...] = ()
    epilogue: int = 0
    objects: list[LocalObject] = []
    arrays: list[Term] = []
    until_return: list[Term] = []
    linked: Term | None = None
    landings: list[Landing] = []
    way_out: int | None = None
    open: list[OpenBlock] = []
    breaks: list[LoopExit] = []
    continues: list[LoopExit] = []
    cleanups: list[Expression] = []
    cases: dict[Case, int] = {}
    labels: dict[str, int] = {}
    names: set[str] = set()
    defining: set[Term] = set()
    lengths: dict[Length, Term] = {}
    noisy: set[Expression] = set()
    only_signs: set[Expression] = set()
    parts: set[Expression] = set()
    bypassed: list[tuple[Term, str]] = []
    temporaries: int = 0

    @property
    def target(self) -> Target:
        return self.unit.target

    def move(self, node: Written) -> None:
        """Edges from now on belong to this statement."""
        if node.coord is not None:
            self.position = self.unit.position(node)

    def place_of(self, node: Written | None) -> Position:
        """Where a step belongs: to what it is about, or else to the statement."""
        return self.position if node is None or node.coord is None else self.unit.position(node)

    def emit(self, label: Label, node: Written | None = None) -> None:
        self.builder.emit(label, self.place_of(node))

    def end(self, label: Label, node: Written | None = None) -> None:
        """A step into a dead end; what follows cannot be reached from here."""
        self.builder.end(label, self.place_of(node))

    def observe(self, moment: str = "") -> None:
        """Formulas speak about the state here, if the program is lowered for one."""
        if self._observers is not None:
            self.emit(Observe(moment))

    def observe_line(self) -> None:
        """A statement begins here, on a line that a formula may speak about."""
        for moment in () if self._observers is None else self._observers.at(self.position):
            self.emit(Observe(moment))

    @property
    def _observers(self) -> Observers | None:
        observers = self.unit.observers
        return None if observers is None or self.name in observers.functions else observers

    def unsupported(self, what: str, node: Written | None = None) -> None:
        self.end(Unsupported(what), node)

    def temporary(self, bits: int) -> Term:
        self.temporaries += 1
        return register_of(self.name, str(self.temporaries), bits, Role.TEMPORARY)

    def address(self, value: int) -> Term:
        return self.unit.address(value)

    def unique(self, name: str) -> str:
        """A name for a local that no other local of the procedure has."""
        candidate, number = name, 1
        while candidate in self.names:
            number += 1
            candidate = f"{name}.{number}"
        self.names.add(candidate)
        return candidate

    def new_object(self, name: str, size: int, constant: bool = False) -> Term:
        """The address of a new local object: fixed, or in a register where activations may coexist."""
        if self.several or self.scratch:
            address = register_of(self.name, name, self.unit.layout.pointer_bits, Role.ADDRESS)
            self.unit.addresses.check_size(size)
            self.unit.has_empty_objects |= size == 0
        else:
            address = self.address(self.unit.take(size, read_only=constant))
            self.unit.constant_locals += constant
        self.objects.append(LocalObject(address, size))
        return address

    def note(self, variable: control_flow.SourceVariable) -> None:
        """Tell reports about a variable."""
        if not self.scratch:
            self.unit.variables.append(variable)


def leave(frame: Frame, depth: int, target: int) -> None:
    """Jump to a location outside of all blocks from `depth` on."""
    for block in frame.open[depth:]:
        if target not in block.exits:
            block.exits[target] = frame.builder.location()
        target = block.exits[target]
    frame.builder.jump(target, frame.position)


def static_frame(unit: Unit) -> Frame:
    """A frame outside every procedure, for the contents of static objects: whatever it emits is thrown away."""
    return Frame(unit, STATIC, Function(VOID, ()), Builder(), unit.position(None), scratch=True)
