"""When the engine says safe, when it must not, and what it says otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import EngineTask
from pincer.errors import PincerError
from pincer.execution.msvl import Options
from pincer.execution.trees import SearchBounds
from pincer.frontends.msvl import parse_program
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import reason_of
from tests.engines.dse.dse_checks import EXAMPLE, counterexample, judged

HOLDS = "define a: z=6; define b: x+y=11 OR x-y=9; fin(a -> b)"

UNDECIDED = [
    ("a bound on runs", EXAMPLE, HOLDS, {"bounds": SearchBounds(max_runs=3)}, "ways left to try"),
    ("a bound on depth", EXAMPLE, HOLDS, {"bounds": SearchBounds(max_depth=0)}, "depth bound"),
    ("the paper's verdicts", EXAMPLE, HOLDS, {"paper_verdicts": True}, "does not conclude"),
    (
        "a run that is cut",
        "frame(x) and (int x<==0 and skip; while(true){x:=x+1})",
        "define p: x>=0; alw(p)",
        {"execution": Options(max_states=20)},
        "stopped after 20 states",
    ),
    (
        "a run that fails",
        "frame(x) and (int x and skip; x:=x+1)",
        "alw(true)",
        {},
        "a run fails",
    ),
    (
        "a product of inputs",
        "frame(x,y) and (int x,y and input(x) and input(y) and skip; x:=x*y)",
        "define p: x+1>x; alw(p)",
        {},
        "a product of two symbolic values",
    ),
    (
        "an index in a proposition",
        "frame(a,i) and (int a[2]<==[1,1] and int i and input(i) and skip; skip)",
        "define p: a[i]=1; alw(!p)",
        {"inputs": {"s_i": 7}},
        "single values only",
    ),
    (
        "a proposition that only some inputs give a value",
        "frame(i,a) and (bool i and int a and input(i) and skip)",
        "define p: i=1 AND a=0; define q: i=0; p or q",
        {"inputs": {"s_i": 0}},
        "single values only",
    ),
    (
        "a loop whose symbolic store keeps changing",
        "frame(x,y) and (int x and int y<==0 and input(x) and skip; while(true){y:=x-y})",
        "define p: y=y; alw(p)",
        {"inputs": {"s_x": 0}},
        "single inputs only",
    ),
]


@pytest.mark.parametrize(
    ("what", "program", "block", "options", "reason"), UNDECIDED, ids=[row[0] for row in UNDECIDED]
)
def test_nothing_is_claimed_safe_when_something_is_left_open(
    what: str, program: str, block: str, options: dict[str, Any], reason: str
) -> None:
    result = judged(program, block, **options)
    assert result.verdict == "unknown"
    assert reason in reason_of(result)
    assert "; ".join(result.statistics["reasons"]) == reason_of(result)


def test_a_time_limit_is_a_reason() -> None:
    result = judged("frame(x) and (int x<==0 and skip; while(true){x:=x+1})", "alw(true)", Run(timeout=0.0))
    assert result.verdict == "unknown"
    assert "time limit" in reason_of(result)


def test_restarting_after_the_bound_of_runs_changes_nothing_but_goes_on_below_it() -> None:
    assert judged(EXAMPLE, HOLDS, restarts=3).verdict == "safe"
    assert judged(EXAMPLE, HOLDS, restarts=3, bounds=SearchBounds(max_depth=0, max_runs=50)).verdict == "unknown"


def test_a_loop_that_tests_inputs_again_and_again_can_be_proved() -> None:
    program = "frame(n,y) and (int n and int y<==0 and input(n) and skip; while(true){if(n>0) then {y:=1} else {y:=2}})"
    assert judged(program, "define p: y>0; len(3) ; alw(p)").verdict == "safe"
    assert counterexample(program, "define p: y=1; som(p)").kind == "lasso"


def test_every_pattern_of_propositions_along_a_loop_is_looked_at() -> None:
    program = "frame(n,y) and (int n and int y<==0 and input(n) and skip; while(true){y:=1-y})"
    found = counterexample(program, "define p: n>7; define q: y=1; alw(som(q and !p))", inputs={"s_n": 0})
    assert dict(found.inputs)["s_n"] > 7
    assert judged(program, "define p: n>7; define q: y=1; alw(som(q and !p)) or alw(p) or !p").verdict == "safe"


def test_a_program_without_a_model_satisfies_everything_and_says_so() -> None:
    result = judged("frame(x) and (int x<==0 and skip; (x:=1 and len(2)))", "false")
    assert result.verdict == "safe"
    assert any("no model" in warning for warning in result.warnings)


def test_inputs_without_a_model_are_no_counterexamples() -> None:
    program = "frame(x) and (int x and input(x) and skip; x>5; skip)"
    result = judged(program, "define p: x>5; alw(p)", inputs={"s_x": 0})
    assert result.verdict == "safe"
    assert any("without a model" in warning for warning in result.warnings)


def test_both_alternatives_of_a_choice_are_examined() -> None:
    program = "frame(x) and (int x<==0 and skip; (x:=1 or x:=2))"
    assert judged(program, "define p: x=1; fin(p)").verdict == "unsafe"
    assert judged(program, "define p: x=2; fin(p)").verdict == "unsafe"
    assert judged(program, "define p: x=1 OR x=2; fin(p)").verdict == "safe"


def test_a_length_that_is_an_input_is_followed_for_all_its_values() -> None:
    program = "frame(n) and (char n and input(n) and skip; if(n>0 AND n<4) then {len(n)} else {empty})"
    assert judged(program, "len(1) or len(2) or len(3) or len(4)").verdict == "safe"
    assert judged(program, "len(1) or len(2) or len(4)").verdict == "unsafe"


def test_the_types_of_inputs_bound_them() -> None:
    block = "define p: x>=0 AND x<2; alw(p)"
    assert judged("frame(x) and (bool x and input(x) and skip)", block).verdict == "safe"
    assert judged("frame(x) and (int x and input(x) and skip)", block).verdict == "unsafe"


def test_several_properties_share_one_exploration_and_keep_their_order() -> None:
    text = f"</ {HOLDS} /> </ define p: x<5; alw(p) /> </ {HOLDS} />"
    task = EngineTask(parse_program(EXAMPLE, "t.m"), parse_properties(text, "t.m"), CheckOptions())
    results = list(check(task, Run()))
    assert [(one.name, one.verdict) for one in results] == [
        ("property 1", "safe"),
        ("property 2", "unsafe"),
        ("property 3", "safe"),
    ]
    assert results[0].statistics["coverage"]["runs"] == 4


def test_the_statistics_are_plain_data_with_all_figures() -> None:
    statistics = judged(EXAMPLE, HOLDS).statistics
    assert json.loads(json.dumps(statistics))["tree"] == {
        "nodes": 9,
        "arcs": 11,
        "paths": {"terminated": 4, "cut": 0, "lasso": 0, "error": 0, "inconsistent": 0},
    }
    assert statistics["coverage"] == {"runs": 4, "sides": 4, "all_sides": 4, "infeasible": 0, "exhaustive": True}
    assert {"negated", "witness", "solver", "options", "reasons"} <= statistics.keys()


def test_workers_give_the_same_verdict() -> None:
    assert judged(EXAMPLE, HOLDS, jobs=2).verdict == "safe"


def test_a_mistake_in_a_proposition_is_shown_at_its_place() -> None:
    with pytest.raises(PincerError) as caught:
        judged("skip", "define p: x +; alw(p)")
    assert caught.value.position is not None
    assert caught.value.position.column >= 14


def test_a_proposition_without_a_value_is_false_with_a_warning() -> None:
    result = judged("frame(x) and (int x and skip; x:=1)", "define p: x=1; alw(p)")
    assert result.verdict == "unsafe"
    assert any("`p` has no value" in warning for warning in result.warnings)


def test_a_construct_that_is_not_modelled_is_named() -> None:
    result = judged("frame(t) and (string t and input(t) and skip)", "alw(true)")
    assert result.verdict == "unknown"
    assert "unsupported: test.m:1:" in reason_of(result)


def test_a_loop_that_stands_for_too_many_words_is_given_up() -> None:
    names = [f"b{number}" for number in range(9)]
    reads = " and ".join(f"bool {name} and input({name})" for name in names)
    program = f"frame({','.join(names)},x) and ({reads} and int x<==0 and skip; while(true){{x:=1-x}})"
    defines = "".join(f"define p{number}: b{number}=1; " for number in range(9))
    others = " and ".join(f"p{number}" for number in range(1, 9))
    result = judged(program, f"{defines} som(alw(p0)) or som(alw(!p0)) or ({others})")
    assert result.verdict == "unknown"
    assert "more than 256 words" in reason_of(result)
