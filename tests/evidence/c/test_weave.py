"""A rule that is broken is broken in compiled code, too: handlers run around calls and inside functions."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c.execution import Confirmation, confirm
from pincer.evidence.c.trace import InputValue
from pincer.evidence.c.weave import weave
from pincer.frontends.c.rules import Instrumentation, parse_rules
from tests.evidence.c.recorded_tests import integer, needs_compiler, recorded, written

RULE = parse_rules(
    """\
rule Lock "locks alternate";
state int held = 0;
on call lock(_, n) before { assert held == 0 "locked twice"; held = n; }
on call unlock after { assert held != 0 "unlocked while free"; held = 0; }
on return from work(n) giving r { assert r != 7 "seven"; }
""",
    "lock.rule",
)
DECLARED = "struct L; typedef void VOID, *PVOID; extern VOID lock(struct L *, char); extern int unlock(void);\n"
DEFINED = "typedef void VOID, *PVOID; VOID lock(PVOID p, char n) { } static int unlock(void) { return 0; }\n"
MAIN = """\
extern int __VERIFIER_nondet_int(void);
int work(int n) {
    lock(0, 1);
    if (n == 77) lock(0, 2);
    unlock();
    return n;
}
int main(void) { return work(__VERIFIER_nondet_int()); }
"""


def confirmed(folder: Path, text: str, message: str, *inputs: InputValue) -> Confirmation:
    test = recorded(*inputs)
    test = replace(test, failure=replace(test.failure, message=message))
    return confirm(test, written(folder, text), rule=RULE)


@needs_compiler
@pytest.mark.parametrize("declarations", [DEFINED, DECLARED], ids=["with bodies", "without bodies"])
def test_handlers_run_before_calls_of_functions(declarations: str, tmp_path: Path) -> None:
    answer = confirmed(tmp_path, declarations + MAIN, "Lock: locked twice", integer(77))
    assert answer.detail == "confirmed by execution: reached Lock: locked twice"


@needs_compiler
def test_a_function_without_listed_parameters_gives_a_handler_no_arguments(tmp_path: Path) -> None:
    answer = confirmed(tmp_path, f"void lock(); int unlock(void);\n{MAIN}", "Lock: locked twice", integer(77))
    assert answer.status == "not confirmed"
    assert "does not compile" in answer.detail


@needs_compiler
def test_handlers_see_the_result_of_a_function(tmp_path: Path) -> None:
    assert confirmed(tmp_path, DEFINED + MAIN, "Lock: seven", integer(7)).status == "confirmed"
    assert confirmed(tmp_path, DEFINED + MAIN, "Lock: seven", integer(8)).status == "contradicted"


@needs_compiler
def test_another_assertion_than_the_recorded_one_confirms_nothing(tmp_path: Path) -> None:
    answer = confirmed(tmp_path, DEFINED + MAIN, "Lock: unlocked while free", integer(77))
    assert answer.status == "contradicted"
    assert "reached Lock: locked twice before that" in answer.detail


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("extern void lock(int, ...); void f(void) { lock(1); }", "any number of arguments"),
        ("void f(void) { lock(1); }", "no declaration"),
        ("int work(int n) { n += 1; return n; }", "changes its parameters"),
        ("int work(int n) { return ++n; }", "changes its parameters"),
    ],
)
def test_what_cannot_be_wrapped_is_refused(text: str, words: str) -> None:
    with pytest.raises(PincerError, match=words):
        weave(text, RULE, "main")


@pytest.mark.parametrize("body", ["return n == 1;", "return n <= 1;", "return n << 1;", "return n + -n;"])
def test_reading_a_parameter_is_no_change(body: str) -> None:
    assert "__pincer_body_work" in weave(f"int work(int n) {{ {body} }}", RULE, "main")


def test_no_line_of_the_program_moves() -> None:
    text = DEFINED + MAIN
    before = weave(text, RULE, "main").split("\n")
    assert [line for line in before[1:] if "return n;" in line] == ["    return n;"]
    assert before.index("    return n;") == text.split("\n").index("    return n;") + 1


def test_a_rule_about_functions_the_program_lacks_changes_nothing_in_it() -> None:
    rule: Instrumentation = replace(RULE, hooks={"other": RULE.hooks["lock"]})
    assert DEFINED + MAIN in weave(DEFINED + MAIN, rule, "main")
