"""Calls: fresh scopes for internal ones, time of their own for external ones, stubs for the library."""

from __future__ import annotations

from pincer.execution.msvl.arithmetic import converted
from pincer.execution.msvl.evaluation import evaluate
from pincer.execution.msvl.library import library_call
from pincer.execution.msvl.machine import Books, Machine
from pincer.execution.msvl.records import Limit, UndefinedValue
from pincer.execution.msvl.store import GLOBAL, ObjectInfo
from pincer.execution.msvl.values import NIL_VALUE, Aggregate, Value
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import RESULT, MsvlFunction
from pincer.frontends.msvl.syntax import Node


def enter(m: Machine, function: MsvlFunction, arguments: tuple[Value, ...], at: int) -> int:
    """A scope in which the formal parameters have the values of the arguments."""
    if m.depth >= m.options.max_call_depth:
        raise Limit(f"calls are nested more than {m.options.max_call_depth} deep")
    scope = m.store.open_scope(GLOBAL)
    for formal, argument in zip(function.formals, arguments, strict=True):
        value = converted(m, argument, formal.type, at)
        info = ObjectInfo(formal.name, formal.type, m.program.layouts.slots(formal.type), True, True)
        give(m, m.store.allocate(info, scope), value)
    if function.result is not None:
        slots = m.program.layouts.slots(function.result)
        m.store.allocate(ObjectInfo(RESULT, function.result, slots, True, True), scope)
    return scope


def give(m: Machine, number: int, value: Value) -> None:
    """Fill an object nobody else can know yet."""
    if isinstance(value.concrete, Aggregate):
        for i, slot in enumerate(value.concrete.slots):
            m.store.write(number, i, slot)
    else:
        m.store.write(number, 0, value)


def arguments_of(m: Machine, call: syntax.Call) -> tuple[Value, ...]:
    return tuple(evaluate(m, argument) for argument in call.arguments)


def result_of(m: Machine, function: MsvlFunction, scope: int, at: int) -> Value:
    """What the function has left in its result."""
    number = m.store.lookup(scope, RESULT)
    assert number is not None
    info = m.store.objects[number]
    if info.aggregate:
        slots = tuple(m.store.read(number, i) for i in range(info.slots))
        return Value(Aggregate(getattr(info.type, "tag", ""), slots))
    value = m.store.read(number, 0)
    if value is NIL_VALUE:
        raise m.error(UndefinedValue, at, f"`{function.name}` ended without a value for `{RESULT}`")
    return value


def external_call(m: Machine, call: syntax.Call) -> Value | None:
    """Run a function to its end without taking a state of the caller; its result, None if it has none."""
    arguments = arguments_of(m, call)
    function = m.program.functions.get(call.function)
    if function is None:
        return library_call(m, call.function, arguments, call.at)
    return _private_run(m, function, arguments, call.at)


def _private_run(m: Machine, function: MsvlFunction, arguments: tuple[Value, ...], at: int) -> Value | None:
    from pincer.execution.msvl.stepping import CONTINUES, settled

    before = m.store.objects
    caller = m.books, m.scope, m.testing
    scope = enter(m, function, arguments, at)
    m.scope, m.testing = scope, False
    m.depth += 1
    touched: set[tuple[int, int]] = set()
    remaining: Node = function.body
    for _ in range(m.options.max_private_states):
        m.books = Books()
        outcome = settled(m, remaining)
        touched.update(m.books.own)
        if outcome.kind != CONTINUES:
            break
        m.leave_state(kept=before)
        remaining = outcome.rest
    else:
        raise Limit(f"the external call of {function.name} takes more than {m.options.max_private_states} states")
    result = None if function.result is None else result_of(m, function, scope, at)
    m.books.ended.append(scope)
    m.leave_state(kept=m.store.objects)
    m.depth -= 1
    m.books, m.scope, m.testing = caller
    for slot in touched:
        if slot[0] in before and slot[0] in m.store.objects:
            m.write(slot, m.store.read(*slot), at)
    return result
