"""A value that nobody gave and that decides something is found; what only looks like one is proved harmless."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import Claim, EngineTask, Open, Refuted
from pincer.evidence.c.trace import CTest
from pincer.program.control_flow import Begin, Fail, FailKind, StaticObject, Unsupported
from pincer.program.passes import InitialisedReads, instrumented
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import labels, lowered
from tests.program.passes.uninitialised_programs import FINE, HEAD, MISTAKES


def _claim(folder: Path, text: str) -> Claim:
    program = instrumented(lowered(folder, HEAD + text + "\n"), InitialisedReads())
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run())
    return claim


def _message(claim: Claim) -> str:
    assert isinstance(claim, Refuted) and isinstance(claim.run, CTest)
    return claim.run.failure.message


def test_there_are_enough_programs() -> None:
    assert len(MISTAKES) >= 20 and len(FINE) >= 20


@pytest.mark.parametrize("name", MISTAKES)
def test_a_value_that_nobody_gave_decides(tmp_path: Path, name: str) -> None:
    claim = _claim(tmp_path, MISTAKES[name])
    assert "that is not initialised decides" in _message(claim)


@pytest.mark.parametrize("name", FINE)
def test_what_decides_has_a_value(tmp_path: Path, name: str) -> None:
    assert _claim(tmp_path, FINE[name]).verdict == "safe"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { int x; if (x) return 1; return 0; }", "`x` that is not initialised decides which way"),
        (
            "int main(void) { int x; int y = x ? 5 : 6; return y - y; }",
            "`x` that is not initialised decides which value",
        ),
        ("int main(void) { int *p; return *p; }", "`p` that is not initialised decides where memory is accessed"),
        ("int main(void) { int *p; free(p); return 0; }", "`p` that is not initialised decides what is freed"),
        ("int main(void) { int d; d = 3 / d; return 0; }", "`d` that is not initialised decides by what is divided"),
        ("int main(void) { int x; return x; }", "`x` that is not initialised decides what main returns"),
    ],
)
def test_messages_say_what_is_decided(tmp_path: Path, text: str, message: str) -> None:
    claim = _claim(tmp_path, text)
    assert _message(claim).startswith(message)


def test_objects_that_others_fill_have_values(tmp_path: Path) -> None:
    file = "extern int there[3];\nint f(int *p) { return p[0] > 2 || there[1] ? 1 : 0; }\n"
    program = instrumented(lowered(tmp_path, file, entry="f"), InitialisedReads())
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run())
    assert claim.verdict == "safe"


def test_programs_without_such_values_are_left_as_they_are(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int g; int main(void) { int x = g; return x ? 1 : 0; }\n")
    seen = instrumented(program, InitialisedReads())
    assert len(list(seen.edges())) == len(list(program.edges())) and seen.objects == program.objects


def test_every_object_has_a_shadow_in_a_slot_of_its_own(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int g[2]; int main(void) { int a[3]; a[0] = g[1]; int *p = a; return *p > 0; }\n")
    seen = instrumented(program, InitialisedReads())
    starts = [item.address for item in seen.objects if isinstance(item, StaticObject)]
    starts += [begin.address for begin in labels(seen, Begin)]
    assert len(set(starts)) == len(starts) == 2 * (len(program.objects) + len(labels(program, Begin)))
    assert all(start < seen.first_free for start in starts)


def test_failures_of_the_program_end_it(tmp_path: Path) -> None:
    text = "extern void reach_error(void);\nint main(void) { int x; if (x) reach_error(); return 0; }\n"
    seen = instrumented(lowered(tmp_path, text), InitialisedReads())
    assert {label.kind for label in labels(seen, Fail)} == {FailKind.UNINITIALISED}


def test_threads_are_refused_by_name(tmp_path: Path) -> None:
    text = "#include <pthread.h>\nvoid *f(void *p) { return p; }\n"
    text += "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n"
    seen = instrumented(lowered(tmp_path, text), InitialisedReads())
    assert any("with threads" in label.what for label in labels(seen, Unsupported))
    [claim] = check(EngineTask(seen, ("assertions",), SequentialSettings()), Run())
    assert isinstance(claim, Open)
