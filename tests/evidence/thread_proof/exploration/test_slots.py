"""Where registers are kept, and which of them matter where."""

from __future__ import annotations

from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.thread_proof.exploration.slots import Liveness, RegisterSlots
from pincer.program.control_flow import Assign, ControlFlowProgram
from pincer.program.registers import THREAD

from .explored_programs import program_of

TEXT = """
int shared; _Thread_local int own;
int add(int a, int b) { int sum = a + b; return sum; }
void *one(void *a) { own = 2; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, one, 0);
  int first = 1, second = 2; own = first; shared = add(first, second); return shared; }
"""


def _slots(program: ControlFlowProgram) -> RegisterSlots:
    return RegisterSlots(ProgramFacts(program, "assertions"))


def test_registers_are_with_their_activation_thread_or_program() -> None:
    slots = _slots(program_of(TEXT))
    spaces = {str(register.args[0]): slots.of(register).space for register in slots.registers}
    assert spaces["shared"] == "all" and spaces["main::first"] == "own" and spaces["add::sum"] == "own"
    assert {slots.of(register).space for register in slots.registers if register.args[0].owner == THREAD} == {"thread"}
    assert spaces["$top"] == "thread"


def test_numbers_are_different_within_a_space() -> None:
    slots = _slots(program_of(TEXT))
    own = [slots.of(r).number for r in slots.registers if r.args[0].owner == "main"]
    assert sorted(own) == list(range(slots.count("main")))


def test_only_registers_that_are_assigned_are_a_matter_of_scheduling() -> None:
    program = program_of("int set, given = 1; int main(void) { set = given; return set; }")
    slots = _slots(program)
    numbers = {str(r.args[0]): slots.of(r).number for r in slots.registers}
    assert numbers["set"] in slots.written and numbers["given"] not in slots.written


def test_registers_live_as_long_as_they_may_be_read() -> None:
    program = program_of("int main(void) { int a = 1, b = 2; int c = a + b; return c; }")
    slots = _slots(program)
    main, liveness = program.procedures["main"], Liveness(slots)
    numbers = {str(r.args[0]): slots.of(r).number for r in slots.registers}
    [(edge, after)] = [
        (edge, liveness.at(main, edge.target))
        for edge in main.edges
        if isinstance(edge.label, Assign) and str(edge.label.register.args[0]) == "main::c"
    ]
    assert numbers["main::a"] in liveness.at(main, edge.source) and numbers["main::a"] not in after
    assert numbers["main::c"] in after and numbers["main::c"] not in liveness.at(main, edge.source)
