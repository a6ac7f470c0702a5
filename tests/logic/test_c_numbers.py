"""C texts of floating-point terms: a compiler gives them the values they have."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import floating_point as fp
from pincer.logic import terms
from pincer.logic.c_numbers import NoNumberInC, NumberTexts
from pincer.logic.evaluation import evaluate
from pincer.logic.machine_floats import FORMATS, Rounding, is_nan, pattern_of
from pincer.logic.terms import Term
from tests.logic.random_numbers import NumberMaker

GCC = shutil.which("gcc")
INTEGER = bv.variable("i", 32)
X, F = bv.variable("x", 64), bv.variable("f", 32)
PRELUDE = """
#include <stdio.h>
#include <string.h>
static float number32(unsigned bits) { float made; memcpy(&made, &bits, 4); return made; }
static double number64(unsigned long long bits) { double made; memcpy(&made, &bits, 8); return made; }
static int same32(float found, unsigned bits) { return memcmp(&found, &bits, 4) == 0; }
static int same64(double found, unsigned long long bits) { return memcmp(&found, &bits, 8) == 0; }
static unsigned i;
"""


def name(term: Term) -> str | None:
    return str(term.args[0]) if term.op == "var" and term is not INTEGER else None


def integer(term: Term, keep_sign: bool) -> str:
    if term is not INTEGER:
        raise NoNumberInC("a word that has no name")
    return "(int)i" if keep_sign else "i"


TEXTS: NumberTexts = NumberTexts(name, lambda term: TEXTS.relation(term), integer)


def drawn(maker: NumberMaker) -> Term:
    """A random term over variables."""
    bits = maker.rng.choice((32, 64))
    term = maker.formula(bits, 2) if maker.rng.random() < 0.3 else maker.number(bits, 3)
    return term if term.variables and term.op != "not" else drawn(maker)


def block(wanted: Term, values: Mapping[Term, int], index: int) -> str:
    """A C function that reports where the text of a term has another value. Raises NoNumberInC if there is no text."""
    text = TEXTS.relation(wanted) if wanted.sort is terms.BOOL else TEXTS.text(wanted)
    expected = evaluate(wanted, values)
    declared = [
        f"i = {value}u;" if v is INTEGER else f"{_type(v)} {v} = number{bv.width(v)}({value}ull);"
        for v, value in values.items()
    ]
    if wanted.sort is terms.BOOL:
        right = f"({text}) == {int(expected)}"
    elif is_nan(int(expected), bv.width(wanted)):
        right = f"__builtin_isnan({text})"
    else:
        right = f"same{bv.width(wanted)}({text}, {expected}ull)"
    return f'void f{index}(void) {{ {" ".join(declared)} if (!({right})) puts("{index}"); }}'


def _type(variable: Term) -> str:
    return f"volatile {'float' if bv.width(variable) == 32 else 'double'}"


@pytest.mark.skipif(GCC is None, reason="gcc is not installed: nothing to compare with")
def test_a_compiler_computes_the_same_numbers(tmp_path: Path) -> None:
    maker = NumberMaker(Random(5))
    blocks: list[str] = []
    for mode, value in product(Rounding, (-2.5, -0.5, 0.4, 1.5, 2.5)):
        blocks.append(block(fp.to_integral(mode, F), {F: pattern_of(value, 32)}, len(blocks)))
    while len(blocks) < 300:
        wanted = drawn(maker)
        with suppress(NoNumberInC):
            blocks.append(block(wanted, maker.values(wanted), len(blocks)))
    calls = " ".join(f"f{index}();" for index in range(len(blocks)))
    source, binary = tmp_path / "numbers.c", tmp_path / "numbers"
    source.write_text("\n".join([PRELUDE, *blocks, f"int main(void) {{ {calls} return 0; }}"]))
    assert GCC is not None
    flags = ["-w", "-msse2", "-mfpmath=sse", "-ffp-contract=off"]
    subprocess.run([GCC, *flags, "-o", str(binary), str(source), "-lm"], check=True)
    done = subprocess.run([str(binary)], capture_output=True, text=True, check=True)
    assert [blocks[int(line)] for line in done.stdout.splitlines()] == []


@pytest.mark.parametrize(
    ("value", "bits", "text"),
    [
        (0.1, 64, "0.1"),
        (0.1, 32, "0.1f"),
        (-0.0, 64, "-0.0"),
        (1e30, 32, "1.0e+30f"),
        (5e-324, 64, "5.0e-324"),
        (2.0**53 + 2, 64, "9007199254740994.0"),
    ],
)
def test_literals_are_short_and_of_their_type(value: float, bits: int, text: str) -> None:
    assert TEXTS.text(bv.constant(pattern_of(value, bits), bits)) == text


def test_equal_patterns_are_equal_numbers_only_where_one_pattern_stands_for_the_number() -> None:
    assert TEXTS.relation(terms.equal(X, bv.constant(pattern_of(1.5, 64), 64))) == "x == 1.5"
    zeros = [bv.constant(zero << 63, 64) for zero in (0, 1)]
    for other in (*zeros, bv.constant(FORMATS[64].default_nan, 64), bv.variable("y", 64)):
        with pytest.raises(NoNumberInC):
            TEXTS.relation(terms.equal(X, other))


@pytest.mark.parametrize("pattern", [FORMATS[32].infinity, FORMATS[32].default_nan])
def test_what_has_no_literal_is_refused(pattern: int) -> None:
    with pytest.raises(NoNumberInC, match="no literal"):
        TEXTS.text(fp.arithmetic("fpadd", F, bv.constant(pattern, 32)))


def test_numbers_without_a_name_or_a_type_are_refused() -> None:
    with pytest.raises(NoNumberInC, match="load has no name"):
        TEXTS.text(fp.arithmetic("fpadd", F, bv.load(bv.variable("p", 64), 4)))
    with pytest.raises(NoNumberInC, match="80 bits"):
        TEXTS.text(fp.convert(X, 80))


def test_what_is_a_number_is_seen_from_outside() -> None:
    assert TEXTS.is_number(X) and TEXTS.is_number(fp.arithmetic("fpneg", F))
    assert not TEXTS.is_number(fp.to_integer(X, 64, True)) and not TEXTS.is_number(INTEGER)
