"""Predicates become functions, and these become conditions; what C does not know of stands for parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.unit import Observers
from pincer.frontends.c.observers import (
    FILE,
    ObservedLocal,
    StateLook,
    is_visible,
    look,
    observer,
    said_at,
    variable_of,
)
from pincer.logic import bitvectors
from pincer.logic.terms import FALSE, TRUE, Term, substitute
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.registers import register_of

TEXT = """
struct pair { int a, b; };
int total, other, cells[3];
int fact(int n) { return n ? n * fact(n - 1) : 1; }
int even(int n); int odd(int n) { return n ? even(n - 1) : 0; } int even(int n) { return n ? odd(n - 1) : 1; }
unsigned char work(unsigned char k, struct pair p) {
  int list[2]; int *at = &other; list[0] = k; p.a = k;
  { int twice = 1; total += twice; } { int twice = 2; total += twice; }
  DONE: return list[0] + p.a + *at;
}
int main(void) { struct pair q = {1, 2}; total = fact(3) + even(2); return work(total, q); }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("observers")
    (made / "p.c").write_text(TEXT, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def plain(folder: Path) -> ControlFlowProgram:
    return load(folder / "p.c")


def looked(folder: Path, plain: ControlFlowProgram, predicate: str) -> StateLook:
    made = observer(1, predicate, plain)
    files = (CFile(str(folder / "p.c")),)
    program = load(files, data_model="LP64", entry="main", extra=made.text, observers=Observers(frozenset({made.name})))
    return look(program, made, predicate)


def holds(condition: Term, **values: int) -> bool:
    """Whether a condition on global registers holds where they have such values."""
    given = {
        register: bitvectors.constant(values[str(register.args[0])], bitvectors.width(register))
        for register in condition.variables
    }
    found = substitute(condition, given)
    assert found in (TRUE, FALSE), found
    return found is TRUE


def test_a_predicate_is_a_function_behind_the_program(plain: ControlFlowProgram) -> None:
    made = observer(7, "total > 3", plain)
    assert made.given == () and made.name.endswith("7")
    assert f'#line 1 "{FILE}"\nstatic int {made.name}(void) {{ return !!(total > 3\n); }}' in made.text
    assert observer(8, "total > 3", plain).name != made.name


def test_what_is_atomic_is_read_as_anything_else(tmp_path: Path) -> None:
    text = """#include <pthread.h>
    _Atomic int total; void *run(void *x) { total = 1; return x; }
    int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return total; }"""
    (tmp_path / "p.c").write_text(text, encoding="utf-8")
    found = looked(tmp_path, load(tmp_path / "p.c"), "total > 3")
    assert holds(found.condition, total=4) and not holds(found.condition, total=3)
    with pytest.raises(PincerError, match="must not have effects"):
        looked(tmp_path, load(tmp_path / "p.c"), "total++")


def test_a_comment_does_not_hide_the_end_of_the_function(folder: Path, plain: ControlFlowProgram) -> None:
    assert holds(looked(folder, plain, "total > 3 // so it is").condition, total=4)


def test_what_the_source_has_no_value_for_becomes_a_parameter_once(plain: ControlFlowProgram) -> None:
    made = observer(1, "call( work ) || return(work)&&at(DONE) || call(work) || work . k > 3 && work.k < 9", plain)
    assert made.given == ("call work", "return work", "at DONE", ObservedLocal("work", "k"))
    assert made.text.count("unsigned char __pincer_in_work_k") == 1
    assert made.text.count("int __pincer_call_work,") == 1
    assert "work . k" not in made.text and "call(" not in made.text


def test_members_of_structures_are_no_locals(plain: ControlFlowProgram) -> None:
    assert observer(1, "pair.a == 1 && q.work.k", plain).given == ()


@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        ("call(nobody)", "no function `nobody` that is called"),
        ("return(nobody)", "no function `nobody` that is called"),
        ("at(DONE, 1)", r"no threads; write at\(DONE\)"),
        ("call(work, 1)", r"no threads; write call\(work\)"),
        ("fact.n == 1", "`fact` is recursive"),
        ("odd.n == 1", "`odd` is recursive"),
        ("work.none", "no such variable; it has at, k, list, p, twice"),
        ("work.twice", "several variables of this name"),
        ("work.list", "only numbers and pointers"),
        ("work.p", "only numbers and pointers"),
    ],
)
def test_mistakes_that_c_does_not_know_of_are_told(plain: ControlFlowProgram, predicate: str, message: str) -> None:
    with pytest.raises(PincerError, match=message):
        observer(1, predicate, plain)


def test_the_variable_that_is_meant_is_found(plain: ControlFlowProgram) -> None:
    found = variable_of(plain, ObservedLocal("work", "k"))
    assert (found.name, found.scope, found.type) == ("k", "work", "unsigned char")
    assert variable_of(plain, ObservedLocal("work", "at")).type.endswith("*")


@pytest.mark.parametrize(
    ("predicate", "message"),
    [
        ("call(work)", r"at\(LABEL, THREAD\)"),
        ("return(work, 1)", r"at\(LABEL, THREAD\)"),
        ("work.k == 1", "copy it into a global variable"),
        ("at(DONE, nobody)", "neither the number of a thread nor a function"),
    ],
)
def test_with_threads_there_is_no_single_function_that_is_entered(
    plain: ControlFlowProgram, predicate: str, message: str
) -> None:
    with pytest.raises(PincerError, match=message):
        observer(1, predicate, plain, threads=True)


def test_with_threads_a_label_may_be_that_of_one(plain: ControlFlowProgram) -> None:
    made = observer(1, "at(DONE) || at(DONE, 2) || at(DONE, work) || at(DONE,2)", plain, threads=True)
    assert made.given == ("at DONE", "at DONE 2", "at DONE work")
    assert made.text.count("int __pincer_at_DONE_by_2,") == 1


@pytest.mark.parametrize(
    ("predicate", "values"),
    [
        ("total > 3", {4, 5, 6}),
        ("total > 3 && total < 6 || total == 0", {0, 4, 5}),
        ("!(total & 1)", {0, 2, 4, 6}),
        ("total", {1, 2, 3, 4, 5, 6}),
        ("total ? total == 2 : 1", {0, 2}),
        ("6 / total == 3", {2}),
        ("6 / (total - 1) == 3", {3}),
        ("0", set()),
        ("1", set(range(7))),
    ],
)
def test_all_ways_through_the_function_are_one_condition(
    folder: Path, plain: ControlFlowProgram, predicate: str, values: set[int]
) -> None:
    condition = looked(folder, plain, predicate).condition
    found = {value for value in range(7) if holds(condition, total=value)}
    assert found == values


@pytest.mark.parametrize(
    "predicate", ["total = 1", "total++", "work(1, (struct pair){1, 2})", "cells[0] = 1", "(total += 1) > 0"]
)
def test_a_predicate_changes_nothing(folder: Path, plain: ControlFlowProgram, predicate: str) -> None:
    with pytest.raises(PincerError, match="must not have effects"):
        looked(folder, plain, predicate)


def test_a_predicate_with_too_many_cases_is_refused(folder: Path, plain: ControlFlowProgram) -> None:
    with pytest.raises(PincerError, match="too many cases"):
        looked(folder, plain, " + ".join(f"(total > {n} ? {n} / total : 2)" for n in range(20)) + " == 25")


def test_moments_and_locals_are_registers_of_the_condition(folder: Path, plain: ControlFlowProgram) -> None:
    seen = looked(folder, plain, "call(work) && total == 2 || work.k == 3 && at(DONE)")
    assert set(seen.moments.values()) == {"call work", "at DONE"}
    assert set(seen.locals.values()) == {ObservedLocal("work", "k")}
    assert seen.condition.variables >= {*seen.moments, *seen.locals}


def test_a_moment_is_true_where_it_is_and_false_elsewhere(folder: Path, plain: ControlFlowProgram) -> None:
    seen = looked(folder, plain, "call(work) && !return(work)")
    assert said_at(seen, "call work", {}) is TRUE
    for moment in ("return work", "", "call main", "at DONE"):
        assert said_at(seen, moment, {}) is FALSE


def test_locals_have_their_last_value_and_none_before(folder: Path, plain: ControlFlowProgram) -> None:
    """Also where the predicate would be true of whatever stands there before."""
    seen = looked(folder, plain, "work.k != 3")
    local = ObservedLocal("work", "k")
    shadow = register_of(None, "shadow", 8), register_of(None, "known", 8)
    said = said_at(seen, "", {local: shadow})
    assert holds(said, shadow=4, known=1) and not holds(said, shadow=3, known=1)
    assert not holds(said, shadow=4, known=0) and not holds(said, shadow=3, known=0)


@pytest.mark.parametrize(
    ("predicate", "seen"),
    [("total > 3", True), ("cells[1] == total", True), ("pair.a", True), ("recall(x)", True), ("call(work)", False),
     ("return( work )", False), ("at (DONE)", False), ("at(DONE, 1)", False), ("work.k > 2", False)],
)  # fmt: skip
def test_what_is_about_global_variables_only_is_visible_everywhere(
    plain: ControlFlowProgram, predicate: str, seen: bool
) -> None:
    assert is_visible(predicate, plain) is seen
