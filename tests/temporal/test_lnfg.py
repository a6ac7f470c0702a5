"""Labelled normal form graphs: their shape, their models, and the paths of words through them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from pincer.temporal.derivative import Letter, holds_in_state, satisfies
from pincer.temporal.formula import Formula, not_
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import TemporalLimits, TooLarge
from pincer.temporal.lnfg import END, Lnfg, build_lnfg, node_path
from pincer.temporal.parser import parse_formula

AC_PROPERTY = "len(2);alw((p and q)->r)"
ALL = frozenset("pqr")
AC_OFF = frozenset("pq")


def _formula(text: str) -> Formula:
    return parse_formula(text).formula


def _words(names: str, shortest: int, longest: int) -> Iterator[tuple[Letter, ...]]:
    letters = [frozenset(chosen) for size in range(len(names) + 1) for chosen in _subsets(names, size)]
    for count in range(shortest, longest + 1):
        yield from product(letters, repeat=count)


def _subsets(names: str, size: int) -> Iterator[str]:
    if size == 0:
        yield ""
    for index, name in enumerate(names):
        if size > 0:
            yield from (name + rest for rest in _subsets(names[index + 1 :], size - 1))


def test_the_graph_of_the_negated_controller_property_is_the_published_one() -> None:
    lnfg = build_lnfg(not_(_formula(AC_PROPERTY)))
    off = "p && q && !r"
    assert [node.formula for node in lnfg.nodes] == [
        _formula(f"!({AC_PROPERTY})"),
        _formula("!(len(1);[]((p && q)->r))"),
        _formula(f"<>({off})"),
        _formula("true"),
    ]
    assert [node.labels for node in lnfg.nodes] == [(), (), (1,), ()]
    assert lnfg.initial == (0,)
    assert lnfg.exact
    guards = {(edge.source, edge.target): edge.text for edge in lnfg.edges}
    assert guards == {
        (0, END): "true",
        (0, 1): "true",
        (1, END): "true",
        (1, 2): "true",
        (2, END): off,
        (2, 2): "true",
        (2, 3): off,
        (3, END): "true",
        (3, 3): "true",
    }


def test_a_violating_run_is_mapped_to_the_nodes_of_the_graph() -> None:
    lnfg = build_lnfg(not_(_formula(AC_PROPERTY)))
    assert node_path(lnfg, [ALL] * 6 + [AC_OFF], ended=True) == (0, 1, 2, 2, 2, 2, 2, END)
    assert node_path(lnfg, [ALL], ended=True) == (0, END)
    assert node_path(lnfg, [ALL] * 7, ended=True) is None
    assert node_path(lnfg, [ALL, ALL, AC_OFF, ALL], ended=False) == (0, 1, 2, 3, 3)
    assert node_path(lnfg, [ALL, ALL], ended=False) == (0, 1, 2)


# The graph PPTLSAT prints for `P -> <><>Q`, its labels read as true; 5 is the end node.
SAMPLE = [
    *((1, 2, "true"), (1, 3, "true"), (1, 4, "Q || !P"), (1, 5, "Q || !P"), (2, 2, "true"), (2, 3, "true")),
    *((2, 4, "Q"), (2, 5, "Q"), (3, 3, "true"), (3, 4, "Q"), (3, 5, "Q"), (4, 4, "true"), (4, 5, "true")),
]


def _sample_after(nodes: set[int], letter: Letter) -> set[int]:
    return {target for source, target, guard in SAMPLE if source in nodes and holds_in_state(_formula(guard), letter)}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_pptlsat_sample_has_the_same_finite_models(count: int) -> None:
    ours = build_lnfg(_formula("P -> <><>Q"))
    for word in _words("PQ", count, count):
        nodes = {1}
        for letter in word:
            nodes = _sample_after(nodes - {5}, letter)
        assert (5 in nodes) == (node_path(ours, word, ended=True) is not None), word


def test_the_pptlsat_sample_has_the_same_infinite_models() -> None:
    """Nodes 2 and 3 keep their labels on their loops, so an infinite path is a model iff it reaches node 4."""
    formula = _formula("P -> <><>Q")
    ours = build_lnfg(formula)
    for prefix in _words("PQ", 0, 1):
        for loop in _words("PQ", 1, 2):
            nodes = {1}
            for letter in prefix + loop + loop:
                nodes = _sample_after(nodes - {5}, letter)
            lasso = Lasso(prefix, loop)
            assert (4 in nodes) == _accepts(ours, lasso) == holds_on_lasso(formula, lasso), lasso


def _accepts(lnfg: Lnfg, lasso: Lasso) -> bool:
    """Whether the product with the lasso has a reachable component whose nodes share no label."""
    letters = lasso.prefix + lasso.loop
    following: dict[tuple[int, int], set[tuple[int, int]]] = {}
    frontier = [(node, 0) for node in lnfg.initial]
    while frontier:
        here = frontier.pop()
        if here in following:
            continue
        node, at = here
        after = at + 1 if at + 1 < len(letters) else len(lasso.prefix)
        following[here] = {
            (edge.target, after)
            for edge in lnfg.edges
            if edge.source == node and edge.target != END and holds_in_state(edge.guard, letters[at])
        }
        frontier += following[here]
    reach = {here: _reachable(following, here) for here in following}
    components = [{there for there in reach[here] if here in reach[there]} for here in following if here in reach[here]]
    return any(
        not set.intersection(*(set(lnfg.nodes[node].labels) for node, _ in component)) for component in components
    )


def _reachable(following: dict[tuple[int, int], set[tuple[int, int]]], start: tuple[int, int]) -> set[tuple[int, int]]:
    found: set[tuple[int, int]] = set()
    frontier = [start]
    while frontier:
        fresh = following[frontier.pop()] - found
        found |= fresh
        frontier += fresh
    return found


MODELS = [
    *(
        "p;q",
        "<>p && <>q",
        "[]<>p",
        "<>[]p",
        "[](p -> <>q)",
        "p U q",
        "[](p U q)",
        "(p && len(2))+",
        "(len(1) || len(2))+",
    ),
    *(
        "((p;skip) || len(2))+",
        "(<>p)+ && []<>q",
        "(p,q) prj <>p",
        "keep(p);q",
        "!(p;[]q)",
        "(skip;p)* && [](q -> ()p)",
    ),
]


@pytest.mark.parametrize("text", MODELS)
def test_labels_tell_which_infinite_paths_are_models(text: str) -> None:
    formula = _formula(text)
    lnfg = build_lnfg(formula)
    assert lnfg.exact
    for prefix in _words("pq", 0, 1):
        for loop in _words("pq", 1, 2):
            assert _accepts(lnfg, Lasso(prefix, loop)) == holds_on_lasso(formula, Lasso(prefix, loop)), (prefix, loop)


@pytest.mark.parametrize("text", [*MODELS, "!(skip+)", "!((p;skip)+)"])
def test_paths_to_the_end_are_the_finite_models(text: str) -> None:
    formula = _formula(text)
    lnfg = build_lnfg(formula)
    for word in _words("pq", 1, 3):
        assert (node_path(lnfg, word, ended=True) is not None) == satisfies(formula, word)


def test_a_negated_iteration_makes_the_graph_inexact() -> None:
    lnfg = build_lnfg(_formula("!(skip+) && []more"))
    assert not lnfg.exact


def test_nodes_without_any_model_are_left_out() -> None:
    lnfg = build_lnfg(_formula("skip && len(2)"))
    assert lnfg.nodes == () and lnfg.edges == () and lnfg.initial == ()


def test_a_graph_that_grows_too_large_is_cut() -> None:
    with pytest.raises(TooLarge, match="more than 50 nodes"):
        build_lnfg(_formula("len(1000)"), TemporalLimits(nodes=50))
