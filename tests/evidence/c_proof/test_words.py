"""What is known of words that depend on inputs, compared with all values of a byte; guards that are exact or opaque."""

from __future__ import annotations

import random

import pytest

from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.words import Words
from pincer.evidence.solvers import open_session
from tests.evidence.c_proof.merged_values import holds

SAME, AT_MOST, SIGNED = Operation("same", 0), Operation("bvule", 0), Operation("bvsle", 0)


@pytest.fixture
def words() -> Words:
    return Words(Script())


def wider(words: Words, node: Node, op: str = "zero_extend") -> Node:
    return words.result(Operation(op, 32, (32 - node.width,)), (node,))


def test_a_word_of_one_byte_has_a_table(words: Words) -> None:
    byte = words.fresh("input", 8)
    lower = words.result(Operation("bvlin", 32, (1, -48 % 2**32)), (wider(words, byte, "sign_extend"),))
    table = words.table(lower)
    assert table is not None
    assert table[ord("7")] == 7 and table[255] == (-1 - 48) % 2**32


@pytest.mark.parametrize("operation", [SAME, AT_MOST, SIGNED, Operation("bvult", 0), Operation("bvslt", 0)])
@pytest.mark.parametrize("number", [0, 1, 65, 127, 128, 255])
def test_a_condition_on_one_byte_is_exact(words: Words, operation: Operation, number: int) -> None:
    byte = words.fresh("input", 8)
    constant = words.constant(number, 8)
    guard = words.condition(operation, byte, constant)
    turned = words.condition(operation, constant, byte)
    script = words.script
    assert words.is_exact(guard) and words.is_exact(turned)
    for value in range(256):
        known = script.constant(value, 8)
        assert holds(words, guard, {byte: value}) == (words.condition(operation, known, constant) == TRUE)
        assert holds(words, turned, {byte: value}) == (words.condition(operation, constant, known) == TRUE)


@pytest.mark.parametrize("op", ["bvule", "bvsle", "same"])
@pytest.mark.parametrize("number", [0, 9, 255, 256, 40_000, 65_535])
@pytest.mark.parametrize("moved", [0, 1, 65_530])
def test_a_wide_word_is_compared_with_numbers_exactly(words: Words, op: str, number: int, moved: int) -> None:
    word = words.fresh("input", 16)
    assert word.halves is not None
    high, low = word.halves
    shifted = words.result(Operation("bvlin", 16, (1, moved)), (word,))
    guard = words.condition(Operation(op, 0), shifted, words.constant(number, 16))
    assert words.is_exact(guard)
    for value in (0, 1, 8, 9, 10, 255, 256, 32_767, 32_768, 39_999, 40_001, 65_535):
        known = words.constant(value + moved, 16)
        wanted = words.condition(Operation(op, 0), known, words.constant(number, 16))
        assert holds(words, guard, {high: value >> 8, low: value & 255}) == (wanted == TRUE)


def test_a_relation_of_two_inputs_is_opaque_and_its_opposite_excludes_it(words: Words) -> None:
    left, right = words.fresh("input", 8), words.fresh("input", 8)
    less = words.condition(Operation("bvult", 0), left, right)
    not_less = words.condition(AT_MOST, right, left)
    assert not words.is_exact(less)
    assert words.both(less, not_less) == FALSE and words.either(less, not_less) == TRUE


def test_ranges_decide_what_they_can(words: Words) -> None:
    left, right = wider(words, words.fresh("input", 8)), wider(words, words.fresh("input", 8))
    total = words.result(Operation("bvadd", 32), (left, right))
    assert words.range(total) == (0, 510)
    assert words.condition(AT_MOST, total, words.constant(510, 32)) == TRUE
    assert words.condition(SAME, total, words.constant(511, 32)) == FALSE
    assert not words.is_exact(words.condition(SAME, total, words.constant(510, 32)))


def test_a_table_becomes_a_word_again(words: Words) -> None:
    byte = words.fresh("input", 8)
    values = tuple(value * value % 251 for value in range(256))
    node = words.tabulated(byte, values, 16)
    assert words.table(node) == values and words.range(node) == (0, 249)
    assert words.tabulated(byte, (7,) * 256, 16).value == 7


def test_guards_too_hard_for_diagrams_become_opaque(words: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    bytes_ = [words.fresh("input", 8) for _ in range(2)]
    guards = [words.condition(Operation("bvule", 0), byte, words.constant(99, 8)) for byte in bytes_]
    monkeypatch.setattr(words.diagrams, "_most", 0)
    both = words.both(*guards)
    assert not words.is_exact(both)
    monkeypatch.undo()
    assert words.both(both, both ^ 1) == FALSE


def test_a_guard_as_a_formula_mentions_its_inputs(words: Words) -> None:
    left, right = words.fresh("input", 8), words.fresh("input", 8)
    guard = words.both(words.condition(SAME, left, words.constant(1, 8)), words.condition(SAME, left, right))
    assert words.formula(guard).variables == left.variables | right.variables
    assert words.formula(TRUE).is_true and words.formula(FALSE).is_false


@pytest.mark.parametrize("seed", range(6))
def test_the_formula_of_a_guard_holds_where_the_guard_does(words: Words, seed: int) -> None:
    """Sets of many intervals, cases that agree in some bits, and what they leave of a second byte."""
    chance, script = random.Random(seed), words.script
    first, second = words.fresh("input", 8), words.fresh("input", 8)
    shift, cases = chance.choice((0, 2, 5)), [chance.random() < 0.5 for _ in range(256)]
    guard = words.where(first, [cases[value >> shift if seed % 2 else value & 63] for value in range(256)])
    for number in range(4):
        here = words.where(first, [value >> shift & 3 == number for value in range(256)])
        there = words.where(second, [chance.random() < 0.3 for _ in range(256)])
        guard = words.either(guard, words.both(here, there))
    formula = words.formula(guard)
    session, defined = open_session("z3", "QF_UFBV", None), 0
    assert session is not None
    for _ in range(60):
        chosen = {first: chance.randrange(256), second: chance.randrange(256)}
        known = [script.equal(byte, script.constant(value, 8)) for byte, value in chosen.items()]
        question = script.conjunction((*known, formula))
        lines, defined = script.lines_after(defined)
        session.define(lines)
        assert (session.verdict(question.text, 10) == "sat") == holds(words, guard, chosen)
