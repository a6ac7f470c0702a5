"""Endless runs as data: written and read again they are the same, and what is malformed is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.evidence.c.rounds import WatchedRounds
from pincer.evidence.c.trace import CTest, Failure, InputValue
from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.endless_claim import FORMAT, Choice, EndlessRun, from_json, to_json
from pincer.evidence.c_proof.formulas import Reader
from pincer.evidence.c_proof.term_data import variables
from pincer.logic import bitvectors
from pincer.logic.terms import FALSE, conjunction, equal, negate
from pincer.program.automaton import ALWAYS, Automaton, AutomatonEdge
from pincer.program.registers import register_of

HERE = Position("p.c", 3, 7)
N = register_of("main", "n", 32)
WIDE = register_of(None, "total", 64)
SHARED = bitvectors.binary("bvmul", N, bitvectors.binary("bvadd", N, N))
TEST = CTest(
    "p.c",
    "termination",
    "termination",
    (InputValue("f", "nondet", 32, 5, HERE),),
    (),
    Failure(HERE, ""),
    "LP64",
    "main",
)
RUN = EndlessRun(
    TEST,
    (
        CutPoint((), 2, (equal(SHARED, bitvectors.constant(4, 32)), negate(equal(N, bitvectors.constant(0, 32))))),
        CutPoint((("main", 4),), 7, (equal(WIDE, bitvectors.constant(1 << 40, 64)),), node=3),
    ),
    (Choice(1, (("main", 4),), 2, SHARED), Choice(0, (), 0, bitvectors.constant(9, 8))),
    12,
    WatchedRounds((), 1),
    4,
    "n stays odd",
    Automaton(("p",), (0,), (False, True), (ALWAYS, ()), (AutomatonEdge(0, ((("p", True),),), 1),)),
    ((0, 1), (1, 1)),
    False,
)


def written(run: EndlessRun = RUN) -> dict[str, Any]:
    """The data after a way through text."""
    data: dict[str, Any] = json.loads(json.dumps(to_json(run)))
    return data


def test_all_that_a_run_says_is_written_and_read() -> None:
    again = from_json(written())
    assert said(again) == said(RUN)
    assert again.points[0].facts and again.choices[0].value.sort is SHARED.sort
    assert written()["format"] == FORMAT.tag


def said(run: EndlessRun) -> tuple[object, ...]:
    """All that a run says, with terms as text: registers are the same if their names are."""
    points = [(p.calls, p.location, tuple(map(str, p.facts)), p.ranks, p.node) for p in run.points]
    choices = [(c.point, c.calls, c.edge, str(c.value)) for c in run.choices]
    return points, choices, replace(run, points=(), choices=())


@pytest.mark.parametrize(
    "run",
    [
        replace(RUN, points=(), choices=(), automaton=None, moves=(), ended=True),
        replace(RUN, automaton=None, moves=()),
        replace(RUN, points=(CutPoint((), 0, ()),), choices=()),
    ],
)
def test_what_a_run_does_not_have_is_absent_afterwards(run: EndlessRun) -> None:
    assert said(from_json(written(run))) == said(run)


def test_older_files_say_nothing_of_automata() -> None:
    plain = replace(RUN, automaton=None, moves=(), points=(replace(RUN.points[0], node=0),), choices=())
    data = written(plain)
    for name in ("automaton", "moves", "ended"):
        data.pop(name)
    data["points"][0].pop("node")
    assert said(from_json(data)) == said(plain)


def test_what_facts_share_is_written_once() -> None:
    long = SHARED
    for _ in range(60):
        long = bitvectors.binary("bvmul", long, bitvectors.binary("bvadd", long, N))
    run = replace(RUN, points=(CutPoint((), 2, (equal(long, N), negate(equal(long, SHARED)))),), choices=())
    assert len(json.dumps(to_json(run))) < 100_000
    again = from_json(written(run))
    assert len(again.points[0].facts) == 2 and len(json.dumps(to_json(again))) < 100_000


CHANGES: list[Callable[[dict[str, Any]], object]] = [
    lambda data: data.pop("test"),
    lambda data: data.pop("points"),
    lambda data: data.pop("registers"),
    lambda data: data.pop("stem"),
    lambda data: data.update(format="pincer-c-endless-0"),
    lambda data: data.update(stem=-1),
    lambda data: data.update(stem="12"),
    lambda data: data.update(loop_from=-1),
    lambda data: data.update(again=None),
    lambda data: data.update(ended=1),
    lambda data: data.update(moves=[[0, -1]]),
    lambda data: data.update(moves=[[0]]),
    lambda data: data.update(definitions=["("]),
    lambda data: data.update(registers={"main::n": -1}),
    lambda data: data.update(registers={"main::n": (1 << 16) + 1}),
    lambda data: data.update(registers={}),
    lambda data: data["points"][0].update(location=-1),
    lambda data: data["points"][0].update(node=-1),
    lambda data: data["points"][0].update(calls=[["main"]]),
    lambda data: data["points"][0].update(calls=[["main", -1]]),
    lambda data: data["points"][0].update(facts=["true true"]),
    lambda data: data["points"][0].update(facts=["|main::n|"]),
    lambda data: data["points"][0].update(facts=["(= |main::n| |main::missing|)"]),
    lambda data: data["points"][0].update(facts=["(= |main::n| (_ bv1 64))"]),
    lambda data: data["choices"][0].update(point=-1),
    lambda data: data["choices"][0].update(edge=-1),
    lambda data: data["choices"][0].update(value="true"),
    lambda data: data["choices"][0].update(value="(bvadd |main::n|"),
    lambda data: data["choices"][0].pop("value"),
    lambda data: data.update(automaton={"initial": [0]}),
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_what_is_malformed_is_refused(number: int) -> None:
    data = written()
    CHANGES[number](data)
    with pytest.raises(PincerError):
        from_json(data)


@pytest.mark.parametrize("data", [None, [], "run", 3, {}])
def test_what_is_no_run_is_refused(data: object) -> None:
    with pytest.raises(PincerError):
        from_json(data)


def test_deep_formulas_are_read_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = written()
    data["points"][0]["facts"] = ["(not " * 50_001 + "true" + ")" * 50_001]
    assert from_json(data).points[0].facts == (FALSE,)

    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(Reader, "predicate", too_deep)
    with pytest.raises(PincerError, match="nested too deeply"):
        from_json(data)


def test_conditions_stay_conditions_of_the_same_width() -> None:
    both = conjunction(equal(N, bitvectors.constant(3, 32)), equal(WIDE, bitvectors.constant(3, 64)))
    [point] = from_json(written(replace(RUN, points=(CutPoint((), 1, (both,)),), choices=()))).points
    assert list(map(str, point.facts)) == [str(both)]
    assert [term.sort for term in variables(point.facts[0])] == [term.sort for term in variables(both)]
