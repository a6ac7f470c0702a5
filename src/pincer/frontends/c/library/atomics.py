"""The compiler's atomic operations: plain operations, in programs with threads inside an atomic section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pincer.frontends.c.lowering.calls import Site, known
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import NOTHING, convert, number, truth_value, zero
from pincer.frontends.c.lowering.memory import assign, read, spill
from pincer.frontends.c.lowering.operators import operate
from pincer.frontends.c.lowering.values import MemoryPlace, Value
from pincer.frontends.c.semantics.context import Use
from pincer.frontends.c.semantics.conversions import common_type
from pincer.frontends.c.semantics.types import BOOL, INT, VOID, CType, Pointer, plain
from pincer.logic import bitvectors, terms
from pincer.program.property import EVERY_KIND, Assumption
from pincer.program.thread_labels import AtomicBegin, AtomicEnd, MemoryOrder

_OPERATIONS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^", "nand": "&"}
WEAKER_ORDERS = Assumption(
    "atomic operations on several objects with weaker memory orders act like sequentially consistent ones",
    leaves_open=EVERY_KIND,
)
RELAXED_ORDERS = Assumption(
    "atomic operations with weaker memory orders than acquire and release act like sequentially consistent ones",
    leaves_open=EVERY_KIND,
)
"""`memory_orders` says which of these a program needs, and `analysis.relaxed_orders` which of them it does not need."""
NO_SPURIOUS_FAILURE = Assumption("a weak compare-exchange fails only if the values differ")
_ACQUIRE, _RELEASE, _BOTH, _SEQUENTIALLY_CONSISTENT = 2, 3, 4, 5
_BARRIERS = {
    "__sync_lock_test_and_set": MemoryOrder(releases=False, sequential=False),
    "__sync_lock_release": MemoryOrder(sequential=False),
}
"""Of the older functions, these two are no full barriers: the one acquires, the other releases."""
_FETCH = re.compile(r"__(?:sync|atomic)_(?:fetch_and_|fetch_)(add|sub|and|or|xor|nand)(?:_\d+)?")
_UPDATE = re.compile(r"__(?:sync|atomic)_(add|sub|and|or|xor|nand)(?:_and_fetch|_fetch)(?:_\d+)?")


def _object(site: Site, number: int = 0) -> MemoryPlace | None:
    """The object that an argument points to."""
    pointer = site.values()[number]
    if not isinstance(pointer.type, Pointer) or site.frame.target.size(pointer.type.target) not in (1, 2, 4, 8):
        site.frame.unsupported(f"{site.name} on this type", site.node)
        return None
    return MemoryPlace(plain(pointer.type.target), pointer.term, site.arguments[number].written, pointer.origin)


@contextmanager
def _section(site: Site) -> Iterator[None]:
    """What is done inside is one step for other threads. The arguments have been evaluated before."""
    site.values()
    threaded = site.frame.unit.threaded
    if threaded:
        site.frame.emit(AtomicBegin(order=_order(site)), site.node)
    yield
    if threaded:
        site.frame.emit(AtomicEnd(), site.node)


def _order(site: Site) -> MemoryOrder:
    """A memory order is the last argument, that for failure after that for success."""
    if site.name.startswith("__sync_"):
        return _BARRIERS.get(site.name, MemoryOrder())
    exchanges = "compare_exchange" in site.name
    orders = [bitvectors.constant_value(order.term) for order in site.values()[-2 if exchanges else -1 :]]
    stores = "store" in site.name or "clear" in site.name
    return MemoryOrder(
        acquires=stores or orders[0] in (_ACQUIRE, _BOTH, _SEQUENTIALLY_CONSISTENT),
        fails_acquiring=not exchanges or orders[1] in (_ACQUIRE, _SEQUENTIALLY_CONSISTENT),
        releases="load" in site.name or orders[0] in (_RELEASE, _BOTH, _SEQUENTIALLY_CONSISTENT),
        sequential=all(order == _SEQUENTIALLY_CONSISTENT for order in orders),
    )


def _sectioned(handler: Callable[[Site], Value]) -> Callable[[Site], Value]:
    """The whole operation is one step for other threads."""

    def in_section(site: Site) -> Value:
        with _section(site):
            return handler(site)

    return in_section


@_sectioned
def _atomic(site: Site) -> Value:
    fetch = _FETCH.fullmatch(site.name)
    change = fetch or _UPDATE.fullmatch(site.name)
    if change is not None:
        return _changed(site, change[1], before=fetch is not None)
    site.frame.unsupported(f"the function {site.name}", site.node)
    return zero(site.frame, site.type.result)


def _changed(site: Site, operation: str, before: bool) -> Value:
    place = _object(site)
    if place is None:
        return number(0, INT)
    old = spill(site.frame, read(site.frame, place))
    operand, plain = site.values()[1], old
    if isinstance(place.type, Pointer):
        plain = Value(site.frame.target.size_type, old.term)
    type = common_type(plain.type, operand.type, site.frame.target)
    sides = convert(site.frame, plain, type), convert(site.frame, operand, type)
    result = operate(site.frame, _OPERATIONS[operation], *sides, site.node, wraps=True)
    if operation == "nand":
        result = Value(result.type, bitvectors.invert(result.term))
    new = spill(site.frame, convert(site.frame, result, place.type))
    assign(site.frame, place, new, site.node)
    return old if before else new


@_sectioned
def _load(site: Site) -> Value:
    place = _object(site)
    return number(0, INT) if place is None else spill(site.frame, read(site.frame, place))


@_sectioned
def _store(site: Site) -> Value:
    place = _object(site)
    if place is not None:
        assign(site.frame, place, site.values()[1], site.node)
    return NOTHING


def _initialise(site: Site) -> Value:
    """Not atomic: nobody else may access the object meanwhile."""
    place = _object(site)
    if place is not None:
        assign(site.frame, place, site.values()[1], site.node)
    return NOTHING


@_sectioned
def _exchange(site: Site) -> Value:
    place = _object(site)
    if place is None:
        return number(0, INT)
    old = spill(site.frame, read(site.frame, place))
    assign(site.frame, place, site.values()[1], site.node)
    return old


def _through_memory(site: Site) -> Value:
    """The forms that take their operand, or give their result, through a pointer: (object, operand, result, ...)."""
    place, other = _object(site), _object(site, 1)
    if place is None or other is None:
        return NOTHING
    frame = site.frame
    if site.name == "__atomic_load":
        with _section(site):
            found = spill(frame, read(frame, place))
        assign(frame, other, found, site.node)
        return NOTHING
    given = spill(frame, read(frame, other))
    with _section(site):
        old = spill(frame, read(frame, place))
        assign(frame, place, given, site.node)
    result = _object(site, 2) if site.name == "__atomic_exchange" else None
    if result is not None:
        assign(frame, result, old, site.node)
    return NOTHING


@_sectioned
def _release(site: Site) -> Value:
    place = _object(site)
    if place is not None:
        assign(site.frame, place, zero(site.frame, place.type), site.node)
    return NOTHING


@_sectioned
def _test_and_set(site: Site) -> Value:
    pointer = site.values()[0]
    place = MemoryPlace(BOOL, pointer.term, site.arguments[0].written, pointer.origin)
    old = spill(site.frame, read(site.frame, place))
    assign(site.frame, place, number(1, BOOL), site.node)
    return old


def _fence(site: Site) -> Value:
    return NOTHING


@_sectioned
def _compare_and_swap(site: Site) -> Value:
    place = _object(site)
    if place is None:
        return number(0, INT)
    frame = site.frame
    old = spill(frame, read(frame, place))
    frame.unit.exchanges_pointers |= isinstance(place.type, Pointer)
    expected = spill(frame, convert(frame, site.values()[1], place.type))
    hit = terms.equal(old.term, expected.term)
    with only_if(frame, hit, site.node):
        assign(frame, place, site.values()[2], site.node)
    if site.name == "__sync_val_compare_and_swap":
        return old
    return truth_value(hit)


def _compare_exchange(site: Site) -> Value:
    """On failure the object found is stored where the expected value came from."""
    place, expected = _object(site), _object(site, 1)
    if place is None or expected is None:
        return number(0, INT)
    frame = site.frame
    if bitvectors.constant_value(site.values()[3].term) != 0:
        frame.unit.assume(NO_SPURIOUS_FAILURE)
    frame.unit.exchanges_pointers |= isinstance(place.type, Pointer)
    wanted = spill(frame, read(frame, expected))
    new = site.values()[2]
    if site.name == "__atomic_compare_exchange":
        desired = _object(site, 2)
        new = new if desired is None else spill(frame, read(frame, desired))
    with _section(site):
        old = spill(frame, read(frame, place))
        hit = terms.equal(old.term, wanted.term)
        with only_if(frame, hit, site.node):
            assign(frame, place, new, site.node)
    with only_if(frame, terms.negate(hit), site.node):
        assign(frame, expected, old, site.node)
    return truth_value(hit)


def _pointed(use: Use) -> CType:
    """The type of what the first argument points to, if it can be changed in one step."""
    first = use.arguments[0] if use.arguments else VOID
    fits = isinstance(first, Pointer) and use.target.size(first.target) in (1, 2, 4, 8)
    return plain(first.target) if isinstance(first, Pointer) and fits else INT


def _changed_type(use: Use) -> CType:
    changes = _FETCH.fullmatch(use.name) or _UPDATE.fullmatch(use.name)
    return _pointed(use) if changes else use.declared or INT


FUNCTIONS = {
    **known(("__sync_*", "__atomic_*"), _atomic, _changed_type),
    **known(("__atomic_load_n", "__c11_atomic_load"), _load, _pointed),
    **known(("__atomic_store_n", "__c11_atomic_store"), _store, VOID),
    **known(("__c11_atomic_init",), _initialise, VOID),
    **known(("__atomic_exchange_n", "__sync_lock_test_and_set", "__sync_swap"), _exchange, _pointed),
    **known(("__atomic_load", "__atomic_store", "__atomic_exchange"), _through_memory, VOID),
    **known(("__sync_lock_release", "__atomic_clear"), _release, VOID),
    **known(("__atomic_test_and_set",), _test_and_set, BOOL),
    **known(
        ("__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence", "__builtin_ia32_pause"), _fence, VOID
    ),
    **known(("__sync_bool_compare_and_swap",), _compare_and_swap, INT),
    **known(("__sync_val_compare_and_swap",), _compare_and_swap, _pointed),
    **known(("__atomic_compare_exchange_n", "__atomic_compare_exchange"), _compare_exchange, INT),
}
