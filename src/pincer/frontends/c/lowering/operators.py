"""The operators of C: arithmetic, comparison, assignment, casts, sizeof."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.lowering.conversions import (
    NOTHING,
    common_type,
    convert,
    number,
    promoted_type,
    truth,
    truth_value,
    zero,
)
from pincer.frontends.c.lowering.expressions import (
    advance,
    pair,
    place,
    size_term,
    type_of,
    value,
    values,
)
from pincer.frontends.c.lowering.floats import float_negated, float_operation
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import assign, atomically, named_origin, read, spill, spill_place
from pincer.frontends.c.lowering.terms import reads_memory, resized
from pincer.frontends.c.lowering.values import MemoryPlace, Place, RegisterPlace, Value
from pincer.frontends.c.semantics.alignments import alignment_of
from pincer.frontends.c.semantics.constancy import check_assignable
from pincer.frontends.c.semantics.declarations import type_name
from pincer.frontends.c.semantics.effects import effects
from pincer.frontends.c.semantics.evaluation_order import note_assignment, note_order
from pincer.frontends.c.semantics.types import (
    INT,
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Void,
    is_signed,
    plain,
    text,
)
from pincer.frontends.c.syntax import nodes
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Check
from pincer.program.registers import is_local

_ARITHMETIC = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor"}
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


def binary_operation(frame: Frame, node: c_ast.BinaryOp) -> Value:
    """All binary operators but the logical ones.

    C leaves the order of the operands open. Like gcc we take the left one first, except that a plain variable beside
    an operand with effects is read last where the operands can be exchanged.
    """
    note_order(frame, (node.left, node.right), node)
    exchangeable = node.op in _COMPARISONS or node.op in ("+", "*", "&", "|", "^")
    if exchangeable and isinstance(node.left, c_ast.ID) and not effects(node.right).none:
        type = type_of(frame, node.left)
        if isinstance(type, Integer) and type == promoted_type(type):
            right = value(frame, node.right)
            return operate(frame, node.op, value(frame, node.left), right, node)
    left, right = pair(frame, node.left, node.right)
    return operate(frame, node.op, left, right, node)


def operate(frame: Frame, op: str, left: Value, right: Value, node: c_ast.Node) -> Value:
    """left op right, for all operators but the logical ones."""
    if isinstance(left.type, Record | Void) or isinstance(right.type, Record | Void):
        raise frame.unit.error(f"`{op}` needs numbers or pointers", node)
    if op in _COMPARISONS:
        return _compare(frame, op, left, right, node)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _pointer_operation(frame, op, left, right, node)
    if isinstance(left.type, Floating) or isinstance(right.type, Floating):
        type = common_type(left.type, right.type, frame.target)
        return float_operation(frame, op, convert(frame, left, type), convert(frame, right, type), node)
    if op in ("<<", ">>"):
        return _shift(frame, op, left, right, node)
    type = common_type(left.type, right.type, frame.target)
    a, b = convert(frame, left, type), convert(frame, right, type)
    assert isinstance(type, Integer)
    if type.bits > 64:
        frame.unsupported("128-bit integers", node)
        return zero(frame, type)
    if op in ("/", "%"):
        return _divide(frame, op, a, b, type, node)
    return Value(type, bitvectors.binary(_ARITHMETIC[op], a.term, b.term))


def _shift(frame: Frame, op: str, left: Value, right: Value, node: c_ast.Node) -> Value:
    """The result has the promoted type of the left operand; the amount must be less than its width and not negative.

    A proof that does without that condition holds for what the processor does: it looks at the low bits of the amount.
    """
    a = convert(frame, left, promoted_type(left.type))
    b = convert(frame, right, promoted_type(right.type))
    assert isinstance(a.type, Integer) and isinstance(b.type, Integer)
    within = bitvectors.compare("bvult", b.term, bitvectors.constant(a.type.bits, b.type.bits))
    frame.emit(Check("shift", within, f"negative or too large shift in {source_text(node)}"), node)
    name = "bvshl" if op == "<<" else "bvashr" if a.type.signed else "bvlshr"
    return Value(a.type, bitvectors.binary(name, a.term, _low_bits(b.term, a.type.bits)))


def _low_bits(amount: Term, bits: int) -> Term:
    """The bits of a shift's amount that count for a word of so many bits, at the width of that word."""
    if bits not in (32, 64):
        return resized(amount, bits, False)
    return resized(bitvectors.extract(bits.bit_length() - 2, 0, amount), bits, False)


def _divide(frame: Frame, op: str, a: Value, b: Value, type: Integer, node: c_ast.Node) -> Value:
    """The divisor must not be zero, nor a signed quotient too large: the processor traps on both."""
    nonzero = terms.negate(terms.equal(b.term, bitvectors.constant(0, type.bits)))
    if type.signed and a.term.op not in ("sign_extend", "zero_extend"):
        least = terms.equal(a.term, bitvectors.constant(1 << type.bits - 1, type.bits))
        overflow = terms.conjunction(least, terms.equal(b.term, bitvectors.constant(-1, type.bits)))
        nonzero = terms.conjunction(nonzero, terms.negate(overflow))
    frame.emit(Check("division", nonzero, f"division by zero or overflow in {source_text(node)}"), node)
    kind = "s" if type.signed else "u"
    return Value(type, bitvectors.binary(f"bv{kind}{'div' if op == '/' else 'rem'}", a.term, b.term))


def _pointer_operation(frame: Frame, op: str, left: Value, right: Value, node: c_ast.Node) -> Value:
    if op == "+" and isinstance(right.type, Pointer):
        left, right = right, left
    if op in ("+", "-") and isinstance(left.type, Pointer) and isinstance(right.type, Integer):
        return advance(frame, left, right, node, backwards=op == "-")
    if op == "-" and isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
        distance = bitvectors.binary("bvsub", left.term, right.term)
        size = size_term(frame, left.type.target, node)
        quotient = distance if size is frame.address(0) else bitvectors.binary("bvsdiv", distance, size)
        return Value(frame.target.difference_type, quotient)
    raise frame.unit.error(f"`{op}` cannot combine these pointers", node)


def _compare(frame: Frame, op: str, left: Value, right: Value, node: c_ast.Node) -> Value:
    pointers = isinstance(left.type, Pointer) or isinstance(right.type, Pointer)
    type: CType = Pointer(VOID) if pointers else common_type(left.type, right.type, frame.target)
    a, b = convert(frame, left, type), convert(frame, right, type)
    if isinstance(type, Floating):
        return float_operation(frame, op, a, b, node)
    if pointers and a.term.op != "bvconst" and b.term.op != "bvconst":
        frame.unit.compares_pointers = True
    if op in ("==", "!="):
        equal = terms.equal(a.term, b.term)
        return truth_value(equal if op == "==" else terms.negate(equal))
    name = f"bv{'s' if is_signed(type) else 'u'}{'lt' if op in ('<', '>') else 'le'}"
    first, second = (b.term, a.term) if op in (">", ">=") else (a.term, b.term)
    return truth_value(bitvectors.compare(name, first, second))


@values(c_ast.UnaryOp)
def _unary(frame: Frame, node: c_ast.UnaryOp) -> Value:
    match node.op:
        case "sizeof":
            return _size(frame, node)
        case "_Alignof" | "__alignof__":
            return number(alignment_of(frame, node), frame.target.size_type)
        case "&":
            return _address(frame, node)
        case "*":
            return read(frame, place(frame, node))
        case "!":
            return truth_value(terms.negate(truth(value(frame, node.expr), frame)))
        case "++" | "--" | "p++" | "p--":
            return step(frame, node)
        case "+" | "-" | "~":
            return _signed(frame, node)
    frame.unsupported(f"the operator {node.op}", node)
    return zero(frame, type_of(frame, node.expr))


def _signed(frame: Frame, node: c_ast.UnaryOp) -> Value:
    operand = value(frame, node.expr)
    if isinstance(operand.type, Floating):
        return operand if node.op == "+" else float_negated(frame, operand, node)
    if not isinstance(operand.type, Integer):
        raise frame.unit.error(f"`{node.op}` needs a number", node)
    promoted = convert(frame, operand, promoted_type(operand.type))
    if node.op == "+":
        return promoted
    change = bitvectors.negative if node.op == "-" else bitvectors.invert
    return Value(promoted.type, change(promoted.term))


def _size(frame: Frame, node: c_ast.UnaryOp) -> Value:
    if isinstance(node.expr, c_ast.Typename):
        type = type_name(frame, node.expr)
    else:
        type = type_of(frame, node.expr)
    return Value(frame.target.size_type, size_term(frame, type, node))


def _address(frame: Frame, node: c_ast.UnaryOp) -> Value:
    found = place(frame, node.expr)
    if not isinstance(found, MemoryPlace) or found.bits is not None:
        raise frame.unit.error("this has no address; name a variable or an element", node)
    return Value(Pointer(found.type), found.address, found.origin)


def step(frame: Frame, node: c_ast.UnaryOp, wanted: bool = True) -> Value:
    """`++` and `--`: the old value in postfix form, the new one in prefix form."""
    target = _changeable(frame, node.expr)
    with atomically(frame, target):
        old = read(frame, target)
        if node.op.startswith("p") and wanted:
            old = spill(frame, old)
        one = number(1, frame.target.difference_type) if isinstance(old.type, Pointer) else number(1, INT)
        new = assign(frame, target, operate(frame, node.op[-1], old, one, node), node)
    if node.op.startswith("p") or not wanted:
        return old
    return _stored(frame, target, new)


def _changeable(frame: Frame, node: c_ast.Node) -> Place:
    check_assignable(frame, node)
    target = _stable(frame, place(frame, node))
    if isinstance(target.type, Array | Function | Record):
        raise frame.unit.error(f"`{source_text(node)}` is no number or pointer that could be changed", node)
    return target


def _stable(frame: Frame, target: Place) -> Place:
    """A place that is read and then written: its address must not depend on what is written."""
    if isinstance(target, MemoryPlace) and reads_memory(target.address):
        return spill_place(frame, target)
    return target


def _stored(frame: Frame, target: Place, given: Value) -> Value:
    """The value of an assignment: what the place holds now, or was given where other threads may have changed it."""
    if isinstance(target, RegisterPlace) and is_local(target.register):
        return Value(target.type, target.register)
    if frame.unit.usage.threaded and not isinstance(target.type, Record) and getattr(target, "bits", None) is None:
        return given
    if isinstance(target, RegisterPlace):
        return Value(target.type, target.register)
    if isinstance(target.type, Record):
        return Value(target.type, target.address, target.origin)
    return read(frame, target)


@values(c_ast.Assignment)
def _assignment(frame: Frame, node: c_ast.Assignment) -> Value:
    return assignment(frame, node)


def assignment(frame: Frame, node: c_ast.Assignment, wanted: bool = True) -> Value:
    """`=` and the compound assignments.

    The place comes before the value, except that a compound assignment takes an operand with effects first: C leaves
    the order open, this is gcc's.
    """
    change = effects(node.rvalue)
    note_assignment(frame, node)
    if node.op == "=":
        check_assignable(frame, node.lvalue)
        target = place(frame, node.lvalue)
        if isinstance(target.type, Array | Function):
            raise frame.unit.error(f"`{source_text(node.lvalue)}` cannot be assigned as a whole", node)
        if isinstance(target, MemoryPlace) and not change.none and change.disturb(target.address):
            target = spill_place(frame, target)
        result = assigned_value(frame, node.rvalue, target)
    else:
        operand = value(frame, node.rvalue)
        if not change.none or effects(node.lvalue).disturb(operand.term):
            operand = spill(frame, operand)
        target = _changeable(frame, node.lvalue)
        with atomically(frame, target):
            new = assign(frame, target, operate(frame, node.op[:-1], read(frame, target), operand, node), node)
        return _stored(frame, target, new) if wanted else NOTHING
    if wanted:
        target = _stable(frame, target)
    new = assign(frame, target, result, node)
    return _stored(frame, target, new) if wanted else NOTHING


def assigned_value(frame: Frame, node: c_ast.Node, target: Place) -> Value:
    """The value to be written to a place; a record must be of the same type."""
    result = value(frame, node)
    if isinstance(target.type, Record) and result.type is not target.type:
        raise frame.unit.error(f"a value of type `{text(result.type)}` cannot become a `{text(target.type)}`", node)
    return result


@values(c_ast.Cast)
def _cast(frame: Frame, node: c_ast.Cast) -> Value:
    type = type_name(frame, node.to_type)
    if isinstance(type, Record):
        return _cast_to_record(frame, node, type)
    return convert(frame, value(frame, node.expr), type)


def _cast_to_record(frame: Frame, node: c_ast.Cast, type: Record) -> Value:
    """To its own type, or (a GNU extension) to a union that has a member of the operand's type."""
    operand = value(frame, node.expr)
    if operand.type is type:
        return operand
    fitting = [member for member in type.members if member.type == operand.type and member.bits is None]
    if type.kind != "union" or not fitting or frame.name == "$static":
        raise frame.unit.error(f"a value of type `{text(operand.type)}` cannot become a `{text(type)}`", node)
    size = frame.target.size(type) or 0
    address = frame.new_object(frame.unique("$union"), size)
    origin = named_origin(frame, address, size)
    assign(frame, MemoryPlace(operand.type, address, node, origin), operand, node)
    return Value(type, address, origin)


@values(c_ast.ExprList)
def _comma(frame: Frame, node: c_ast.ExprList) -> Value:
    for part in node.exprs[:-1]:
        discard(frame, part)
    return value(frame, node.exprs[-1])


def discard(frame: Frame, node: c_ast.Node) -> None:
    """Evaluate an expression for its effects only."""
    if isinstance(node, c_ast.Assignment):
        assignment(frame, node, wanted=False)
    elif isinstance(node, c_ast.UnaryOp) and node.op in ("++", "--", "p++", "p--"):
        step(frame, node, wanted=False)
    elif isinstance(node, c_ast.ExprList):
        for part in node.exprs:
            discard(frame, part)
    elif isinstance(node, c_ast.Cast) and _is_void(frame, node):
        discard(frame, node.expr)
    else:
        value(frame, node)


def _is_void(frame: Frame, node: c_ast.Cast) -> bool:
    return type_name(frame, node.to_type) == VOID


@values(nodes.OffsetOf)
def _offset(frame: Frame, node: nodes.OffsetOf) -> Value:
    offset, _ = _member_offset(frame, type_name(frame, node.type), node.member)
    return Value(frame.target.size_type, offset)


def _member_offset(frame: Frame, type: CType, node: c_ast.Node) -> tuple[Term, CType]:
    if isinstance(node, c_ast.ArrayRef):
        base, array = _member_offset(frame, type, node.name)
        if not isinstance(array, Array):
            raise frame.unit.error("a subscript needs an array", node)
        index = convert(frame, value(frame, node.subscript), frame.target.size_type)
        delta = bitvectors.binary("bvmul", size_term(frame, array.element, node), index.term)
        return bitvectors.binary("bvadd", base, delta), array.element
    base = frame.address(0)
    name = node.name if isinstance(node, c_ast.ID) else node.field.name
    if isinstance(node, c_ast.StructRef):
        base, type = _member_offset(frame, type, node.name)
    member = type.index.get(name) if isinstance(type, Record) else None
    if member is None:
        raise frame.unit.error(f"`{text(type)}` has no member `{name}`", node)
    return bitvectors.binary("bvadd", base, frame.address(member.offset)), member.type


@values(nodes.TypesCompatible)
def _compatible(frame: Frame, node: nodes.TypesCompatible) -> Value:
    return number(int(type_name(frame, node.left) == type_name(frame, node.right)), INT)


@values(c_ast.GenericSelection)
def _generic(frame: Frame, node: c_ast.GenericSelection) -> Value:
    subject = plain(type_of(frame, node.expr))
    if isinstance(subject, Array):
        subject = Pointer(subject.element)
    elif isinstance(subject, Function):
        subject = Pointer(subject)
    chosen = None
    for association in node.associations:
        if association.type is None:
            chosen = chosen or association
        elif type_name(frame, association.type) == subject:
            chosen = association
            break
    if chosen is None:
        raise frame.unit.error("no association of this `_Generic` fits", node)
    return value(frame, chosen.expr)
