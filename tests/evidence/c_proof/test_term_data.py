"""Terms read as data, and said again as nodes of a script."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.c_proof.term_data import Reader, Reads, children, combined, extended, variables
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from tests.evidence.c_proof.proved_programs import number
from tests.program.named_registers import register

X, Y = register("x"), register("y")


def said(script: Script, term: Term) -> str:
    nodes = [script.variable(str(child.args[0]), 32) for child in children(term)]
    return combined(script, term, nodes).text


def test_the_parts_of_a_sum_are_its_factors() -> None:
    total = bitvectors.binary("bvadd", bitvectors.binary("bvmul", X, number(3)), Y)
    assert set(children(total)) == {X, Y}
    assert set(variables(total)) == {X, Y}


def test_reads_are_registers_memory_and_rooms() -> None:
    reader = Reader()
    assert reader.reads(terms.equal(X, Y)) == Reads(frozenset(("x", "y")))
    load = bitvectors.load(register("p", 64), 4)
    assert reader.reads(terms.equal(load, X)) == Reads(frozenset(("p", "x")), memory=True)
    assert reader.reads(bitvectors.room(register("p", 64))) == Reads(frozenset(("p",)), rooms=True)


def test_deep_terms_are_read_without_recursion() -> None:
    term = X
    for count in range(3_000):
        term = bitvectors.binary("bvxor", bitvectors.binary("bvmul", term, Y), number(count | 1))
    assert Reader().reads(term).registers == {"x", "y"}


def test_operations_have_the_nodes_of_their_names() -> None:
    script = Script()
    for name in ("bvand", "bvudiv", "bvshl", "bvsrem"):
        assert said(script, bitvectors.binary(name, X, Y)).startswith("t")
    comparison = bitvectors.compare("bvule", X, Y)
    assert combined(script, comparison, [script.constant(1, 32), script.constant(2, 32)]).is_true


def test_what_has_no_place_in_a_proof_about_c_is_refused() -> None:
    integers = terms.at_most(terms.variable("n"), terms.integer(3))
    with pytest.raises(PincerError, match="no place"):
        combined(Script(), integers, [])
    script = Script()
    with pytest.raises(PincerError, match="wider than an address"):
        extended(script, 32, script.variable("s", 64))
    assert extended(script, 64, script.constant(7, 32)).value == 7
