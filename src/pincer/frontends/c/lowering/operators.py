"""The operators of C: arithmetic, comparison, assignment, conversions."""

from __future__ import annotations

from pincer.frontends.c.lowering import object_order
from pincer.frontends.c.lowering.arithmetic_marks import (
    mark_left_shift,
    mark_negation,
    mark_operation,
    quotient_fits,
)
from pincer.frontends.c.lowering.conversions import (
    NOTHING,
    convert,
    float_negated,
    float_operation,
    truth,
    truth_value,
)
from pincer.frontends.c.lowering.expressions import (
    advance,
    disturbs,
    note_order,
    pair,
    place,
    size_term,
    value,
)
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import assign, atomically, named_origin, read, spill, spill_place
from pincer.frontends.c.lowering.values import MemoryPlace, Place, RegisterPlace, Value, reads_memory, resized
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.effects import touched
from pincer.frontends.c.semantics.operators import COMPARISONS
from pincer.frontends.c.semantics.tree import Expression, Written, bare
from pincer.frontends.c.semantics.types import VOID, Floating, Integer, Pointer, Record, Void, is_atomic, is_signed
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Check
from pincer.program.registers import is_local

_ARITHMETIC = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor"}
_EXCHANGEABLE = COMPARISONS | frozenset("+*&|^")


def binary(frame: Frame, node: tree.Binary) -> Value:
    """All binary operators but the logical ones.

    C leaves the order of the operands open. Like gcc we take the left one first, except that a plain variable beside
    an operand with effects is read last where the operands can be exchanged, as those of a difference sometimes are.
    """
    note_order(frame, frame.unit.orders.operands((node.left, node.right), node.op), node.written)
    first, second = bare(node.left), bare(node.right)
    if node.op in COMPARISONS:
        frame.only_signs.update(one for one, other in ((first, second), (second, first)) if _is_zero(other))
    if touched(second).acts and _is_read_last(frame, node):
        right = value(frame, second)
        left = value(frame, first)
    else:
        left, right = pair(frame, first, second)
    if node.op in ("==", "!=") and _may_be_text(frame, left, node.written) and _may_be_text(frame, right, node.written):
        frame.unit.literals.compared = True
    left, right = convert(frame, left, node.left.type), convert(frame, right, node.right.type)
    return operate(frame, node.op, left, right, node.written)


def _is_zero(node: Expression) -> bool:
    return isinstance(node, tree.Number) and node.number == 0


def _is_read_last(frame: Frame, node: tree.Binary) -> bool:
    """Whether gcc exchanges the operands; it makes `-x + y` a difference, and `x - y * 3` a sum."""
    match node.op, bare(node.left), bare(node.right):
        case "+", tree.Unary(op="-", operand=negated), _:
            return _is_plain_variable(frame, negated)
        case "-", _, tree.Binary(op="*", left=one, right=other):
            constant = isinstance(bare(one), tree.Number) or isinstance(bare(other), tree.Number)
            return constant and _is_plain_variable(frame, node.left)
        case "-", _, tree.Unary(op="-"):
            return _is_plain_variable(frame, node.left)
    return node.op in _EXCHANGEABLE and _is_plain_variable(frame, node.left)


def _is_plain_variable(frame: Frame, operand: Expression) -> bool:
    """Whether an operand is a variable and has its bits."""
    node = bare(operand)
    if not isinstance(node, tree.Read) or not isinstance(node.place, tree.Object):
        return False
    own, wanted = node.place.type, operand.type
    if isinstance(own, Integer) and isinstance(wanted, Integer):
        return frame.target.bits(own) == frame.target.bits(wanted)
    return isinstance(own, Floating) and own == wanted


def operate(frame: Frame, op: str, left: Value, right: Value, node: Written, wraps: bool = False) -> Value:
    """left op right, on converted operands, for all operators but the logical ones.

    With `wraps` a sum or difference of signed integers that does not fit wraps around, as in changes of atomic objects.
    """
    if op in COMPARISONS:
        return _compare(frame, op, left, right, node)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _pointer_operation(frame, op, left, right, node)
    if isinstance(left.type, Floating):
        return float_operation(frame, op, left, right, node)
    if op in ("<<", ">>"):
        return _shift(frame, op, left, right, node)
    type = left.type
    assert isinstance(type, Integer)
    if op in ("/", "%"):
        return _divide(frame, op, left, right, node)
    if type.signed and op in "+-*" and not (wraps and op in "+-"):
        mark_operation(frame, op, left.term, right.term, node)
    return Value(type, bitvectors.binary(_ARITHMETIC[op], left.term, right.term))


def _shift(frame: Frame, op: str, a: Value, b: Value, node: Written) -> Value:
    """The amount must be less than the width of what is shifted, and not negative.

    A proof that does without that condition holds for what the processor does: it looks at the low bits of the amount.
    """
    assert isinstance(a.type, Integer) and isinstance(b.type, Integer)
    within = bitvectors.compare("bvult", b.term, bitvectors.constant(a.type.bits, b.type.bits))
    frame.emit(Check("shift", within, f"negative or too large shift in {source_text(node)}"), node)
    name = "bvshl" if op == "<<" else "bvashr" if a.type.signed else "bvlshr"
    amount = _low_bits(b.term, a.type.bits)
    if op == "<<" and a.type.signed:
        mark_left_shift(frame, a.term, amount, node)
    return Value(a.type, bitvectors.binary(name, a.term, amount))


def _low_bits(amount: Term, bits: int) -> Term:
    """The bits of a shift's amount that count for a word of so many bits, at the width of that word."""
    if bits not in (32, 64, 128):
        return resized(amount, bits, False)
    return resized(bitvectors.extract(bits.bit_length() - 2, 0, amount), bits, False)


def _divide(frame: Frame, op: str, a: Value, b: Value, node: Written) -> Value:
    """The divisor must not be zero, nor a signed quotient too large: the processor traps on both."""
    type = a.type
    assert isinstance(type, Integer)
    nonzero = terms.negate(terms.equal(b.term, bitvectors.constant(0, type.bits)))
    frame.emit(Check("division", nonzero, f"division by zero in {source_text(node)}"), node)
    fits = quotient_fits(type, a.term, b.term)
    frame.emit(Check("overflow", fits, f"signed overflow in {source_text(node)}"), node)
    kind = "s" if type.signed else "u"
    return Value(type, bitvectors.binary(f"bv{kind}{'div' if op == '/' else 'rem'}", a.term, b.term))


def _pointer_operation(frame: Frame, op: str, left: Value, right: Value, node: Written) -> Value:
    if isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        distance = bitvectors.binary("bvsub", left.term, right.term)
        size = size_term(frame, left.type.target)
        quotient = distance if size is frame.address(0) else bitvectors.binary("bvsdiv", distance, size)
        return object_order.distance(frame, left, right, node, Value(frame.target.difference_type, quotient))
    if isinstance(right.type, Pointer):
        left, right = right, left
    return advance(frame, left, right, backwards=op == "-", kept=node)


def _compare(frame: Frame, op: str, a: Value, b: Value, node: Written) -> Value:
    if isinstance(a.type, Floating):
        return float_operation(frame, op, a, b, node)
    if isinstance(a.type, Pointer) and a.term.op != "bvconst" and b.term.op != "bvconst":
        frame.unit.compares_pointers = True
    if isinstance(a.type, Pointer) and 0 not in (bitvectors.constant_value(a.term), bitvectors.constant_value(b.term)):
        frame.unit.literals.pointers_compared = True
    if op in ("==", "!="):
        equal = terms.equal(a.term, b.term)
        if isinstance(a.type, Pointer):
            equal = truth(object_order.equal(frame, a, b, node, truth_value(equal)), frame)
        return truth_value(equal if op == "==" else terms.negate(equal))
    name = f"bv{'s' if is_signed(a.type) else 'u'}{'lt' if op in ('<', '>') else 'le'}"
    first, second = (b.term, a.term) if op in (">", ">=") else (a.term, b.term)
    found = truth_value(bitvectors.compare(name, first, second))
    return object_order.ordered(frame, a, b, node, found) if isinstance(a.type, Pointer) else found


def _may_be_text(frame: Frame, pointer: Value, node: Written) -> bool:
    """Whether a pointer that is compared may point into a string literal, and the other one into an equal one. The null
    pointer does not, nor does one into a named object, nor one to records or pointers; and the library compares only
    pointers into one object. (C gives an order only to such.)"""
    if not isinstance(pointer.type, Pointer) or bitvectors.constant_value(pointer.term) == 0:
        return False
    if not isinstance(pointer.type.target, Void | Integer) or frame.unit.position(node).file == "<library>":
        return False
    base = None if pointer.origin is None else bitvectors.constant_value(pointer.origin.base)
    return base is None or base < frame.unit.addresses.first_writable


def unary(frame: Frame, node: tree.Unary) -> Value:
    if node.op == "!":
        frame.only_signs.add(node.operand)
    operand = value(frame, node.operand)
    if node.op == "!":
        return truth_value(terms.negate(truth(operand, frame)))
    if isinstance(operand.type, Floating):
        return float_negated(frame, operand, node.written)
    if node.op == "-" and is_signed(operand.type):
        mark_negation(frame, operand.term, node.written)
    change = bitvectors.negative if node.op == "-" else bitvectors.invert
    return Value(node.type, change(operand.term))


def step(frame: Frame, node: tree.Step, wanted: bool = True) -> Value:
    """`++` and `--`: the old value in postfix form, the new one in prefix form."""
    target = _stable(frame, place(frame, node.target))
    with atomically(frame, target):
        old = read(frame, target)
        if node.postfix and wanted:
            old = spill(frame, old)
        before, one, wraps = convert(frame, old, node.computed), value(frame, node.one), is_atomic(target.type)
        changed = operate(frame, node.op, before, one, node.written, wraps)
        new = assign(frame, target, changed, node.written)
    if node.postfix or not wanted:
        return old
    return _stored(frame, target, new)


def _stable(frame: Frame, target: Place) -> Place:
    """A place that is read and then written: its address must not depend on what is written."""
    if isinstance(target, MemoryPlace) and reads_memory(target.address):
        return spill_place(frame, target)
    return target


def _stored(frame: Frame, target: Place, given: Value) -> Value:
    """The value of an assignment: what the place holds now, or was given where other threads may have changed it."""
    if isinstance(target, RegisterPlace) and is_local(target.register):
        return Value(target.type, target.register)
    if frame.unit.threaded and not isinstance(target.type, Record) and getattr(target, "bits", None) is None:
        return given
    if isinstance(target, RegisterPlace):
        return Value(target.type, target.register)
    if isinstance(target.type, Record):
        return Value(target.type, target.address, target.origin)
    return read(frame, target)


def assignment(frame: Frame, node: tree.Assignment, wanted: bool = True) -> Value:
    """`=`: the place comes before the value; C leaves the order open, this is gcc's."""
    change = touched(node.value)
    note_order(frame, frame.unit.orders.assignment(node), node.written)
    target = place(frame, node.target)
    if isinstance(target, MemoryPlace) and change.acts and disturbs(frame, change, target.address):
        target = spill_place(frame, target)
    given = value(frame, bare(node.value))
    if wanted:
        target = _stable(frame, target)
    new = assign(frame, target, given, node.written)
    return _stored(frame, target, new) if wanted else NOTHING


def update(frame: Frame, node: tree.CompoundAssignment, wanted: bool = True) -> Value:
    """A compound assignment takes an operand with effects first, as gcc does."""
    note_order(frame, frame.unit.orders.assignment(node), node.written)
    operand = value(frame, bare(node.operand))
    if touched(node.operand).acts or disturbs(frame, touched(node.target), operand.term):
        operand = spill(frame, operand)
    target = _stable(frame, place(frame, node.target))
    with atomically(frame, target):
        old = convert(frame, read(frame, target), node.computed)
        given, wraps = convert(frame, operand, node.operand.type), is_atomic(target.type)
        changed = operate(frame, node.op, old, given, node.written, wraps)
        new = assign(frame, target, changed, node.written)
    return _stored(frame, target, new) if wanted else NOTHING


def conversion(frame: Frame, node: tree.Convert) -> Value:
    return convert(frame, value(frame, node.operand), node.type, node.operand.written)


def to_union(frame: Frame, node: tree.ToUnion) -> Value:
    """An object of the union, with the operand as its contents."""
    operand = value(frame, node.operand)
    size = frame.target.size(node.type) or 0
    address = frame.new_object(frame.unique("$union"), size)
    origin = named_origin(frame, address, size)
    assign(frame, MemoryPlace(operand.type, address, node.written, origin), operand, node.written)
    return Value(node.type, address, origin)


def sequence(frame: Frame, node: tree.Sequence) -> Value:
    for part in node.parts[:-1]:
        discard(frame, part)
    return value(frame, node.parts[-1])


def discard(frame: Frame, node: Expression) -> None:
    """Evaluate an expression for its effects only."""
    match node:
        case tree.Assignment():
            assignment(frame, node, wanted=False)
        case tree.CompoundAssignment():
            update(frame, node, wanted=False)
        case tree.Step():
            step(frame, node, wanted=False)
        case tree.Sequence(parts=parts):
            for part in parts:
                discard(frame, part)
        case tree.Convert(operand=operand) if node.type == VOID:
            discard(frame, operand)
        case _:
            value(frame, node)
