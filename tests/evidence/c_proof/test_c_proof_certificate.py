"""Proofs as files: what is written can be read, what was tampered with is refused in a sentence."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof, ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.formulas import Reader, Writer
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Fail, Skip
from pincer.program.registers import register_of
from tests.evidence.c_proof.proved_programs import (
    CASES,
    Case,
    accepted,
    certificate,
    changed,
    checked,
    equal_counters,
    number,
    procedure,
    program,
    recursion,
    same,
    summary_of_call,
)
from tests.program.named_registers import register


@pytest.mark.parametrize("name", CASES)
def test_a_saved_proof_is_the_same_when_loaded(name: str, tmp_path: Path) -> None:
    text, proof = CASES[name]()
    path = tmp_path / "proof.json"
    proof.save(path)
    loaded = ProofCertificate.load(path)
    loaded.save(path)
    assert ProofCertificate.load(path) == loaded
    assert replace(loaded, proofs=()) == replace(proof, proofs=())
    assert accepted((text, loaded))


def random_term(rng: random.Random, depth: int) -> Term:
    """A 16-bit term with all operations."""
    if depth == 0:
        return rng.choice(
            (bitvectors.variable("x", 16), bitvectors.variable("y", 16), number(rng.randrange(1 << 16), 16))
        )
    left, right = random_term(rng, depth - 1), random_term(rng, depth - 1)
    match rng.randrange(8):
        case 0:
            operations = "bvadd bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvand bvor bvxor bvshl bvlshr bvashr"
            return bitvectors.binary(rng.choice(operations.split(" ")), left, right)
        case 1:
            return bitvectors.concat(bitvectors.extract(11, 4, left), bitvectors.extract(7, 0, right))
        case 2:
            return bitvectors.extract(16, 1, bitvectors.extend(left, rng.randrange(1, 9), rng.random() < 0.5))
        case 3:
            return bitvectors.load(left, 2)
        case 4:
            return bitvectors.room(left)
        case 5:
            return terms.conditional(random_condition(rng, depth - 1), left, right)
    return bitvectors.binary("bvadd", left, right)


def random_condition(rng: random.Random, depth: int) -> Term:
    parts = [
        bitvectors.compare(
            rng.choice(("bvult", "bvule", "bvslt", "bvsle")), random_term(rng, depth), bitvectors.variable("z", 16)
        ),
        terms.equal(random_term(rng, depth), random_term(rng, depth)),
        terms.negate(terms.equal(bitvectors.variable("x", 16), random_term(rng, depth))),
    ]
    return terms.iff(terms.conjunction(*parts[:2]), terms.disjunction(*parts[1:]))


@pytest.mark.parametrize("seed", range(40))
def test_every_term_can_be_read_back_from_its_text(seed: int) -> None:
    rng = random.Random(seed)
    roots = [random_condition(rng, 3) for _ in range(3)]
    writer = Writer(roots)
    reader = Reader(writer.registers, writer.definitions)
    assert [reader.predicate(writer.text(root)) for root in roots] == roots


def test_a_very_deep_term_can_be_written_and_read() -> None:
    term = bitvectors.variable("x", 16)
    for n in range(3000):
        term = bitvectors.binary(
            "bvxor", bitvectors.binary("bvmul", term, bitvectors.variable("y", 16)), number(n | 1, 16)
        )
    root = same(term, 0)
    writer = Writer([root])
    assert Reader(writer.registers, writer.definitions).predicate(writer.text(root)) is root


@pytest.mark.parametrize(
    "text",
    [
        "",
        "|x|",
        "(= |x| |y|",
        "(= |x| |y|))",
        "(= |x| |nobody|)",
        "(= |x| (_ bv1 8))",
        "(= |x| (_ bv70000 16))",
        "(= |x| (_ bv1 0))",
        "(= |x| p0)",
        "(and |x| true)",
        "(not true false)",
        "(bvule |x|)",
        "(bvfoo |x| |y|)",
        "(= ((_ extract 16 0) |x|) |y|)",
        "(= ((_ extract 3 4) |x|) |y|)",
        "(= ((_ rotate_left 3) |x|) |y|)",
        "(= (load 0 |x|) |y|)",
        "(= (load |x| 2) |y|)",
        "(room true)",
        "(forall ((a Bool)) a)",
        "(= |x| |y|) (= |x| |y|)",
        "true\\",
        "()",
        "(ite true |x| false)",
        "(_ bv1 16)",
        "((((",
        "(" * 100_000,
        "(not " * 5000,
    ],
)
def test_text_that_is_not_a_condition_is_refused(text: str) -> None:
    reader = Reader({"x": 16, "y": 16}, [])
    with pytest.raises(PincerError, match="malformed proof"):
        reader.predicate(text)


def test_a_definition_may_use_earlier_ones_only() -> None:
    assert Reader({"x": 8}, ["(= |x| (_ bv1 8))", "(not p0)"]).predicate("p1").op == "not"
    with pytest.raises(PincerError, match="malformed proof"):
        Reader({"x": 8}, ["(not p1)", "(= |x| (_ bv1 8))"])


def _set(*path: str | int, value: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


TAMPERED: dict[str, Callable[[Any], None]] = {
    "format": _set("format", value="pincer-certificate-1"),
    "property": _set("property", value="termination"),
    "no program": _set("program", value=None),
    "errors not a truth value": _set("proofs", 1, "errors", value="no"),
    "ghosts not pairs": _set("proofs", 1, "ghosts", value=["g"]),
    "ghost without width": _set("proofs", 1, "ghosts", value=[["g", "wide"]]),
    "ghost with two widths": _set("proofs", 1, "ghosts", value=[["g", 8]]),
    "location not a number": _set("proofs", 1, "invariants", value={"ten": "true"}),
    "invariant not text": _set("proofs", 1, "invariants", value={"10": 1}),
    "invariants not a table": _set("proofs", 1, "invariants", value=["true"]),
    "uses not a list": _set("proofs", 1, "calls", value={"3": {"proof": "f.0"}}),
    "proofs not a list": _set("proofs", value={"main": {}}),
    "register of no width": _set("proofs", 1, "registers", "f::n", value=0),
    "register of another width": _set("proofs", 1, "registers", "f::n", value=8),
    "definitions gone": _set("proofs", 1, "definitions", value=[]),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_file_with_a_field_of_the_wrong_kind_is_refused(name: str) -> None:
    data = json.loads(json.dumps(recursion()[1].to_json()))
    TAMPERED[name](data)
    with pytest.raises(PincerError):
        ProofCertificate.from_json(data)


@pytest.mark.parametrize("seed", range(25))
def test_a_file_with_damaged_text_is_read_as_another_proof_or_refused_in_a_sentence(seed: int) -> None:
    rng = random.Random(seed)
    program_, proof = CASES[rng.choice(list(CASES))]()
    text = json.dumps(proof.to_json())
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice('()|_ 0123456789abpv"') + text[at + rng.randrange(2) :]
    try:
        damaged = ProofCertificate.from_json(json.loads(text))
    except (PincerError, ValueError):
        return
    result = checked((program_, damaged))
    assert result.accepted or result.refused


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"format": "pincer-c-proof-1"}'])
def test_a_file_that_is_no_proof_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(content)
    with pytest.raises(PincerError):
        ProofCertificate.load(path)


def test_a_proof_of_another_version_of_the_program_is_refused() -> None:
    text, proof = equal_counters()
    assert check_proof(text, proof, sha256=proof.sha256).accepted
    assert "its hash differs" in check_proof(text, proof, sha256="1" * 64).refused[0]


def _with_use(**values: Term) -> Case:
    return changed(summary_of_call(), "main", calls={1: (CallUse("next.0", values),)})


G, CALLS = register("g"), register("calls")
OUT_OF_SCOPE: dict[str, tuple[Callable[[], Case], str]] = {
    "exit about a parameter": (
        lambda: changed(summary_of_call(), "next.0", exit=same(register("next::x"), G)),
        "mentions next::x",
    ),
    "entry about a local": (
        lambda: changed(summary_of_call(), "next.0", entry=same(register("next::result"), G)),
        "mentions next::result",
    ),
    "invariant about the caller": (
        lambda: changed(summary_of_call(), "next.0", invariants={11: same(register("main::a"), G)}),
        "mentions main::a",
    ),
    "another width": (
        lambda: changed(summary_of_call(), "main", entry=same(register("calls", 8), 0)),
        "another width",
    ),
    "ghost missing": (lambda: _with_use(g=register("main::a")), "each ghost"),
    "ghost too wide": (lambda: _with_use(g=register("main::a"), c=number(0, 64)), "another width"),
    "ghost about the callee": (lambda: _with_use(g=register("next::x"), c=number(0)), "mentions next::x"),
    "ghost named like a register": (
        lambda: changed(
            _with_use(g=register("main::a"), calls=number(0)),
            "next.0",
            ghosts=(("g", 32), ("calls", 32)),
            entry=terms.TRUE,
        ),
        "name of a register",
    ),
    "no such location": (lambda: changed(summary_of_call(), "main", invariants={99: terms.TRUE}), "no location 99"),
    "no such call": (
        lambda: changed(summary_of_call(), "main", calls={0: (CallUse("next.0", {}),)}),
        "edge 0 of main is not a call",
    ),
    "no such proof": (
        lambda: changed(summary_of_call(), "main", calls={1: (CallUse("next.7", {}),)}),
        "no proof about what it calls",
    ),
    "proof of another procedure": (
        lambda: changed(summary_of_call(), "main", calls={1: (CallUse("main", {}),)}),
        "no proof about what it calls",
    ),
    "errors at the top": (lambda: changed(summary_of_call(), "main", errors=True), "no errors"),
    "not a condition": (lambda: changed(summary_of_call(), "main", exit=CALLS), "not a condition"),
}


@pytest.mark.parametrize("name", OUT_OF_SCOPE)
def test_a_proof_that_speaks_out_of_scope_is_refused(name: str) -> None:
    case, reason = OUT_OF_SCOPE[name]
    refused = checked(case()).refused
    assert len(refused) == 1
    assert reason in refused[0]


def test_integer_terms_have_no_place_in_a_proof() -> None:
    bad = terms.at_most(terms.integer(0), terms.variable("calls"))
    refused = checked(changed(summary_of_call(), "main", exit=bad)).refused
    assert refused


def test_a_program_that_assigns_top_is_refused() -> None:
    main = procedure("main", [(0, 1, Assign(register("$top", 64), number(0, 64)))], 1)
    assert "only an allocation" in checked((program(main), certificate(ProcedureProof("main", "main")))).refused[0]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (register_of(None, "main::x", 32), "two registers are called main::x"),
        (bitvectors.variable("main::x", 32), "main::x is not a register"),
    ],
)
def test_a_program_with_names_that_mislead_is_refused(other: Term, why: str) -> None:
    steps = [(0, 1, Assign(register("main::x"), number(1))), (1, 2, Assign(other, number(2)))]
    main = procedure("main", steps, 2)
    assert why in checked((program(main), certificate(ProcedureProof("main", "main")))).refused[0]


def test_a_property_that_is_not_known_is_refused() -> None:
    main = procedure("main", [(0, 1, Fail("assertion"))], 1)
    proof = replace(certificate(ProcedureProof("main", "main")), property="other")  # type: ignore[arg-type]
    assert "no property" in checked((program(main), proof)).refused[0]


def test_two_parts_with_one_id_are_refused() -> None:
    main = procedure("main", [(0, 1, Skip())], 1)
    part = ProcedureProof("main", "main")
    assert "same id" in checked((program(main), certificate(part, part))).refused[0]
