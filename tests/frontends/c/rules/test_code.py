"""Rules as C text, for the verifier and for compilers: both find the same mistakes."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from tests.frontends.c.rules.rule_texts import COUNT, LOCK, parse


def test_failures_are_reported_by_rule_and_message_at_the_line_of_the_rule() -> None:
    lines = parse(LOCK).text.splitlines()
    at = next(number for number, line in enumerate(lines) if '"Lock: taken twice"' in line)
    assert lines[at - 1] == '#line 3 "test.rule"'


def test_names_of_a_rule_cannot_meet_names_of_the_program() -> None:
    text = parse(COUNT).text
    for name in ("calls", "LIMIT", "a", "p", "r"):
        assert not any(word == name for word in text.replace("(", " ").replace(")", " ").split())


HARNESS = """\
#include <stdio.h>
#include <stdlib.h>
static int locks[3];
static void *watched;
void *__VERIFIER_nondet_pointer(void) { return watched; }
void __pincer_assert_message(int condition, const char *message) { if (!condition) { puts(message); exit(1); } }
int main(int count, char **events)
{
    watched = &locks[events[1][0] - '0'];
    __rule_Lock_start();
    for (const char *event = events[2]; *event; event++) {
        if (*event == 'r') __rule_Lock_run_on_return();
        else if (*event >= 'A') __rule_Lock_take_before(&locks[*event - 'A']);
        else __rule_Lock_give_before(&locks[*event - '0']);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The rule about locks compiled in both forms, as programs that take a lock to watch and a series of events."""
    if shutil.which("gcc") is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("rules")
    rule = parse(LOCK)
    for name, text in (("watching", rule.text), ("table", rule.native)):
        (folder / f"{name}.c").write_text(text + HARNESS)
        command = ["gcc", "-std=gnu11", "-Wall", "-Werror", "-Wno-unused", f"{name}.c", "-o", name]
        subprocess.run(command, cwd=folder, check=True)
    return folder / "watching", folder / "table"


@pytest.mark.parametrize("events", ["", "A0r", "AA", "0", "AB01r", "AB0r", "ABA", "A0A0B1r", "A1", "rA0r", "Ar"])
def test_watching_any_one_object_finds_what_watching_all_finds(programs: tuple[Path, Path], events: str) -> None:
    watching, table = programs
    some = {subprocess.run([watching, str(lock), events], capture_output=True).stdout for lock in range(3)} - {b""}
    everything = subprocess.run([table, "0", events], capture_output=True).stdout
    assert bool(some) == bool(everything)
    assert not everything or everything in some


def test_all_short_series_of_events_agree(programs: tuple[Path, Path]) -> None:
    watching, table = programs
    for letters in product("AB0r", repeat=2):
        events = "".join(letters)
        found = [subprocess.run([watching, str(lock), events], capture_output=True).returncode for lock in range(2)]
        assert max(found) == subprocess.run([table, "0", events], capture_output=True).returncode
