"""The program without threads that regions stand for.

Every region is a location. From there the threads that move do so, one after the other, as the region says; registers
of threads are told apart by number. What a region claims about locks is asserted there. The product errs
exactly where a move of the regions does, or where what they claim is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.evidence.thread_proof.regions.claim import ENDED, Region
from pincer.evidence.thread_proof.regions.library import PRODUCT, ProductLibrary, Way, undefined
from pincer.evidence.thread_proof.regions.shape import moves_of
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Assign,
    Assume,
    Begin,
    Check,
    ControlFlowProgram,
    Copy,
    Edge,
    End,
    Fail,
    Fill,
    Halt,
    Input,
    Label,
    Procedure,
    Skip,
    Store,
    Unsupported,
)
from pincer.program.registers import Role, register_of
from pincer.program.thread_labels import AtomicBegin, AtomicEnd, Exit, Start, SyncKind, ThreadOperation
from pincer.program.threaded_system import Action, EndThread, Enter, Leave, Move, Perform, ThreadedSystem

MOST_STEPS = 40_000
"""Steps of a product: with more, nobody would come to an end of it."""


class _Ended(Struct, frozen=True):
    """A way that leads out of the program: by its last label, or by the end of the main thread."""

    labels: Way


class RegionProduct:
    """The product of a program whose threads are all single, and of regions that fit them. Raises PincerError."""

    def __init__(self, program: ControlFlowProgram, system: ThreadedSystem, regions: Sequence[Region]) -> None:
        self._program = program
        self._system = system
        self._regions = regions
        self._bits = program.layout.pointer_bits
        self.registers = ProgramRegisters(program, {})
        self.objects = SyncObjects(program, system)
        self.library = ProductLibrary(self.objects, self._bits, len(system.threads))
        self._names: list[dict[Term, Term]] = [{} for _ in system.threads]
        self._edges: list[Edge] = []
        self._exit, self._dead = len(regions), len(regions) + 1
        self._next = len(regions) + 2

    def program(self) -> ControlFlowProgram:
        """The product: one procedure."""
        main = self._system.threads[0]
        entry = self._new()
        self._chain(entry, self._identities(), 0, main.routine.position)
        for number, region in enumerate(self._regions):
            self._region(number, region)
        procedure = Procedure(
            PRODUCT, (), None, entry, self._exit, tuple(self._edges), main.routine.position, _heads(entry, self._edges)
        )
        initial = {
            register: value
            for register, value in self._program.initial.items()
            if not self.registers.is_local(str(register.args[0]))
        }
        return ControlFlowProgram(
            self._program.file,
            self._program.layout,
            {PRODUCT: procedure},
            PRODUCT,
            {**initial, **self.library.initial()},
            self._program.objects,
            (),
            self._program.first_free,
            functions=self._program.functions,
        )

    def _identities(self) -> Way:
        """Numbers of threads are not zero and different; the main thread has its registers."""
        own = [self.library.identity(thread.number) for thread in self._system.threads]
        zero = bitvectors.constant(0, self._bits)
        different = [terms.negate(terms.equal(a, b)) for i, a in enumerate(own) for b in (zero, *own[i + 1 :])]
        return [*map(undefined, own), *map(Assume, different), *self._begun(0)]

    def _begun(self, thread: int) -> Way:
        """The registers that a thread begins with, but for its parameters."""
        routine = self._system.threads[thread].routine
        given: Way = [
            Assign(self.own(thread, register), bitvectors.constant(value, bitvectors.width(register)))
            for register, value in self._program.initial.items()
            if self.registers.is_local(str(register.args[0]))
        ]
        return [*given, *self._fresh(thread, routine)]

    def _fresh(self, thread: int, procedure: Procedure) -> Way:
        """The registers of a procedure that begins: of those that may be read before they are given, nothing is
        known."""
        return [undefined(self.own(thread, register)) for register in read_first(procedure, self.registers)]

    def own(self, thread: int, term: Term) -> Term:
        """A term over the registers that a thread has in the product."""
        names = self._names[thread]
        for variable in variables(term):
            if variable not in names:
                register = variable.args[0]
                local = self.registers.is_local(str(register))
                name = f"{thread}:{register}"
                role = Role.TEMPORARY if register.role is Role.TEMPORARY else Role.VARIABLE
                made = register_of(PRODUCT, name, bitvectors.width(variable), role)
                names[variable] = made if local else variable
        return terms.substitute(term, names)

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def _chain(self, source: int, labels: Way, target: int, position: Position) -> None:
        for number, label in enumerate(labels or [Skip()]):
            after = target if number >= len(labels) - 1 else self._new()
            self._edges.append(Edge(source, after, label, position))
            source = after
        if len(self._edges) > MOST_STEPS:
            raise PincerError(f"the product of the threads has more than {MOST_STEPS} steps")

    def _region(self, number: int, region: Region) -> None:
        claims = terms.conjunction(*self._claims(region))
        here = number
        if claims is not terms.TRUE:
            here, wrong = self._new(), self._new()
            position = self._system.threads[0].routine.position
            self._edges.append(Edge(number, here, Assume(claims), position))
            self._edges.append(Edge(number, wrong, Assume(terms.negate(claims)), position))
            self._edges.append(Edge(wrong, self._dead, Fail("what is claimed about a region is wrong"), position))
        ended = [thread for thread, place in enumerate(region.at) if place == ENDED]
        following = {(item.thread, item.move): item.region for item in region.then}
        ways: list[tuple[Way, int, Position]] = []
        for move, thread in moves_of(self._system, region):
            for way in self._ways(thread, move, ended):
                if isinstance(way, _Ended):
                    last = way.labels[-1] if way.labels else None
                    dead = isinstance(last, Fail | Halt | Unsupported)
                    ways.append((way.labels, self._dead if dead else self._exit, move.position))
                else:
                    ways.append((way, following[thread, move.number], move.position))
        self._chosen(here, ways)

    def _chosen(self, source: int, ways: list[tuple[Way, int, Position]]) -> None:
        """One of some ways: where conditions do not decide between them, anything may."""
        if len(ways) > 1 and not _is_branch([labels for labels, _, _ in ways]):
            choice = register_of(PRODUCT, "choice", 16)
            asked = self._new()
            self._edges.append(Edge(source, asked, Input(choice, "who is next", "nondet"), ways[0][2]))
            source = asked
            for number, (labels, target, position) in enumerate(ways[:-1]):
                this, further, taken = terms.equal(choice, bitvectors.constant(number, 16)), self._new(), self._new()
                self._edges.append(Edge(source, taken, Assume(this), position))
                self._edges.append(Edge(source, further, Assume(terms.negate(this)), position))
                self._chain(taken, labels, target, position)
                source = further
            ways = ways[-1:]
        for labels, target, position in ways:
            self._chain(source, labels, target, position)

    def _claims(self, region: Region) -> Iterator[Term]:
        for address, thread in region.held:
            if address not in self.objects.of(SyncKind.MUTEX, SyncKind.SPIN_LOCK):
                raise PincerError("a region claims that something is held which is no lock")
            yield self.library.is_held(address, thread)

    def _ways(self, thread: int, move: Move, ended: Sequence[int]) -> Iterator[Way | _Ended]:
        """All ways through the actions of a move."""
        ways: list[Way] = [[]]
        for action in move.actions:
            if isinstance(action, EndThread) and not thread:
                yield from map(_Ended, ways)
                return
            label = self._label(thread, action.label) if isinstance(action, Perform) else None
            if isinstance(label, Fail | Halt | Unsupported):
                yield from (_Ended([*way, label]) for way in ways)
                return
            if isinstance(label, Start):
                further = [self._started(thread, move, label)]
            else:
                further = list(self._action(thread, action, label, ended))
            ways = [[*way, *more] for way in ways for more in further]
        yield from ways

    def _action(self, thread: int, action: Action, label: Label | None, ended: Sequence[int]) -> Iterator[Way]:
        match action, label:
            case Perform(), AtomicBegin() | AtomicEnd() | Exit():
                yield []
            case Perform(half=half), ThreadOperation():
                yield from self.library.ways(label, half, thread, ended)
            case Perform(), Begin(address, size):
                yield [label, *self.library.forgotten(address, size)]
            case Perform(), End(address):
                if address.op != "bvconst":
                    raise PincerError("an object that ends at an address which is not constant")
                yield [label, *self.library.forgotten(address.args[0], self._program.layout.slot)]
            case Perform(), _ if label is not None:
                yield [label]
            case Enter(procedure, arguments), _:
                given = zip(procedure.parameters, arguments, strict=True)
                assigned = [Assign(self.own(thread, register), self.own(thread, value)) for register, value in given]
                yield [*self._fresh(thread, procedure), *assigned]
            case Leave(procedure, result), _:
                yield self._left(thread, procedure, result)
            case EndThread(), _:
                yield []
            case _:
                raise PincerError("no meaning is known for this move")

    def _left(self, thread: int, procedure: Procedure, result: Term | None) -> Way:
        if result is None:
            return []
        target = self.own(thread, result)
        if procedure.result is None:
            return [undefined(target)]
        return [Assign(target, self.own(thread, procedure.result))]

    def _started(self, thread: int, move: Move, label: Start) -> Way:
        born = self._system.births[thread, move.number]
        way: Way = [Store(label.thread, self.library.identity(born)), *self._begun(born)]
        for parameter in self._system.threads[born].routine.parameters:
            width, given = bitvectors.width(parameter), label.argument
            short = bitvectors.width(given) >= width
            more = width - bitvectors.width(given)
            value = bitvectors.extract(width - 1, 0, given) if short else bitvectors.extend(given, more, False)
            way.append(Assign(self.own(born, parameter), value))
        if label.result is not None:
            way.append(Assign(label.result, bitvectors.constant(0, bitvectors.width(label.result))))
        return way

    def _label(self, thread: int, label: Label) -> Label:
        """A label on the registers that a thread has in the product."""

        def own(term: Term) -> Term:
            return self.own(thread, term)

        match label:
            case Assign(register, value):
                return Assign(own(register), own(value))
            case Store(address, value):
                return Store(own(address), own(value))
            case Copy(target, source, size):
                return Copy(own(target), own(source), own(size))
            case Fill(target, size, byte):
                return Fill(own(target), own(size), own(byte))
            case Assume(condition) | Check(_, condition):
                return replace(label, condition=own(condition))
            case Input(register):
                return replace(label, register=own(register))
            case End(address):
                return End(own(address))
            case Begin() | Skip() | Fail() | Halt() | Unsupported():
                return label
            case ThreadOperation():
                changed = label.mapped(own)
                return changed if label.result is None else replace(changed, result=own(label.result))
        raise PincerError(f"{type(label).__name__} is not followed in regions")


def _is_branch(ways: list[Way]) -> bool:
    """Whether two ways begin with the two sides of a condition."""
    first = [way[0] if way else None for way in ways]
    sides = [label.condition for label in first if isinstance(label, Assume)]
    return len(ways) == len(sides) == 2 and terms.negate(sides[0]) is sides[1]


def _heads(entry: int, edges: Sequence[Edge]) -> frozenset[int]:
    """The locations to which a walk from the entry comes back."""
    after: dict[int, list[int]] = {}
    for edge in edges:
        after.setdefault(edge.source, []).append(edge.target)
    heads: set[int] = set()
    open_, seen = {entry}, {entry}
    walk = [(entry, iter(after.get(entry, ())))]
    while walk:
        here, targets = walk[-1]
        target = next(targets, None)
        if target is None:
            walk.pop()
            open_.discard(here)
        elif target in open_:
            heads.add(target)
        elif target not in seen:
            seen.add(target)
            open_.add(target)
            walk.append((target, iter(after.get(target, ()))))
    return frozenset(heads)


def read_first(procedure: Procedure, registers: ProgramRegisters) -> list[Term]:
    """Those that are read on some way from the entry on which nothing has been assigned to them."""
    own = registers.locals_of(procedure)
    live: dict[int, dict[Term, None]] = {location: {} for location in procedure.locations}
    if procedure.result is not None:
        live[procedure.exit][procedure.result] = None
    changed = True
    while changed:
        changed = False
        for edge in reversed(procedure.edges):
            given = assigned_register(edge.label)
            read = dict.fromkeys(term for term in live[edge.target] if term is not given)
            read.update((v, None) for term in label_terms(edge.label) for v in variables(term))
            here = live[edge.source]
            before = len(here)
            here.update((term, None) for term in read if str(term.args[0]) in own)
            changed |= len(here) > before
    return list(live[procedure.entry])
