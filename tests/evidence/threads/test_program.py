"""The file that runs a program under a schedule: lines of statements, sections, and redirected calls."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.evidence.c.execution import Build
from pincer.evidence.c.tokens import read
from pincer.evidence.threads.program import ReplayProgram, script, wrapped
from pincer.evidence.threads.statements import statement_lines
from tests.evidence.threads.written_schedules import LOST_UPDATE, LOST_UPDATE_POINTS, Written

PLAIN = "\n".join(line for line in LOST_UPDATE.splitlines() if not line.startswith("#"))


def replayed(folder: Path, text: str = PLAIN) -> ReplayProgram:
    program = Written(folder, LOST_UPDATE)
    return ReplayProgram.of(program.test("assertion", LOST_UPDATE_POINTS, "0 reads counter @ assert("), [text])


def test_accesses_of_the_schedule_are_told_by_their_global_variables(tmp_path: Path) -> None:
    program = replayed(tmp_path)
    assert program.globals == ("counter",) and program.is_exact
    assert "case 0: return (void *)&counter;" in program.text()
    local = replace(program.test.points[2], name="*p")
    assert not replace(program, test=replace(program.test, points=(local,))).is_exact


def test_an_atomic_function_becomes_a_section(tmp_path: Path) -> None:
    text = f"{PLAIN}\nvoid __VERIFIER_atomic_swap(void) {{ counter = 1; }}\n"
    assert "__pincer_section_begin();  counter = 1;" in replayed(tmp_path, text).text()
    assert "= __pincer_section_begin()" not in replayed(tmp_path).program.text


def test_a_missing_entry_function_is_named(tmp_path: Path) -> None:
    test = replayed(tmp_path).test
    with pytest.raises(PincerError, match="does not define the entry function start"):
        ReplayProgram.of(replace(test, entry="start"), [PLAIN])


@pytest.mark.parametrize(
    ("line", "column", "lines"), [(2, 3, (2, 4)), (4, 5, (2, 4)), (5, 3, (5, 5)), (40, 1, (40, 40))]
)
def test_a_statement_covers_all_its_lines(line: int, column: int, lines: tuple[int, int]) -> None:
    source = read("int f(int a) {\n  a = a +\n    1 +\n    2;\n  return a;\n}\n", "program.c")
    assert statement_lines(source, Position("program.c", line, column)) == lines


def test_the_script_redirects_what_the_runtime_answers(tmp_path: Path) -> None:
    names = wrapped()
    assert {"pthread_create", "pthread_mutex_lock", "pthread_rwlock_rdlock"} <= set(names)
    assert names == sorted(set(names))
    program = replayed(tmp_path)
    text = script(Build(("cc",), ("-g",)), ("-fsanitize=thread",), False, program, "exec ./test 7")
    assert all(f"--wrap={name}" in text for name in names)
    assert 'if [ "$1" = sanitizer ]' not in text
    assert text.endswith("|| exec ./test 7\n")
    assert 'if [ "$1" = sanitizer ]' in script(Build(("cc",), ()), (), True, program, "exec ./test")
