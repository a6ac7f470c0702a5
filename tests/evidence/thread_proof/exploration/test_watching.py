"""What formulas about threads speak of: no step that may change it is overlooked, and no letter is misread."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.c_proof.term_data import variables
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused
from pincer.evidence.thread_proof.exploration.slots import RegisterSlots
from pincer.evidence.thread_proof.exploration.states import CallerFrame, State, ThreadState, WorkingState
from pincer.evidence.thread_proof.exploration.values import TermValues
from pincer.evidence.thread_proof.exploration.watching import Watching
from pincer.evidence.thread_proof.words import check_words
from pincer.logic import bitvectors
from pincer.logic.terms import TRUE, Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Begin,
    Call,
    ControlFlowProgram,
    Copy,
    Edge,
    End,
    Fill,
    Free,
    Input,
    Label,
    Observe,
    Skip,
    Store,
)
from pincer.program.thread_labels import Join, Self, SetAttribute, Setting, Start, ThreadOperation, Yield
from tests.evidence.thread_proof.ending_programs import text_of
from tests.evidence.thread_proof.test_words import explorer, program_of

TEXT = text_of("A: flag = 1; B: ;", "C: x = 1;").replace(
    "int flag, x;", "int flag, x, other; int cells[4]; int *pointer = &other; int **taken = &pointer;"
)
WATCHED = "[]({x > 0} || {cells[1] == 3} || {at(A, 1)} || {at(B, work)} || {at(C)})"


class Looked:
    """A program with a formula, and what the module makes of it."""

    def __init__(self, program: ControlFlowProgram) -> None:
        slots = RegisterSlots(ProgramFacts(program, "temporal"))
        self.program, self.slots = program, slots
        self.watching = Watching(slots, TermValues(slots, Script()))

    def register(self, name: str) -> Term:
        return next(register for register in self.slots.registers if str(register.args[0]) == name)

    def address(self, name: str) -> int:
        address = next(item.address for item in self.program.variables if item.name == name)
        assert isinstance(address, Term)
        number: int = address.args[0]
        return number

    def thread(self, location: int, ended: bool = False, name: str = "main") -> ThreadState:
        return ThreadState(self.program.procedures[name], location, (), (), (), ended=ended)

    def state(self, *threads: ThreadState) -> State:
        return State(threads or (self.thread(0),), (), {}, {}, {}, frozenset())

    def may_change(self, label: Label | ThreadOperation) -> bool:
        return self.watching.may_change(WorkingState(self.state(), 0), label)

    def at(self, label: str) -> int:
        """Where threads are at a label."""
        edges = (edge for edge in self.program.edges() if isinstance(edge.label, Observe))
        return next(edge.source for edge in edges if edge.label == replace(edge.label, moment=f"at {label}"))


def word(value: int, bits: int = 32) -> Term:
    return bitvectors.constant(value, bits)


def wide(value: int) -> Term:
    return word(value, 64)


@pytest.fixture
def looked(tmp_path: Path) -> Looked:
    return Looked(program_of(tmp_path, TEXT, WATCHED))


def test_assignments_matter_where_the_formula_speaks_of_the_register(looked: Looked) -> None:
    x, other = looked.register("x"), looked.register("flag")
    assert looked.may_change(Assign(x, word(3))) and looked.may_change(Input(x, "f"))
    assert not looked.may_change(Assign(other, word(3))) and not looked.may_change(Input(other, "f"))
    assert looked.watching.is_register(x) and not looked.watching.is_register(other)


def test_registers_of_activations_are_never_those_of_the_program(looked: Looked) -> None:
    """Trap: registers are numbered anew in each activation."""
    registers, of = looked.slots.registers, looked.slots.of
    number = of(looked.register("x")).number
    same = [register for register in registers if of(register).number == number and of(register).space != "all"]
    assert same and not any(map(looked.watching.is_register, same))


def test_results_of_the_library_are_assignments(looked: Looked) -> None:
    x, other = looked.register("x"), looked.register("flag")
    assert looked.may_change(Self(result=x)) and not looked.may_change(Self(result=other))
    assert not looked.may_change(Yield())


def test_a_call_changes_nothing_before_it_returns(looked: Looked) -> None:
    assert not looked.may_change(Call("work", (), looked.register("x")))


@pytest.mark.parametrize(
    ("offset", "bits", "seen"),
    [(4, 32, True), (0, 32, False), (8, 32, False), (7, 8, True), (3, 8, False), (8, 8, False), (0, 64, True)],
)
def test_stores_matter_where_bytes_overlap(looked: Looked, offset: int, bits: int, seen: bool) -> None:
    start = looked.address("cells") + offset
    assert looked.may_change(Store(wide(start), word(0, bits))) is seen
    size = wide(bits // 8)
    assert looked.may_change(Fill(wide(start), size, word(0, 8))) is seen
    assert looked.may_change(Copy(wide(start), wide(looked.address("cells") + 4), size)) is seen


def test_what_is_only_read_or_of_no_size_changes_nothing(looked: Looked) -> None:
    cell = wide(looked.address("cells") + 4)
    assert not looked.may_change(Copy(wide(looked.address("cells") + 64), cell, wide(4)))
    assert not looked.may_change(Fill(cell, wide(0), word(0, 8)))
    assert not looked.may_change(Skip())


def test_what_the_library_stores_changes_memory(looked: Looked) -> None:
    cell, away = wide(looked.address("cells") + 4), wide(looked.address("cells") + 64)
    none = wide(0)
    for made in (
        lambda at: SetAttribute(at, Setting.MUTEX_KIND, word(1)),
        lambda at: Join(none, at),
        lambda at: Start(at, none, none, none),
    ):
        assert looked.may_change(made(cell)) and not looked.may_change(made(away))
    assert not looked.may_change(SetAttribute(cell, Setting.IGNORED))


def test_objects_that_begin_and_end_matter_where_pointers_are_followed(looked: Looked, tmp_path: Path) -> None:
    anywhere = Looked(program_of(tmp_path, TEXT, "[]{**taken == 1}"))
    register = looked.register("flag")
    labels: list[Label] = [
        Begin(1 << 40, 4), End(wide(1 << 40)), Free(wide(1 << 40)), Allocate(register, wide(4), False, "heap"),
    ]  # fmt: skip
    assert all(map(anywhere.may_change, labels))
    assert not any(map(looked.may_change, labels))
    assert anywhere.may_change(Store(wide(1 << 40), word(0)))


def test_objects_that_begin_and_end_matter_where_an_address_is_no_global_variable(tmp_path: Path) -> None:
    number = Looked(program_of(tmp_path, TEXT, f"[]{{*(int *){1 << 40} == 1}}"))
    assert number.may_change(Begin(1 << 40, 4)) and number.may_change(Free(wide(1 << 40)))


def test_labels_that_the_formula_asks_about_are_noticed(looked: Looked) -> None:
    for moment in ("to A", "at A", "to B", "at B", "at C"):
        assert looked.watching.is_label(Observe(moment=moment)) and looked.may_change(Observe(moment=moment))
    for moment in ("", "at D", "to D", "call work", "A"):
        assert not looked.watching.is_label(Observe(moment=moment))
        assert not looked.may_change(Observe(moment=moment))
    assert not looked.watching.is_label(Skip())


def test_nothing_is_watched_without_a_formula(looked: Looked) -> None:
    without = Looked(replace(looked.program, watched=()))
    x = without.register("x")
    assert not without.may_change(Assign(x, word(3))) and not without.watching.is_register(x)
    assert not without.may_change(Observe(moment="at A"))
    assert list(without.watching.conditions(without.state())) == []


def test_conditions_say_who_is_where(looked: Looked) -> None:
    main, work = looked.thread(0), looked.thread(looked.at("A"), name="work")

    def places(*threads: ThreadState) -> list[bool]:
        """What the last three propositions say."""
        found = [condition for _, condition in looked.watching.conditions(looked.state(*threads))]
        assert all(not condition.args or condition is TRUE for condition in found[2:])
        return [condition is TRUE for condition in found[2:]]

    assert places(main) == [False, False, False]
    assert places(main, work) == [True, False, False]
    assert places(work, main) == [False, False, False], "the first thread has the number 0"
    assert places(main, work._replace(ended=True)) == [False, False, False]
    at_b = work._replace(location=looked.at("B"))
    assert places(main, at_b) == [False, True, False]
    assert places(main, main, at_b) == [False, True, False]
    assert places(main, at_b._replace(procedure=main.procedure)) == [False, False, False], "main runs no `work`"
    assert places(looked.thread(looked.at("C")), work) == [True, False, True]


def test_a_thread_is_known_by_what_it_began_with(looked: Looked) -> None:
    """Trap: not by the function that it is in now."""
    work = looked.thread(looked.at("B"), name="work")
    first, other = (looked.program.procedures[name] for name in ("work", "main"))
    inside = work._replace(procedure=other, frames=(CallerFrame(first, Edge(0, 0, Skip(), first.position), ()),))
    found = dict(looked.watching.conditions(looked.state(looked.thread(0), inside)))
    assert list(found.values())[3] is TRUE


def test_conditions_speak_of_the_registers_that_are_watched(looked: Looked) -> None:
    [(_, condition), *_] = looked.watching.conditions(looked.state())
    assert variables(condition) == [looked.register("x")]


def test_attributes_that_are_set_and_set_again_are_seen(tmp_path: Path) -> None:
    """A thread that is alone is at work in one move, which ends before the first value is gone."""
    text = text_of("", "").replace("int flag, x;", "int flag, x; pthread_mutexattr_t a;")
    sets = "pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 1); pthread_mutexattr_settype(&a, 0);"
    text = text.replace("int main(void) {", f"int main(void) {{ {sets}")
    wrong = program_of(tmp_path, text, "[]{*(int *)&a != 1}")
    with pytest.raises(ExplorationRefused):
        check_words(explorer(wrong), wrong, "weak")
    right = program_of(tmp_path, text, "[]{*(int *)&a != 3}")
    check_words(explorer(right), right, "weak")
