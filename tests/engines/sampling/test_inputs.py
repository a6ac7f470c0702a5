"""Inputs drawn at random fit their types, and often are what the program compares with."""

from __future__ import annotations

import random
from pathlib import Path

from pincer.engines.sampling.inputs import compared_numbers, drawn_input, input_vector, looked_for
from pincer.execution.machine import World
from pincer.execution.testing import Tester as Executor
from pincer.logic.bitvectors import variable
from pincer.program.control_flow import Input
from tests.engines.dash.dash_runs import loaded

TEXT = """
int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned char c = __VERIFIER_nondet_uchar();
    if (x == 1234567 && c == 77) return 1;
}"""


def test_numbers_of_conditions_come_with_their_neighbours(tmp_path: Path) -> None:
    numbers = compared_numbers(loaded(tmp_path, TEXT))
    assert {1234566, 1234567, 1234568, 76, 77, 78} <= set().union(*numbers.values())
    assert all(0 <= value < 1 << bits for bits, values in numbers.items() for value in values)
    assert all(values == sorted(values) for values in numbers.values())


def test_drawn_inputs_fit_their_width_and_the_known_numbers_are_among_them() -> None:
    rng, symbol = random.Random(3), variable("input0", 3)
    label = Input(symbol, "__VERIFIER_nondet_uchar")
    drawn = [drawn_input(rng, label, symbol, {3: [6]}) for _ in range(400)]
    assert set(drawn) <= set(range(8))
    assert drawn.count(6) > 100


def test_truth_values_are_zero_or_one_whatever_is_known() -> None:
    rng, symbol = random.Random(3), variable("input0", 8)
    label = Input(symbol, "__VERIFIER_nondet_bool")
    assert {drawn_input(rng, label, symbol, {8: [200]}) for _ in range(50)} == {0, 1}


def test_characters_of_files_are_characters_however_wide_they_are() -> None:
    rng, symbol = random.Random(3), variable("input0", 32)
    label = Input(symbol, "character of a file", "external", signed=True)
    drawn = [drawn_input(rng, label, symbol, {8: [61], 32: [70_000]}) for _ in range(200)]
    end = (1 << 32) - 1
    assert set(drawn) <= {end, *range(256)} and end in drawn
    assert drawn.count(61) > 50


def test_characters_that_functions_are_to_look_for_are_known(tmp_path: Path) -> None:
    text = "int main(void) { char s[4] = {0}; return strchr(s, '=') == s + 1; }"
    program = loaded(tmp_path, "char *strchr(const char *, int);" + text)
    assert ord("=") in looked_for(program)[8]


def test_the_inputs_of_an_execution_are_told_in_order(tmp_path: Path) -> None:
    tester = Executor(World(loaded(tmp_path, TEXT), lambda label, symbol: 5))
    last, _ = tester.run(tester.root({variable("input0", 32): 1234567}), 1_000)
    told = [(value.name, value.width, value.value) for value in input_vector(last)]
    assert told == [("__VERIFIER_nondet_int", 32, 1234567), ("__VERIFIER_nondet_uchar", 8, 5)]
