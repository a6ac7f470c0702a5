"""What threads may still do, and which values nothing depends on."""

from __future__ import annotations

from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.thread_proof.exploration.futures import Futures, idle_registers
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.program.control_flow import ControlFlowProgram

from .explored_programs import explored, explorer_of, program_of, two


def _states(text: str) -> int:
    explorer = explorer_of(program_of(text), "assertions")
    explorer.explore()
    return explorer.states


def _writes(program: ControlFlowProgram, procedure: str, last: bool = False) -> set[str]:
    """The variables that may still be assigned at the beginning of a procedure, or at its end."""
    slots = RegisterSlots(ProgramFacts(program, "assertions"))
    names = {slots.of(register).number: str(register.args[0]) for register in slots.registers if _is_global(register)}
    found = program.procedures[procedure]
    uses = Futures(slots).at(found, found.exit if last else found.entry)
    return {names[number] for number in uses.writes} & {"x", "y"}


def _is_global(register: object) -> bool:
    return getattr(register, "args")[0].owner is None  # noqa: B009


def test_futures_have_what_is_called_and_started() -> None:
    program = program_of(two("x = 1;", "helper();", "int x, y; void helper(void) { y = 1; }"))
    assert _writes(program, "first") == {"x"} and _writes(program, "second") == {"y"}
    assert _writes(program, "main") == {"x", "y"}
    assert _writes(program, "main", last=True) == set()


def test_reading_what_no_other_thread_will_assign_is_no_move() -> None:
    alone = two("int k = 0; for (int i = 0; i < 3; i++) k += x; y = k;", "assert(y == 0 || y == 3);", "int x = 1, y;")
    assert _states(alone) == _states(alone.replace("i < 3", "i < 1").replace("y == 3", "y == 1"))


def test_what_another_thread_may_still_assign_is_read_step_by_step() -> None:
    text = two("int k = x; int l = x; assert(k == l);", "x = 1;")
    assert "failure" in explored(text)
    late = "void *third(void *a) { x = 1; return 0; }"
    started = two(
        "int k = x; int l = x; assert(k == l);", "pthread_t u; pthread_create(&u, 0, third, 0);", "int x;" + late
    )
    assert "failure" in explored(started)


def test_races_with_threads_that_come_later_are_found() -> None:
    late = "void *third(void *a) { x = 1; return 0; }"
    text = two("int k = x; (void)k;", "pthread_t u; pthread_create(&u, 0, third, 0);", "int x;" + late)
    assert "same data" in explored(text, "race")


def test_values_that_nothing_depends_on_are_not_kept() -> None:
    body = "int n = __VERIFIER_nondet_int(); count += n;"
    program = program_of(two(body, body, "int count, used;", "used = 1; assert(used);"))
    names = {str(register.args[0]) for register in idle_registers(program)}
    assert "count" in names and "used" not in names


def test_values_that_steer_are_kept() -> None:
    text = two("x = 1;", "y = x;", "int x, y;", "if (y) assert(x == 1); else assert(x == 1 && y == 0);")
    assert explored(text) == ""
    assert "failure" in explored(text.replace("&& y == 0", "&& y == 1"))
