"""Formulas as text that the parser reads back."""

from __future__ import annotations

from random import Random

import pytest

from pincer.temporal.cubes import cubes
from pincer.temporal.parser import parse_formula
from pincer.temporal.text import cube_text, formula_text
from tests.evidence.msvl.pptl_definition import random_tree, text


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_formulas_are_read_back_as_they_were_written(start: int) -> None:
    for seed in range(start, start + 50):
        random = Random(seed)
        formula = parse_formula(text(random_tree(random, random.randint(2, 7)))).formula
        assert parse_formula(formula_text(formula)).formula is formula


@pytest.mark.parametrize("shown", ["[]p", "<>p", "()p", "p && q", "p || q", "empty", "len(3)", "p ; q", "skip"])
def test_short_formulas_are_written_as_people_do(shown: str) -> None:
    assert formula_text(parse_formula(shown).formula) == shown


def test_cubes_are_written_as_conjunctions() -> None:
    [cube] = cubes(parse_formula("p && !q").formula)
    assert sorted(cube_text(cube).split(" && ")) == ["!q", "p"]
    assert cube_text(frozenset()) == "true"
