"""Statements: blocks, declarations, decisions, loops, jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pincer.frontends.c.lowering.calls import call
from pincer.frontends.c.lowering.conditions import Ways, branch, decide, unwritten
from pincer.frontends.c.lowering.conversions import NOTHING, convert
from pincer.frontends.c.lowering.dynamic_objects import ComputedLength, allocate_stack, until_return
from pincer.frontends.c.lowering.expressions import length_term, measure, size_term, value
from pincer.frontends.c.lowering.frame import Frame, LoopExit, leave
from pincer.frontends.c.lowering.initialisers import initialise
from pincer.frontends.c.lowering.lifetimes import begin_again, decided, full_expression, lifetime
from pincer.frontends.c.lowering.memory import copy_record, named_origin, spill
from pincer.frontends.c.lowering.operators import discard
from pincer.frontends.c.lowering.storage import described, fits_register, locate
from pincer.frontends.c.lowering.unit import Storage
from pincer.frontends.c.lowering.values import MemoryPlace, Place, RegisterPlace, Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.tree import Expression, Statement, Written, bare
from pincer.frontends.c.semantics.types import VOID, Array, CType, Floating, Integer, Length, Record
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check, End, Fail, FailKind, Input
from pincer.program.property import Assumption
from pincer.program.registers import Role, register_of

CONSTANTS_KEPT = Assumption(
    "nothing is written to constant objects of functions that call themselves or are run by threads",
    compiled=True,
)
_ERROR_LABELS = frozenset(("ERROR",))


def statement(frame: Frame, node: Statement | None) -> None:
    """Lower a statement or a declaration."""
    if node is not None:
        frame.move(node.written)
        if not isinstance(node, tree.Block):
            frame.observe_line()
        _HANDLERS[type(node)](frame, node)


def _evaluate(frame: Frame, node: tree.Evaluate) -> None:
    with full_expression(frame, node.expression):
        evaluate(frame, node.expression)
    frame.observe()


def evaluate(frame: Frame, node: Expression) -> None:
    """An expression statement: only its effects count."""
    found = node
    while isinstance(found, tree.Convert):
        found = found.operand
    if isinstance(found, tree.Call):
        call(frame, found, wanted=False)
    else:
        discard(frame, node)


def _block(frame: Frame, node: tree.Block) -> None:
    with lifetime(frame, node.entered):
        waiting = len(frame.cleanups)
        for item in node.statements:
            statement(frame, item)
        _clean_up(frame, waiting)
        del frame.cleanups[waiting:]


def _cleanup(frame: Frame, node: tree.Cleanup) -> None:
    frame.cleanups.append(node.call)


def _clean_up(frame: Frame, waiting: int) -> None:
    """Before blocks are left: the calls that came to wait since, the last one first."""
    for waiting_call in reversed(frame.cleanups[waiting:]):
        discard(frame, waiting_call)


def _group(frame: Frame, node: tree.Group) -> None:
    for item in node.statements:
        statement(frame, item)


def function_body(frame: Frame, body: tree.Body) -> None:
    """The outermost block: its objects are those of the function."""
    frame.labelled, frame.addressed = body.labelled, body.addressed
    for length in body.lengths:
        measure(frame, length)
    for item in body.block.statements:
        statement(frame, item)
    _clean_up(frame, 0)


def _measure(frame: Frame, node: tree.Measure) -> None:
    for length in node.lengths:
        measure(frame, length)


def _if(frame: Frame, node: tree.If) -> None:
    yes, no, after = (frame.builder.location() for _ in range(3))
    branch(frame, decided(frame, node.condition), Ways(yes, no, frame.position))
    for start, part in ((yes, node.yes), (no, node.no)):
        frame.builder.at(start)
        frame.observe()
        statement(frame, part)
        frame.builder.jump(after, frame.position)
    frame.builder.at(after)


def _while(frame: Frame, node: tree.While) -> None:
    head, body, after = (frame.builder.location() for _ in range(3))
    position = frame.builder.loops[head] = frame.position
    frame.builder.jump(head, position)
    frame.builder.at(head)
    branch(frame, decided(frame, node.condition), Ways(body, after, position))
    frame.builder.at(body)
    frame.observe()
    _loop_body(frame, node.body, after, head)
    frame.builder.jump(head, position)
    frame.builder.at(after)
    frame.observe()


def _do(frame: Frame, node: tree.DoWhile) -> None:
    body, test, after = (frame.builder.location() for _ in range(3))
    position = frame.builder.loops[body] = frame.position
    frame.builder.jump(body, position)
    frame.builder.at(body)
    frame.observe()
    _loop_body(frame, node.body, after, test)
    frame.builder.jump(test, position)
    frame.builder.at(test)
    frame.position = position
    branch(frame, decided(frame, node.condition), Ways(body, after, position))
    frame.builder.at(after)
    frame.observe()


def _for(frame: Frame, node: tree.For) -> None:
    with lifetime(frame, node.entered):
        position, waiting = frame.position, len(frame.cleanups)
        statement(frame, node.first)
        head, body, step, after = (frame.builder.location() for _ in range(4))
        frame.builder.loops[head] = position
        frame.builder.jump(head, position)
        frame.builder.at(head)
        frame.position = position
        if node.condition is not None:
            branch(frame, decided(frame, node.condition), Ways(body, after, position))
        else:
            frame.builder.jump(body, position)
        frame.builder.at(body)
        frame.observe()
        _loop_body(frame, node.body, after, step)
        frame.builder.jump(step, position)
        frame.builder.at(step)
        statement(frame, node.step)
        frame.builder.jump(head, position)
        frame.builder.at(after)
        frame.observe()
        _clean_up(frame, waiting)
        del frame.cleanups[waiting:]


def _loop_body(frame: Frame, node: Statement | None, after: int, again: int) -> None:
    frame.breaks.append(_exit(frame, after))
    frame.continues.append(_exit(frame, again))
    statement(frame, node)
    frame.breaks.pop()
    frame.continues.pop()


def _exit(frame: Frame, target: int) -> LoopExit:
    return LoopExit(target, len(frame.open), len(frame.cleanups))


def _leave_for(frame: Frame, way: LoopExit) -> None:
    _clean_up(frame, way.cleanups)
    leave(frame, way.blocks, way.target)


def _break(frame: Frame, node: tree.Break) -> None:
    _leave_for(frame, frame.breaks[-1])


def _continue(frame: Frame, node: tree.Continue) -> None:
    _leave_for(frame, frame.continues[-1])


def _switch(frame: Frame, node: tree.Switch) -> None:
    subject = value(frame, decided(frame, node.subject))
    if subject.term.op not in ("var", "bvconst") and len(node.cases) > 1:
        subject = spill(frame, subject)
    after = frame.builder.location()
    default = after
    for case in node.cases:
        start = frame.cases[case] = frame.builder.location()
        if case.low is None:
            default = start
            continue
        following = frame.builder.location()
        decide(frame, _matches(subject, case), Ways(start, following, frame.unit.position(case.written)))
        frame.builder.at(following)
    frame.builder.jump(default, frame.position)
    frame.breaks.append(_exit(frame, after))
    statement(frame, node.body)
    frame.breaks.pop()
    frame.builder.jump(after, frame.position)
    frame.builder.at(after)


def _matches(subject: Value, case: tree.Case) -> Term:
    assert isinstance(subject.type, Integer) and case.low is not None and case.high is not None
    bits, name = subject.type.bits, "bvsle" if subject.type.signed else "bvule"
    low, high = bitvectors.constant(case.low, bits), bitvectors.constant(case.high, bits)
    if low is high:
        return terms.equal(subject.term, low)
    return terms.conjunction(
        bitvectors.compare(name, low, subject.term), bitvectors.compare(name, subject.term, high)
    )  # fmt: skip


def _case(frame: Frame, node: tree.Case) -> None:
    start = frame.cases[node]
    frame.builder.jump(start, frame.position)
    frame.builder.at(start)
    frame.observe()
    for part in node.statements:
        statement(frame, part)


def _label(frame: Frame, node: tree.Label) -> None:
    _place_label(frame, node)
    frame.observe(f"at {node.spelling}")
    if node.spelling in _ERROR_LABELS:
        frame.end(Fail(f"the label {node.spelling} is reached", FailKind.LABEL), node.written)
    statement(frame, node.statement)


def _place_label(frame: Frame, node: tree.Label) -> None:
    start = _labelled(frame, node.name)
    frame.builder.jump(start, frame.position)
    frame.builder.at(start)


def _labelled(frame: Frame, name: str) -> int:
    if name not in frame.labels:
        frame.labels[name] = frame.builder.location()
    return frame.labels[name]


def _goto(frame: Frame, node: tree.Goto) -> None:
    if frame.cleanups:
        frame.unsupported("goto where a variable waits for its cleanup", node.written)
    leave(frame, 0, _labelled(frame, node.name))


def _computed_goto(frame: Frame, node: tree.ComputedGoto) -> None:
    """One branch for each label whose address is used in the function."""
    if frame.cleanups:
        frame.unsupported("goto where a variable waits for its cleanup", node.written)
    target = spill(frame, value(frame, node.target))
    hits = [(name, terms.equal(target.term, frame.unit.label_address(frame.name, name))) for name in frame.addressed]
    led = terms.disjunction(*(hit for _, hit in hits))
    frame.emit(Check("jump", led, f"{source_text(node.target.written)} is no label of {frame.name}"), node.written)
    for name, hit in hits:
        here, following = frame.builder.location(), frame.builder.location()
        decide(frame, hit, unwritten(here, following, frame.position))
        frame.builder.at(here)
        leave(frame, 0, _labelled(frame, name))
        frame.builder.at(following)
    frame.builder.at(frame.builder.location())


def _unmodelled(frame: Frame, node: tree.UnmodelledStatement) -> None:
    frame.unsupported(node.what, node.written)


def _return(frame: Frame, node: tree.Return) -> None:
    type = frame.type.result
    if node.value is not None:
        if type == VOID or frame.result is None:
            evaluate(frame, node.value)
        elif isinstance(type, Record):
            _return_record(frame, node.written, node.value, frame.result)
        else:
            returned = convert(frame, value(frame, bare(node.value)), type)
            if not frame.builder.retarget(returned.term, frame.result):
                frame.emit(Assign(frame.result, returned.term), node.written)
    elif type != VOID:
        undefined_result(frame, node.written)
    _clean_up(frame, 0)
    leave(frame, 0, frame.epilogue)


def undefined_result(frame: Frame, node: Written | None) -> None:
    """A function returns without the value its type promises; it is undefined, but 0 for main."""
    if frame.result is None or isinstance(frame.type.result, Record):
        return
    if frame.name == "main":
        frame.emit(Assign(frame.result, bitvectors.constant(0, bitvectors.width(frame.result))), node)
    else:
        frame.emit(Input(frame.result, f"missing return value of {frame.name}", "undefined"), node)


def _return_record(frame: Frame, node: Written, given: Expression, address: Term) -> None:
    returned, type = value(frame, given), frame.type.result
    size = frame.target.size(type) or 0
    source = MemoryPlace(type, returned.term, given.written, returned.origin)
    target = MemoryPlace(type, address, given.written, named_origin(frame, address, size))
    copy_record(frame, target, source, node)


def statement_expression(frame: Frame, node: tree.StatementExpression) -> Value:
    """The value of the last statement, kept because the variables it may use end here."""
    result = NOTHING
    arrays, waiting = len(frame.arrays), len(frame.cleanups)
    with lifetime(frame, node.block.entered):
        for part in node.block.statements:
            statement(frame, part)
        for label in node.labels:
            _place_label(frame, label)
        if node.value is not None:
            result = value(frame, node.value)
            if frame.objects or len(frame.arrays) > arrays or len(frame.cleanups) > waiting:
                result = _kept(frame, result, node.value.written)
        _clean_up(frame, waiting)
        del frame.cleanups[waiting:]
    return result


def _kept(frame: Frame, result: Value, node: Written) -> Value:
    """A value that does not change when the objects of the block end; a pointer may point to one of them."""
    if isinstance(result.type, Record):
        size = result.type.size or 0
        copy = until_return(frame, frame.address(size), node)
        source = MemoryPlace(result.type, result.term, node, result.origin)
        copy_record(frame, MemoryPlace(result.type, copy, node, named_origin(frame, copy, size)), source, node)
        return Value(result.type, copy, named_origin(frame, copy, size))
    return result if result.type == VOID else Value(result.type, spill(frame, result).term)


def declare(frame: Frame, node: tree.Declare) -> None:
    """An object of a block comes into being; a static one is there already."""
    variable = node.variable
    if variable.owner is None:
        locate(frame.unit, variable)
        return
    if isinstance(variable.type, Array) and frame.target.size(variable.type) is None:
        _declare_variable_length(frame, node, variable)
        return
    place = make_local(frame, variable)
    if node.initialiser is not None:
        with full_expression(frame, node.initialiser), _defining(frame, place):
            initialise(frame, place, node.initialiser, node.written)
        frame.observe()
    elif isinstance(place, RegisterPlace):
        floating = isinstance(variable.type, Floating)
        source = f"uninitialised variable {variable.name}"
        frame.emit(Input(place.register, source, "undefined", floating=floating), node.written)
    else:
        begin_again(frame, place.type, place.address, frame.target.size(place.type) or 0, node.written)


@contextmanager
def _defining(frame: Frame, place: Place) -> Iterator[None]:
    """A constant object may be written while it gets its value."""
    if isinstance(place, MemoryPlace):
        frame.defining.add(place.address)
    yield
    if isinstance(place, MemoryPlace):
        frame.defining.discard(place.address)


def make_local(frame: Frame, variable: Variable) -> Place:
    """The register or object of a local variable."""
    unit, name = frame.unit, frame.unique(variable.name)
    if fits_register(variable, unit):
        register = register_of(frame.name, name, frame.target.bits(variable.type))
        unit.storage[variable] = Storage(register=register)
        frame.note(described(unit, variable))
        if id(variable.node) in unit.program.usage.bypassed:
            frame.bypassed.append((register, variable.name))
        return RegisterPlace(variable.type, register)
    size = frame.target.size(variable.type) or 0
    address = frame.new_object(name, size, variable.const)
    pointed = isinstance(variable.type, Array | Record) or unit.program.is_pointed_to(variable)
    if variable.const and bitvectors.constant_value(address) is None and pointed:
        unit.assume(CONSTANTS_KEPT)
    unit.storage[variable] = Storage(address=address)
    frame.note(described(unit, variable))
    return MemoryPlace(variable.type, address, variable.node, named_origin(frame, address, size))


def _declare_variable_length(frame: Frame, node: tree.Declare, variable: Variable) -> None:
    """A new object each time the declaration is reached; the one of the last time ends then."""
    address = register_of(frame.name, frame.unique(variable.name), frame.target.pointer_bits, Role.ADDRESS)
    frame.unit.storage[variable] = Storage(address=address)
    frame.note(described(frame.unit, variable))
    frame.arrays.append(address)
    frame.emit(End(address), node.written)
    lengths = list(_lengths(frame, variable.type))
    for length in lengths:
        # C knows no arrays without elements.
        message = f"an array with a length that is not positive, {length.text}"
        frame.emit(Check("bounds", bitvectors.compare("bvslt", frame.address(0), length.term), message), node.written)
    allocate_stack(frame, address, size_term(frame, variable.type), node.written, lengths)


def _lengths(frame: Frame, type: CType) -> Iterator[ComputedLength]:
    """The computed lengths of an array, from the outermost one."""
    while isinstance(type, Array):
        if isinstance(type.length, Length):
            yield ComputedLength(length_term(frame, type.length), source_text(type.length.expression.written))
        type = type.element


def declared_parameter(frame: Frame, variable: Variable, passed: Term) -> Place:
    """The place of a parameter that arrives in the register `passed`."""
    if fits_register(variable, frame.unit):
        frame.unit.storage[variable] = Storage(register=passed)
        frame.note(described(frame.unit, variable))
        return RegisterPlace(variable.type, passed)
    return make_local(frame, variable)


_HANDLERS: Mapping[type, Callable[[Frame, Any], None]] = {
    tree.Block: _block,
    tree.Group: _group,
    tree.Evaluate: _evaluate,
    tree.Declare: declare,
    tree.Measure: _measure,
    tree.If: _if,
    tree.While: _while,
    tree.DoWhile: _do,
    tree.For: _for,
    tree.Break: _break,
    tree.Continue: _continue,
    tree.Switch: _switch,
    tree.Case: _case,
    tree.Label: _label,
    tree.Goto: _goto,
    tree.ComputedGoto: _computed_goto,
    tree.Return: _return,
    tree.Cleanup: _cleanup,
    tree.UnmodelledStatement: _unmodelled,
}
