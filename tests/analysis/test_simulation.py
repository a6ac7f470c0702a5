"""Property simulation covers every execution, and keeps apart what decides whether errors are reached."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pincer.analysis.relevance import relevant_registers
from pincer.analysis.simulation import SimulatedCall, Simulation, TooManyEnvironments, simulating
from pincer.execution.testing import Node
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, ControlFlowProgram, Edge, Fail
from pincer.runtime.run import Run
from tests.analysis.simulated import simulate
from tests.analysis.test_constants import RandomC, executions, loaded

LOCK = """
int held, depth;
void lock(void) { if (held) reach_error(); held = 1; }
void unlock(void) { if (!held) reach_error(); held = 0; }
"""
WATCHED = """
extern void *__VERIFIER_nondet_pointer(void);
#define ANY __VERIFIER_nondet_pointer()
struct device { int number, first, second; };
void *watched;
int busy;
void take(int *latch) { if (latch == watched) { if (busy) reach_error(); busy = 1; } }
void give(int *latch) { if (latch == watched) { if (!busy) reach_error(); busy = 0; } }
int *shifted(int *latch) { latch++; if (latch == watched) busy = 1; return latch; }
"""
EXCLUDED = {
    "a lock that is taken and released under the same condition": """
        int main(void) {
            int flag = __VERIFIER_nondet_int();
            if (flag) lock();
            depth++;
            if (flag) unlock();
        }""",
    "a result that tells whether the lock is held": """
        int try(void) { if (__VERIFIER_nondet_int()) return -1; lock(); return 0; }
        int main(void) { while (__VERIFIER_nondet_int()) { if (try() == 0) unlock(); } }""",
    "a copy of what a callee returned": """
        int last;
        int draw(void) { int drawn = __VERIFIER_nondet_int(); last = drawn; return drawn; }
        int main(void) { int x = draw(); if (x != last) reach_error(); }""",
    "parameters that are swapped in a recursive call": """
        int f(int a, int b, int n) { if (n <= 0) return a; return f(b, a, n - 1); }
        int main(void) { int x = f(1, 2, __VERIFIER_nondet_int()); if (x != 1 && x != 2) reach_error(); }""",
    "latches inside an object, whichever of them is watched": WATCHED
    + """
        void work(struct device *d) { take(&d->first); take(&d->second); give(&d->second); give(&d->first); }
        int main(void) { watched = ANY; while (__VERIFIER_nondet_int()) work(ANY); }""",
    "a latch that is handed on": WATCHED
    + """
        void inner(int *latch) { give(latch); take(latch); }
        void work(struct device *d) { take(&d->first); inner(&d->first); give(&d->first); }
        int main(void) { watched = ANY; work(ANY); }""",
    "one of two answers": """
        int answer(int given) { return given; }
        int main(void) { int x = __VERIFIER_nondet_int(); if (answer(x > 3 ? 5 : 70) == 8) reach_error(); }""",
    "a lock beside a counter that is a copy of itself": """
        int main(void) {
            int used = 0, before, room = __VERIFIER_nondet_int();
            lock();
            while (__VERIFIER_nondet_int()) {
                if (used >= room) break;
                before = used;
                used = before + 1;
            }
            unlock();
        }""",
    "a size that fits because of its type": """
        int main(void) {
            unsigned short n = __VERIFIER_nondet_int();
            unsigned m = n + 4u;
            if (m > 70000) reach_error();
        }""",
}
REACHED = {
    "another condition": """
        int main(void) {
            if (__VERIFIER_nondet_int()) lock();
            if (__VERIFIER_nondet_int()) unlock();
        }""",
    "taken twice by way of a callee": "int main(void) { lock(); if (__VERIFIER_nondet_int()) unlock(); lock(); }",
    "a result that goes into a register the callee assigns too": """
        int f(void) { held = 0; return 1; }
        int main(void) { held = f(); if (held) reach_error(); }""",
    "the other latch is given back": WATCHED
    + """
        void work(struct device *d) { take(&d->first); give(&d->second); }
        int main(void) { watched = ANY; struct device *d = ANY; work(d); work(d); }""",
    "the latch of another object": WATCHED
    + """
        void work(struct device *d) { take(&d->first); d++; give(&d->first); take(&d->first); }
        int main(void) { watched = ANY; struct device *d = ANY; work(d); work(d); }""",
    "a parameter that the callee changes": WATCHED
    + """
        int main(void) { int *p = watched = ANY; shifted(p - 1); take(p); }""",
    "an argument that the result replaces": WATCHED
    + """
        int main(void) {
            int *p = ANY;
            watched = ANY;
            p = shifted(p);
            take(p);
        }""",
    "an early return": """
        int work(void) { lock(); if (__VERIFIER_nondet_int()) return 1; unlock(); return 0; }
        int main(void) { work(); work(); }""",
}


def fails(program: ControlFlowProgram) -> list[Edge]:
    return [edge for edge in program.edges() if isinstance(edge.label, Fail)]


def last_simulation(program: ControlFlowProgram) -> Simulation:
    """The simulation with the fewest registers that excludes the errors, or else the one with all relevant ones."""
    errors, found = fails(program), None
    for tracked in relevant_registers(program, errors):
        found = simulate(program, tracked, errors)
        if not found.reached:
            break
    assert found is not None
    return found


@pytest.mark.parametrize("name", EXCLUDED)
def test_errors_that_register_values_exclude_are_excluded(tmp_path: Path, name: str) -> None:
    assert not last_simulation(loaded(tmp_path, LOCK + EXCLUDED[name])).reached


@pytest.mark.parametrize("name", REACHED)
def test_errors_that_can_happen_are_reached(tmp_path: Path, name: str) -> None:
    assert last_simulation(loaded(tmp_path, LOCK + REACHED[name])).reached


def test_undefined_behaviour_ends_no_path(tmp_path: Path) -> None:
    text = "int main(void) { int *p = 0; *p = 1; int x = __VERIFIER_nondet_int(); if (x == 1) reach_error(); }"
    assert last_simulation(loaded(tmp_path, text)).reached


@pytest.mark.parametrize("step", ["i += 2;", "{ int j = i; i = j + 2; }"])
def test_a_counter_takes_any_value(tmp_path: Path, step: str) -> None:
    text = f"int main(void) {{ int i = 0; while (__VERIFIER_nondet_int()) {step} if (i == 70000) reach_error(); }}"
    assert last_simulation(loaded(tmp_path, text)).reached


def test_more_and_more_values_are_given_up(tmp_path: Path) -> None:
    text = "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) i = next(i); assert(i != 7001); }"
    program = loaded(tmp_path, "#include <assert.h>\nint next(int i) { return i + 2; }\n" + text)
    with pytest.raises(TooManyEnvironments):
        last_simulation(program)


def test_a_simulation_can_be_interrupted_after_every_step(tmp_path: Path) -> None:
    program = loaded(tmp_path, LOCK + EXCLUDED["a result that tells whether the lock is held"])
    steps = simulating(program, frozenset(), fails(program), Run(), to_the_end=True)
    assert sum(1 for _ in steps) > 5


def test_relevant_registers_grow_from_the_conditions_of_the_error(tmp_path: Path) -> None:
    program = loaded(
        tmp_path,
        """
        int main(void) {
            int far = __VERIFIER_nondet_int(), near = 0, never = 3;
            if (far > 7) near = 1;
            never++;
            if (near) reach_error();
        }""",
    )
    names = [{str(register) for register in tracked} for tracked in relevant_registers(program, fails(program))]
    assert names[0] == {"main::near"}
    assert "main::far" in names[-1]
    assert "main::never" not in names[-1]


@pytest.mark.parametrize("seed", range(40))
def test_every_state_of_an_execution_is_in_some_environment(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    program = loaded(tmp_path, RandomC(rng).text())
    registers = sorted({r for edge in program.edges() for r in read_or_written(edge)}, key=str)
    simulation = None
    while simulation is None:
        registers = rng.sample(registers, len(registers) * 2 // 3)
        try:
            simulation = simulate(program, frozenset(registers), ())
        except TooManyEnvironments:
            continue
    for number in range(3):
        for node in executions(program, 100 * seed + number)[0]:
            assert any(covered(context, node) for context in simulation.contexts)


def read_or_written(edge: Edge) -> frozenset[Term]:
    match edge.label:
        case Assign(register, value):
            return value.variables | {register}
        case Assume(condition):
            return condition.variables
    return frozenset()


def covered(context: SimulatedCall, node: Node) -> bool:
    environments = context.at.get(node.location, ())
    return any(all(map(node.state.value, environment.literals)) for environment in environments)
