"""What a store knows is confirmed again, and no engine starts; what does not hold any more is decided anew."""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.checking import memory
from pincer.checking.result import Result, Safe, Unsafe
from pincer.checking.store import FORMAT, AnswerStore, StoreSettings
from pincer.checking.task import Asked, Options, Outputs, Source, Task
from pincer.engines import sequential
from pincer.engines.dse import verify as temporal_engine
from pincer.engines.guarded import verify as guarded_engine
from pincer.engines.live import verify as live_engine
from pincer.engines.termination import verify as termination_engine
from pincer.engines.threads import front as thread_engine
from tests.checking.answers import answers

KEPT = StoreSettings("kept")

LOOP = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
    int n = __VERIFIER_nondet_int(), i = 0, s = 0;
    if (n < 0 || n > 1000)
        return 0;
    while (i < n) {
        i++;
        s += 2;
    }
    assert(s == 2 * n);
    return 0;
}
"""
BUG = LOOP.replace("s == 2 * n", "s != 14")
THREADS = """\
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *other(void *given) { LOCK x++; UNLOCK return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    LOCK x++; UNLOCK
    pthread_join(t, 0);
    return 0;
}
"""
LOCKED = THREADS.replace("UNLOCK", "pthread_mutex_unlock(&m);").replace("LOCK", "pthread_mutex_lock(&m);")
OVERFLOWING_THREAD = """\
#include <pthread.h>
int n = 2147483647;
void *w(void *unused) { n++; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, w, 0); pthread_join(a, 0); return 0; }
"""
RACING = THREADS.replace("UNLOCK", "").replace("LOCK", "")
MODEL = """\
program counter;
var x : int = 0;
var y : int = 0;
trans both: x < 10 -> x := x + 1, y := y + 1;
safety same : x = y;
safety low : x < 4;
temporal grows : <>{ x = 10 };
"""
COOLER = """\
frame(x) and (int x <== 1 and skip; x := 2; x := 3)
</ define p: x < 3; alw(p) />
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def engines_off(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def refuse(*_: object) -> Any:
        raise AssertionError("an engine was started")

    def switch() -> None:
        for module, name in (
            (guarded_engine, "verify"),
            (live_engine, "verify"),
            (temporal_engine, "check"),
            (sequential, "check"),
            (termination_engine, "check"),
            (thread_engine, "check"),
        ):
            monkeypatch.setattr(module, name, refuse)

    return switch


def asked(text: str, *properties: str, file: str = "p.c", store: StoreSettings | None = KEPT) -> dict[str, Result]:
    Path(file).write_text(text, encoding="utf-8")
    return answers(Task(Source(file), Asked(properties), store=store))


def verdicts(found: dict[str, Result]) -> dict[str, str]:
    return {name: result.verdict for name, result in found.items()}


def entries() -> list[Path]:
    return sorted(Path("kept").glob(f"{FORMAT}/answers/*/*"))


def tamper(change: Callable[[dict[str, Any]], None]) -> None:
    """Change every answer that is kept, with a hash that fits."""
    for path in entries():
        _, _, text = path.read_bytes().partition(b"\n")
        data = json.loads(text)
        if "kept" in data:
            change(data["kept"])
        changed = json.dumps(data).encode()
        path.write_bytes(hashlib.sha256(changed).hexdigest().encode() + b"\n" + changed)


@pytest.mark.parametrize(
    ("text", "file", "properties"),
    [
        (LOOP, "p.c", ()),
        (BUG, "p.c", ()),
        (LOOP, "p.c", ("assertions",)),
        (LOOP, "p.c", ("termination",)),
        (LOOP.replace("i++", "i"), "p.c", ("termination",)),
        (LOCKED, "p.c", ("race", "deadlock", "assertions")),
        (RACING, "p.c", ("race",)),
        (OVERFLOWING_THREAD, "p.c", ("overflow", "assertions")),
        (MODEL, "p.gcl", ()),
        (COOLER, "p.m", ()),
    ],
    ids=["holds", "bug", "one", "ends", "endless", "locked", "racing", "overflow", "model", "temporal"],
)
def test_no_engine_starts_for_what_is_known(
    text: str, file: str, properties: tuple[str, ...], engines_off: Callable[[], None]
) -> None:
    first = asked(text, *properties, file=file)
    assert "unknown" not in verdicts(first).values(), first
    assert {result.recalled for result in first.values()} == {""}
    engines_off()
    again = asked(text, *properties, file=file)
    assert verdicts(again) == verdicts(first)
    assert {result.recalled for result in again.values()} == {"checked"}
    for name, result in again.items():
        before = first[name]
        assert result.assumptions == before.assumptions
        assert result.warnings == before.warnings
        assert result.svcomp == before.svcomp
        if isinstance(result, Safe) and isinstance(before, Safe):
            # Ranks are written anew, and terms have no order of their own.
            assert name == "termination" or result.proof == before.proof
            assert (result.together, result.undefined, result.check) == (
                before.together,
                before.undefined,
                before.check,
            )
            assert result.evidence is not None
            assert result.evidence.kind == "proof"
        elif isinstance(result, Unsafe) and isinstance(before, Unsafe):
            assert result.run == before.run
            assert result.evidence.kind == before.evidence.kind
    third = asked(text, *properties, file=file, store=replace(KEPT, trust=True))
    assert verdicts(third) == verdicts(first)
    assert {result.recalled for result in third.values()} == {"trusted"}


def test_one_of_several_that_one_proof_shows_is_known(engines_off: Callable[[], None]) -> None:
    asked(LOOP)
    engines_off()
    again = asked(LOOP, "memory")["memory"]
    assert isinstance(again, Safe)
    assert again.recalled == "checked"
    assert again.together == ()


def test_other_options_are_another_question() -> None:
    Path("p.c").write_text(LOOP, encoding="utf-8")
    task = Task(Source("p.c"), Asked(("assertions",)), store=KEPT)
    answers(task)
    other = answers(replace(task, options=Options(engine="dash")))["assertions"]
    assert other.recalled == ""
    assert answers(replace(task, source=Source("p.c", data_model="ILP32")))["assertions"].recalled == "adapted"


def test_undefined_behaviour_that_another_property_finds_is_told() -> None:
    text = "#include <assert.h>\nint main(void) { int a[2] = {1, 1}; assert(a[0]); return a[2]; }\n"
    alone = asked(text, "assertions")["assertions"]
    assert isinstance(alone, Safe)
    both = asked(text)
    assert isinstance(both["memory"], Unsafe)
    assert isinstance(both["assertions"], Safe)
    assert both["assertions"].undefined is not None
    again = asked(text)
    assert {result.recalled for result in again.values()} == {"checked"}
    assert isinstance(again["assertions"], Safe)
    assert again["assertions"].undefined == both["assertions"].undefined


def test_evidence_of_an_earlier_version_is_adapted(engines_off: Callable[[], None]) -> None:
    asked(LOOP)
    engines_off()
    moved = asked("\n\nint unused(void) { return 3; }\n" + LOOP)
    assert {result.recalled for result in moved.values()} == {"adapted"}
    again = asked("\n\nint unused(void) { return 3; }\n" + LOOP)
    assert {result.recalled for result in again.values()} == {"checked"}


def test_a_proof_of_an_earlier_version_proves_nothing_by_itself() -> None:
    asked(LOOP)
    changed = asked(BUG)
    assert isinstance(changed["assertions"], Unsafe)
    assert changed["assertions"].recalled == ""
    assert changed["assertions"].warnings == ()
    mended = asked(LOOP)
    assert verdicts(mended) == dict.fromkeys(mended, "safe")


def test_a_model_that_was_changed_is_decided_as_it_is_now() -> None:
    asked(MODEL, file="p.gcl")
    grown = asked(MODEL.replace("x < 10", "x < 3"), file="p.gcl")
    assert verdicts(grown) == {"same": "safe", "low": "safe", "grows": "unsafe"}
    assert grown["same"].recalled == "adapted"


def test_forged_evidence_is_refused_with_a_word() -> None:
    asked(LOOP)

    def forge(kept: dict[str, Any]) -> None:
        proof = kept["result"]["proof"]
        for name in ("merged", "paths", "cuts", "proofs"):
            proof.pop(name, None)
        proof["paths"] = {"paths": 1, "steps": 1}

    tamper(forge)
    found = asked(LOOP)
    assert verdicts(found) == dict.fromkeys(found, "safe")
    assert {result.recalled for result in found.values()} == {""}
    assert any("kept had about this program was not accepted" in text for text in found["assertions"].warnings)


def test_a_verdict_that_was_turned_round_is_not_believed() -> None:
    asked(BUG, "assertions")
    before = entries()
    kept_bug = before[0].read_bytes()
    asked(LOOP, "assertions")
    [good] = [path for path in entries() if path not in before]
    good.write_bytes(kept_bug)  # The answer to another question, whole and in the right place.
    found = asked(LOOP, "assertions")["assertions"]
    assert isinstance(found, Safe)
    assert found.recalled == ""
    assert any("was not accepted" in text for text in found.warnings)


def test_a_proof_about_something_else_is_not_believed() -> None:
    """Evidence about assertions of threads says nothing about races."""
    task = Task(Source("p.c"), Asked(("assertions",)), store=KEPT)
    Path("p.c").write_text(RACING, encoding="utf-8")
    first = answers(task)["assertions"]
    assert isinstance(first, Safe)
    [path] = entries()
    content = path.read_bytes()
    second = answers(replace(task, asked=Asked(("race",))))["race"]
    assert isinstance(second, Unsafe)
    for other in entries():
        other.write_bytes(content)
    assert answers(replace(task, asked=Asked(("race",))))["race"].verdict == "unsafe"


def test_assumptions_are_those_of_the_program() -> None:
    text = "int f(void);\nint main(void) { return f() & 1; }\n"
    first = asked(text, "assertions")["assertions"]
    assert first.assumptions
    tamper(lambda kept: kept["result"].update(assumptions=[]))
    again = asked(text, "assertions")["assertions"]
    assert again.recalled == "checked"
    assert again.assumptions == first.assumptions


@pytest.mark.parametrize(
    "content", [b"", b"{}", b'{"format": "pincer-store-0"}', b'{"format": "pincer-store-1"}', b"["]
)
def test_what_is_no_answer_is_ignored(content: bytes) -> None:
    asked(LOOP, "assertions")
    for path in entries():
        path.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
    assert asked(LOOP, "assertions")["assertions"].recalled == ""


def test_damage_is_told() -> None:
    asked(LOOP, "assertions")
    for path in entries():
        path.write_bytes(path.read_bytes()[:100])
    found = asked(LOOP, "assertions")["assertions"]
    assert found.verdict == "safe"
    assert any("is damaged and was ignored" in text for text in found.warnings)
    assert asked(LOOP, "assertions")["assertions"].warnings == ()


def test_a_full_disk_costs_a_warning_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(AnswerStore):
        def write(self, *_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(memory, "AnswerStore", Full)
    found = asked(LOOP)
    assert verdicts(found) == dict.fromkeys(found, "safe")
    warnings = [text for result in found.values() for text in result.warnings]
    assert warnings == ["the answer is not kept in kept: No space left on device"]


def test_undecided_properties_and_unchecked_proofs_are_not_kept() -> None:
    Path("p.c").write_text(LOOP, encoding="utf-8")
    answers(Task(Source("p.c"), Asked(("assertions",)), Options(certify=False), store=KEPT))
    assert entries() == []


def test_a_report_needs_an_engine() -> None:
    Path("p.c").write_text(LOOP, encoding="utf-8")
    task = Task(Source("p.c"), Asked(("assertions",)), store=KEPT)
    answers(task)
    assert answers(replace(task, options=Options(explain=True)))["assertions"].recalled == ""


def test_evidence_is_written_where_it_is_wanted() -> None:
    Path("p.c").write_text(LOOP, encoding="utf-8")
    task = Task(Source("p.c"), Asked(("assertions",)), store=replace(KEPT, trust=True))
    answers(task)
    found = answers(replace(task, outputs=Outputs(certificate="proof.json")))["assertions"]
    assert found.recalled == "checked"
    assert json.loads(Path("proof.json").read_text(encoding="utf-8"))["format"] == "pincer-c-proof-1"
