"""A whole translation unit to a control-flow program: only what the entry can reach is lowered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.frontends.c.lowering import (
    calls,
    conditions,
    expressions,
    initialisers,
    operators,
    statements,
    variable_arguments,
)
from pincer.frontends.c.lowering.builder import Builder, RawEdge, loop_heads, numbered, tidied, without_marks
from pincer.frontends.c.lowering.calls import Known
from pincer.frontends.c.lowering.dynamic_objects import marks_needed
from pincer.frontends.c.lowering.entry import after_entry, before_entry, give_arguments, prepare, runs_around
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.lowering.initialisers import static_contents
from pincer.frontends.c.lowering.kept_addresses import keepers
from pincer.frontends.c.lowering.liveness import without_dead_inputs
from pincer.frontends.c.lowering.long_jumps import refuse_jump
from pincer.frontends.c.lowering.object_order import asked_apart, with_numbers_judged
from pincer.frontends.c.lowering.procedures import Lowered, lower
from pincer.frontends.c.lowering.unit import Addresses, AddressesExhausted, MarkedObjects, Means, Observers, Unit
from pincer.frontends.c.lowering.values import Place, Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.analysis import body
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.evaluation_order import Orders
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import VOID, Function
from pincer.frontends.c.semantics.wrapped_names import wrapping
from pincer.logic import bitvectors
from pincer.logic.terms import FALSE, Term
from pincer.program.control_flow import (
    Allocate,
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Free,
    Label,
    Layout,
    Mark,
    Procedure,
    Skip,
)
from pincer.program.labels import read_registers
from pincer.program.loops import seen_position
from pincer.program.property import EVERY_KIND, Assumption
from pincer.program.thread_labels import ThreadOperation

VALUES: Mapping[type, Callable[[Frame, Any], Value]] = {
    tree.Number: expressions.constant,
    tree.Read: expressions.read_place,
    tree.Address: expressions.address,
    tree.Size: expressions.size,
    tree.Measured: expressions.measured,
    tree.LabelAddress: expressions.label_address,
    tree.Arguments: variable_arguments.arguments,
    tree.NextArgument: variable_arguments.next_argument,
    tree.Unmodelled: expressions.unmodelled,
    tree.Convert: operators.conversion,
    tree.ToUnion: operators.to_union,
    tree.Unary: operators.unary,
    tree.Binary: operators.binary,
    tree.Assignment: operators.assignment,
    tree.CompoundAssignment: operators.update,
    tree.Step: operators.step,
    tree.Sequence: operators.sequence,
    tree.Logical: conditions.logical,
    tree.Conditional: conditions.conditional,
    tree.OrElse: conditions.or_else,
    tree.Call: calls.call,
    tree.StatementExpression: statements.statement_expression,
}
PLACES: Mapping[type, Callable[[Frame, Any], Place]] = {
    tree.Text: expressions.literal,
    tree.Object: expressions.named_object,
    tree.Routine: expressions.routine,
    tree.MemberPlace: expressions.part,
    tree.Element: expressions.element,
    tree.Dereference: expressions.dereference,
    tree.CompoundLiteral: initialisers.compound_literal,
}
START = "$start"
NOT_EXCHANGED_AGAIN = Assumption(
    "no object gets the address of one that has ended, although pointers are compared and exchanged",
    leaves_open=EVERY_KIND,
)
NOT_USED_AGAIN = Assumption("pointers are compared: no object gets the address of one that has ended")
EMPTY_ARE_APART = Assumption("pointers are compared: an object of no bytes has an address of its own")


def means(functions: Mapping[str, Known], assumed: Mapping[str, Assumption]) -> Means:
    """What lowers expressions and calls, given what is known about the library."""
    return Means(VALUES, PLACES, static_contents, functions, assumed)


def lower_program(
    program: TypedProgram,
    known: Means,
    entry: str,
    hooks: Mapping[str, Hook],
    observers: Observers | None = None,
) -> ControlFlowProgram:
    """Lower the program; again with larger or more slots, marks or new addresses for each call where it needs them.

    `observers` has functions that are lowered besides: they look at the states in which the others are observed."""
    wide = program.target.data_model == "LP64"
    slot_bits, static_bits = (32, 16) if wide else (16, 12)
    wanted, vary, constants, apart = MarkedObjects(), False, 0, set[Written]()
    while True:
        try:
            unit = _unit(program, known, hooks, slot_bits, static_bits, constants)
            unit.marks, unit.literals.vary, unit.observers, unit.apart = wanted, vary, observers, apart
            lowered = _assemble(unit, entry)
            wanted = marks_needed(unit, lowered)
            keeping = keepers(lowered)
            vary = unit.literals.compared and unit.literals.repeated
            enough = constants >= unit.constant_locals
            if wanted == unit.marks and not keeping and vary == unit.literals.vary and enough:
                more = asked_apart(lowered, unit)
                if not more:
                    return with_numbers_judged(lowered, unit)
                apart |= more
            constants = unit.constant_locals
            program.usage.several |= keeping
        except AddressesExhausted as problem:
            slot_bits, static_bits = problem.slot_bits, problem.static_bits
            if slot_bits + static_bits > (62 if wide else 31):
                message = "the static objects of this program are too large for the address space of the model"
                raise PincerError(message, Position(program.file, 1, 1)) from None


def _of(hook: Hook) -> list[str]:
    return [name for name in (hook.before, hook.after, hook.on_entry, hook.on_return) if name is not None]


def handlers(hooks: Mapping[str, Hook]) -> dict[str, list[str]]:
    """The procedures that run around calls of each function and inside it."""
    return {name: _of(hook) for name, hook in hooks.items()}


def _unit(
    program: TypedProgram, means: Means, hooks: Mapping[str, Hook], slot_bits: int, static_bits: int, constants: int
) -> Unit:
    """A new unit, with room for so many constant objects of blocks."""
    target, usage = program.target, program.usage
    layout = Layout(target.data_model, target.pointer_bits, slot_bits)
    read_only = usage.strings + len(usage.variables) + constants
    while read_only + 1 >= 1 << static_bits:
        static_bits += 1
    return Unit(program, layout, Addresses(layout, read_only, static_bits), hooks, means, Orders(program, body))


def _assemble(unit: Unit, entry: str) -> ControlFlowProgram:
    lowered = _lower_reachable(unit, entry)
    name = _add_start(unit, lowered, entry)
    procedures: dict[str, Procedure] = {}
    first = 0
    for part in lowered.values():
        procedure = _finished(unit, part, first)
        first = 1 + max(procedure.exit, first, *(max(e.source, e.target) for e in procedure.edges), procedure.entry)
        procedures[procedure.name] = procedure
    if _makes_after_ending([e.label for p in procedures.values() for e in p.edges]):
        if unit.exchanges_pointers:
            unit.assume(NOT_EXCHANGED_AGAIN)
        elif unit.compares_pointers:
            unit.assume(NOT_USED_AGAIN)
    if unit.has_empty_objects and unit.literals.pointers_compared:
        unit.assume(EMPTY_ARE_APART)
    for assumption in (*unit.literals.assumed(), *map(wrapping, unit.program.wrapped)):
        unit.assume(assumption)
    return ControlFlowProgram(
        unit.program.file,
        unit.layout,
        procedures,
        name,
        unit.initial,
        tuple(unit.objects),
        tuple(unit.variables),
        unit.addresses.first_free,
        tuple(unit.assumptions),
        dict(unit.functions),
        tuple(dict.fromkeys((*unit.program.concerns, *unit.concerns))),
        entry if name == START else None,
        loops=dict(unit.loops),
        given=dict(unit.given),
    )


def _makes_after_ending(labels: list[Label]) -> bool:
    """Whether a program makes objects while it runs that may get the addresses of others that have ended."""
    stores = {label.storage for label in labels if isinstance(label, Allocate)}
    return "stack" in stores or ("heap" in stores and any(isinstance(label, Free) for label in labels))


def _lower_reachable(unit: Unit, entry: str) -> dict[str, Lowered]:
    program = unit.program
    observing = frozenset() if unit.observers is None else unit.observers.functions
    around = frozenset(name for names in handlers(unit.hooks).values() for name in names).union(observing)
    lowered: dict[str, Lowered] = {}
    pending = [entry, *runs_around(unit), *sorted(observing)]
    threaded = False
    while pending:
        name = pending.pop(0)
        if name in lowered or name not in program.definitions:
            continue
        if name in program.library and name in unit.means.assumed:
            unit.assume(unit.means.assumed[name])
        lowered[name] = part = lower(unit, program.definitions[name], around)
        edges, _ = tidied(part.frame.builder.edges, part.entry, part.exit)
        pending.extend(edge.label.procedure for edge in edges if isinstance(edge.label, Call))
        if not threaded and any(isinstance(edge.label, ThreadOperation) for edge in edges):
            threaded = True
            pending.extend(name for name in program.usage.arity if name in program.usage.addressed)
    return lowered


def _add_start(unit: Unit, lowered: dict[str, Lowered], entry: str) -> str:
    """Arguments and undefined objects before the entry: inside it, or in a procedure of their own
    if it is called or left by jumps.
    """
    part, may_jump = lowered[entry], entry in unit.program.usage.jumping
    called = any(
        isinstance(edge.label, Call) and edge.label.procedure == entry
        for other in lowered.values()
        for edge in other.frame.builder.edges
    )
    if not called and not may_jump and not runs_around(unit):
        frame = part.frame
        start = frame.builder.location()
        _emit_start(frame, start, part, part.parameters, _registers_read(part))
        frame.builder.jump(part.entry, frame.position)
        lowered[entry] = replace(part, parameters=(), entry=start)
        return entry
    builder = Builder(unit.threaded)
    frame = Frame(unit, START, Function(VOID, ()), builder, unit.position(part.definition.node))
    start, exit = builder.here, builder.location()
    registers = tuple(frame.temporary(bitvectors.width(register)) for register in part.parameters)
    read = _registers_read(part)
    used = [register for register, inside in zip(registers, part.parameters, strict=True) if inside in read]
    _emit_start(frame, start, part, registers, used)
    before_entry(frame)
    frame.emit(Call(entry, registers, None))
    if may_jump:
        refuse_jump(frame)
    after_entry(frame)
    builder.jump(exit, frame.position)
    definition = replace(part.definition, name=START)
    lowered[START] = Lowered(definition, frame, (), start, exit)
    return START


def _registers_read(part: Lowered) -> set[Term]:
    return {register for edge in part.frame.builder.edges for register in read_registers(edge.label)}


def _emit_start(frame: Frame, start: int, part: Lowered, registers: tuple[Term, ...], used: Collection[Term]) -> None:
    frame.position = frame.unit.position(part.definition.node)
    frame.builder.at(start)
    prepare(frame)
    give_arguments(frame, part.definition, registers, used)


def _finished(unit: Unit, part: Lowered, first: int) -> Procedure:
    raw: Iterable[RawEdge] = part.frame.builder.edges
    if not unit.addresses.any_read_only:
        raw = [replace(edge, label=Skip()) if _is_read_only_check(edge) else edge for edge in raw]
    tidy, moved = tidied(raw, part.entry, part.exit)
    places = {place: moved.get(place, place) for place in (part.entry, *part.frame.builder.loops)}
    result = part.frame.result if part.frame.result not in part.parameters else None
    if unit.observers is None:
        # What nobody reads is read by formulas.
        lively = without_dead_inputs(tidy, [] if result is None else [result])
        tidy, moved = tidied(lively, places[part.entry], part.exit)
        places = {place: moved.get(now, now) for place, now in places.items()}
    entry = places[part.entry]
    own, marks = without_marks(tidy, entry, part.exit)
    edges, names = numbered(own, entry, part.exit, first)
    made = Procedure(
        part.definition.name,
        part.parameters,
        result,
        names[entry],
        names[part.exit],
        tuple(edges),
        unit.position(part.definition.node),
        loop_heads(edges, names[entry]),
        {names[place]: tuple(Mark(item.check, item.position) for item in held) for place, held in marks.items()},
    )
    for place in _by_depth(part):
        head = names.get(places[place])
        if head in made.loop_heads:
            unit.loops.setdefault(seen_position(made, head), part.frame.builder.loops[place])
    return made


def _by_depth(part: Lowered) -> list[int]:
    """The heads of loops, inner ones before outer ones and those last that are never come back to. Where several loops
    have one head in the end, the innermost comes there in the rounds of all of them."""
    builder = part.frame.builder
    taken = [edge for edge in builder.edges if not (isinstance(edge.label, Assume) and edge.label.condition is FALSE)]
    again = loop_heads(taken, part.entry)
    return sorted(builder.loops, key=lambda place: (place in again, place), reverse=True)


def _is_read_only_check(edge: RawEdge) -> bool:
    return isinstance(edge.label, Check) and edge.label.kind == "read-only"
