"""Iterations under a negation, where a path of the plain graph need not be a model."""

from __future__ import annotations

from itertools import product

import pytest

from pincer.temporal.formula import Formula
from pincer.temporal.graph import components, expand
from pincer.temporal.iterations import iteration_graph, negates_iteration
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import Meter, TemporalLimits
from pincer.temporal.moves import obligation_graph
from pincer.temporal.parser import parse_formula
from pincer.temporal.satisfiability import satisfiable_infinite

UNSATISFIABLE = [
    *("!(skip+) && []more", "!(len(3)*)", "!((p && skip)+) && []p", "!(len(2)+ ; p) && []p", "[]p && <>!((p;skip)+)"),
    *("!((skip || len(2))+) && []<>p", "!((p;skip)+) && []p && []more", "!(skip;(skip+)) && ()()more && []more"),
]
SATISFIABLE = [
    # A piece that never ends goes on for ever after one, two or three that did.
    *("!((skip;<>(p && empty))+) && <>p", "!((skip;<>(p && empty))+) && ()p && ()()()p"),
    *("!((skip;<>(p && empty))+) && ()(p && ()()(p && ()p))", "!((skip;<>(p && empty))+ ; q) && <>(p && ()p)"),
    *("!((p && skip)+) && []<>p", "!((p && len(2))+) && p", "<>[]!((p && skip)+)", "[]!((p && skip)+) && <>p"),
    *(
        "!((p;len(2))+ ; q) && []<>p",
        "!((p && len(2))* ; (!p && skip)+)",
        "!(p+) && <>p",
        "[]<>p && !((<>p && len(3))+)",
    ),
]


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


def _small_lassos() -> list[Lasso]:
    letters = (frozenset[str](), frozenset("p"))
    words = [word for count in range(4) for word in product(letters, repeat=count)]
    return [Lasso(prefix, loop) for prefix in words if len(prefix) < 3 for loop in words if loop]


@pytest.mark.parametrize("text", UNSATISFIABLE)
def test_what_has_no_infinite_model_is_found_out(text: str) -> None:
    assert satisfiable_infinite(_formula(text)).verdict == "unsat"
    assert not any(holds_on_lasso(_formula(text), lasso) for lasso in _small_lassos())


@pytest.mark.parametrize("text", SATISFIABLE)
def test_what_has_an_infinite_model_comes_with_one(text: str) -> None:
    answer = satisfiable_infinite(_formula(text))
    assert answer.verdict == "sat"
    assert isinstance(answer.model, Lasso)
    assert holds_on_lasso(_formula(text), answer.model)


def test_the_plain_graph_alone_would_accept_what_has_no_model() -> None:
    graph = obligation_graph(_formula("!(skip+) && []more"))
    while expand(graph, Meter(TemporalLimits()), 2 * len(graph.nodes)):
        pass
    good = [nodes for nodes in components(graph) if any(not graph.nodes[node].owes for node in nodes)]
    assert good
    assert any(negates_iteration(node.literals) for node in graph.nodes)


@pytest.mark.parametrize(
    "text", [*UNSATISFIABLE, *SATISFIABLE, "[]<>p && []<>!p", "<>[]p && <>[]!p", "(p U q) && []!q"]
)
def test_the_exact_graph_has_a_good_component_iff_there_is_a_model(text: str) -> None:
    meter = Meter(TemporalLimits())
    graph = iteration_graph(_formula(text), meter)
    while expand(graph, meter, 2 * len(graph.nodes)):
        pass
    good = any(not graph.nodes[node].owes for nodes in components(graph) for node in nodes)
    assert good == (satisfiable_infinite(_formula(text)).verdict == "sat")
