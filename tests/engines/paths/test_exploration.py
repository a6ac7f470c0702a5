"""Programs with few paths are decided by following all of them, and the proof says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.board import Holds, Violated
from pincer.engines.paths.exploration import Exploration
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.engines.property_simulation import PropertySimulation
from pincer.engines.sequential import EVERYTHING
from pincer.program.control_flow import Check
from tests.engines.claims import paths_of, reason_of, triples_of
from tests.engines.dash.dash_runs import INPUTS, MUCH, board_of, decided, judged, loaded, verdict

BOUNDED = {
    "a list": """
        struct node { struct node *next; int value; };
        int main(void) {
            struct node *list = 0;
            int n = __VERIFIER_nondet_int(), i, sum = 0;
            if (n < 0 || n > 5) return 0;
            for (i = 0; i < n; i++) {
                struct node *new = malloc(sizeof *new);
                if (!new) return 0;
                new->next = list; new->value = 2; list = new;
            }
            for (struct node *at = list; at; at = at->next) sum += at->value;
            assert(sum == 2 * n);
        }""",
    "an array": """
        int main(void) {
            int a[20], i;
            for (i = 0; i < 20; i++) a[i] = i * i;
            unsigned k = __VERIFIER_nondet_uint();
            if (k >= 20) return 0;
            assert(a[k] == (int)(k * k));
        }""",
    "recursion": """
        int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
        int main(void) { assert(fibonacci(12) == 144); }""",
    "a function pointer": """
        int one(int x) { return x + 1; }
        int two(int x) { return x + 2; }
        int (*table[])(int) = { one, two };
        int main(void) {
            unsigned k = __VERIFIER_nondet_uint();
            if (k > 1) return 0;
            assert(table[k](3) == (int)k + 4);
        }""",
    "a callee's local of every activation": """
        int depth(int n) {
            int here = n, *p = &here;
            return n > 0 ? depth(n - 1) + *p : 0;
        }
        int main(void) { assert(depth(4) == 10); }""",
    "bytes of an integer": """
        int main(void) {
            unsigned x = __VERIFIER_nondet_uint();
            unsigned char *p = (unsigned char *)&x;
            unsigned y = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
            assert(x == y);
        }""",
}


@pytest.mark.parametrize("name", BOUNDED)
@pytest.mark.parametrize("kind", ["assertions", "memory"])
def test_all_paths_of_a_bounded_program_are_followed_and_the_checker_agrees(
    tmp_path: Path, name: str, kind: str
) -> None:
    program = loaded(tmp_path, BOUNDED[name])
    result = decided(program, "memory" if kind == "memory" else "assertions", choice=EVERYTHING)
    assert result.verdict == "safe", reason_of(result)
    can_fail = kind == "assertions" or any(isinstance(edge.label, Check) for edge in program.edges())
    assert (paths_of(result) is not None and not triples_of(result)) == can_fail
    checked = judged(program, result)
    assert checked.accepted, checked.refused


@pytest.mark.parametrize("name", BOUNDED)
def test_a_failing_variant_is_found(tmp_path: Path, name: str) -> None:
    text = BOUNDED[name].replace("==", "!=") if name != "recursion" else BOUNDED[name].replace("144", "145")
    assert verdict(tmp_path, text, choice=EVERYTHING) == "unsafe"


def explored(folder: Path, text: str) -> tuple[Exploration, Going | Ended | Holds | Violated]:
    exploration = Exploration(board_of(loaded(folder, text)))
    return exploration, exploration.step(MUCH)


def test_undefined_behaviour_on_a_path_makes_a_proof_by_paths_impossible(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(), a[2]; if (x == 7) a[x] = 0; }"
    board = board_of(loaded(tmp_path, text))
    assert isinstance(Exploration(board).step(MUCH), Ended)
    assert list(board.inputs[0].values()) == [7]
    assert [stop.kind for stop in board.undefined.values()] == ["check"]


def test_what_is_not_modelled_makes_a_proof_by_paths_impossible(tmp_path: Path) -> None:
    _, outcome = explored(
        tmp_path, 'int main(void) { int x; if (__VERIFIER_nondet_int() == 3) __asm__("cpuid" : "=a"(x)); }'
    )
    assert isinstance(outcome, Ended)


@pytest.mark.parametrize("bound", [3, 5])
def test_inputs_that_an_assumption_demands_are_found(tmp_path: Path, bound: int) -> None:
    text = f"""
    int a[10] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
    int main(void) {{
        int x = __VERIFIER_nondet_int();
        __VERIFIER_assume(x > 4 && x < 10);
        __VERIFIER_assume(a[x] > 5);
        assert(x != {bound});
        assert(x != 8 || {bound} == 5);
    }}"""
    _, outcome = explored(tmp_path, text)
    assert isinstance(outcome, Violated if bound == 3 else Holds)


def test_a_path_without_end_is_given_up(tmp_path: Path) -> None:
    _, outcome = explored(tmp_path, "int main(void) { for (;;) ; }")
    assert isinstance(outcome, Ended)


def test_an_error_beside_a_path_without_end_is_found(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int n = __VERIFIER_nondet_int();
        while (n > 0) if (__VERIFIER_nondet_int() == 77) n = -5;
        if (n == -5) reach_error();
    }"""
    _, outcome = explored(tmp_path, text)
    assert isinstance(outcome, Violated)


def test_an_exploration_can_be_resumed(tmp_path: Path) -> None:
    exploration = Exploration(board_of(loaded(tmp_path, BOUNDED["an array"])))
    turns = 1
    while isinstance(outcome := exploration.step(Allowance(300, 3)), Going):
        assert outcome.spent.calls <= 3 and outcome.spent.steps < 600
        turns += 1
    assert isinstance(outcome, Holds) and turns > 5
    assert (exploration.paths, outcome) == (explored(tmp_path, BOUNDED["an array"])[0].paths, outcome)
    assert exploration.paths > 20


def test_the_usual_declarations_have_no_path_of_their_own(tmp_path: Path) -> None:
    assert INPUTS and explored(tmp_path, "int main(void) { return 0; }")[0].paths == 1


LOCKED = """
    int held;
    void lock(void) { if (held) reach_error(); held = 1; }
    void unlock(void) { held = 0; }
    int main(void) {
        int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int(), box[1];
        lock();
        box[0] = first == 7;
        if (!%s) unlock();
        if (second == 9) lock();
        return 0;
    }
"""


@pytest.mark.parametrize(("condition", "outcome"), [("box[0]", Violated), ("(box[0] > 1)", Holds)])
def test_distances_lead_to_errors_and_leave_no_path_out(tmp_path: Path, condition: str, outcome: type) -> None:
    board = board_of(loaded(tmp_path, LOCKED % condition))
    assert isinstance(PropertySimulation(board).step(MUCH), Ended) and board.distances is not None
    assert isinstance(Exploration(board).step(MUCH), outcome)


def test_executions_that_no_proof_needs_leave_time_for_those_it_needs(tmp_path: Path) -> None:
    text = """
    int a[100];
    int main(void) {
        for (int i = 0; i < 100; i++) a[i] = i * 2;
        int k = __VERIFIER_nondet_int();
        if (k >= 0 && k < 100) assert(a[k] == 2 * k);
        return 0;
    }"""
    board = board_of(loaded(tmp_path, text))
    assert isinstance(PropertySimulation(board).step(MUCH), Ended) and board.distances is not None
    assert isinstance(Exploration(board).step(Allowance(20_000, 2_000)), Holds)


def test_the_checker_is_told_of_addresses_in_conditions_that_are_settled_without_them(tmp_path: Path) -> None:
    text = """
    int main(void) {
        int n = __VERIFIER_nondet_int();
        const char *s = n ? "ab" : "c";
        assert(s[0] == 'a' || s[0] == 'c');
        return 0;
    }"""
    program = loaded(tmp_path, text)
    result = decided(program, choice=EVERYTHING)
    assert paths_of(result) is not None
    checked = judged(program, result)
    assert checked.accepted, checked.refused
