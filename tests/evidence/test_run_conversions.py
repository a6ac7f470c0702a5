"""Evidence of each kind becomes a run that people can follow: their lines, their names, only what changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c.trace import CStep, CTest, Failure, InputValue
from pincer.evidence.gcl.trace import Step, Trace
from pincer.evidence.msvl.counterexample import Counterexample, Interpretation, State
from pincer.evidence.msvl.counterexample import Kind as Ending
from pincer.evidence.run_conversions import (
    SourceFiles,
    failure_text,
    run_of_schedule,
    run_of_states,
    run_of_test,
    run_of_trace,
    schedule_failure_text,
)
from pincer.evidence.threads.trace import Kind, Point, ThreadedFailure, ThreadedTest, ThreadInput, ThreadStep
from pincer.evidence.violating_run import RunStep, ValueChange, ViolatingRun
from pincer.program.control_flow import LITERALS_ARE_APART
from pincer.program.guarded import BOOL, FiniteType, GuardedProgram, GuardedTransition, GuardedVariable, IntType, Truth

LINES = ["int n = input();", "if (n)", "f(n);", "while (i < n)", "i++;", "int r = y;", "assert(0);"]
HERE = Position("p.gcl", 1, 1)
PROGRAM = GuardedProgram(
    name="p",
    variables=(
        GuardedVariable("x", IntType(), HERE),
        GuardedVariable("pc", FiniteType(0, 2, ("idle", "wait", "crit")), HERE),
        GuardedVariable("busy", BOOL, HERE),
    ),
    init=Truth(True),
    transitions=tuple(
        GuardedTransition(name, process, Truth(True), (), Position("p.gcl", line, 3))
        for name, process, line in [("go", "P", 9), ("come", "Q", 10), ("stay", None, 12)]
    ),
    properties=(),
    file="p.gcl",
    sha256="0",
    constants={},
)

START = {"x": 0, "pc": 0, "busy": 0}
AFTER = {"x": 10**30, "pc": 2, "busy": 0}


def at(line: int, file: str = "p.c", column: int = 1) -> Position:
    return Position(file, line, column)


def line_of(position: Position) -> str | None:
    return LINES[position.line - 1] if position.file == "p.c" else None


def pairs(step: RunStep) -> list[tuple[str, str]]:
    return [(change.name, change.value) for change in step.changes]


def guarded(*transitions: str, name: str = "ok") -> ViolatingRun:
    return run_of_trace(PROGRAM, Trace(name, START, tuple(Step(taken, AFTER) for taken in transitions)))


def test_transitions_show_only_what_changed_in_the_words_of_the_source() -> None:
    start, first, second = guarded("go", "stay").steps
    assert (start.number, start.line, pairs(start)) == (0, None, [("x", "0"), ("pc", "idle"), ("busy", "false")])
    assert (first.number, first.file, first.line, first.text) == (1, "p.gcl", 9, "go")
    assert first.changes == (ValueChange("x", "1" + "0" * 30, "0"), ValueChange("pc", "crit", "idle"))
    assert (second.number, second.text, second.changes) == (2, "stay", ())


def test_processes_are_lanes_where_there_are_several() -> None:
    run = guarded("go", "come", "stay")
    assert run.lanes == ("P", "Q")
    assert [step.lane for step in run.steps] == [None, 0, 1, None]
    assert guarded("go").lanes == ("run",)


def test_why_a_model_is_violated_counts_the_steps() -> None:
    assert guarded("go").why == "it is false after 1 step"
    assert guarded().why == "it is false in an initial state"
    assert guarded("go", "go", name="range").why.startswith("after 2 steps, the next one")


def step(line: int, depth: int = 0, branch: bool | None = None, **changes: int) -> CStep:
    return CStep(at(line), "f", "", tuple((k, str(v)) for k, v in changes.items()), branch, depth=depth)


def c_test(*steps: CStep, failure: Failure | None = None, inputs: tuple[InputValue, ...] = ()) -> CTest:
    failure = failure or Failure(at(7, column=5), "assertion fails")
    return CTest("p.c", "assertions", "assertions", inputs, steps, failure, "LP64", "main")


def c_run(*steps: CStep, failure: Failure | None = None) -> ViolatingRun:
    return run_of_test(c_test(*steps, failure=failure), line_of)


def test_a_line_of_c_shows_its_text_and_what_it_changed() -> None:
    first, last = c_run(step(1, n=3)).steps
    assert (first.number, first.place, first.text, pairs(first)) == (1, "p.c:1", "int n = input();", [("n", "3")])
    assert (last.number, last.place, last.text, last.note) == (2, "p.c:7", "assert(0);", "goes wrong")


def test_the_failure_is_the_message_at_the_last_step() -> None:
    run = c_run(step(1, n=3))
    assert (run.failure.number, run.failure.line, run.failure.column) == (2, 7, 5)
    assert (run.failure.text, run.why) == ("assertion fails", "assertion fails at p.c:7:5")


def test_steps_of_one_line_are_one_with_the_last_values() -> None:
    first, second, _ = c_run(step(1, i=1), step(5, i=1), step(5, i=2, j=4)).steps
    assert first.changes == (ValueChange("i", "1"),)
    assert second.changes == (ValueChange("i", "2", "1"), ValueChange("j", "4"))


def test_a_decision_says_which_side_it_took() -> None:
    steps = c_run(step(2, branch=True), step(4, branch=False)).steps
    assert [one.aside for one in steps] == ["true", "false", "goes wrong"]


def test_the_line_of_a_call_is_shown_again_when_the_callee_returns_to_it() -> None:
    steps = c_run(step(3), step(6, depth=1, r=1), step(3, x=1), failure=Failure(at(7), "fails", depth=1)).steps
    assert [(one.line, one.depth) for one in steps] == [(3, 0), (6, 1), (3, 0), (7, 1)]


def test_a_recursive_call_on_the_same_line_is_a_step_of_its_own() -> None:
    assert [one.depth for one in c_run(step(3), step(3, depth=1)).steps] == [0, 1, 0]


def test_steps_outside_of_readable_source_are_left_out() -> None:
    hidden = CStep(at(1, "/usr/include/x.h"), "main", "", (("x", "1"),))
    assert [one.place for one in c_run(hidden, step(1, n=1)).steps] == ["p.c:1", "p.c:7"]


def test_a_failure_at_the_last_line_is_not_told_twice() -> None:
    steps = c_run(step(1, n=1), step(7, x=2)).steps
    assert [(one.place, one.note) for one in steps] == [("p.c:1", ""), ("p.c:7", "goes wrong")]
    assert pairs(steps[-1]) == [("x", "2")]


def test_what_goes_wrong_in_a_library_function_goes_wrong_in_the_line_that_calls_it() -> None:
    run = c_run(step(1), step(3), failure=Failure(at(9, "<library>"), "invalid access", depth=1))
    assert (run.failure.file, run.failure.line, run.failure.text) == (run.steps[-1].file, 3, "invalid access")
    assert (run.steps[-1].place, run.steps[-1].note) == ("p.c:3", "goes wrong")
    assert run.why == "invalid access in a library function, called at p.c:3:1"


def test_inputs_name_their_source_value_and_place() -> None:
    inputs = (
        InputValue("__VERIFIER_nondet_int", "nondet", 32, 2**32 - 1, at(1)),
        InputValue("uninitialised variable x", "undefined", 8, 7, at(2)),
        InputValue("getchar", "external", 32, 2**32 - 1, at(3), signed=True),
        InputValue("c", "argument", 32, 5, at(4), word="GREEN"),
    )
    assert list(map(str, run_of_test(c_test(inputs=inputs), line_of).inputs)) == [
        "__VERIFIER_nondet_int() = -1 (p.c:1)",
        "uninitialised variable x = 7 (p.c:2)",
        "getchar = -1 (p.c:3)",
        "argument c = GREEN (p.c:4)",
    ]


@pytest.mark.parametrize(("values", "shown"), [((0, 0, 0), 1), ((0, 1), 2)])
def test_literals_that_share_their_memory_are_told_once(values: tuple[int, ...], shown: int) -> None:
    inputs = tuple(InputValue(LITERALS_ARE_APART, "library", 8, value, at(1)) for value in values)
    assert len(run_of_test(c_test(inputs=inputs), line_of).inputs) == shown


@pytest.mark.parametrize(("line", "text"), [(1, "int x;"), (2, "y();"), (3, None), (0, None)])
def test_source_lines_are_found_wherever_the_program_is_now(line: int, text: str | None, tmp_path: Path) -> None:
    (tmp_path / "moved.c").write_text("int x;\n   y();\n", encoding="utf-8")
    assert SourceFiles(tmp_path / "moved.c", "p.c").line(at(line)) == text


def test_a_source_file_that_is_gone_has_no_lines(tmp_path: Path) -> None:
    assert SourceFiles(tmp_path / "gone.c", "p.c").line(at(1)) is None


CREATE = ThreadStep(0, at(1), "main", "pthread_create", creates=1)


def schedule(kind: Kind, *steps: ThreadStep, stops: tuple[Point, ...]) -> ViolatingRun:
    given = (ThreadInput("input", "nondet", 32, 3, at(1), thread=1),)
    failure = ThreadedFailure(stops[0].position, "it happens", stops)
    test = ThreadedTest("p.c", kind, kind, "LP64", "main", given, steps, (), failure)
    return run_of_schedule(test, line_of)


def test_lines_of_threads_have_lanes_in_one_order() -> None:
    hidden = ThreadStep(0, at(3, "elsewhere.h"), "helper", "")
    read = ThreadStep(1, at(5), "f", "", reads=(("i", "0"),))
    other = ThreadStep(2, at(5), "f", "", (("i", "1"),), reads=(("i", "0"),))
    late = ThreadStep(1, at(5), "f", "", (("i", "1"),))
    run = schedule("assertion", CREATE, read, other, late, hidden, stops=(Point(0, "read", "i", at(7)),))
    assert run.lanes == ("main", "thread 1", "thread 2")
    assert [(one.number, one.lane) for one in run.steps] == [(1, 0), (2, 1), (3, 2), (4, 1), (5, 0)]
    assert [one.remarks for one in run.steps] == [
        ("thread 1 begins",),
        ("reads i (0)",),
        ("i = 1",),
        ("i = 1",),
        ("goes wrong",),
    ]
    assert run.why == "it happens at p.c:7:1"
    assert list(map(str, run.inputs)) == ["thread 1: input = 3"]


def test_what_another_thread_has_changed_says_nothing_about_values_before() -> None:
    mine = ThreadStep(0, at(1), "main", "", (("x", "1"),))
    others = (ThreadStep(1, at(2), "f", "", (("x", "7"),)), ThreadStep(1, at(3), "f", "", (("x", "8"),)))
    steps = schedule("assertion", mine, *others, stops=(Point(1, "read", "x", at(7)),)).steps
    assert [change.old for one in steps for change in one.changes] == [None, None, "7"]


def test_calls_of_threads_have_depths_and_variables_of_their_own() -> None:
    steps = (
        ThreadStep(1, at(1), "f", "call of g"),
        ThreadStep(2, at(3), "f", "", (("n", "7"),), scopes=("f",)),
        ThreadStep(1, at(5), "g", "", (("n", "1"),), depth=1, scopes=("g",)),
        ThreadStep(2, at(4), "f", "", (("n", "8"),), scopes=("f",)),
        ThreadStep(1, at(1), "f", "", (("n", "2"),), scopes=("f",)),
    )
    run = schedule("assertion", *steps, stops=(Point(1, "call", "", at(7)),))
    assert [(one.lane, one.depth, one.function) for one in run.steps] == [
        (1, 0, "f"),
        (2, 0, "f"),
        (1, 1, "g"),
        (2, 0, "f"),
        (1, 0, "f"),
        (1, 0, "f"),
    ]
    assert [change.old for one in run.steps for change in one.changes] == [None, None, "7", None]


def test_a_thread_stops_as_deep_in_calls_as_it_is() -> None:
    inside = ThreadStep(1, at(5), "g", "", (("n", "1"),), depth=1, scopes=("g",))
    run = schedule("assertion", CREATE, inside, stops=(Point(1, "call", "", at(7), depth=1),))
    assert (run.steps[-1].depth, run.steps[-1].function, run.steps[-1].note) == (1, "g", "goes wrong")


def test_the_thread_that_goes_wrong_in_its_last_line_has_no_step_more() -> None:
    last = ThreadStep(0, at(7), "main", "", reads=(("i", "1"),))
    run = schedule("assertion", CREATE, last, stops=(Point(0, "read", "i", at(7)),))
    assert [(one.line, one.remarks) for one in run.steps][1:] == [(7, ("reads i (1)", "goes wrong"))]
    assert run.failure.number == 2


def test_the_end_of_a_deadlock_says_who_waits_for_what() -> None:
    stops = (Point(1, "call", "lock", at(3), "second"), Point(2, "call", "lock", at(4), "first"))
    run = schedule("deadlock", CREATE, stops=stops)
    assert [(one.lane, one.note) for one in run.steps[1:]] == [(1, "waits for second"), (2, "waits for first")]
    assert [(one.number, one.line, one.text) for one in run.related] == [(3, 4, "waits for ever: it calls lock(first)")]


def test_the_end_of_a_race_shows_both_accesses() -> None:
    stops = (Point(1, "write", "i", at(5)), Point(2, "read", "i", at(4)))
    run = schedule("race", CREATE, stops=stops)
    assert [one.note for one in run.steps[1:]] == ["is about to write i", "is about to read i"]
    assert (run.failure.number, run.failure.lane) == (2, 1)
    assert [one.text for one in run.related] == ["stands before this: it reads i"]


def states(*values: dict[str, str], lasso: int | None = None, violating: int | None = None) -> ViolatingRun:
    how = Interpretation("overwrite", "implicit", False, 100)
    given = tuple(State(state, ("p",) if state["x"] == "1" else ()) for state in values)
    kind: Ending = "lasso" if lasso is not None else "terminated" if violating is None else "prefix"
    return run_of_states(
        Counterexample("m.m", "som\n(p)", {"p": "x=1"}, how, {"s_x": 1}, kind, given, violating, lasso)
    )


def test_states_show_only_what_changed_and_what_holds() -> None:
    run = states({"x": "0", "y": "0"}, {"x": "1", "y": "0"}, lasso=0)
    assert [str(one) for one in run.steps] == ["state s0; x = 0; y = 0", "state s1; x = 1; holds: p"]
    assert (run.loop_from, run.propositions) == (0, ("p",))
    assert run.failure is run.steps[-1]
    assert run.why == "som (p) fails on the run that repeats from state s0"


def test_the_state_after_which_nothing_helps_is_named() -> None:
    run = states({"x": "0"}, {"x": "1"}, {"x": "2"}, violating=1)
    assert run.failure.number == 1
    assert run.failure.note == "the property is violated for good"
    assert run.why.endswith("fails at state s1, however the run goes on")


def test_a_variable_that_is_gone_loses_its_value() -> None:
    assert pairs(states({"x": "0", "y": "3"}, {"x": "1"}).steps[1]) == [("y", ""), ("x", "1")]


def test_what_a_call_returns_belongs_to_the_caller_and_each_call_has_its_own_variables() -> None:
    steps = (
        CStep(at(1), "main", "", (("n", "2"),), scopes=("main",)),
        CStep(at(3), "main", "call of f"),
        CStep(at(4), "f", "", (("n", "5"),), depth=1, scopes=("f",)),
        CStep(at(6), "f", "return from f", (("r", "5"),), scopes=("main",)),
        CStep(at(5), "main", "", (("n", "3"),), scopes=("main",)),
    )
    run = c_run(*steps, failure=Failure(at(7), "it fails"))
    assert [step.function for step in run.steps] == ["main", "main", "f", "main", "main", "main"]
    assert run.steps[2].changes == (ValueChange("n", "5", None, "f"),)
    assert run.steps[4].changes == (ValueChange("n", "3", "2", "main"),)


def test_each_process_of_a_family_has_a_lane() -> None:
    transitions = tuple(
        GuardedTransition(f"go[{number}]", "P", Truth(True), (), Position("p.gcl", 9, 3), (number,))
        for number in (1, 2, 3)
    )
    trace = Trace("ok", START, (Step("go[2]", AFTER), Step("go[1]", START)))
    run = run_of_trace(replace(PROGRAM, transitions=transitions), trace)
    assert run.lanes == ("P[1]", "P[2]")
    assert [step.lane for step in run.steps] == [None, 1, 0]


def test_places_behind_pointers_have_no_past_and_what_is_freed_is_told() -> None:
    steps = (
        CStep(at(1), "main", "", (("p->x", "1"), ("n", "1")), scopes=("main", "main")),
        CStep(at(2), "main", "", (("p->x", "2"), ("n", "2")), scopes=("main", "main")),
        CStep(at(3), "main", "free of malloc'd at line 1"),
    )
    test = CTest("p.c", "memory", "memory", (), steps, Failure(at(7), "no"), "LP64", "main")
    run = run_of_test(test, line_of)
    assert [change.old for change in run.steps[1].changes] == [None, "1"]
    assert run.steps[2].note == "frees malloc'd at line 1"


@pytest.mark.parametrize(
    ("entered", "name"),
    [
        (("call of fgets", "__pincer_use"), "fgets"),
        (("call of __effects_of_strcmp",), "strcmp"),
        (("call of __pincer_x",), "a library function"),
    ],
)
def test_what_goes_wrong_in_the_library_names_the_function(entered: tuple[str, ...], name: str) -> None:
    steps = [CStep(at(3), "main", entered[0])]
    steps += [CStep(at(1, "<library>"), procedure, "") for procedure in entered[1:]]
    failed = Failure(at(9, "<library>"), "no open stream is used")
    test = CTest("p.c", "memory", "memory", (), tuple(steps), failed, "LP64", "main")
    assert failure_text(test) == f"no open stream is used in {name}, called at p.c:3:1"


def test_a_message_that_names_the_function_does_not_name_it_again() -> None:
    message = "invalid access to what the first argument of strcpy points to"
    steps = (CStep(at(3), "main", "call of strcpy"), CStep(at(1, "<library>"), "strcpy", ""))
    test = CTest("p.c", "memory", "memory", (), steps, Failure(at(9, "<library>"), message), "LP64", "main")
    assert failure_text(test) == f"{message} at p.c:3:1"


def test_what_the_library_changes_in_variables_of_the_program_is_told_with_the_call() -> None:
    library = at(1, "<library>")
    steps = (
        CStep(at(3), "main", "call of strcpy"),
        CStep(library, "strcpy", "", (("i", "0"),), depth=1, scopes=("strcpy",)),
        CStep(library, "strcpy", "", (("word[0]", "97 'a'"),), depth=1, scopes=("main",)),
        CStep(library, "strcpy", "", (("left", "1"), ("__own", "2")), depth=1, scopes=("", "")),
        CStep(library, "strcpy", "", branch=True, depth=1),
    )
    test = CTest("p.c", "assertions", "assertions", (), steps, Failure(at(7), "it happens"), "LP64", "main")
    first = run_of_test(test, line_of).steps[0]
    assert [(change.scope, str(change)) for change in first.changes] == [("main", "word[0] = 97 'a'"), ("", "left = 1")]
    assert (first.line, first.branch, first.depth) == (3, None, 0)


def test_what_goes_wrong_in_the_library_goes_wrong_in_the_line_of_its_thread() -> None:
    steps = (
        ThreadStep(1, at(5), "worker", "call of strcpy"),
        ThreadStep(1, at(1, "<library>"), "strcpy", ""),
        ThreadStep(0, at(6), "main", ""),
    )
    stop = Point(1, "write", "", at(9, "<library>"))
    failure = ThreadedFailure(at(9, "<library>"), "invalid access", (stop,))
    test = ThreadedTest("p.c", "memory", "memory", "LP64", "main", (), steps, (), failure)
    assert schedule_failure_text(test) == "invalid access in strcpy, called at p.c:5:1"
    failing = run_of_schedule(test, line_of).failure
    assert (failing.file, failing.line, failing.lane, failing.text) == ("p.c", 5, 1, "invalid access")
