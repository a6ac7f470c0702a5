"""From a task to confirmed answers, language by language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincer.checking import decide as decide_module
from pincer.checking.confirm_c import CConfirmation, Viewed
from pincer.checking.decide import decide
from pincer.checking.load import load
from pincer.checking.result import Result, Safe, Unknown
from pincer.checking.task import Asked, Options, Source, Task
from pincer.engines.sequential import SequentialSettings
from pincer.engines.task import Claim, Open, Refuted
from pincer.engines.threads import front
from pincer.engines.threads.task import SchedulesTask
from pincer.errors import Position
from pincer.evidence.c_proof import checker
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import CheckResult
from pincer.evidence.threads.trace import ThreadedFailure, ThreadedTest
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run

MODEL = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x >= 0; safety b: x < 2;"
CHOICE = "var x : int; trans t: true -> x := x + 1; safety a: x >= 0;"
MSVL = "</ define p: x<2; alw(p) />\nframe(x) and (int x and x<==0 and skip; x:=1; x:=2)\n"
C = "extern void reach_error(void);\nint main(void) { int x = 2; if (x > 2) reach_error(); return 0; }\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in (("p.gcl", MODEL), ("any.gcl", CHOICE), ("p.m", MSVL), ("p.c", C)):
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def results(task: Task) -> dict[str, Result]:
    run = Run(timeout=60)
    return {decision.result.name: decision.result for decision in decide(load(task, run), task, run)}


@pytest.mark.parametrize(
    ("task", "verdicts"),
    [
        (Task(Source("p.gcl")), {"a": "safe", "b": "unsafe"}),
        (Task(Source("p.m")), {"property": "unsafe"}),
        (Task(Source("p.c"), Asked(("assertions", "memory"))), {"assertions": "safe", "memory": "safe"}),
    ],
)
def test_every_property_has_an_answer(task: Task, verdicts: dict[str, str]) -> None:
    assert {name: result.verdict for name, result in results(task).items()} == verdicts


def test_what_an_engine_does_not_support_is_undecided_for_that_reason() -> None:
    found = results(Task(Source("any.gcl"), options=Options(engine="ur")))["a"]
    assert isinstance(found, Unknown)
    assert found.reason.cause is Cause.UNSUPPORTED


@pytest.mark.parametrize("explain", [True, False])
def test_what_was_explored_is_kept_for_those_who_ask(explain: bool) -> None:
    task = Task(Source("p.gcl"), options=Options(explain=explain))
    run = Run(timeout=60)
    for decision in decide(load(task, run), task, run):
        assert decision.claim is not None
        assert (decision.claim.explored is not None) == explain


@pytest.mark.parametrize("explain", [True, False])
def test_programs_that_go_on_for_ever_are_decided_for_those_who_ask_what_was_explored(explain: bool) -> None:
    text = "frame(x) and (int x<==0 and skip; while(true){x:=x+1})"
    Path("ever.m").write_text(f"</ define p: x>=0; alw(p) />\n{text}\n", encoding="utf-8")
    task = Task(Source("ever.m"), options=Options(explain=explain))
    run = Run(timeout=60)
    [decision] = decide(load(task, run), task, run)
    assert isinstance(decision.result, Safe) and decision.claim is not None
    assert (decision.claim.explored is not None) == explain


@pytest.mark.parametrize("explain", [True, False])
def test_what_only_a_translation_decides_is_decided_for_those_who_ask_for_more(explain: bool) -> None:
    Path("up.m").write_text("frame(x) and (int x<==0 and skip; while(true) { x:=x+1 })", encoding="utf-8")
    asked = Asked(("[]{x>=0}", "<>{x<0}", "<>{x>1}"))
    found = results(Task(Source("up.m"), asked, options=Options(explain=explain)))
    assert [result.verdict for result in found.values()] == ["safe", "unsafe", "safe"]


def test_a_proof_that_the_checker_refuses_is_told_of_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object, proof: ProofCertificate, *__: object) -> CheckResult:
        return CheckResult(False, ("it rests on paths",) if proof.paths is not None else ("it rests on nothing",))

    monkeypatch.setattr(checker, "check_proof", refuse)
    text = (
        f"{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int(); if (x > 2 && x < 2) reach_error(); return 0; }}\n"
    )
    Path("p.c").write_text(text, encoding="utf-8")
    found = results(Task(Source("p.c"), Asked(("assertions",))))["assertions"]
    assert isinstance(found, Unknown)
    assert "it rests on nothing" in found.reason.text
    assert "a proof was found before, but the proof checker does not accept" in found.reason.text
    assert found.reason.text.count("it rests on paths") == 1


TOGETHER = {
    "if (x > 0 && x < 9) x++;": {"assertions": "safe", "memory": "safe", "overflow": "safe"},
    "x++;": {"assertions": "safe", "memory": "safe", "overflow": "unsafe"},
    "if (x == 3) reach_error();": {"assertions": "unsafe", "memory": "safe", "overflow": "safe"},
    "int a[2] = {0, 1}; if (x > 0 && x < 5) return a[x];": {
        "assertions": "safe",
        "memory": "unsafe",
        "overflow": "safe",
    },
    "if (x == 3) reach_error(); x++;": {"assertions": "unsafe", "memory": "safe", "overflow": "unsafe"},
}
INPUT = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"


@pytest.mark.parametrize("body", TOGETHER)
def test_all_that_can_go_wrong_is_decided_when_nothing_is_asked(body: str) -> None:
    text = f"{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int();\n{body}\nreturn 0; }}\n"
    Path("p.c").write_text(text, encoding="utf-8")
    assert {name: result.verdict for name, result in results(Task(Source("p.c"))).items()} == TOGETHER[body]


def test_one_proof_is_that_of_several_properties() -> None:
    found = results(Task(Source("p.c")))
    names = ("assertions", "memory", "overflow")
    for result in found.values():
        assert isinstance(result, Safe)
        assert (result.together, result.undefined) == (names, None)
    assert len({str(result.evidence) for result in found.values() if isinstance(result, Safe)}) == 1


def test_what_holds_beside_undefined_behaviour_says_up_to_where() -> None:
    Path("p.c").write_text(f"{INPUT}int main(void) {{\n    return 7 / __VERIFIER_nondet_int();\n}}\n", encoding="utf-8")
    found = results(Task(Source("p.c")))
    assert found["overflow"].verdict == "unsafe"
    for name in ("assertions", "memory"):
        result = found[name]
        assert isinstance(result, Safe) and result.undefined is not None
        assert result.undefined.line == 4


@pytest.mark.parametrize(
    ("asked", "body"),
    [
        (("assertions", "overflow"), "int a[4] = {0}; int y = a[x]; if (x >= 4) reach_error(); return y;"),
        (("assertions", "memory"), "int y = 8 / x; if (x == 0) reach_error(); return y;"),
    ],
)
def test_what_only_undefined_behaviour_of_others_prevents_does_not_hold(asked: tuple[str, ...], body: str) -> None:
    Path("p.c").write_text(f"{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int();\n{body} }}\n", encoding="utf-8")
    found = results(Task(Source("p.c"), Asked(asked)))
    alone = results(Task(Source("p.c"), Asked(("assertions",))))
    assert found["assertions"].verdict == alone["assertions"].verdict == "unknown"


THREADS = """\
#include <pthread.h>
int g = 2147483647;
void *f(void *a) { g = g + 1; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
"""


def test_overflow_in_threads_is_never_said_not_to_happen() -> None:
    Path("p.c").write_text(THREADS, encoding="utf-8")
    found = results(Task(Source("p.c")))
    assert found["overflow"].verdict != "safe"
    assert list(found) == ["overflow", "assertions", "memory", "race", "deadlock"]


def test_where_nothing_can_fail_no_tests_of_other_properties_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("p.c").write_text("int nondet_int(void); int a[2]; int main(void) { return 5 / a[nondet_int() & 3]; }")
    planned: dict[str, int] = {}
    claimed = decide_module._claim

    def counted(confirmation: CConfirmation, viewed: Viewed, settings: SequentialSettings) -> Claim:
        planned[viewed.wanted.name] = len(settings.planned)
        return claimed(confirmation, viewed, settings)

    monkeypatch.setattr(decide_module, "_claim", counted)
    task, run = Task(Source("p.c")), Run(timeout=60)
    verdicts = {made.result.name: made.result.verdict for made in decide(load(task, run), task, run)}
    assert verdicts["assertions"] == "safe" and verdicts["memory"] == "unsafe"
    assert planned["assertions"] == 0


THREAD = """\
#include <pthread.h>
void *worker(void *unused) { return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }
"""


def test_what_was_drawn_and_is_not_confirmed_is_looked_for_by_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """If they find nothing, the reason is still that of the first."""
    Path("thread.c").write_text(THREAD, encoding="utf-8")
    asked: list[tuple[str, ...]] = []

    def searched(task: SchedulesTask, run: Run) -> Iterator[Claim]:
        asked.append(task.settings.engines)
        told: dict[str, Any] = {"name": "assertions", "engine": "drawn", "time_s": 0.0, "statistics": {}}
        failure = ThreadedFailure(Position("thread.c", 1, 1), "fails", ())
        test = ThreadedTest("thread.c", "assertions", "assertion", "LP64", "main", (), (), (), failure)
        yield Refuted(run=test, **told) if len(asked) == 1 else Open(reason=Reason("nothing was found"), **told)

    def refused(self: CConfirmation, claim: Claim, viewed: Viewed) -> Result:
        return Unknown(name="assertions", engine=claim.engine, reason=Reason(type(claim).__name__))

    monkeypatch.setattr(front, "check", searched)
    monkeypatch.setattr(CConfirmation, "schedules_result", refused)
    found = results(Task(Source("thread.c"), Asked(("assertions",))))["assertions"]
    assert isinstance(found, Unknown) and found.reason.text == "Refuted"
    assert [("drawn" in engines, "exhaustive" in engines) for engines in asked] == [(True, True), (False, True)]
