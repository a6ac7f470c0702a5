"""The heap: malloc and its relatives, free, and alloca; the ends of the program; absolute values.

Heap objects lie above all static and fixed local ones, so a comparison tells them apart. Only objects made on the way
for recursive procedures and by alloca lie among them; marks tell those (see `marks`).
"""

from __future__ import annotations

from pincer.frontends.c.lowering.arithmetic_marks import mark_negation
from pincer.frontends.c.lowering.calls import Site, enter, known
from pincer.frontends.c.lowering.conditions import decide, only_if, unwritten
from pincer.frontends.c.lowering.conversions import NOTHING, convert, zero
from pincer.frontends.c.lowering.dynamic_objects import allocate_heap, free, largest_object, may_free, until_return
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import named_origin, spill
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import INT, LONG_LONG, VOID, Integer, Pointer, Record
from pincer.frontends.c.semantics.usage import EXIT_HANDLERS
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Check, Copy, Halt, Input, Store, Unsupported
from pincer.program.property import Assumption

_SIZED = {
    "malloc": 0, "kmalloc": 0, "vmalloc": 0, "__builtin_malloc": 0, "ldv_malloc": 0, "xmalloc": 0,
    "aligned_alloc": 1, "memalign": 1, "valloc": 0,
}  # fmt: skip
_ZEROED = ("kzalloc", "vzalloc", "ldv_zalloc", "xzalloc")
_COUNTED = ("calloc", "kcalloc", "__builtin_calloc", "xcalloc")
_HALTS = (
    "_exit", "_Exit", "abort", "quick_exit", "__builtin_trap", "__builtin_abort",
)  # fmt: skip
_ORDERLY = ("exit", "__builtin_exit")
_MOST_HANDLERS = 64
_FREES = ("free", "kfree", "vfree", "cfree", "__builtin_free", "ldv_free")
_VOID_POINTER = Pointer(VOID)
FAILURE = "failure of allocation"
ENOUGH_MEMORY = Assumption("memory allocation never fails for lack of memory", compiled=True)


def _sized(site: Site) -> Value:
    return _allocated(site, _size(site, _SIZED[site.name]), cleared=False)


def _zeroed(site: Site) -> Value:
    return _allocated(site, _size(site, 0), cleared=True)


def _counted(site: Site) -> Value:
    count, size = _size(site, 0), _size(site, 1)
    bits = bitvectors.width(count)
    exact = bitvectors.binary("bvmul", bitvectors.extend(size, bits, False), bitvectors.extend(count, bits, False))
    largest = bitvectors.constant((1 << bits) - 1, 2 * bits)
    product = terms.conditional(
        bitvectors.compare("bvule", exact, largest),
        bitvectors.binary("bvmul", size, count),
        bitvectors.constant(-1, bits),
    )
    return _allocated(site, product, cleared=True)


def _size(site: Site, number: int) -> Term:
    return convert(site.frame, site.values()[number], site.frame.target.size_type).term


def _allocated(site: Site, size: Term, cleared: bool) -> Value:
    """A new heap object, or null where allocations may fail; what is named `xmalloc` and the like never fails."""
    frame = site.frame
    if not frame.unit.program.malloc_may_fail:
        frame.unit.assume(ENOUGH_MEMORY)
        return _made(site, size, cleared)
    if site.name.startswith("x"):
        return _made(site, size, cleared)
    failed, result = frame.temporary(INT.bits), frame.temporary(frame.target.pointer_bits)
    frame.emit(Input(failed, FAILURE, "external"), site.node)
    frame.emit(Assume(bitvectors.compare("bvule", failed, bitvectors.constant(1, INT.bits))), site.node)
    join = frame.builder.location()
    with only_if(frame, terms.equal(failed, bitvectors.constant(1, INT.bits)), site.node, join):
        frame.emit(Assign(result, frame.address(0)), site.node)
    frame.emit(Assign(result, _made(site, size, cleared).term), site.node)
    frame.builder.jump(join, frame.unit.position(site.node))
    frame.builder.at(join)
    return Value(_VOID_POINTER, result)


def _made(site: Site, size: Term, cleared: bool) -> Value:
    """A new heap object. It always succeeds, except for more bytes than a slot can hold: that fails in LP64."""
    frame = site.frame
    result = frame.temporary(frame.target.pointer_bits)
    fits = _fits(frame, size)
    if fits is terms.TRUE:
        allocate_heap(frame, result, size, cleared, site.node)
        return Value(_VOID_POINTER, result)
    join = frame.builder.location()
    with only_if(frame, fits, site.node, join):
        allocate_heap(frame, result, _where_it_fits(frame, size), cleared, site.node)
    _too_large(frame, size, result, site.node)
    frame.builder.jump(join, frame.unit.position(site.node))
    frame.builder.at(join)
    return Value(_VOID_POINTER, result)


def _fits(frame: Frame, size: Term) -> Term:
    return bitvectors.compare("bvule", size, frame.address(largest_object(frame.unit)))


def _where_it_fits(frame: Frame, size: Term) -> Term:
    """A size of which is known that it fits: a product of `calloc` is no other number than that then."""
    otherwise = bitvectors.constant_value(size.args[2]) if size.op == "ite" else None
    return size.args[1] if otherwise is not None and otherwise > largest_object(frame.unit) else size


def _too_large(frame: Frame, size: Term, result: Term, node: Written) -> None:
    """Requests that no machine can meet give null; those that only this model cannot meet are not supported."""
    limit = largest_object(frame.unit)
    if frame.target.data_model == "ILP32":
        position = frame.unit.position(node)
        beyond, within = frame.builder.location(), frame.builder.location()
        huge = bitvectors.compare("bvult", frame.address((1 << 31) - 1), size)
        decide(frame, huge, unwritten(beyond, within, position))
        frame.builder.at(within)
        frame.end(Unsupported(f"allocation of more than {limit} bytes"), node)
        frame.builder.at(beyond)
    else:
        frame.unit.assume(Assumption(f"allocation of more than {limit} bytes fails"))
    frame.emit(Assign(result, frame.address(0)), node)


def _free(site: Site) -> Value:
    pointer = site.pointer(0)
    release(site.frame, pointer.term, site.spelled(0), site.node)
    return NOTHING


def release(frame: Frame, address: Term, text: str, node: Written) -> None:
    """free(address): null, or the start of a live heap object.

    What tells an empty object from none is behind it, where another thread may have an object of its own: in programs
    with threads one looks there only if need be.
    """
    message = f"{text} is no heap object that can be freed"
    if frame.unit.threaded and frame.unit.marks.empty:
        gone = terms.equal(bitvectors.room(address), frame.address(0))
        empty, full, checked = (frame.builder.location() for _ in range(3))
        decide(frame, gone, unwritten(empty, full, frame.unit.position(node)))
        frame.builder.at(full)
        frame.emit(Check("free", may_free(frame, address, empty=False), message), node)
        frame.builder.jump(checked, frame.unit.position(node))
        frame.builder.at(empty)
        frame.emit(Check("free", may_free(frame, address), message), node)
        frame.builder.jump(checked, frame.unit.position(node))
        frame.builder.at(checked)
    else:
        frame.emit(Check("free", may_free(frame, address), message), node)
    free(frame, address, node)


def _reallocate(site: Site) -> Value:
    """A new object with the old contents, while the old one is freed.

    With size zero an old object is only freed, and the result is null, as the GNU C library has it.
    """
    frame = site.frame
    null = frame.address(0)
    old = spill(frame, site.pointer(0)).term
    size = spill(frame, Value(frame.target.size_type, _size(site, 1))).term
    result = frame.temporary(frame.target.pointer_bits)
    join = frame.builder.location()
    text = f"{site.spelled(0)} is no heap object"
    vanishing = terms.conjunction(terms.equal(size, null), terms.negate(terms.equal(old, null)))
    with only_if(frame, vanishing, site.node, join):
        frame.unit.assume(Assumption("`realloc` to size zero frees the object and returns null"))
        frame.emit(Check("free", may_free(frame, old), text), site.node)
        free(frame, old, site.node)
        frame.emit(Assign(result, null), site.node)
    new = _allocated(site, size, cleared=False).term
    frame.emit(Assign(result, new), site.node)
    both = terms.negate(terms.disjunction(terms.equal(old, null), terms.equal(new, null)))
    with only_if(frame, both, site.node, join):
        frame.emit(Check("free", may_free(frame, old), text), site.node)
        room = bitvectors.room(old)
        moved = terms.conditional(bitvectors.compare("bvule", room, size), room, size)
        frame.emit(Copy(new, old, moved), site.node)
        free(frame, old, site.node)
    frame.builder.jump(join, frame.unit.position(site.node))
    frame.builder.at(join)
    return Value(_VOID_POINTER, result)


def _alloca(site: Site) -> Value:
    frame = site.frame
    size = _size(site, 0)
    if _fits(frame, size) is not terms.TRUE:
        frame.emit(Check("dereference", _fits(frame, size), "alloca of more memory than a stack has"), site.node)
    frame.unit.has_empty_objects |= bitvectors.constant_value(size) in (None, 0)
    return Value(_VOID_POINTER, until_return(frame, size, site.node))


def _absolute(site: Site) -> Value:
    type = site.result
    assert isinstance(type, Integer)
    term = convert(site.frame, site.values()[0], type).term
    mark_negation(site.frame, term, site.node)
    negative = bitvectors.compare("bvslt", term, bitvectors.constant(0, type.bits))
    return Value(type, terms.conditional(negative, bitvectors.negative(term), term))


def _divide(site: Site) -> Value:
    """Quotient and remainder as the two members of a record, each at half of it."""
    frame, type = site.frame, site.result
    if not isinstance(type, Record) or type.size is None:
        frame.unsupported(f"the function {site.name} without its header", site.node)
        return zero(frame, type)
    part = type.members[0].type
    left, right = (convert(frame, given, part).term for given in site.values()[:2])
    zero_divisor = terms.equal(right, bitvectors.constant(0, bitvectors.width(right)))
    message = f"{site.spelled(1)} is zero in a division"
    frame.emit(Check("division", terms.negate(zero_divisor), message), site.node)
    address = frame.new_object(frame.unique("$result"), type.size)
    for member in type.members:
        operation = "bvsdiv" if member.name == "quot" else "bvsrem"
        where = bitvectors.binary("bvadd", address, frame.address(member.offset))
        frame.emit(Store(where, bitvectors.binary(operation, left, right)), site.node)
    return Value(type, address, named_origin(frame, address, type.size))


def _halt(site: Site) -> Value:
    site.run_effects()
    site.frame.end(Halt(site.name, orderly=site.name in _ORDERLY), site.node)
    return zero(site.frame, site.type.result)


def _exit(site: Site) -> Value:
    """The end of the program, after the functions that wait for it."""
    frame = site.frame
    handlers = frame.unit.program.definitions.get(EXIT_HANDLERS)
    if handlers is not None:
        site.run_effects()
        enter(frame, handlers, (), site.node, wanted=False)
    return _halt(site)


def _unreachable(site: Site) -> Value:
    """The program promises never to come here."""
    site.frame.end(Check("unreachable", terms.FALSE, "__builtin_unreachable is reached"), site.node)
    return NOTHING


def _too_many_handlers(site: Site) -> Value:
    site.frame.unsupported(f"more than {_MOST_HANDLERS} functions given to atexit", site.node)
    return NOTHING


FUNCTIONS = {
    **known(_SIZED, _sized, _VOID_POINTER),
    **known(_ZEROED, _zeroed, _VOID_POINTER),
    **known(_COUNTED, _counted, _VOID_POINTER),
    **known(_FREES, _free, VOID),
    **known(("realloc", "krealloc", "__builtin_realloc", "xrealloc"), _reallocate, _VOID_POINTER),
    **known(("alloca", "__builtin_alloca", "__builtin_alloca_with_align"), _alloca, _VOID_POINTER),
    **known(("div", "ldiv", "lldiv", "imaxdiv"), _divide),
    **known(("abs", "__builtin_abs"), _absolute, INT),
    **known(("labs", "__builtin_labs"), _absolute, lambda use: use.target.long),
    **known(("llabs", "__builtin_llabs"), _absolute, LONG_LONG),
    **known(_HALTS, _halt),
    **known(("exit", "__builtin_exit"), _exit, VOID),
    **known(("__builtin_unreachable",), _unreachable, VOID),
    **known(("__too_many_exit_handlers",), _too_many_handlers, VOID),
}
