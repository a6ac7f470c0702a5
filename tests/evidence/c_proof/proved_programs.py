"""Small programs built by hand, with proofs about them that are right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof, ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult, check_proof
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Fail,
    Input,
    Label,
    Layout,
    Procedure,
    Skip,
    StaticObject,
    Store,
)
from tests.program.named_registers import register

LAYOUT = Layout("LP64", 64, 32)
SLOT = LAYOUT.slot
FIRST_FREE = 16 * SLOT
TOP = register("$top", 64)
Case = tuple[ControlFlowProgram, ProofCertificate]


def number(value: int, bits: int = 32) -> Term:
    return bitvectors.constant(value, bits)


def plus(left: Term, right: int) -> Term:
    return bitvectors.binary("bvadd", left, number(right, bitvectors.width(left)))


def same(left: Term, right: Term | int) -> Term:
    return terms.equal(left, number(right, bitvectors.width(left)) if isinstance(right, int) else right)


def below(left: Term, right: Term | int) -> Term:
    return bitvectors.compare("bvult", left, number(right, bitvectors.width(left)) if isinstance(right, int) else right)


def procedure(
    name: str,
    steps: Sequence[tuple[int, int, Label]],
    end: int,
    parameters: tuple[Term, ...] = (),
    result: Term | None = None,
) -> Procedure:
    """The entry is the source of the first step; line n of t.c is the n-th step."""
    edges = tuple(Edge(a, b, label, Position("t.c", n, 1)) for n, (a, b, label) in enumerate(steps, 1))
    return Procedure(name, parameters, result, steps[0][0], end, edges, Position("t.c", 1, 1))


def program(
    *procedures: Procedure, initial: dict[Term, int] | None = None, objects: tuple[StaticObject, ...] = ()
) -> ControlFlowProgram:
    return ControlFlowProgram(
        file="t.c",
        layout=LAYOUT,
        procedures={item.name: item for item in procedures},
        entry="main",
        initial=initial or {},
        objects=objects,
        variables=(),
        first_free=FIRST_FREE,
    )


def certificate(*proofs: ProcedureProof, property_: Literal["assertions", "memory"] = "assertions") -> ProofCertificate:
    return ProofCertificate("t.c", "0" * 64, "LP64", "main", property_, "0", "main", proofs)


def straight(
    *labels: Label,
    entry: Term = terms.TRUE,
    ends_with: Term,
    objects: tuple[StaticObject, ...] = (),
    parameters: tuple[Term, ...] = (),
) -> Case:
    """A program without branches, and a claim about its end that only the last step needs to prove."""
    steps = [(n, n + 1, label) for n, label in enumerate(labels)]
    invariants = {len(labels): ends_with, 0: entry}
    proof = ProcedureProof("main", "main", entry=entry, invariants=invariants)
    return program(procedure("main", steps, len(labels), parameters), objects=objects), certificate(proof)


def checked(case: Case) -> CheckResult:
    return check_proof(*case, Budget(seconds=30, first_seconds=5, next_seconds=5))


def accepted(case: Case) -> bool:
    return checked(case).accepted


def changed(case: Case, proof_id: str, **fields: object) -> Case:
    """The same case with some fields of one part of the proof replaced."""
    parts = tuple(replace(part, **fields) if part.id == proof_id else part for part in case[1].proofs)
    return case[0], replace(case[1], proofs=parts)


def with_invariant(case: Case, proof_id: str, location: int, term: Term | None) -> Case:
    """The same case with the invariant of a location replaced, or without it."""
    part = next(part for part in case[1].proofs if part.id == proof_id)
    invariants = {at: known for at, known in part.invariants.items() if at != location}
    return changed(case, proof_id, invariants=invariants if term is None else {**invariants, location: term})


def equal_counters() -> Case:
    """while (i < n) { i++; j++; } assert(i == j);"""
    i, j, n = register("main::i"), register("main::j"), register("main::n")
    steps: list[tuple[int, int, Label]] = [
        (0, 1, Assign(i, number(0))),
        (1, 2, Assign(j, number(0))),
        (2, 3, Input(n, "nondet")),
        (3, 4, Assume(below(i, n), True)),
        (4, 5, Assign(i, plus(i, 1))),
        (5, 3, Assign(j, plus(j, 1))),
        (3, 6, Assume(terms.negate(below(i, n)), False)),
        (6, 7, Assume(terms.negate(same(i, j)), True)),
        (7, 8, Fail("assertion")),
        (6, 9, Assume(same(i, j), False)),
    ]
    equal, ahead = same(i, j), same(i, plus(j, 1))
    invariants = {1: same(i, 0), 2: equal, 3: equal, 4: equal, 5: ahead, 6: equal, 7: terms.FALSE}
    proof = ProcedureProof("main", "main", invariants=invariants)
    return program(procedure("main", steps, 9)), certificate(proof)


def summary_of_call() -> Case:
    """int next(int x) { calls++; return x + 1; }  main: y = next(x); assert(y == x + 1 && calls == 1);"""
    x, r, calls = register("next::x"), register("next::result"), register("calls")
    callee = procedure(
        "next",
        [(10, 11, Assign(r, plus(x, 1))), (11, 12, Assign(calls, plus(calls, 1)))],
        12,
        (x,),
        r,
    )
    a, b = register("main::a"), register("main::b")
    right = terms.conjunction(same(b, plus(a, 1)), same(calls, 1))
    main = procedure(
        "main",
        [
            (0, 1, Input(a, "nondet")),
            (1, 2, Call("next", (a,), b)),
            (2, 3, Assume(terms.negate(right), True)),
            (3, 4, Fail("assertion")),
            (2, 5, Assume(right, False)),
        ],
        5,
    )
    g, c = register("g"), register("c")
    summary = ProcedureProof(
        "next.0",
        "next",
        entry=terms.conjunction(same(x, g), same(calls, c)),
        exit=terms.conjunction(same(r, plus(g, 1)), same(calls, plus(c, 1))),
        ghosts=(("g", 32), ("c", 32)),
        invariants={
            10: terms.conjunction(same(x, g), same(calls, c)),
            11: terms.conjunction(same(r, plus(g, 1)), same(calls, c)),
            12: terms.conjunction(same(r, plus(g, 1)), same(calls, plus(c, 1))),
        },
    )
    start = same(calls, 0)
    proof = ProcedureProof(
        "main",
        "main",
        entry=start,
        invariants={0: start, 1: start, 2: right, 3: terms.FALSE},
        calls={1: (CallUse("next.0", {"g": a, "c": number(0)}),)},
    )
    return program(main, callee, initial={calls: 0}), certificate(proof, summary)


def recursion() -> Case:
    """int f(int n) { if (n == 0) return 0; return f(n - 1) + 1; }  main: assert(f(x) == x);"""
    n, r, t = register("f::n"), register("f::result"), register("f::t")
    callee = procedure(
        "f",
        [
            (10, 11, Assume(same(n, 0), True)),
            (11, 15, Assign(r, number(0))),
            (10, 12, Assume(terms.negate(same(n, 0)), False)),
            (12, 13, Call("f", (plus(n, -1),), t)),
            (13, 15, Assign(r, plus(t, 1))),
        ],
        15,
        (n,),
        r,
    )
    x, y = register("main::x"), register("main::y")
    main = procedure(
        "main",
        [
            (0, 1, Input(x, "nondet")),
            (1, 2, Call("f", (x,), y)),
            (2, 3, Assume(terms.negate(same(x, y)), True)),
            (3, 4, Fail("assertion")),
            (2, 5, Assume(same(x, y), False)),
        ],
        5,
    )
    g = register("g")
    kept = same(n, g)
    triple = ProcedureProof(
        "f.0",
        "f",
        entry=kept,
        exit=same(r, g),
        ghosts=(("g", 32),),
        invariants={
            10: kept,
            11: terms.conjunction(kept, same(n, 0)),
            12: kept,
            13: terms.conjunction(kept, same(t, plus(n, -1))),
            15: same(r, g),
        },
        calls={3: (CallUse("f.0", {"g": plus(n, -1)}),)},
    )
    proof = ProcedureProof(
        "main", "main", invariants={2: same(x, y), 3: terms.FALSE}, calls={1: (CallUse("f.0", {"g": x}),)}
    )
    return program(main, callee), certificate(proof, triple)


def fresh_object() -> Case:
    """p->lock = 1; q = malloc(8); q->lock = 0; assert(p->lock == 1); with p from an earlier malloc."""
    p, q = register("main::p", 64), register("main::q", 64)
    lock = bitvectors.load(p, 4)
    steps: list[tuple[int, int, Label]] = [
        (0, 1, Allocate(p, number(8, 64), False, "heap")),
        (1, 2, Store(p, number(1))),
        (2, 3, Allocate(q, number(8, 64), False, "heap")),
        (3, 4, Store(q, number(0))),
        (4, 5, Assume(terms.negate(same(lock, 1)), True)),
        (5, 6, Fail("assertion")),
        (4, 7, Assume(same(lock, 1), False)),
    ]
    own = same(LAYOUT.offset(p), 0)
    apart = terms.conjunction(own, below(p, q), same(LAYOUT.offset(q), 0))
    invariants = {
        1: terms.conjunction(own, below(p, TOP)),
        2: terms.conjunction(own, below(p, TOP), same(lock, 1)),
        3: terms.conjunction(apart, same(lock, 1)),
        4: same(lock, 1),
        5: terms.FALSE,
    }
    return program(procedure("main", steps, 7)), certificate(ProcedureProof("main", "main", invariants=invariants))


def array_bounds() -> Case:
    """static int a[10]; for (i = 0; i < 10; i++) a[i] = i;"""
    i = register("main::i")
    base = 2 * SLOT
    wide = bitvectors.extend(i, 32, False)
    address = plus(bitvectors.binary("bvmul", number(4, 64), wide), base)
    steps: list[tuple[int, int, Label]] = [
        (0, 1, Assign(i, number(0))),
        (1, 2, Assume(below(i, 10), True)),
        (2, 3, Check("dereference", LAYOUT.valid(address, 4), "write outside of a")),
        (3, 4, Store(address, i)),
        (4, 1, Assign(i, plus(i, 1))),
        (1, 5, Assume(terms.negate(below(i, 10)), False)),
    ]
    room = same(bitvectors.room(number(base, 64)), 40)
    inside = terms.conjunction(room, below(i, 10))
    proof = ProcedureProof(
        "main",
        "main",
        entry=room,
        invariants={0: room, 1: terms.conjunction(room, below(i, 11)), 2: inside, 3: inside, 4: inside},
    )
    text = program(procedure("main", steps, 5), objects=(StaticObject("a", base, 40),))
    return text, certificate(proof, property_="memory")


def static_contents() -> Case:
    """static int a[3] = {7, 258}; assert(a[1] == 258 && a[2] == 0);"""
    base = 3 * SLOT
    second, third = (bitvectors.load(number(base + at, 64), 4) for at in (4, 8))
    right = terms.conjunction(same(second, 258), same(third, 0))
    steps: list[tuple[int, int, Label]] = [
        (0, 1, Skip()),
        (1, 2, Assume(terms.negate(right), True)),
        (2, 3, Fail("assertion")),
        (1, 4, Assume(right, False)),
    ]
    contents = (7).to_bytes(4, "little") + (258).to_bytes(4, "little")
    proof = ProcedureProof("main", "main", entry=right, invariants={0: right, 1: right, 2: terms.FALSE})
    text = program(procedure("main", steps, 4), objects=(StaticObject("a", base, 12, contents),))
    return text, certificate(proof)


CASES = {
    "equal counters": equal_counters,
    "summary of a call": summary_of_call,
    "recursion": recursion,
    "fresh object": fresh_object,
    "array bounds": array_bounds,
    "static contents": static_contents,
}
