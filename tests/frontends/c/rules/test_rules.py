"""API rules: what they become, and what is said about mistakes in them."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.rules import Instrumentation, check_against, load_rules, parse_rules
from pincer.program.control_flow import Call, Fail

SHIPPED = Path(__file__).parents[4] / "benchmarks" / "dash" / "rules"

LOCK = """\
rule Lock "Locks are taken and given back in turn.";
state per object bool held = 0;
on call take(lock) per object argument 1 { assert !held "taken twice"; held = 1; }
on call give(lock) per object argument 1 { assert held "not taken"; held = 0; }
on return from run { assert !held "kept"; }
"""

COUNT = """\
rule Count;
const LIMIT = 2 + 1;
state unsigned char calls;
on call f(a, void *p) before { if (a > 0 && p != 0) { calls = calls + 1; } else if (a == -1) { calls = 0; } }
on call f(_, _) after giving long r { assert calls <= LIMIT && r "too many"; }
"""


def parse(text: str) -> Instrumentation:
    return parse_rules(text, "test.rule")


def mistake(text: str, message: str) -> None:
    """The error in a rule must have this message and point at the place where `@` stands."""
    line = next(number for number, content in enumerate(text.splitlines(), 1) if "@" in content)
    column = text.splitlines()[line - 1].index("@") + 1
    plain = text.replace("@", "", 1)
    with pytest.raises(PincerError) as caught:
        parse(plain)
    assert str(caught.value.position) == f"test.rule:{line}:{column}"
    assert caught.value.excerpt == plain.splitlines()[line - 1]
    assert message in caught.value.message


def test_every_moment_gets_its_own_handler() -> None:
    rule = parse("""\
rule R;
state int x;
on call f { x = 1; }
on call f after { x = 2; }
on entry of f { x = 3; }
on return from f { x = 4; }
""")
    assert rule.hooks == {
        "f": Hook("__rule_R_f_before", "__rule_R_f_after", "__rule_R_f_on_entry", "__rule_R_f_on_return"),
    }
    assert rule.name == "R"


def test_a_call_is_handled_before_it_happens_unless_the_rule_says_after() -> None:
    assert parse("rule R; state int x; on call f { x = 1; }").hooks["f"].before is not None
    assert parse("rule R; state int x; on call f before { x = 1; }").hooks["f"].before is not None


def test_a_rule_about_objects_begins_with_the_program() -> None:
    assert parse(LOCK).hooks["main"] == Hook(on_entry="__rule_Lock_start")
    assert parse_rules(LOCK, "test.rule", entry="begin").hooks["begin"] == Hook(on_entry="__rule_Lock_start")
    assert "main" not in parse(COUNT).hooks


def test_a_rule_that_handles_the_entry_function_begins_there_too() -> None:
    rule = parse(LOCK + "on entry of main { assert !held ; }".replace(" ;", ' "m";'))
    assert rule.hooks["main"] == Hook(on_entry="__rule_Lock_main_on_entry")
    assert "__rule_Lock_start();" in rule.text


def test_the_description_is_kept() -> None:
    assert parse(LOCK).description == "Locks are taken and given back in turn."
    assert parse(COUNT).description == ""


def test_failures_are_reported_by_rule_and_message_at_the_line_of_the_rule() -> None:
    lines = parse(LOCK).text.splitlines()
    at = next(number for number, line in enumerate(lines) if '"Lock: taken twice"' in line)
    assert lines[at - 1] == '#line 3 "test.rule"'


def test_names_of_a_rule_cannot_meet_names_of_the_program() -> None:
    text = parse(COUNT).text
    for name in ("calls", "LIMIT", "a", "p", "r"):
        assert not any(word == name for word in text.replace("(", " ").replace(")", " ").split())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule R; state int x; on call f { x = @y; }", "unknown name `y`"),
        ("rule R; state int x; on call f { @y = 1; }", "unknown state variable `y`"),
        ("rule R; const C = 1; on call f { @C = 2; }", "`C` cannot change"),
        ("rule R; state int x; on call f(a) { @a = 2; }", "`a` cannot change"),
        ("rule R; state int x; state int @x; on call f { x = 1; }", "`x` is already declared"),
        ("rule R; const C = 1; state int @C; on call f { }", "already declared"),
        ("rule R; state int x; on call f(a, @a) { x = a; }", "already declared"),
        ("rule R; state int x; on call f(@x) { x = 1; }", "already declared"),
        ("rule R; state int @_; on call f { }", "`_` stands for a value that is not used"),
        ("rule R; const C = @D; const D = 1; on call f { }", "the constants above it"),
        ("rule R; state int x = 1; state int y = @x; on call f { }", "an initial value"),
        ("rule @R; state int x;", "has no handler"),
        ("rule R; on call f { } on call @f before { }", "before the call of `f` is already handled in line 1"),
        ("rule R; state per object int x; on call f(a) per object argument @2 { x = 1; }", "there is no argument 2"),
        ("rule R; state per object int x; on call f per object argument @1 { x = 1; }", "none is listed"),
        ("rule R; state per object int x; on call f(a) per object argument @0 { x = 1; }", "count from one"),
        ("rule R; state per object int x; on call f(int @a) per object argument 1 { x = 1; }", "`void *`"),
        ("rule R; state int x; on call f(a) per object argument @1 { x = 1; }", "no `state per object`"),
        (
            "rule R; state int n; state per object int x; on call f(a) per object argument 1 { @n = 1; }",
            "`n` belongs to the whole program",
        ),
        (
            "rule R; state int n; state per object int x; on call f { if (x) { @n = 1; } }",
            "`n` belongs to the whole program",
        ),
    ],
)
def test_what_makes_no_sense_is_rejected_where_it_stands(text: str, message: str) -> None:
    mistake(text, message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rule R; state int x @on call f { }", "expected `;`"),
        ("rule R; state int x; on call f { assert x@; }", "unexpected `;`"),
        ("rule R; state int x; on call f { x = x @[1]; }", "unexpected `[`"),
        ("rule R; state int x; on call f { x = g@(1); }", "unexpected `(`"),
        ("rule R; on call f { @/* }", "not closed"),
        ('rule R; on call f { assert 1 @"a\n"; }', "not closed on its line"),
        ("rule R; on call f {@", "ends too early"),
        ("@state int x;", "expected `rule NAME;`"),
        ("// nothing else@", "ends too early"),
        ("rule R; state int x; on call f { x = 1 @/* 2; }", "not closed"),
    ],
)
def test_syntax_errors_say_where_and_what_is_missing(text: str, message: str) -> None:
    mistake(text, message)


def test_a_file_that_cannot_be_read_is_a_mistake_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=r"absent\.rule cannot be read"):
        load_rules(tmp_path / "absent.rule")
    (tmp_path / "bytes.rule").write_bytes(b"rule \xff;")
    with pytest.raises(PincerError, match="not UTF-8"):
        load_rules(tmp_path / "bytes.rule")


def test_a_rule_that_names_a_result_must_list_all_parameters() -> None:
    rule = parse("rule R; state int x; on return from f(_) giving int r { x = r; }")
    check_against(rule, {"f": 1, "g": 3})
    check_against(rule, {})
    with pytest.raises(PincerError, match="`f` has 2 parameters, the rule lists 1") as caught:
        check_against(rule, {"f": 2})
    assert str(caught.value.position) == "test.rule:1:37"


def test_the_shipped_rules_load() -> None:
    rules = {path.stem: load_rules(path) for path in sorted(SHIPPED.glob("*.rule"))}
    assert list(rules) == ["CancelSpinLock", "InterlockedQueuedIrps", "MarkIrpPending", "SpinLock"]
    assert all(rule.name == name and rule.description for name, rule in rules.items())
    assert "KeAcquireSpinLock" in rules["SpinLock"].hooks


def test_handlers_are_called_around_the_calls_of_a_program(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text("""\
void take(int *lock) {}
void give(int *lock) {}
int held;
void run(void (*action)(int *)) { action(&held); }
int main(void) { take(&held); run(give); return 0; }
""")
    rule = parse(LOCK)
    program = load(source, hooks=rule.hooks, extra=rule.text)
    called = {
        name: [edge.label.procedure for edge in procedure.edges if isinstance(edge.label, Call)]
        for name, procedure in program.procedures.items()
    }
    assert called["main"][:3] == ["__rule_Lock_start", "__rule_Lock_take_before", "take"]
    assert "__rule_Lock_give_before" in called["run"]
    assert called["run"][-1] == "__rule_Lock_run_on_return"
    messages = {edge.label.message for edge in program.edges() if isinstance(edge.label, Fail)}
    assert messages == {"Lock: taken twice", "Lock: not taken", "Lock: kept"}


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
