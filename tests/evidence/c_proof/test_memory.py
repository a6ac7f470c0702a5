"""Reads of memory after an edge, compared with a memory of thirty-two bytes in slots of eight."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pincer.evidence.c_proof.encoding import Encoder
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.solvers import open_session
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Begin,
    ControlFlowProgram,
    Copy,
    End,
    Fill,
    Free,
    Label,
    Layout,
    Skip,
    StaticObject,
    Store,
)
from tests.evidence.c_proof.proved_programs import (
    number,
    procedure,
)
from tests.program.named_registers import register

BITS, SLOT = 5, 8
ALL = 1 << BITS
SIZES = (2, 4)
P, Q, N, V, X, B = (
    register(f"main::{name}", bits)
    for name, bits in (("p", BITS), ("q", BITS), ("n", BITS), ("v", 16), ("x", BITS), ("b", 8))
)
TOP = register("$top", BITS)
Values = dict[Term, int]


def tiny_program() -> ControlFlowProgram:
    main = procedure("main", [(0, 1, Skip())], 1, (P, Q, N, V, X, B))
    objects = (StaticObject("s", 8, 6, bytes([3, 1, 4])),)
    layout = Layout("ILP32", BITS, 3)
    return ControlFlowProgram("t.c", layout, {"main": main}, "main", {}, objects, (), 3 * SLOT)


def read(memory: list[int], address: int, size: int) -> int:
    return int.from_bytes(bytes(memory[(address + i) % ALL] for i in range(size)), "little")


def labelled(rng: random.Random, kind: str) -> tuple[Label, Values]:
    """A label over registers, and values for them."""
    values = {P: rng.randrange(ALL), Q: rng.randrange(ALL), N: rng.randrange(9), V: rng.randrange(1 << 16), X: 0, B: 77}
    values[TOP] = 3 * SLOT
    match kind:
        case "store":
            return Store(bitvectors.binary("bvadd", P, number(rng.randrange(8), BITS)), V), values
        case "store at a constant":
            return Store(number(rng.randrange(ALL), BITS), V), values
        case "copy":
            return Copy(P, Q, N), values
        case "fill":
            return Fill(P, N, B), values
        case "begin":
            return Begin(2 * SLOT, 5), values
    return Allocate(register("main::r", BITS), N, kind == "calloc", "heap"), values


def stepped(label: Label, values: Values, memory: list[int], rng: random.Random) -> list[int]:
    """The memory after the label, by definition; what is undefined is chosen at random."""
    after = list(memory)

    def value(term: Term) -> int:
        if term.op == "var":
            return values[term]
        constant = bitvectors.constant_value(term)
        if constant is not None:
            return constant
        coefficients, total = term.args
        return int(sum(c * values[factor] for factor, c in coefficients) + total) % ALL

    match label:
        case Store(address, stored):
            for i in range(2):
                after[(value(address) + i) % ALL] = value(stored) >> 8 * i & 255
        case Copy(target, source, size):
            for i in range(value(size)):
                after[(value(target) + i) % ALL] = memory[(value(source) + i) % ALL]
        case Fill(target, size, byte):
            for i in range(value(size)):
                after[(value(target) + i) % ALL] = value(byte)
        case Begin(address):
            after[address : address + SLOT] = rng.randbytes(SLOT)
        case Allocate(_, size, zero):
            start = values[TOP]
            after[start : start + SLOT] = memory[start : start + SLOT] if zero else rng.randbytes(SLOT)
            if zero:
                after[start : start + value(size)] = bytes(value(size))
    return after


def table(script: Script, name: str, memory: list[int]) -> Iterator[str]:
    """The functions that stand for a memory, by their values."""
    for size in (1, *SIZES):
        function = script.array(f"{name} {size}", BITS, 8 * size)
        for address in range(ALL):
            value = read(memory, address, size)
            yield f"(= ({function} (_ bv{address} {BITS})) (_ bv{value} {8 * size}))"


@pytest.mark.parametrize("coarse", [True, False], ids=["coarse", "exact"])
@pytest.mark.parametrize("kind", ["store", "store at a constant", "copy", "fill", "begin", "allocate", "calloc"])
@pytest.mark.parametrize("seed", range(2))
def test_every_real_memory_is_a_model_of_the_reads_after_a_label(kind: str, seed: int, coarse: bool) -> None:
    rng = random.Random(seed)
    label, values = labelled(rng, kind)
    memory = list(rng.randbytes(ALL))
    after = stepped(label, values, memory, rng)
    script = Script()
    encoder = Encoder(ProgramFacts(tiny_program(), "assertions"), script, coarse)
    step = encoder.step(label)
    assert step is not None
    facts = [*table(script, "memory", memory), *table(script, "fresh memory", after), *table(script, "mixed", after)]
    facts.extend(
        script.equal(
            encoder.encode(register_, encoder.before), script.constant(value, bitvectors.width(register_))
        ).text
        for register_, value in values.items()
        if register_ is not X
    )
    wrong = []
    x = encoder.encode(X, encoder.before)
    for address in range(ALL):
        at_address = script.equal(x, script.constant(address, BITS))
        for size in SIZES:
            loads = (bitvectors.load(X, size), bitvectors.load(number(address, BITS), size))
            for load in loads:
                expected = script.constant(read(after, address, size), 8 * size)
                equal = script.equal(encoder.encode(load, step.after), expected)
                wrong.append(script.conjunction((at_address, script.negation(equal))))
    formula = f"(and {' '.join(facts)} {script.disjunction(wrong).text})"
    session = open_session("bitwuzla", "QF_UFBV", None) or open_session("cvc5", "QF_UFBV", None)
    assert session is not None
    session.define(script.lines_after(0)[0])
    assert session.verdict(formula, 20) == "unsat"


def test_a_read_over_the_end_of_a_slot_is_not_taken_for_a_disjoint_one() -> None:
    script = Script()
    encoder = Encoder(ProgramFacts(tiny_program(), "assertions"), script, coarse=True)
    step = encoder.step(Store(P, V))
    assert step is not None
    before, after = (encoder.encode(bitvectors.load(X, 4), state) for state in (encoder.before, step.after))
    p, x = (encoder.encode(term, encoder.before) for term in (P, X))
    overlap = script.conjunction(
        (script.equal(x, script.constant(12, BITS)), script.equal(p, script.constant(14, BITS)))
    )
    session = open_session("cvc5", "QF_UFBV", None)
    assert session is not None
    changed = script.conjunction((overlap, script.negation(script.equal(before, after))))
    session.define(script.lines_after(0)[0])
    assert session.verdict(changed.text, 10) == "sat"


@pytest.mark.parametrize("label", [End(P), Free(P)])
def test_an_object_that_ends_has_no_room_and_others_keep_theirs(label: Label) -> None:
    script = Script()
    encoder = Encoder(ProgramFacts(tiny_program(), "assertions"), script)
    step = encoder.step(label)
    assert step is not None
    inside = bitvectors.room(bitvectors.binary("bvxor", P, number(5, BITS)))
    other = bitvectors.room(bitvectors.binary("bvxor", P, number(8, BITS)))
    assert_valid(script, encoder, script.equal(encoder.encode(inside, step.after), script.constant(0, BITS)).text)
    kept = script.equal(encoder.encode(other, step.after), encoder.encode(other, encoder.before))
    assert_valid(script, encoder, kept.text)


def assert_valid(script: Script, encoder: Encoder, formula: str) -> None:
    session = open_session("cvc5", "QF_UFBV", None)
    assert session is not None
    session.define(script.lines_after(0)[0])
    assert session.verdict(f"(not {formula})", 10) == "unsat"


def test_initial_memory_is_what_the_static_objects_hold() -> None:
    script = Script()
    encoder = Encoder(ProgramFacts(tiny_program(), "assertions"), script)
    initial = encoder.initial()
    loads = [encoder.encode(bitvectors.load(number(8 + i, BITS), 1), initial).value for i in range(7)]
    assert loads == [3, 1, 4, 0, 0, 0, 0]
    rooms = [encoder.encode(bitvectors.room(number(at, BITS)), initial).value for at in (0, 8, 13, 16, 24)]
    assert rooms == [0, 6, 6, 0, 0]
    x = encoder.encode(X, encoder.before)
    symbolic = encoder.encode(bitvectors.load(X, 1), initial)
    is_third = script.equal(symbolic, script.constant(4, 8))
    assert_valid(script, encoder, script.implication(script.equal(x, script.constant(10, BITS)), is_third).text)
