"""What one run keeps another recalls; what lies in a store and is no answer does no harm."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.checking.decide import decide
from pincer.checking.load import load
from pincer.checking.memory import RunMemory
from pincer.checking.result import Result, Safe, Unsafe
from pincer.checking.store import FORMAT, AnswerStore, StoreSettings
from pincer.checking.task import Options, Outputs, Source, Task
from pincer.runtime.run import Run

MODEL = """\
program counter;
var x : int = 0;
var y : int = 0;
trans both: x < 10 -> x := x + 1, y := y + 1;
safety same : x = y;
safety small : x < 11;
safety low : x < 4;
"""
TASK = Task(Source("p.gcl"), store=StoreSettings("kept"))
NAMES = {"same", "small", "low"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.gcl").write_text(MODEL, encoding="utf-8")


def memory(task: Task = TASK) -> RunMemory:
    return RunMemory(load(task, Run()), task)


def decided() -> dict[str, Result]:
    """What is decided, and kept on the way."""
    run = Run(timeout=60)
    return {one.result.name: one.result for one in decide(load(TASK, run), TASK, run)}


def entries(kind: str) -> list[Path]:
    return sorted(Path("kept").glob(f"{FORMAT}/{kind}/*/*"))


def tamper(kind: str, change: Callable[[bytes, Path], bytes]) -> None:
    """Change all entries, with hashes that fit."""
    for path in entries(kind):
        _, _, text = path.read_bytes().partition(b"\n")
        changed = change(text, path)
        path.write_bytes(hashlib.sha256(changed).hexdigest().encode() + b"\n" + changed)


def test_nothing_is_known_of_what_was_never_asked() -> None:
    new = memory()
    assert [new.recall(name) for name in NAMES] == [None] * 3 and new.tests() == ()


def test_what_was_kept_is_recalled_as_it_was() -> None:
    first = decided()
    again = memory()
    for name in NAMES:
        known = again.recall(name)
        assert known is not None and known.same
        assert known.kept.result.name == name and known.kept.result.verdict == first[name].verdict
        assert known.kept.result.recalled == ""


def test_another_version_of_the_program_is_told_apart() -> None:
    decided()
    Path("p.gcl").write_text(MODEL.replace("x < 10", "x < 9"), encoding="utf-8")
    known = memory().recall("same")
    assert known is not None and not known.same
    Path("p.gcl").write_text(MODEL, encoding="utf-8")
    back = memory().recall("same")
    assert back is not None and back.same


@pytest.mark.parametrize("options", [Options(engine="ur"), Options(int32=True), Options(spurious_wakeups=True)])
def test_options_that_matter_make_another_question(options: Options) -> None:
    first = memory()
    assert first._key("same") != memory(replace(TASK, options=options))._key("same")
    assert first._question("same") != memory(replace(TASK, options=options))._question("same")
    assert first._key("same") != first._key("small") and first._question("same") != first._question("small")
    assert first._key("same") == memory()._key("same")


def test_a_report_recalls_nothing() -> None:
    decided()
    assert memory(replace(TASK, options=Options(explain=True))).recall("same") is None


def test_what_is_written_for_the_user_is_confirmed() -> None:
    trusting = replace(TASK, store=StoreSettings("kept", trust=True))
    assert memory(trusting).trusts and not memory().trusts
    for outputs in (Outputs(certificate="c"), Outputs(witness="w"), Outputs(test_out="t")):
        assert not memory(replace(trusting, outputs=outputs)).trusts


def test_only_what_can_be_confirmed_again_is_kept() -> None:
    first = decided()
    for path in (*entries("answers"), *entries("latest")):
        path.unlink()
    safe, unsafe = first["same"], first["low"]
    assert isinstance(safe, Safe) and isinstance(unsafe, Unsafe)
    keeper = memory()
    for other in (
        replace(safe, evidence=None), replace(safe, proof=None), replace(safe, recalled="checked"),
        replace(unsafe, recalled="trusted"),
    ):  # fmt: skip
        assert keeper.keep(other, None) == other and entries("answers") == []
    assert keeper.keep(safe, None) == safe and len(entries("answers")) == 1
    assert keeper.keep(replace(unsafe, recalled="adapted"), None).recalled == "adapted"
    known = memory().recall("low")
    assert known is not None and known.kept.result == replace(unsafe, recalled="", saved=None, witness=None)


def test_evidence_that_answers_share_is_written_once() -> None:
    first = decided()["same"]
    assert isinstance(first, Safe)
    keeper = memory()
    keeper.keep(first, None)
    keeper.keep(replace(first, name="small"), None)
    said = [json.loads(path.read_bytes().partition(b"\n")[2]) for path in entries("answers")]
    assert {"as": keeper._key("same"), "format": FORMAT} in said
    known = memory().recall("small")
    assert known is not None and known.kept.result.name == "same"


def test_what_was_refused_is_said_with_the_answer_and_once() -> None:
    result = decided()["same"]
    keeper = memory()
    keeper.refused("same", "it is old")
    [warning] = keeper.keep(result, None).warnings
    assert "kept had about this program was not accepted (it is old)" in warning
    assert keeper.keep(result, None).warnings == ()


def test_a_disk_that_is_full_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = decided()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(AnswerStore, "write", full)
    keeper = memory()
    assert ["No space left" in text for text in keeper.keep(first["same"], None).warnings] == [True]
    assert keeper.keep(first["low"], None).warnings == ()


@pytest.mark.parametrize(
    "text",
    [b"", b"[", b"[]", b"null", b"{}", b'"x"', b"\xff\xfe", b'{"format": 1}',
     json.dumps({"format": FORMAT}).encode(), json.dumps({"format": FORMAT, "kept": []}).encode(),
     json.dumps({"format": FORMAT, "kept": {"result": {"type": "Nothing"}}}).encode(),
     json.dumps({"format": FORMAT, "as": None}).encode(), json.dumps({"format": FORMAT, "as": "../" * 9}).encode(),
     json.dumps({"format": FORMAT, "as": "a\x00b"}).encode()],
)  # fmt: skip
def test_what_is_no_answer_is_none(text: bytes) -> None:
    decided()
    tamper("answers", lambda *_: text)
    again = memory()
    assert [again.recall(name) for name in NAMES] == [None] * 3


def test_answers_that_name_each_other_are_none() -> None:
    """Trap: one could follow them for ever."""
    decided()
    tamper("answers", lambda _, path: json.dumps({"format": FORMAT, "as": path.name}).encode())
    assert memory().recall("same") is None


@pytest.mark.parametrize("name", [b"", b"\xff" * 64, b"a\x00b", b"../../../p.gcl", b"0" * 64])
def test_the_last_answer_may_be_none(name: bytes) -> None:
    decided()
    tamper("latest", lambda *_: name)
    Path("p.gcl").write_text(MODEL.replace("x < 10", "x < 9"), encoding="utf-8")
    assert memory().recall("same") is None


def test_damage_is_said_with_the_first_answer() -> None:
    first: dict[str, Any] = decided()
    for path in entries("answers"):
        path.write_bytes(b"half")
    again = memory()
    assert again.recall("same") is None
    warnings = [text for name in ("same", "small", "low") for text in again.keep(first[name], None).warnings]
    assert len(warnings) == 1 and "is damaged and was ignored" in warnings[0]
