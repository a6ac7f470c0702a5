"""`pincer check` on programs with threads: what is found is run as compiled code under its schedule."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pincer.cli.main import main

HEAD = """
#include <assert.h>
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int shared;
"""
MAIN = """
int main(void) {
    pthread_t x, y;
    pthread_create(&x, 0, one, 0);
    pthread_create(&y, 0, two, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    assert(shared == 2);
    return 0;
}
"""


def worker(name: str, *lines: str) -> str:
    return f"void *{name}(void *p) {{\n" + "".join(f"    {line}\n" for line in lines) + "    return 0;\n}\n"


def locked(first: str, second: str, *lines: str) -> tuple[str, ...]:
    lock = (f"pthread_mutex_lock(&{first});", f"pthread_mutex_lock(&{second});")
    return (*lock, *lines, f"pthread_mutex_unlock(&{second});", f"pthread_mutex_unlock(&{first});")


SAFE = HEAD + worker("one", *locked("a", "b", "shared++;")) + worker("two", *locked("a", "b", "shared++;")) + MAIN
CROSSED = HEAD + worker("one", *locked("a", "b", "shared++;")) + worker("two", *locked("b", "a", "shared++;")) + MAIN
UNLOCKED = HEAD + worker("one", "shared++;") + worker("two", "shared++;") + MAIN

needs_compiler = pytest.mark.skipif(shutil.which("gcc") is None and shutil.which("cc") is None, reason="no C compiler")


def checked(folder: Path, text: str, *words: str) -> int:
    (folder / "program.c").write_text(text)
    asked = () if {"--property", "--target"} & set(words) else ("--property", "assertions")
    return main(["check", str(folder / "program.c"), "--timeout", "30", *asked, *words])


@pytest.mark.parametrize("wanted", ["assertions", "race", "deadlock", "memory"])
def test_a_correct_program_holds_after_all_schedules(
    tmp_path: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(tmp_path, SAFE, "--property", wanted) == 0
    assert "all schedules and all inputs have been explored" in " ".join(capsys.readouterr().out.split())


VIOLATIONS = {
    "deadlock": (CROSSED, "waits for the mutex", "false(no-deadlock)"),
    "race": (UNLOCKED, "shared", "false(no-data-race)"),
    "assertions": (UNLOCKED, "assertion shared == 2 fails", "false(unreach-call)"),
}


@needs_compiler
@pytest.mark.parametrize("wanted", VIOLATIONS)
def test_a_violation_is_confirmed_by_compiled_code(
    tmp_path: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text, said, svcomp = VIOLATIONS[wanted]
    assert checked(tmp_path, text, "--property", wanted, "--svcomp") == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == f"SV-COMP result: {svcomp}"
    assert "confirmed by execution" in out and said in " ".join(out.split())


@needs_compiler
@pytest.mark.parametrize("name", ["witness.json", "witness.yml", "witness.graphml"])
def test_the_schedule_is_written_in_the_form_that_is_asked_for(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert checked(tmp_path, CROSSED, "--property", "deadlock", "--witness", str(path)) == 1
    text = path.read_text()
    if name.endswith(".json"):
        assert json.loads(text)["format"] == "pincer-threaded-test-1"
    else:
        assert ("threadId" if name.endswith("graphml") else "thread_id") in text


@needs_compiler
def test_the_files_of_the_replay_can_be_kept(tmp_path: Path) -> None:
    assert checked(tmp_path, CROSSED, "--property", "deadlock", "--test-out", str(tmp_path / "bug")) == 1
    assert {"replay.c", "build.sh"} <= {path.name for path in (tmp_path / "bug").iterdir()}


@needs_compiler
def test_a_saved_schedule_is_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "bug.json"
    assert checked(tmp_path, CROSSED, "--property", "deadlock", "--witness", str(saved)) == 1
    capsys.readouterr()
    assert main(["replay", str(saved)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("REPRODUCED") and "waits for b" in out


def test_a_violation_without_a_compiler_is_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert checked(tmp_path, CROSSED, "--property", "deadlock") == 3
    assert "no C compiler" in " ".join(capsys.readouterr().out.split())


ASSUMING = {
    "pthread_cond_wait": (
        "pthread_mutex_lock(&a); if (0) pthread_cond_wait(&c, &a);", "race", 0, "only when it is signalled"),
    "pthread_exit": ("int mine; seen = &mine; pthread_exit(0);", "memory", 3, "after pthread_exit"),
}  # fmt: skip


@pytest.mark.parametrize("name", ASSUMING)
def test_what_is_not_looked_at_is_listed_with_the_verdict(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line, wanted, status, said = ASSUMING[name]
    more = "#include <stdio.h>\nchar text[4]; int *seen;\npthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
    text = f"{HEAD}{more}int main(void) {{ {line} return 0; }}\n"
    assert checked(tmp_path, text, "--property", wanted) == status
    assert said in " ".join(capsys.readouterr().out.split())


def test_dash_is_refused_where_schedules_matter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, CROSSED, "--property", "race", "--engine", "dash") == 2
    assert "choose agse" in capsys.readouterr().err


@pytest.mark.parametrize("wanted", ["race", "deadlock"])
def test_a_program_without_threads_neither_races_nor_waits(tmp_path: Path, wanted: str) -> None:
    assert checked(tmp_path, "int x; int main(void) { x = 1; return x; }", "--property", wanted) == 0


ORDERED = (
    HEAD
    + """
void *one(void *p) {
    shared = 1;
    if (shared == 2)
        shared = 3; /* line 10 */
    return 0;
}
void *two(void *p) {
    shared = 2;
    if (shared == 1)
        shared = 4; /* line 16 */
    return 0;
}
"""
    + MAIN.replace("    assert(shared == 2);\n", "")
)


@needs_compiler
def test_a_line_that_a_schedule_reaches_is_reported_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, ORDERED, "--target", "program.c:10") == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "line 10 is reached" in out and "confirmed by execution: reached the target at line 10" in out


@needs_compiler
def test_several_lines_are_asked_for_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, ORDERED, "--target", "8", "--target", "14") == 1
    assert "confirmed by execution: reached all targets" in " ".join(capsys.readouterr().out.split())
    assert checked(tmp_path, ORDERED, "--target", "10", "--target", "16") == 0


def test_lines_that_cannot_be_asked_for_are_the_users_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["--target", "4"], ["--target", "here"], ["--target", "10", "--property", "race"]):
        assert checked(tmp_path, ORDERED, *words) == 2
    err = capsys.readouterr().err
    assert "nothing that is executed begins on this line" in err and "write FILE:LINE or LINE" in err
    assert "leave out --property" in err


WAITS = (
    HEAD
    + """
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *one(void *p) {
    pthread_mutex_lock(&a);
    if (!shared) pthread_cond_wait(&c, &a);
    assert(shared);
    pthread_mutex_unlock(&a);
    return 0;
}
int main(void) {
    pthread_t x;
    pthread_create(&x, 0, one, 0);
    pthread_mutex_lock(&a);
    shared = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&a);
    pthread_join(x, 0);
    return 0;
}
"""
)


def test_without_the_option_waiting_ends_with_a_signal_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(tmp_path, WAITS) == 0
    assert "waiting for a condition ends only when it is signalled" in capsys.readouterr().out


@needs_compiler
def test_a_spurious_wake_up_is_enforced_in_compiled_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, WAITS, "--spurious-wakeups") == 1
    out = capsys.readouterr().out
    assert "confirmed by execution" in out and "ends only when" not in out


def test_waiting_in_a_loop_stands_spurious_wake_ups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, WAITS.replace("if (!shared)", "while (!shared)"), "--spurious-wakeups") == 0
    assert "ends only when" not in capsys.readouterr().out


LIBRARY_WRITES = """
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int x;
pthread_t made;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *idle(void *p) { return 0; }
void *one(void *p) {
    THEIRS;
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 3);
    pthread_create(&t, 0, one, 0);
    MINE;
    pthread_join(t, 0);
    return 0;
}
"""


@needs_compiler
@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        ("sem_getvalue(&s, &x)", "x = 1"),
        ("pthread_create(&made, 0, idle, 0)", "made = 0"),
        ("pthread_mutex_lock(&m)", "pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER; m = fresh"),
    ],
)
def test_races_with_what_the_library_writes_are_shown_by_compiled_code(
    tmp_path: Path, theirs: str, mine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = LIBRARY_WRITES.replace("THEIRS", theirs).replace("MINE", mine)
    assert checked(tmp_path, text, "--property", "race") == 1
    assert "confirmed by execution" in capsys.readouterr().out


@needs_compiler
def test_a_signal_that_comes_too_late_is_enforced_in_compiled_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = WAITS.replace("assert(shared);", "assert(!late || !shared);")
    text = text.replace("pthread_cond_wait(&c, &a)", "late = pthread_cond_timedwait(&c, &a, &limit)")
    text = text.replace("void *one", "#include <time.h>\nint late;\nstruct timespec limit;\nvoid *one")
    assert checked(tmp_path, text) == 1
    assert "confirmed by execution" in capsys.readouterr().out


@needs_compiler
def test_inputs_of_signed_types_are_shown_signed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HEAD + "extern int __VERIFIER_nondet_int(void);\nvoid *one(void *p) { return 0; }\n"
    text += worker("two", "assert(__VERIFIER_nondet_int() != -7);") + MAIN.replace("assert(shared == 2);", "")
    assert checked(tmp_path, text) == 1
    assert "thread 2: __VERIFIER_nondet_int = -7" in " ".join(capsys.readouterr().out.split())


def test_what_is_taken_for_granted_about_threads_and_atomics_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
void *one(void *p) { int old = 0; atomic_compare_exchange_weak(&n, &old, 1); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); ADD; pthread_join(t, 0); return 0; }
"""
    assert checked(tmp_path, text.replace("ADD", "atomic_fetch_add(&n, 1)")) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "pthread_create does not fail" in out and "a weak compare-exchange fails only if the values differ" in out
    assert "weaker memory orders" not in out
    assert checked(tmp_path, text.replace("ADD", "atomic_fetch_add_explicit(&n, 1, memory_order_relaxed)")) == 0
    assert "weaker memory orders" not in " ".join(capsys.readouterr().out.split())


MESSAGE = """
#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
int data; atomic_int flag;
void *one(void *p) { data = 1; atomic_store_explicit(&flag, 1, memory_order_STORED); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    if (atomic_load_explicit(&flag, memory_order_LOADED)) assert(data == 1);
    pthread_join(t, 0);
    return 0;
}
"""


@pytest.mark.parametrize("wanted", ["assertions", "race", "memory"])
@pytest.mark.parametrize(
    ("stored", "loaded", "status"), [("release", "acquire", 0), ("relaxed", "acquire", 3), ("release", "relaxed", 3)]
)
def test_only_what_is_released_and_acquired_is_published(
    stored: str, loaded: str, status: int, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MESSAGE.replace("STORED", stored).replace("LOADED", loaded)
    assert checked(tmp_path, text, "--property", wanted) == status
    told = "with weaker memory orders than acquire and release act like" in " ".join(capsys.readouterr().out.split())
    assert told == (status == 3)


def test_a_certificate_of_a_relaxed_counter_is_accepted_again(tmp_path: Path) -> None:
    text = MESSAGE.replace("STORED", "relaxed").replace("LOADED", "relaxed").replace("data = 1;", "")
    text = text.replace("assert(data == 1)", "assert(flag == 1)")
    proof = tmp_path / "proof.json"
    assert checked(tmp_path, text, "--property", "race", "--certificate", str(proof)) == 0
    assert main(["certify", str(proof)]) == 0


@needs_compiler
def test_memory_that_another_thread_has_freed_is_found_in_compiled_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """
#include <pthread.h>
#include <stdlib.h>
int *p;
void *one(void *unused) {
    *p = 2;
    return 0;
}
int main(void) {
    pthread_t t;
    p = malloc(4);
    pthread_create(&t, 0, one, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}
"""
    assert checked(tmp_path, text, "--property", "memory") == 1
    assert "confirmed by execution" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("body", "name", "reason"),
    [
        ("int old; sem_getvalue(&s, &old);", "race", "from the value of a semaphore"),
        ("int *p = malloc(4), *seen = p; atomic_compare_exchange_strong(&top, &seen, p); free(p);", "assertions",
         "address of one that has ended"),
    ],
)  # fmt: skip
def test_a_property_is_not_said_to_hold_where_the_model_is_blind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, name: str, reason: str
) -> None:
    text = f"""
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
sem_t s;
_Atomic(int *) top;
void *one(void *p) {{ return 0; }}
int main(void) {{ pthread_t t; pthread_create(&t, 0, one, 0); {body} pthread_join(t, 0); return 0; }}
"""
    assert checked(tmp_path, text, "--property", name) == 3
    assert reason in " ".join(capsys.readouterr().out.split())


def test_neighbouring_bit_fields_are_a_matter_of_races_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """
#include <pthread.h>
struct { int a : 20; int b : 20; } s;
void *one(void *p) { s.a = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); s.b = 1; pthread_join(t, 0); return 0; }
"""
    assert checked(tmp_path, text, "--property", "race", "--property", "deadlock") == 0
    assert " ".join(capsys.readouterr().out.split()).count("writing a bit-field leaves alone") == 1


OVERFLOW = """
#include <pthread.h>
#include <assert.h>
int x = 2147483647;
void *one(void *unused) { return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    CHANGE; assert(x == 3);
    return 0;
}
"""


@needs_compiler
def test_an_overflow_is_confirmed_by_an_overflow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(tmp_path, OVERFLOW.replace("CHANGE", "x++"), "--property", "overflow") == 1
    assert "confirmed by execution: signed integer overflow at line 10" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("change", ["__sync_fetch_and_add(&x, 1)", "__atomic_add_fetch(&x, 1, 5)"])
def test_atomic_changes_wrap_around(change: str, tmp_path: Path) -> None:
    assert checked(tmp_path, OVERFLOW.replace("CHANGE", change), "--property", "overflow") == 0
