"""The product: its candidates violate the property when they are run, and without any the property holds."""

from __future__ import annotations

import pytest

from pincer.engines.dse.product import Candidate, PathProduct
from pincer.engines.dse.propositions import Propositions, meanings
from pincer.execution.msvl import Options
from pincer.frontends.msvl import parse_program
from pincer.temporal.formula import not_
from pincer.temporal.limits import TemporalLimits
from pincer.temporal.property import parse_properties
from tests.execution.trees.msvl_explorations import exploration

PROGRAM = "frame(x,y) and (int x and int y<==0 and input(x) and skip; if(x<5) then {y:=x} else {y:=1})"


def candidates(formula: str) -> tuple[list[Candidate], PathProduct]:
    """All candidates for a property of the program over `p`, which says that y is below 4."""
    [asked] = parse_properties(f"</ define p: y<4; {formula} />", "test.m")
    found = exploration(PROGRAM)
    known = Propositions(parse_program(PROGRAM, "test.m"), meanings(asked), Options())
    product = PathProduct(not_(asked.formula), known, found.queries, TemporalLimits())
    return [one for path in found.paths({"s_x": 0}) for one in product.extend(path)], product


def test_inputs_of_a_path_are_split_where_a_proposition_holds_for_some_of_them_only() -> None:
    made, product = candidates("alw(p)")
    assert [one.inputs["s_x"] for one in made] == [4]
    assert all(one.sure for one in made) and not product.reasons


@pytest.mark.parametrize("formula", ["som(p)", "alw(p or !p)", "p and som(p)"])
def test_what_holds_for_all_inputs_has_no_candidates(formula: str) -> None:
    made, product = candidates(formula)
    assert made == [] and not product.reasons
