"""Threaded programs as C text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .syntax import (
    Add,
    Assert,
    Assign,
    Assume,
    Atomic,
    Binary,
    Constant,
    Create,
    Detach,
    Expression,
    If,
    Input,
    Join,
    Local,
    Operate,
    Program,
    Return,
    Section,
    Shared,
    Spawn,
    Statement,
    While,
)

HEADER = """\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
_DECLARATIONS = {
    "me": "int me = (int)(long)argument;",
    "t": "pthread_t t[4];",
    "got": "void *got;",
    "l0": "int l0 = 0;",
    "l1": "int l1 = 0;",
    "taken": "int taken = 0;",
}
_INITIALISERS = {
    "normal": "PTHREAD_MUTEX_INITIALIZER",
    "recursive": "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    "checking": "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
}
CALLS = {
    "lock": "pthread_mutex_lock(&{0})",
    "unlock": "pthread_mutex_unlock(&{0})",
    "trylock": "pthread_mutex_trylock(&{0})",
    "timedlock": "pthread_mutex_timedlock(&{0}, &past)",
    "destroy": "pthread_mutex_destroy(&{0})",
    "spinlock": "pthread_spin_lock(&{0})",
    "spintry": "pthread_spin_trylock(&{0})",
    "spinunlock": "pthread_spin_unlock(&{0})",
    "wait": "pthread_cond_wait(&{0}, &{1})",
    "timedwait": "pthread_cond_timedwait(&{0}, &{1}, &past)",
    "signal": "pthread_cond_signal(&{0})",
    "broadcast": "pthread_cond_broadcast(&{0})",
    "post": "sem_post(&{0})",
    "semwait": "sem_wait(&{0})",
    "semtry": "sem_trywait(&{0})",
    "rdlock": "pthread_rwlock_rdlock(&{0})",
    "wrlock": "pthread_rwlock_wrlock(&{0})",
    "rdtry": "pthread_rwlock_tryrdlock(&{0})",
    "wrtry": "pthread_rwlock_trywrlock(&{0})",
    "rwunlock": "pthread_rwlock_unlock(&{0})",
    "barrier": "pthread_barrier_wait(&{0})",
    "once": "pthread_once(&{0}, routine)",
}
BUILTINS = {
    "fetch_add": "{result} = __sync_fetch_and_add(&{target}, {value});",
    "add_fetch": "{result} = __atomic_add_fetch(&{target}, {value}, 5);",
    "exchange": "{result} = __atomic_exchange_n(&{target}, {value}, 5);",
    "load": "{result} = __atomic_load_n(&{target}, 5);",
    "store": "__atomic_store_n(&{target}, {value}, 5);",
    "swap_value": "{result} = __sync_val_compare_and_swap(&{target}, {expected}, {value});",
    "swap_hit": "{result} = __sync_bool_compare_and_swap(&{target}, {expected}, {value});",
    "compare_exchange": "{result} = __atomic_compare_exchange_n(&{target}, &{seen}, {value}, 0, 5, 5);",
}
_MEMBERS = {"array": r"g[\1]", "struct": r"s.f\1"}


def text(program: Program) -> str:
    """The program in C, complete."""
    return HEADER + body(program)


def body(program: Program) -> str:
    """The program in C without what it includes; every statement is on a line of its own."""
    lines = [*_globals(program)]
    lines += [f"void *thread{number}(void *);" for number in range(1, len(program.threads))]
    if program.once:
        lines += ["void routine(void) {", *_block(program.once, 1, False), "}"]
    for number, statements in list(enumerate(program.threads))[1:]:
        lines += [f"void *thread{number}(void *argument) {{", *_function(statements, False), "}"]
    lines.append("int main(void) {")
    lines += [f"  sem_init(&{name}, 0, {value});" for name, value in program.semaphores]
    lines += [f"  pthread_barrier_init(&{name}, 0, {count});" for name, count in program.barriers]
    lines += [f"  pthread_spin_init(&{name}, 0);" for name in program.spins]
    made = "\n".join([*lines, *_function(program.threads[0], True), "}", ""])
    return made if program.layout == "separate" else re.sub(r"\bg(\d)\b", _MEMBERS[program.layout], made)


def _globals(program: Program) -> Iterable[str]:
    values = ", ".join(str(value) for _, value in program.shared)
    if program.layout == "array":
        yield f"int g[{len(program.shared)}] = {{ {values} }};"
    elif program.layout == "struct":
        yield f"struct {{ int {', '.join(f'f{v.name[1:]}' for v, _ in program.shared)}; }} s = {{ {values} }};"
    else:
        for variable, value in program.shared:
            yield f"{'_Atomic ' if variable.atomic else ''}int {variable.name} = {value};"
    yield f"_Thread_local int own = {program.own};"
    yield "const struct timespec past = { 0, 0 };"
    yield from (f"pthread_mutex_t {name} = {_INITIALISERS[kind]};" for name, kind in program.mutexes)
    yield from (f"pthread_cond_t {name} = PTHREAD_COND_INITIALIZER;" for name in program.conditions)
    yield from (f"pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;" for name in program.locks)
    yield from (f"sem_t {name};" for name, _ in program.semaphores)
    yield from (f"pthread_barrier_t {name};" for name, _ in program.barriers)
    yield from (f"pthread_spinlock_t {name};" for name in program.spins)
    if program.once:
        yield "pthread_once_t o0 = PTHREAD_ONCE_INIT;"


def _function(statements: tuple[Statement, ...], main: bool) -> list[str]:
    """The statements with declarations of the local variables that they use."""
    lines = _block(statements, 1, main)
    used = set(re.findall(r"\w+", "\n".join(lines)))
    return [*(f"  {made}" for name, made in _DECLARATIONS.items() if name in used), *lines, "  return 0;"]


def _block(body: Iterable[Statement], depth: int, main: bool) -> list[str]:
    lines: list[str] = []
    for statement in body:
        lines += ["  " * depth + line for line in _statement(statement, main)]
    return lines


def _statement(statement: Statement, main: bool) -> list[str]:
    match statement:
        case Assign(target, value):
            return [f"{target.name} = {expression(value)};"]
        case Add(target, value):
            return [f"{target.name} += {expression(value)};"]
        case Atomic(action, target, value, result, expected, seen):
            parts = {"value": expression(value), "expected": expression(expected)}
            return [BUILTINS[action].format(target=target.name, result=result.name, seen=seen.name, **parts)]
        case Input(target, most):
            name = target.name
            return [f"{name} = __VERIFIER_nondet_int();", f"__VERIFIER_assume({name} >= 0 && {name} <= {most});"]
        case Assert(condition):
            return [f"assert({expression(condition)});"]
        case Assume(condition):
            return [f"__VERIFIER_assume({expression(condition)});"]
        case If(condition, yes, no):
            other = ["} else {", *_block(no, 1, main)] if no else []
            return [f"if ({expression(condition)}) {{", *_block(yes, 1, main), *other, "}"]
        case While(condition, body):
            return [f"while ({expression(condition)}) {{", *_block(body, 1, main), "}"]
        case Section(body):
            return ["__VERIFIER_atomic_begin();", *_block(body, 0, main), "__VERIFIER_atomic_end();"]
        case Operate("semvalue", name, _, Local(result)):
            return [f"sem_getvalue(&{name}, &{result});"]
        case Operate(action, name, other, result):
            call = CALLS[action].format(name, other)
            return [f"{call};" if result is None else f"{result.name} = {call};"]
    return _life(statement, main)


def _life(statement: Statement, main: bool) -> list[str]:
    """Statements about threads themselves."""
    match statement:
        case Create(thread):
            return [f"pthread_create(&t[{thread}], 0, thread{thread}, 0);"]
        case Spawn(first, count):
            call = f"pthread_create(&t[{first} + i], 0, thread{first}, (void *)(long)i);"
            return [f"for (int i = 0; i < {count}; i++) {{", f"  {call}", "}"]
        case Join(thread, None):
            return [f"pthread_join(t[{thread}], 0);"]
        case Join(thread, Local(name)):
            return [f"pthread_join(t[{thread}], &got);", f"{name} = (int)(long)got;"]
        case Detach(thread):
            return [f"pthread_detach(t[{thread}]);"]
        case Return(value, True):
            return [f"pthread_exit((void *)(long){expression(value)});"]
        case Return(value):
            return ["return 0;" if main else f"return (void *)(long){expression(value)};"]
    raise AssertionError(statement)


def expression(tree: Expression) -> str:
    match tree:
        case Constant(value):
            return str(value) if value >= 0 else f"({value})"
        case Shared(name) | Local(name):
            return name
        case Binary(operator, left, right):
            return f"({expression(left)} {operator} {expression(right)})"
