"""Test runs: calls, recursion, limits, and what a run leaves behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.machine import World
from pincer.execution.stepping import Stop, saved
from pincer.execution.testing import Node, extended
from pincer.execution.testing import Tester as Executor
from pincer.frontends.c.load import load
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from tests.execution.interpreted import interpret

HEADER = """\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int result;
"""


def loaded(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(HEADER + text)
    return load(file)


def result_of(folder: Path, text: str, *inputs: int) -> int:
    """The signed value of `result` when `main` has returned."""
    outcome = interpret(loaded(folder, text), symbols(*inputs))
    assert outcome.stop.message == "main returned"
    return bitvectors.signed(outcome.global_value("result"), 32)


def symbols(*inputs: int) -> dict[Term, int]:
    return {bitvectors.variable(f"input{i}", 32): value for i, value in enumerate(inputs)}


def run_of(folder: Path, text: str, *inputs: int) -> tuple[Node, Stop, list[Node]]:
    seen: list[Node] = []
    tester = Executor(World(loaded(folder, text)), seen.append)
    last, stop = tester.run(tester.root(symbols(*inputs)), 10_000)
    return last, stop, seen


def test_a_call_takes_arguments_by_value_and_returns_a_result(tmp_path: Path) -> None:
    text = "int f(int a, int b) { a = a * 10; return a + b; } int main(void) { int a = 3; result = f(a, 4) + a; }"
    assert result_of(tmp_path, text) == 37


def test_recursion_keeps_the_registers_of_every_activation(tmp_path: Path) -> None:
    text = """
    int f(int n) { int mine = n * n; int below; if (n == 0) return 0; below = f(n - 1); return mine + below; }
    int main(void) { result = f(10); }"""
    assert result_of(tmp_path, text) == sum(n * n for n in range(11))


def test_mutual_recursion_with_inputs_in_between(tmp_path: Path) -> None:
    text = """
    int odd(int n);
    int even(int n) { int x = __VERIFIER_nondet_int(); if (n == 0) return x; return odd(n - 1) * 10 + x; }
    int odd(int n) { int x = __VERIFIER_nondet_int(); if (n == 0) return x; return even(n - 1) * 10 + x; }
    int main(void) { result = even(3); }"""
    assert result_of(tmp_path, text, 1, 2, 3, 4) == 4321


def test_objects_of_recursive_activations_are_distinct(tmp_path: Path) -> None:
    text = """
    int f(int n, int *above) {
        int here = n;
        int below = n ? f(n - 1, &here) : 0;
        *above += 100;
        return here + below;
    }
    int main(void) { int top = 0; result = f(3, &top) + top; }"""
    assert result_of(tmp_path, text) == 3 + 2 + 1 + 0 + 3 * 100 + 100


def test_symbolic_values_pass_through_recursive_calls(tmp_path: Path) -> None:
    text = """
    int f(int n, int x) { int keep = x; if (n == 0) return x; return f(n - 1, x + 1) + keep; }
    int main(void) { result = f(3, __VERIFIER_nondet_int()); }"""
    last, _, _ = run_of(tmp_path, text, 5)
    (register,) = [v.register for v in last.state.world.program.variables if v.name == "result"]
    assert register is not None
    term = last.state.symbols[register]
    assert last.state.registers[register] == 5 + 6 + 7 + 8
    for value in (0, 1, 100):
        assert World.evaluate_symbols(term, symbols(value)) == 4 * value + 6


def test_the_registers_of_waiting_activations_have_names_of_their_own(tmp_path: Path) -> None:
    text = "int f(int n) { int m = n + 1; if (n) return f(n - 1) + m; return m; } int main(void) { result = f(1); }"
    _, _, seen = run_of(tmp_path, text)
    program = seen[0].state.world.program
    parameter = program.procedures["f"].parameters[0]
    inner = [node for node in seen if node.frame.depth == 1]
    assert inner and all(node.state.registers[saved(parameter, 1)] == 1 for node in inner)
    assert saved(parameter, 1) not in seen[-1].state.registers


def test_a_run_ends_after_its_steps(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { for (;;) result++; }")
    tester = Executor(World(program))
    _, stop = tester.run(tester.root(), 50)
    assert stop.kind == "steps"
    outcome = interpret(program, max_steps=70)
    assert (outcome.stop.kind, outcome.steps) == ("steps", 70)


def test_a_long_run_asks_whether_it_should_go_on(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def poll() -> None:
        raise Enough

    tester = Executor(World(loaded(tmp_path, "int main(void) { for (;;) result++; }")))
    with pytest.raises(Enough):
        tester.run(tester.root(), 10_000, poll)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("reach_error();", "fail"),
        ("exit(3);", "halt"),
        ("return 1;", "halt"),
        ("int *p = 0; *p = 1;", "check"),
        ("result = 1 / result;", "check"),
        ("__VERIFIER_assume(result == 1); reach_error();", "halt"),
    ],
)
def test_a_run_says_how_it_ended(tmp_path: Path, body: str, kind: str) -> None:
    text = f"void exit(int); void __VERIFIER_assume(int); int main(void) {{ {body} }}"
    assert interpret(loaded(tmp_path, text)).stop.kind == kind


def test_every_state_is_observed_and_linked_to_the_one_before(tmp_path: Path) -> None:
    text = "int f(int x) { return x + 1; } int main(void) { result = f(f(1)); }"
    last, _, seen = run_of(tmp_path, text)
    assert last.path() == seen
    assert last.before(2) is seen[-3]
    assert {node.frame.procedure.name for node in seen} == {"main", "f"}
    assert len({node.frame for node in seen}) == 3


def test_the_conditions_of_a_path_hold_for_its_inputs_and_exclude_other_paths(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (x > 3 && y < x) result = 1; else result = 2;
    }"""
    last, _, _ = run_of(tmp_path, text, 5, 4)
    assert last.conditions is not None

    def follows(x: int, y: int) -> bool:
        return all(World.evaluate_symbols(condition, symbols(x, y)) for condition in last.conditions or ())

    assert [follows(5, 4), follows(9, -1 & 0xFFFFFFFF), follows(3, 0), follows(5, 5)] == [True, True, False, False]


def test_a_test_goes_on_from_a_state_under_other_inputs(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 7) reach_error(); result = x; }"
    tester = Executor(World(loaded(tmp_path, text)))
    node = tester.root()
    while not node.state.inputs:
        following = tester.advance(node)
        assert isinstance(following, Node)
        node = following
    changed = Node(node.location, node.state.under(symbols(7)), node.frame, node.parent, node.edge, node.conditions)
    assert tester.run(changed, 100)[1].kind == "fail"
    assert tester.run(node, 100)[1].kind == "halt"


def test_conditions_are_added_to_a_path_without_changing_it() -> None:
    first, second = (bitvectors.compare("bvult", symbol, bitvectors.constant(9, 32)) for symbol in symbols(0, 0))
    path = extended(None, [first])
    longer = extended(path, [second])
    assert (list(path or ()), list(longer or ())) == ([first], [second, first])


def test_a_value_that_is_no_global_is_not_found(tmp_path: Path) -> None:
    outcome = interpret(loaded(tmp_path, "int big[2] = {1, 2}; int main(void) { int local = big[1]; result = local; }"))
    assert outcome.global_value("big") == 2 << 32 | 1
    with pytest.raises(KeyError):
        outcome.global_value("local")


def test_a_concrete_world_goes_the_same_way_without_symbols(tmp_path: Path) -> None:
    program = loaded(
        tmp_path,
        """
        #include <stdlib.h>
        #include <string.h>
        struct pair { int a, b; };
        int main(void) {
            int n = __VERIFIER_nondet_int();
            struct pair *p = malloc(2 * sizeof *p), q;
            p[n & 1].a = n;
            p[n & 1].b = 2 * n;
            memcpy(&q, &p[n & 1], sizeof q);
            if (q.a + q.b > 20)
                result = q.b;
            free(p);
            return 0;
        }
        """,
    )
    for planned in ({}, symbols(7), symbols(-3)):
        ends = []
        for concrete in (False, True):
            executor = Executor(World(program, concrete=concrete))
            last, stop = executor.run(executor.root(planned), 1_000)
            ends.append((last.location, stop, last.state.registers, last.state.values))
        assert ends[0] == ends[1]
        assert not last.state.symbols
        assert last.conditions is None
