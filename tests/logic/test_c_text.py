"""C texts of terms, judged by the system's C compiler with its checks for undefined behaviour."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest

from pincer.logic import bitvectors as bv
from pincer.logic import floating_point as fp
from pincer.logic import terms
from pincer.logic.c_text import NotInC, c_text
from pincer.logic.machine_floats import pattern_of
from pincer.logic.terms import Term
from tests.logic.random_words import WordMaker, draw_values

GCC = shutil.which("gcc")
TYPES = {8: "char", 16: "short", 32: "int", 64: "long long"}
X, Y = bv.variable("x", 32), bv.variable("y", 32)
U = bv.variable("u", 32)
CHAR = bv.variable("ch", 8)


def name(term: Term) -> str | None:
    return str(term.args[0]) if term.op == "var" else None


def is_signed(term: Term) -> bool:
    return term.op == "var" and not term.args[0].endswith("1") and term is not U


def text(term: Term) -> str:
    return c_text(term, name, is_signed)


def declaration(v: Term, value: int) -> str:
    kind = f"{'signed' if is_signed(v) else 'unsigned'} {TYPES[bv.width(v)]}"
    return f"volatile {kind} {v.args[0]} = ({kind}){value}ull;"


def checks(rng: Random, count: int) -> list[str]:
    """C blocks that report where an expression does not have the value it should have."""
    blocks: list[str] = []
    while len(blocks) < count:
        maker = WordMaker(rng, variable_widths=tuple(TYPES))
        sample = maker.any(rng.choice([8, 16, 32, 32, 64, 64, rng.randint(1, 64)]), rng.randint(1, 3))
        if not sample.term.variables:
            continue
        shown = text(sample.term)
        mask = (1 << (sample.term.sort.width or 32)) - 1
        for _ in range(3):
            values = draw_values(rng, list(maker.variables))
            declared = " ".join(declaration(v, values[v]) for v in values if v in sample.term.variables)
            wrong = f"((unsigned long long)({shown}) & {mask}ull) != {sample.meaning(values)}ull"
            blocks.append(f'{{ {declared} if ({wrong}) puts("block {len(blocks)}"); }}')
    return blocks


@pytest.mark.skipif(GCC is None, reason="gcc is not installed: nothing to compare with")
@pytest.mark.parametrize("seed", range(2))
def test_a_compiler_computes_the_same_values_without_undefined_behaviour(seed: int, tmp_path: Path) -> None:
    blocks = checks(Random(seed), 400)
    source, binary = tmp_path / "values.c", tmp_path / "values"
    functions = [f"void f{i}(void) {{ {block} }}" for i, block in enumerate(blocks)]
    calls = " ".join(f"f{i}();" for i in range(len(blocks)))
    lines = ["#include <stdio.h>", *functions, f"int main(void) {{ {calls} return 0; }}"]
    source.write_text("\n".join(lines), encoding="utf-8")
    assert GCC is not None
    subprocess.run([GCC, "-w", "-fsanitize=undefined", "-o", str(binary), str(source)], check=True)
    done = subprocess.run([str(binary)], capture_output=True, text=True)
    wrong = [blocks[int(line.split()[1])] for line in done.stdout.splitlines()]
    assert wrong == []
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (bv.compare("bvsle", X, bv.constant(10, 32)), "x <= 10"),
        (bv.compare("bvslt", X, Y), "y > x"),
        (bv.compare("bvule", U, bv.constant(10, 32)), "u <= 10"),
        (bv.compare("bvule", X, bv.constant(10, 32)), "(unsigned int)x <= 10"),
        (terms.equal(X, bv.constant(-1, 32)), "x == -1"),
        (terms.equal(X, Y), "x == y"),
        (terms.equal(bv.extend(CHAR, 24, True), X), "x == ch"),
        (bv.binary("bvadd", X, bv.constant(1, 32)), "(unsigned int)x + 1"),
        (terms.equal(bv.binary("bvadd", U, bv.constant(-2, 32)), X), "(unsigned int)x == u - 2"),
        (bv.binary("bvand", U, bv.constant(12, 32)), "u & 12"),
        (bv.constant(5, 32), "5"),
        (terms.TRUE, "1"),
    ],
)
def test_texts_are_what_a_programmer_would_write(term: Term, expected: str) -> None:
    assert text(term) == expected


def test_connectives_are_written_with_as_few_parentheses_as_c_allows() -> None:
    small, equal = bv.compare("bvsle", X, bv.constant(3, 32)), terms.equal(X, Y)
    assert set(text(terms.conjunction(small, equal)).split(" && ")) == {"x <= 3", "x == y"}
    shown = text(terms.disjunction(small, terms.conjunction(equal, bv.compare("bvsle", Y, bv.constant(3, 32)))))
    assert shown in ("x <= 3 || (x == y && y <= 3)", "(x == y && y <= 3) || x <= 3", "x <= 3 || (y <= 3 && x == y)")


def test_loads_are_written_by_their_lvalues() -> None:
    pointer = bv.variable("p", 64)
    lock = bv.load(bv.binary("bvadd", pointer, bv.constant(8, 64)), 4)
    names = {lock: "p->lock", pointer: "p"}
    formula = terms.equal(lock, bv.constant(1, 32))
    assert c_text(formula, names.get, lambda term: term is lock) == "p->lock == 1"
    star = {lock: "*q"}
    assert c_text(terms.equal(bv.binary("bvadd", lock, lock), U), {**star, U: "u"}.get, lambda term: False) in (
        "u == 2u * (*q)",
        "2u * (*q) == u",
    )


def test_what_has_no_c_expression_is_refused() -> None:
    nameless = bv.load(X, 4)
    with pytest.raises(NotInC, match="no name"):
        text(terms.equal(nameless, Y))
    with pytest.raises(NotInC, match="no name"):
        text(terms.equal(bv.room(X), Y))
    with pytest.raises(NotInC, match="128 bits"):
        text(bv.concat(bv.variable("w1", 64), bv.variable("z1", 64)))
    grown = X
    for _ in range(40):
        grown = bv.binary("bvudiv", grown, bv.binary("bvxor", grown, Y))
    with pytest.raises(NotInC, match="too long"):
        text(grown)
    with pytest.raises(ValueError, match="no name"):
        text(nameless)


def test_numbers_of_floating_types_are_written_as_such() -> None:
    x, f = bv.variable("x", 64), bv.variable("f", 32)
    half = bv.constant(pattern_of(0.5, 64), 64)
    names = {x: "x", f: "f"}

    def shown(term: Term) -> str:
        return c_text(term, lambda _: None, lambda _: False, names.get)

    total = fp.arithmetic("fpadd", x, fp.convert(f, 64))
    assert shown(fp.compare("fplt", total, half)) == "(x + ((double)f)) < 0.5"
    assert shown(terms.negate(fp.compare("fple", x, half))) == "!(x <= 0.5)"
    assert shown(terms.equal(x, half)) == "x == 0.5"
    for hidden in (terms.equal(x, bv.constant(0, 64)), bv.compare("bvule", x, half), terms.equal(x, total)):
        with pytest.raises(NotInC):
            shown(hidden)
