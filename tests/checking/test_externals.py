"""Functions without a body: what verdicts rest on, functions that they are handed, and what they may write."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.result import Result, Unknown
from pincer.checking.task import Asked, Source, Task
from pincer.program.c_file import CFlags
from pincer.report.file_report import finding_of
from pincer.report.terminal import Look
from pincer.report.verdicts import headline
from tests.checking.answers import answer, answers, confirmed, reason, safe
from tests.evidence.c.recorded_tests import needs_compiler

HEAD = "#include <assert.h>\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def havoc(text: str) -> Result:
    Path("p.c").write_text(text, encoding="utf-8")
    source = Source("p.c", flags=CFlags(externals="havoc"))
    return answers(Task(source, Asked(("assertions",))))["assertions"]


@pytest.mark.parametrize(
    "call",
    [
        "extern void run(void (*)(void)); int main(void) { run(t); return 0; }",
        "struct ops { int n; void (*f)(void); }; extern void set(struct ops *);\n"
        "int main(void) { struct ops o = {1, t}; set(&o); return 0; }",
        "struct ops { void (*f[2])(void); }; extern int set(struct ops);\n"
        "int main(void) { struct ops o = {{t, t}}; return set(o); }",
    ],
    ids=["directly", "behind a pointer", "in a value"],
)
def test_a_function_that_is_handed_functions_may_call_them(call: str) -> None:
    found = answer(f"{HEAD}static void t(void) {{ assert(0); }}\n{call}\n")
    assert not isinstance(found, Unknown) or "calls no function that it is handed, or only once" in reason(found)
    assert found.verdict != "safe"


@needs_compiler
@pytest.mark.parametrize(
    "text",
    [
        "extern void run(void (*)(void)); static void t(void) { assert(0); }\nint main(void) { run(t); return 0; }",
        "extern int each(int (*)(int, void *), void *);\n"
        "static int add(int n, void *sum) { *(int *)sum += n; assert(*(int *)sum != 42); return 0; }\n"
        "int main(void) { int sum = 2; each(add, &sum); return 0; }",
    ],
    ids=["without arguments", "with a number and the data it is handed with"],
)
def test_what_goes_wrong_in_a_function_that_is_handed_over_is_found(text: str) -> None:
    confirmed(answer(f"{HEAD}{text}\n"))


def test_no_arguments_are_guessed_for_pointers_that_nobody_hands_over() -> None:
    text = "extern void on(void (*)(int *)); static void t(int *p) { *p = 1; }\nint main(void) { on(t); return 0; }\n"
    assert "calls no function that it is handed" in reason(answer(text, "memory"))


def test_a_function_that_hands_itself_over_is_not_called_by_itself() -> None:
    text = "extern void on(void (*)(void)); static void t(void) { on(t); }\nint main(void) { t(); return 0; }\n"
    assert "calls no function that it is handed" in reason(answer(text))


def test_one_that_does_not_return_may_call_them_before() -> None:
    text = (
        "_Noreturn extern void loop(void (*)(void)); static void t(void) { assert(0); }\nint main(void) { loop(t); }\n"
    )
    assert answer(HEAD + text).verdict != "safe"


@needs_compiler
def test_results_that_are_not_used_are_delivered_all_the_same() -> None:
    confirmed(answer(f"{HEAD}extern int ext(int);\nint main(void) {{ ext(1); int k = ext(2); assert(k != 5); }}\n"))


def test_a_verdict_says_at_once_what_it_rests_on() -> None:
    found = safe(answer(f"{HEAD}extern void fill(int *); int main(void) {{ int x = 3; fill(&x); assert(x == 3); }}\n"))
    line = headline(finding_of(found), "p.c", Look(width=80, colour=False))
    assert line.endswith("p.c: assertions (if functions without a body write nothing)")
    assert "writes nothing through the pointers that it is given" in found.assumptions[0].text


def test_a_function_that_can_reach_nothing_needs_no_clause() -> None:
    found = safe(answer(f"{HEAD}extern int ext(int); int main(void) {{ assert(ext(1) + 1 != ext(2) || 1); }}\n"))
    assert [assumption.clause for assumption in found.assumptions] == [""]


@needs_compiler
@pytest.mark.parametrize(
    "body",
    [
        "int x = 3; fill(&x); assert(x != 77);",
        "int a[3] = {1, 2, 3}; fill(a + 1); assert(!(a[0] == 7 && a[2] == 9));",
        "int before = total; fill(0); assert(total == before);",
        "int a[2] = {0}; int k = get(a, 2); assert(k != 4 || a[1] != 5);",
    ],
    ids=["a variable", "the whole object", "a variable with linkage", "and a result"],
)
def test_with_havoc_everything_that_can_be_reached_is_written(body: str) -> None:
    text = f"{HEAD}extern void fill(int *); extern int get(int *, int); int total;\n"
    confirmed(havoc(f"{text}int main(void) {{ {body} return 0; }}\n"))


def test_with_havoc_the_rest_stays_as_it_is() -> None:
    text = f"{HEAD}extern void fill(int *); static int own; int main(void) {{ int x = 1, y = 2; fill(&x);\n"
    safe(havoc(text + "  assert(y == 2 && own == 0); return 0; }\n"))


@pytest.mark.parametrize(
    ("declaration", "call"),
    [
        ("struct n { struct n *next; } one; extern void put(struct n *);", "put(&one)"),
        ("extern void put(void *); void *any;", "put(any)"),
    ],
)
def test_with_havoc_pointers_in_memory_are_unsupported_by_name(declaration: str, call: str) -> None:
    found = havoc(f"{declaration}\nint main(void) {{ {call}; return 0; }}\n")
    assert "what put may write through" in reason(found)
