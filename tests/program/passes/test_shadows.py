"""Shadows of terms follow bits that move, and give up what is computed."""

from __future__ import annotations

import pytest

from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import binary, constant, extract
from pincer.logic.terms import FALSE, TRUE, Term
from pincer.program.passes.shadows import Shadows, shadow_of
from pincer.program.registers import register_of

X, Y = register_of("f", "x", 8), register_of("f", "y", 8)
SHADOWS = Shadows({X}, None)


def _shadow(term: Term, x: int, lacking: int) -> int:
    shadow = terms.substitute(SHADOWS.of(term), {X: constant(x, 8), shadow_of(X): constant(lacking, 8)})
    value = bitvectors.constant_value(shadow)
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("term", "shadow"),
    [
        (X, 0x0F),
        (extract(3, 0, X), 0xF),
        (extract(7, 4, X), 0),
        (binary("bvand", X, constant(0xF1, 8)), 1),
        (binary("bvor", X, constant(0xF1, 8)), 0x0E),
        (binary("bvxor", X, constant(0xFF, 8)), 0x0F),
        (binary("bvadd", X, constant(1, 8)), 0xFF),
        (binary("bvadd", binary("bvlshr", X, constant(4, 8)), X), 0xFF),
        (binary("bvadd", binary("bvand", X, constant(0xFC, 8)), constant(1, 8)), 0xFC),
        (binary("bvmul", constant(4, 8), X), 0x3C),
        (binary("bvmul", constant(12, 8), X), 0xFC),
        (binary("bvmul", Y, X), 0xFF),
        (binary("bvshl", X, constant(2, 8)), 0x3C),
        (binary("bvudiv", X, constant(3, 8)), 0xFF),
        (bitvectors.extend(extract(3, 0, X), 4, True), 0xFF),
        (bitvectors.concat(extract(3, 0, X), extract(7, 4, X)), 0xF0),
    ],
)
def test_bits_without_a_value(term: Term, shadow: int) -> None:
    assert _shadow(term, 0x35, 0x0F) == shadow
    assert _shadow(term, 0x35, 0) == 0


def test_registers_that_always_have_values_have_no_shadows() -> None:
    assert SHADOWS.of(binary("bvmul", Y, Y)) is constant(0, 8)
    assert SHADOWS.lacks(terms.equal(Y, constant(3, 8))) is FALSE


def test_one_part_with_a_value_settles_a_connective() -> None:
    lacking, known = terms.equal(X, constant(3, 8)), terms.equal(Y, constant(3, 8))
    for whole, settled in ((terms.conjunction(lacking, known), 4), (terms.disjunction(lacking, known), 3)):
        found = SHADOWS.lacks(whole)
        values = {shadow_of(X): constant(255, 8), X: constant(0, 8)}
        assert terms.substitute(found, {**values, Y: constant(settled, 8)}) is FALSE
        assert terms.substitute(found, {**values, Y: constant(7 - settled, 8)}) is TRUE


def test_one_bit_that_differs_settles_an_equation() -> None:
    found = SHADOWS.lacks(terms.equal(X, Y))
    values = {X: constant(0x35, 8), shadow_of(X): constant(0x0F, 8)}
    assert terms.substitute(found, {**values, Y: constant(0x45, 8)}) is FALSE
    assert terms.substitute(found, {**values, Y: constant(0x30, 8)}) is TRUE


def test_memory_has_shadows_where_it_is_told() -> None:
    address = register_of("f", "p", 64)
    load = bitvectors.load(address, 1)
    assert SHADOWS.of(load) is constant(0, 8)
    moved = Shadows((), lambda term: bitvectors.binary("bvadd", term, constant(1 << 40, 64))).of(load)
    assert moved is bitvectors.load(bitvectors.binary("bvadd", address, constant(1 << 40, 64)), 1)
