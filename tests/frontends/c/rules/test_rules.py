"""API rules: what they become, and what is said about mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.hooks import Hook
from pincer.frontends.c.rules import check_against, load_rules, parse_rules
from pincer.program.control_flow import Call, Fail
from tests.frontends.c.rules.rule_texts import COUNT, LOCK, parse

SHIPPED = Path(__file__).parents[4] / "benchmarks" / "dash" / "rules"


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
