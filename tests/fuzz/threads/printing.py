"""Threaded programs as C text."""

from __future__ import annotations

from collections.abc import Iterable

from .syntax import (
    Add,
    Assert,
    Assign,
    Assume,
    Binary,
    Constant,
    Create,
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
    Statement,
    While,
)

HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
LOCALS = "  int l0 = 0, l1 = 0, taken = 0;"
_INITIALISERS = {
    "normal": "PTHREAD_MUTEX_INITIALIZER",
    "recursive": "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    "checking": "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
}
_CALLS = {
    "lock": "pthread_mutex_lock(&{0})",
    "unlock": "pthread_mutex_unlock(&{0})",
    "trylock": "pthread_mutex_trylock(&{0})",
    "wait": "pthread_cond_wait(&{0}, &{1})",
    "signal": "pthread_cond_signal(&{0})",
    "broadcast": "pthread_cond_broadcast(&{0})",
    "post": "sem_post(&{0})",
    "semwait": "sem_wait(&{0})",
    "rdlock": "pthread_rwlock_rdlock(&{0})",
    "wrlock": "pthread_rwlock_wrlock(&{0})",
    "rwunlock": "pthread_rwlock_unlock(&{0})",
    "barrier": "pthread_barrier_wait(&{0})",
}


def text(program: Program) -> str:
    """The program in C; every statement is on a line of its own."""
    lines = [HEADER.rstrip()]
    for variable, value in program.shared:
        lines.append(f"{'_Atomic ' if variable.atomic else ''}int {variable.name} = {value};")
    lines += [f"pthread_mutex_t {name} = {_INITIALISERS[kind]};" for name, kind in program.mutexes]
    lines += [f"pthread_cond_t {name} = PTHREAD_COND_INITIALIZER;" for name in program.conditions]
    lines += [f"pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;" for name in program.locks]
    lines += [f"sem_t {name};" for name, _ in program.semaphores]
    lines += [f"pthread_barrier_t {name};" for name, _ in program.barriers]
    for number, body in list(enumerate(program.threads))[1:]:
        lines += [f"void *thread{number}(void *unused) {{", LOCALS, *_block(body, 1, False), "  return 0;", "}"]
    lines += ["int main(void) {", LOCALS]
    lines += [f"  pthread_t t{number};" for number in range(1, len(program.threads))]
    lines += [f"  sem_init(&{name}, 0, {value});" for name, value in program.semaphores]
    lines += [f"  pthread_barrier_init(&{name}, 0, {count});" for name, count in program.barriers]
    return "\n".join([*lines, *_block(program.threads[0], 1, True), "  return 0;", "}", ""])


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
        case Operate(action, name, other, result):
            call = _CALLS[action].format(name, other)
            return [f"{call};" if result is None else f"{result.name} = {call};"]
        case Create(thread):
            return [f"pthread_create(&t{thread}, 0, thread{thread}, 0);"]
        case Join(thread):
            return [f"pthread_join(t{thread}, 0);"]
        case Return():
            return ["return 0;"]


def expression(tree: Expression) -> str:
    match tree:
        case Constant(value):
            return str(value) if value >= 0 else f"({value})"
        case Shared(name) | Local(name):
            return name
        case Binary(operator, left, right):
            return f"({expression(left)} {operator} {expression(right)})"
