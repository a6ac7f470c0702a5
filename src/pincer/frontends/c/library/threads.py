"""Threads of POSIX and C11, and semaphores: which operation each function is, and what is assumed where it is used.

This is the one place that knows the functions by their names. Those of the library that are not listed here and have no
body in `threads.c` (cancellation, robust mutexes, ...) are unmodelled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from pincer.frontends.c.lowering.calls import Site, call, known, words
from pincer.frontends.c.lowering.conditions import only_if
from pincer.frontends.c.lowering.conversions import NOTHING, convert, number, zero
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.types import INT, VOID, Function, Pointer, is_scalar
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Begin, ControlFlowProgram
from pincer.program.graphs import reachable
from pincer.program.property import EVERY_KIND, Assumption
from pincer.program.thread_labels import (
    AtomicBegin,
    AtomicEnd,
    BarrierWait,
    Destroy,
    Detach,
    Exit,
    Initialise,
    Join,
    Lock,
    Once,
    OnceDone,
    Patience,
    Post,
    SameThread,
    Self,
    SemaphoreValue,
    SemaphoreWait,
    SetAttribute,
    Setting,
    Signal,
    Start,
    SyncKind,
    ThreadLabel,
    Unlock,
    Unmodelled,
    Wait,
    Yield,
)

NO_SPURIOUS_WAKING = Assumption("waiting for a condition ends only when it is signalled", waking=True)
NO_EARLY_WAKING = Assumption(
    "waiting with a time limit ends only when it is signalled or the time is over", waking=True
)
STACK_AFTER_EXIT = Assumption(
    "no object of a thread's stack is used after pthread_exit", leaves_open=frozenset({"memory"})
)
THREADS_ARE_CREATED = Assumption("pthread_create does not fail, and stores a new number before the thread begins")
FAILURES_ORDER = Assumption(
    "what a thread learns from the value of a semaphore, or from a thread that has not ended, it learns in order",
    leaves_open=frozenset({"race"}),
    concerns=frozenset({"race"}),
)
REFUSALS_ORDER = Assumption(
    "what a thread learns from a refused lock, it learns in order",
    leaves_open=frozenset({"race"}),
    concerns=frozenset({"race"}),
    refusing=True,
)
DESTRUCTORS_DO_NOTHING = Assumption("the destructors of thread-specific data do nothing", leaves_open=EVERY_KIND)
LIMITS_ARE_TIMES = Assumption("time limits of waiting are valid times")

_ONCE = ("pthread_once", "call_once")
_EBUSY, _ETIMEDOUT = 16, 110
_C11_WORDS = {0: 0, _EBUSY: 1, _ETIMEDOUT: 4}
_C11_ERROR = 2

_LIMITED = (LIMITS_ARE_TIMES, REFUSALS_ORDER)
_REFUSED = (REFUSALS_ORDER,)
_UNORDERED = (FAILURES_ORDER,)
_LIMITED_UNORDERED = (LIMITS_ARE_TIMES, FAILURES_ORDER)
_TRIES, _TIMED = Patience.NOT_AT_ALL, Patience.A_WHILE
_MUTEX, _SPIN, _RW = SyncKind.MUTEX, SyncKind.SPIN_LOCK, SyncKind.READ_WRITE_LOCK


class _Function(Struct, frozen=True):
    """A function of the library: how many arguments matter, the operation it is on them, what using it assumes."""

    arity: int
    operation: Callable[..., ThreadLabel]
    assumptions: tuple[Assumption, ...] = ()


def _initialise(kind: SyncKind, address: Term, attributes: Term | None = None) -> ThreadLabel:
    return Initialise(kind, address, attributes)


def _counted(kind: SyncKind, address: Term, _: Term, count: Term) -> ThreadLabel:
    return Initialise(kind, address, number=count)


def _timed_lock(kind: SyncKind, address: Term, limit: Term, shared: bool = False) -> ThreadLabel:
    return Lock(kind, address, _TIMED, shared, limit)


def _kept(setting: Setting, attributes: Term, value: Term | None = None) -> ThreadLabel:
    """A value that is kept in an attribute object; a new one has the value 0."""
    return SetAttribute(attributes, setting, bitvectors.constant(0, INT.bits) if value is None else value)


def _ignored(attributes: Term) -> ThreadLabel:
    return SetAttribute(attributes, Setting.IGNORED)


def _locking(kind: SyncKind, prefix: str) -> Mapping[str, _Function]:
    """What mutexes, spin locks and read-write locks have in common."""
    return {
        f"{prefix}_init": _Function(2 if kind is SyncKind.MUTEX else 1, partial(_initialise, kind)),
        f"{prefix}_destroy": _Function(1, partial(Destroy, kind)),
        f"{prefix}_unlock": _Function(1, partial(Unlock, kind)),
    }


def _plain_mutex(address: Term, kind: Term) -> ThreadLabel:
    """A mutex of C11; one that is recursive would need attributes."""
    number = bitvectors.constant_value(kind)
    plain = number is not None and number % 2 == 0
    return Initialise(_MUTEX, address) if plain else Unmodelled((address, kind))


def _started(thread: Term, routine: Term, argument: Term) -> ThreadLabel:
    return Start(thread, bitvectors.constant(0, bitvectors.width(argument)), routine, argument)


_C11: Mapping[str, _Function] = {
    "thrd_create": _Function(3, _started, (THREADS_ARE_CREATED,)),
    "thrd_exit": _Function(1, Exit, (STACK_AFTER_EXIT,)),
    "thrd_detach": _Function(1, Detach),
    "mtx_init": _Function(2, _plain_mutex),
    "mtx_destroy": _Function(1, partial(Destroy, _MUTEX)),
    "mtx_lock": _Function(1, partial(Lock, _MUTEX)),
    "mtx_trylock": _Function(1, partial(Lock, _MUTEX, patience=_TRIES), _REFUSED),
    "mtx_timedlock": _Function(2, partial(_timed_lock, _MUTEX), _LIMITED),
    "mtx_unlock": _Function(1, partial(Unlock, _MUTEX)),
    "cnd_init": _Function(1, partial(_initialise, SyncKind.CONDITION)),
    "cnd_destroy": _Function(1, partial(Destroy, SyncKind.CONDITION)),
    "cnd_wait": _Function(2, Wait, (NO_SPURIOUS_WAKING,)),
    "cnd_timedwait": _Function(3, Wait, (NO_EARLY_WAKING, LIMITS_ARE_TIMES)),
    "cnd_signal": _Function(1, Signal),
    "cnd_broadcast": _Function(1, partial(Signal, everyone=True)),
}
"""Functions of C11 that answer with success, busy (1), timed out (4) or error (2) instead of a number of an error."""

_FUNCTIONS: Mapping[str, _Function] = {
    **_C11,
    "thrd_join": _Function(2, Join),
    "thrd_current": _Function(0, Self),
    "thrd_equal": _Function(2, SameThread),
    "thrd_yield": _Function(0, Yield),
    "pthread_create": _Function(4, Start, (THREADS_ARE_CREATED,)),
    "pthread_join": _Function(2, Join),
    "pthread_tryjoin_np": _Function(2, partial(Join, patience=_TRIES), _UNORDERED),
    "pthread_exit": _Function(1, Exit, (STACK_AFTER_EXIT,)),
    "pthread_detach": _Function(1, Detach),
    "pthread_self": _Function(0, Self),
    "pthread_equal": _Function(2, SameThread),
    "pthread_yield": _Function(0, Yield),
    "pthread_attr_init": _Function(1, partial(_kept, Setting.DETACHED)),
    "pthread_attr_setdetachstate": _Function(2, partial(_kept, Setting.DETACHED)),
    "pthread_mutexattr_init": _Function(1, partial(_kept, Setting.MUTEX_KIND)),
    "pthread_mutexattr_settype": _Function(2, partial(_kept, Setting.MUTEX_KIND)),
    **dict.fromkeys(
        (
            "pthread_attr_destroy", "pthread_attr_setstacksize", "pthread_attr_setscope", "pthread_mutexattr_destroy",
            "pthread_mutexattr_setpshared", "pthread_condattr_init", "pthread_condattr_destroy",
            "pthread_rwlockattr_init", "pthread_rwlockattr_destroy", "pthread_barrierattr_init",
            "pthread_barrierattr_destroy",
        ),
        _Function(1, _ignored),
    ),
    **_locking(_MUTEX, "pthread_mutex"),
    "pthread_mutex_lock": _Function(1, partial(Lock, _MUTEX)),
    "pthread_mutex_trylock": _Function(1, partial(Lock, _MUTEX, patience=_TRIES), _REFUSED),
    "pthread_mutex_timedlock": _Function(2, partial(_timed_lock, _MUTEX), _LIMITED),
    **_locking(_SPIN, "pthread_spin"),
    "pthread_spin_lock": _Function(1, partial(Lock, _SPIN)),
    "pthread_spin_trylock": _Function(1, partial(Lock, _SPIN, patience=_TRIES), _REFUSED),
    **_locking(_RW, "pthread_rwlock"),
    "pthread_rwlock_rdlock": _Function(1, partial(Lock, _RW, shared=True)),
    "pthread_rwlock_wrlock": _Function(1, partial(Lock, _RW)),
    "pthread_rwlock_tryrdlock": _Function(1, partial(Lock, _RW, patience=_TRIES, shared=True), _REFUSED),
    "pthread_rwlock_trywrlock": _Function(1, partial(Lock, _RW, patience=_TRIES), _REFUSED),
    "pthread_rwlock_timedrdlock": _Function(2, partial(_timed_lock, _RW, shared=True), _LIMITED),
    "pthread_rwlock_timedwrlock": _Function(2, partial(_timed_lock, _RW), _LIMITED),
    "pthread_cond_init": _Function(1, partial(_initialise, SyncKind.CONDITION)),
    "pthread_cond_destroy": _Function(1, partial(Destroy, SyncKind.CONDITION)),
    "pthread_cond_wait": _Function(2, Wait, (NO_SPURIOUS_WAKING,)),
    "pthread_cond_timedwait": _Function(3, Wait, (NO_EARLY_WAKING, LIMITS_ARE_TIMES)),
    "pthread_cond_signal": _Function(1, Signal),
    "pthread_cond_broadcast": _Function(1, partial(Signal, everyone=True)),
    "pthread_barrier_init": _Function(3, partial(_counted, SyncKind.BARRIER)),
    "pthread_barrier_destroy": _Function(1, partial(Destroy, SyncKind.BARRIER)),
    "pthread_barrier_wait": _Function(1, BarrierWait),
    "sem_init": _Function(3, partial(_counted, SyncKind.SEMAPHORE)),
    "sem_destroy": _Function(1, partial(Destroy, SyncKind.SEMAPHORE)),
    "sem_post": _Function(1, Post),
    "sem_wait": _Function(1, SemaphoreWait),
    "sem_trywait": _Function(1, partial(SemaphoreWait, patience=_TRIES), _UNORDERED),
    "sem_timedwait": _Function(2, lambda address, limit: SemaphoreWait(address, _TIMED, limit), _LIMITED_UNORDERED),
    "sem_getvalue": _Function(2, SemaphoreValue, _UNORDERED),
    "__VERIFIER_atomic_begin": _Function(0, AtomicBegin),
    "__VERIFIER_atomic_end": _Function(0, AtomicEnd),
}  # fmt: skip


_SECTIONS = {
    f"__{verifier}_atomic_{end}": f"__VERIFIER_atomic_{end}"
    for verifier in ("VERIFIER", "CPROVER", "ESBMC")
    for end in ("begin", "end")
}
"""The words of verifiers for the ends of an atomic section, and the one that all readers know."""


def _section(site: Site) -> Value:
    site.name = _SECTIONS[site.name]
    return _thread_call(site)


def _thread_call(site: Site) -> Value:
    """A call of the library; one that ends the thread does not come back."""
    frame = site.frame
    if site.name in _ONCE:
        return _once(site)
    listed = _FUNCTIONS.get(site.name)
    for assumption in () if listed is None else listed.assumptions:
        frame.unit.assume(assumption)
    values = [argument for argument in site.values() if argument.type != VOID]
    if site.name == "thrd_exit":
        values = [convert(frame, argument, Pointer(VOID)) for argument in values]
    arguments = tuple(argument.term for argument in values)
    result = site.type.result
    register = frame.temporary(frame.target.bits(result)) if site.wanted and is_scalar(result) else None
    label = replace(_operation(listed, arguments), result=register, function=site.name)
    if isinstance(label, Exit):
        frame.end(label, site.node)
    else:
        frame.emit(label, site.node)
    if register is None:
        return zero(frame, result)
    return Value(result, _in_words_of_c11(register) if site.name in _C11 else register)


def _in_words_of_c11(number: Term) -> Term:
    """What C11 calls the number of an error."""
    width = bitvectors.width(number)
    answer = bitvectors.constant(_C11_ERROR, width)
    for error, word in _C11_WORDS.items():
        is_this = terms.equal(number, bitvectors.constant(error, width))
        answer = terms.conditional(is_this, bitvectors.constant(word, width), answer)
    return answer


def _joined(site: Site) -> Value:
    """For the body of `thrd_join`: wait for the end of a thread."""
    site.name = "thrd_join"
    return _thread_call(site)


def _bodied(site: Site) -> Value | None:
    """The body in the library does it. What it does not do is run a destructor."""
    if site.name in _KEYS and bitvectors.constant_value(site.pointer(1).term) != 0:
        site.frame.unit.assume(DESTRUCTORS_DO_NOTHING)
    return None


def _operation(listed: _Function | None, arguments: tuple[Term, ...]) -> ThreadLabel:
    if listed is None or len(arguments) < listed.arity:
        return Unmodelled(arguments)
    return listed.operation(*arguments[: listed.arity])


def _once(site: Site) -> Value:
    """The library tells whether the routine is still to be run (1); it is called here, as any other function."""
    frame = site.frame
    routine = site.arguments[1].type
    if not isinstance(routine, Pointer) or not isinstance(routine.target, Function):
        frame.unsupported(f"{site.name} with a routine that is declared as something else", site.node)
        return number(0, INT)
    control = site.values()[0].term
    first = frame.temporary(INT.bits)
    frame.emit(Once(control, result=first, function=site.name), site.node)
    with only_if(frame, terms.equal(first, bitvectors.constant(1, INT.bits)), site.node):
        call(frame, tree.Call(routine.target.result, site.node, site.arguments[1], ()), wanted=False)
        frame.emit(OnceDone(control, function=f"{site.name}_done"), site.node)
    return number(0, INT) if site.type.result == INT else NOTHING


_KEYS = ("pthread_key_create", "tss_create")
_BODIED = (
    *_KEYS, "pthread_key_delete", "pthread_setspecific", "pthread_getspecific", "tss_delete", "tss_set", "tss_get",
    "thrd_join", "thrd_sleep",
)  # fmt: skip

FUNCTIONS = {
    **known(("pthread_*", "sem_*", "mtx_*", "thrd_*", "cnd_*", "tss_*"), _thread_call),
    **words(_SECTIONS, _section, VOID),
    **known(("pthread_once",), _thread_call, INT),
    **known(("call_once",), _thread_call, VOID),
    **known(("__pincer_join",), _joined, INT),
    **known(_BODIED, _bodied),
}


def without_idle_assumption(program: ControlFlowProgram) -> ControlFlowProgram:
    """The program without the assumption about such objects where nobody who may be left that way has any."""
    if STACK_AFTER_EXIT not in program.assumptions:
        return program
    leaving = {
        name
        for name, procedure in program.procedures.items()
        if any(isinstance(edge.label, Exit) for edge in procedure.edges)
    }
    left = reachable(leaving, lambda name: program.callers.get(name, ()))
    if any(_is_stack_object(edge.label) for name in left for edge in program.procedures[name].edges):
        return program
    kept = tuple(assumption for assumption in program.assumptions if assumption != STACK_AFTER_EXIT)
    return replace(program, assumptions=kept)


def _is_stack_object(label: object) -> bool:
    return isinstance(label, Begin) or (isinstance(label, Allocate) and label.storage == "stack")
