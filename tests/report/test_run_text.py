"""A run as text fits the screen, steers no terminal, and says where, what and with which result."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.evidence.violating_run import RunForm, RunInput, RunStep, ValueChange, ViolatingRun
from pincer.report.run_text import (
    SHOWN_IN_LANES,
    SHOWN_ROWS,
    code_table,
    folded,
    gathered,
    lane_table,
    run_lines,
    shown_inputs,
    state_table,
    transition_table,
)
from pincer.report.terminal import Look


def changed(**values: str) -> tuple[ValueChange, ...]:
    return tuple(ValueChange(name, value) for name, value in values.items())


def transitions(*steps: RunStep, lanes: tuple[str, ...] = ("run",)) -> ViolatingRun:
    return ViolatingRun(RunForm.TRANSITIONS, steps, steps[-1], lanes=lanes)


INITIAL = RunStep(
    0, "p.gcl", text="initial state", lane=None, changes=(ValueChange("s", "0"), ValueChange("pc[1]", "idle"))
)
TAKE = RunStep(1, "p.gcl", 12, text="take[1]", lane=0, changes=(ValueChange("pc[1]", "wait"),))
BOTH = transitions(INITIAL, TAKE, RunStep(2, "p.gcl", 12, text="take[2]", lane=1), lanes=("P[1]", "P[2]"))


def long_run(steps: int, name: str = "t") -> ViolatingRun:
    return transitions(
        *(RunStep(n, "p.gcl", 1, text=f"{name}{n}", changes=changed(x=str(n))) for n in range(steps + 1))
    )


def test_transitions_are_listed_with_line_and_changes() -> None:
    assert run_lines(BOTH, Look()) == [
        "",
        "  step  process  transition  line  changes",
        "     0           (initial)         s = 0, pc[1] = idle",
        "     1  P[1]     take[1]       12  pc[1] = wait",
        "     2  P[2]     take[2]       12  nothing",
        "",
    ]


def test_processes_are_not_shown_when_there_is_only_one() -> None:
    assert "process" not in transition_table(transitions(INITIAL, TAKE), Look())[0]


def test_the_middle_of_many_transitions_is_left_out_unless_asked_for() -> None:
    short = transition_table(long_run(1000), Look())
    assert len(short) < 48
    assert any("961 steps left out" in line for line in short)
    assert short[-1].split()[:2] == ["1000", "t1000"]
    assert len(transition_table(long_run(1000), Look(), verbose=True)) == 1002


def test_long_names_do_not_push_the_changes_off_the_screen() -> None:
    first, second = long_run(1, "t" * 50).steps
    many = replace(second, changes=tuple(ValueChange(f"variable[{n}]", str(n)) for n in range(30)))
    assert max(map(len, transition_table(transitions(first, many), Look()))) <= 80


def line(number: int, text: str = "x;", place: int = 1, depth: int = 0, **values: str) -> RunStep:
    return RunStep(number, "p.c", place, 1, text, depth=depth, changes=changed(**values))


def test_each_line_has_place_source_and_result() -> None:
    table = [
        line(1, "int n = f();", 1, n="3"),
        replace(line(2, "if (n)", 12, 1), branch=True),
        replace(line(3, "assert(0);", 9), note="goes wrong"),
    ]
    assert code_table(table, Look()) == [
        "  p.c:1   int n = f();  n = 3",
        "  p.c:12    if (n)      true",
        "  p.c:9   assert(0);    goes wrong",
    ]
    assert code_table(table, Look(colour=True))[2].endswith("\x1b[31;1mgoes wrong\x1b[0m")


def test_rounds_of_a_loop_are_folded_to_the_first_and_the_last() -> None:
    steps = [line(n, "i++;", 4 + n % 2, i=str(n)) for n in range(18)]
    assert code_table(steps, Look()) == [
        "  p.c:4  i++;  i = 0",
        "  p.c:5  i++;  i = 1",
        "  ...    (7 more rounds)",
        "  p.c:4  i++;  i = 16",
        "  p.c:5  i++;  i = 17",
    ]
    assert len(code_table(steps, Look(), verbose=True)) == 18


def test_three_rounds_are_shown_as_they_are() -> None:
    assert len(folded([line(n, place=4 + n % 2) for n in range(6)])) == 6


def test_loops_in_loops_are_folded_from_the_inside() -> None:
    inner = [line(0, place=2), line(0, place=3)]
    rows = [row for rounds in (5, 6, 7, 8, 9) for row in [line(0, place=1), *inner * rounds]]
    assert len(folded(rows)) == 13


def test_long_lines_are_cut_and_nothing_exceeds_the_width() -> None:
    many = tuple(ValueChange(f"variable{i}", "123") for i in range(20))
    lines = code_table([replace(line(1, "x" * 300), changes=many)], Look(width=80))
    assert max(map(len, lines)) <= 80
    assert "xxx..." in lines[0]


def test_the_middle_of_many_lines_is_left_out_unless_asked_for() -> None:
    steps = [line(n, place=n) for n in range(100)]
    lines = code_table(steps, Look())
    assert len(lines) == 41
    assert "60 lines left out, --verbose shows them" in lines[20]
    assert len(code_table(steps, Look(), verbose=True)) == 100


def test_inputs_are_listed_and_many_are_cut() -> None:
    def given(count: int, form: RunForm = RunForm.LINES) -> ViolatingRun:
        return ViolatingRun(form, (line(1),), line(1), inputs=tuple(RunInput("f()", str(i)) for i in range(count)))

    assert shown_inputs(given(1)) == ["f() = 0"]
    assert shown_inputs(given(20))[-2:] == ["f() = 11", "and 8 more (--verbose)"]
    assert shown_inputs(given(20), verbose=True)[-1] == "f() = 19"
    assert shown_inputs(given(0))[0].startswith("none")
    assert shown_inputs(given(0, RunForm.LANES)) == []


def lane(thread: int, place: int, text: str, note: str = "", reads: str = "", **values: str) -> RunStep:
    read = (("counter", reads),) if reads else ()
    return RunStep(1, "program.c", place, 1, text, thread, changes=changed(**values), reads=read, note=note)


UPDATE = [
    lane(0, 10, "pthread_create(&a, 0, worker, 0);", "thread 1 begins"),
    lane(1, 5, "counter++;", reads="0"),
    lane(2, 5, "counter++;", reads="0", counter="1"),
    lane(1, 5, "counter++;", counter="1"),
    lane(0, 14, "assert(counter == 2);", "goes wrong", reads="1"),
]


def test_each_thread_has_its_lane_and_only_changes_are_shown() -> None:
    assert lane_table(UPDATE, 110) == [
        "                thread 0                        thread 1                        thread 2",
        "  program.c:10  pthread_create(&a, 0, worke...",
        "                    thread 1 begins",
        "  program.c:5                                   counter++;",
        "                                                    reads counter (0)",
        "  program.c:5                                                                   counter++;",
        "                                                                                    counter = 1",
        "  program.c:5                                   counter++;",
        "                                                    counter = 1",
        "  program.c:14  assert(counter == 2);",
        "                    reads counter (1)",
        "                    goes wrong",
    ]


def test_where_lanes_have_no_room_a_rail_shows_the_thread() -> None:
    lines = lane_table(UPDATE, 60)
    assert lines[2:6] == [
        "  program.c:5   . 1 .  counter++;",
        "                           reads counter (0)",
        "  program.c:5   . . 2  counter++;",
        "                           counter = 1",
    ]
    assert max(map(len, lines)) <= 60


def test_a_schedule_of_very_many_threads_is_shown() -> None:
    lines = lane_table([lane(1, 5, "counter++;"), lane(99, 6, "assert(counter == 0);")], 110)
    assert lines[0].endswith("counter++;") and lines[1].endswith("99  assert(counter == 0);")


def test_calls_of_threads_are_indented() -> None:
    inner = replace(lane(1, 5, "counter++;", counter="1"), depth=1)
    assert lane_table([lane(1, 9, "add();"), inner], 60) == [
        "  program.c:9  . 1  add();",
        "  program.c:5  . 1    counter++;",
        "                          counter = 1",
    ]


def test_the_middle_of_a_long_schedule_is_left_out_unless_asked_for() -> None:
    rows = [line(number, place=number) for number in range(SHOWN_IN_LANES + 10)]
    assert any("10 lines left out" in text for text in lane_table(rows))
    assert len(lane_table(rows, verbose=True)) == SHOWN_IN_LANES + 11
    assert lane_table([]) == []


def states(*xs: str) -> ViolatingRun:
    steps = tuple(
        RunStep(n, "m.m", text=f"state s{n}", changes=changed(x=x), holds=("p",) if n else ()) for n, x in enumerate(xs)
    )
    return ViolatingRun(RunForm.STATES, steps, steps[-1], propositions=("p", "q"))


def test_states_stand_side_by_side_with_what_holds() -> None:
    assert run_lines(states("0", "12"), Look()) == [
        "",
        "     s0  s1",
        "  x   0  12",
        "  p   -   +",
        "  q   -   -",
        "",
    ]


def test_many_states_stand_one_below_the_other_with_what_changed() -> None:
    lines = run_lines(states(*["7"] * 20), Look())
    assert lines[1:3] == ["  s0  x = 7, p = -, q = -", "  s1  p = +"]


def test_the_middle_of_many_states_is_left_out_unless_asked_for() -> None:
    run = states(*map(str, range(SHOWN_ROWS + 10)))
    assert not any("left out" in text for text in run_lines(states(*["7"] * SHOWN_ROWS), Look()))
    shown = run_lines(run, Look())
    assert any("10 states left out" in text for text in shown)
    assert len(shown) == SHOWN_ROWS + 3
    assert len(run_lines(run, Look(), verbose=True)) == SHOWN_ROWS + 12


def test_states_that_are_too_wide_are_turned() -> None:
    assert state_table(["x"], [{"x": "1" * 50}, {"x": "2" * 50}])[0].split() == ["x"]


@pytest.mark.parametrize("form", list(RunForm))
def test_text_of_the_program_cannot_steer_the_terminal(form: RunForm) -> None:
    evil = "a\x1b[2J\tb\x07"
    step = RunStep(1, f"{evil}.c", 1, 1, evil, changes=(ValueChange(evil, evil),), holds=(evil,), note=evil)
    run = ViolatingRun(form, (replace(step, number=0), step), step, lanes=(evil, evil), propositions=(evil,))
    assert all(char.isprintable() for text in run_lines(run, Look()) for char in text)


def test_many_elements_of_an_array_are_told_together() -> None:
    elements = [f"s.text[{number}] = {60 + number}" for number in range(9)]
    assert gathered(["n = 1", *elements, "m = 2"]) == ["n = 1", "s.text[0..8] = 60, 61, 62, ..., 68", "m = 2"]
    assert gathered([f"a[1][{number}] = 0" for number in range(7)]) == ["a[1][0..6] = 0"]
    apart = ["a[0] = 1", "a[1] = 2", "a[3] = 3", "b[4] = 4", "b[5] = 5", "b[6] = 6", "c"]
    assert gathered(apart) == apart


def test_threads_that_pass_the_same_line_in_turn_are_no_loop() -> None:
    assert len(folded([lane(thread, 5, "counter++;") for thread in range(9)])) == 9


def test_characters_in_a_row_are_told_as_a_text() -> None:
    word = ["b[0] = 97 'a'", "b[1] = 34 '\"'", "b[2] = 0"]
    assert gathered(word) == ['b[0..2] = "a\\""']
    assert gathered(word[:2]) == word[:2]
    later = [*word, "b[3] = 98 'b'", "b[4] = 0", "b[5] = 0"]
    assert gathered(later) == ["b[0..5] = 97 'a', 34 '\"', 0, ..., 0"]


def test_elements_are_all_told_if_that_is_wanted() -> None:
    changes = tuple(ValueChange(f"a[{number}]", "7") for number in range(30))
    steps = [RunStep(0, "p.c", 3, text="int a[30] = {7};", lane=0, changes=changes)]
    assert "a[0..29] = 7" in "\n".join(code_table(steps, Look()))
    assert "a[17] = 7" in "\n".join(code_table(steps, Look(), verbose=True))


def test_a_lasso_says_where_it_goes_on() -> None:
    assert run_lines(replace(BOTH, loop_from=1), Look())[-2] == "        and again from step 1, for ever"


@pytest.mark.parametrize("form", RunForm)
def test_a_run_that_is_wrong_where_it_begins_has_no_table(form: RunForm) -> None:
    assert run_lines(ViolatingRun(form, (), RunStep(0, "p.c", 1)), Look()) == []
