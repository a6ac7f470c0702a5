"""Constructors of floating-point terms keep what the operations mean."""

from __future__ import annotations

from random import Random

from pincer.logic import bitvectors as bv
from pincer.logic import floating_point as fp
from pincer.logic import terms
from pincer.logic.compilation import _compile
from pincer.logic.evaluation import evaluate
from pincer.logic.machine_floats import FORMATS, from_integer, is_nan, pattern_of, to_integer
from tests.logic.random_numbers import NumberMaker, interesting

X, F, N = bv.variable("x", 64), bv.variable("f", 32), bv.variable("i", 32)


def double(value: float) -> terms.Term:
    return bv.constant(pattern_of(value, 64), 64)


def test_substitution_and_compiled_code_agree_with_the_walk() -> None:
    rng = Random(5)
    maker = NumberMaker(rng, (32, 64, 80))
    for _ in range(150):
        bits = rng.choice((32, 64, 80))
        term = maker.number(bits, 2) if rng.random() < 0.7 else maker.formula(bits, 2)
        values = maker.values(term)
        expected = evaluate(term, values)
        constants = {v: bv.constant(value, bv.width(v)) for v, value in values.items()}
        folded = terms.substitute(term, constants)
        assert folded is (terms.boolean(bool(expected)) if term.sort is terms.BOOL else bv.constant(expected, bits))
        assert _compile(term)(values, lambda *_: 0, lambda _: 0) == expected


def test_comparisons_of_widened_numbers_are_those_of_the_narrow_ones() -> None:
    wide = fp.convert(F, 64)
    assert fp.compare("fplt", wide, double(0.5)) is fp.compare("fplt", F, bv.constant(pattern_of(0.5, 32), 32))
    assert fp.compare("fplt", wide, double(0.1)).args[0] is wide


def test_a_number_need_not_equal_itself() -> None:
    assert fp.compare("fpeq", X, X) is not terms.TRUE
    assert fp.compare("fplt", X, X) is terms.FALSE
    assert fp.compare("fple", X, X) is fp.compare("fpeq", X, X)
    assert evaluate(fp.compare("fpeq", X, X), {X: FORMATS[64].default_nan}) == 0


def test_an_integer_survives_a_format_that_holds_it() -> None:
    assert fp.to_integer(fp.from_integer(N, 64, True), 32, True) is N
    assert fp.to_integer(fp.from_integer(N, 32, True), 32, True) is not N
    assert fp.to_integer(fp.from_integer(N, 64, True), 32, False).op == "fptounsigned"


def test_the_range_of_integers_is_exact() -> None:
    rng = Random(9)
    for _ in range(400):
        bits, size, keep_sign = rng.choice((32, 64, 80)), rng.choice((8, 16, 32, 64)), rng.random() < 0.5
        edge = from_integer(rng.choice((-1, 0, 1 << size - 1, 1 << size, -(1 << size - 1), -(1 << size - 1) - 1)), bits)
        pattern = rng.choice((interesting(bits, rng), max(0, edge + rng.randrange(-2, 3))))
        if bits == 80 and is_nan(pattern, bits):
            continue
        x = bv.variable("x", bits)
        fits = evaluate(fp.in_range(x, size, keep_sign), {x: pattern})
        wide = to_integer(pattern, bits, size + 8, True)
        value = wide - (wide >> size + 7 << size + 8)
        least = -(1 << size - 1) if keep_sign else 0
        known = least <= value < least + (1 << size)
        assert bool(fits) == known, (hex(pattern), bits, size, keep_sign)
