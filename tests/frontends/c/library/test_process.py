"""What calls of one process have to do with each other: numbers that stay, time that goes on, numbers drawn again."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.runtime.run import Run
from tests.checking.answers import answer, confirmed, reason, safe
from tests.frontends.c.compiled_c import needs_compiler
from tests.frontends.c.lowered_c import lowered

_NAMES = ("assert", "stdlib", "time", "unistd")
_HEADERS = "".join(f"#include <{name}.h>\n" for name in _NAMES)
_TWO_CLOCKS = "struct timespec a, b; if (clock_gettime({}, &a) || clock_gettime({}, &b)) return 1;"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _program(statements: str) -> str:
    return f"{_HEADERS}int main(void) {{ {statements} return 0; }}\n"


def _verdict(folder: Path, statements: str) -> str:
    program = lowered(folder, _program(statements))
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run(timeout=60))
    return claim.verdict


@pytest.mark.parametrize("name", ["getpid", "getuid", "geteuid", "getgid", "getegid"])
def test_a_number_of_the_process_is_the_same_each_time(name: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path, f"long a = {name}(); {name}(); assert({name}() == a);") == "safe"


@pytest.mark.parametrize("statements", ["assert(getpid() != 7);", "assert(getuid() == geteuid());"])
def test_which_number_it_is_stays_open(statements: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path, statements) == "unsafe"


@pytest.mark.parametrize("name", ["getuid", "geteuid"])
def test_a_program_may_change_whom_it_runs_for(name: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path, f"uid_t a = {name}(); setreuid(1, 2); assert({name}() == a);") == "unsafe"


def test_the_time_that_is_used_grows_unless_it_is_not_known(tmp_path: Path) -> None:
    times = "clock_t a = clock(), b = clock();"
    assert _verdict(tmp_path, f"{times} assert(a == -1 || b == -1 || b >= a);") == "safe"
    assert _verdict(tmp_path, f"{times} assert(b >= a);") == "unsafe"
    assert _verdict(tmp_path, f"{times} assert(a == b);") == "unsafe"


@pytest.mark.parametrize("what", ["MONOTONIC", "MONOTONIC_RAW", "MONOTONIC_COARSE", "BOOTTIME", "PROCESS_CPUTIME_ID"])
def test_a_clock_that_nobody_sets_goes_on(what: str, tmp_path: Path) -> None:
    later = "b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec)"
    clocks = _TWO_CLOCKS.format(f"CLOCK_{what}", f"CLOCK_{what}")
    assert _verdict(tmp_path, f"{clocks} assert({later});") == "safe"


@pytest.mark.parametrize(("first", "second"), [("REALTIME", "REALTIME"), ("MONOTONIC", "BOOTTIME")])
def test_the_time_of_day_may_be_set_and_clocks_differ(first: str, second: str, tmp_path: Path) -> None:
    clocks = _TWO_CLOCKS.format(f"CLOCK_{first}", f"CLOCK_{second}")
    assert _verdict(tmp_path, f"{clocks} assert(b.tv_sec >= a.tv_sec);") == "unsafe"


def test_numbers_are_any_after_the_first_seed() -> None:
    confirmed(answer(_program("srand(3); srand(42); rand(); assert(rand() != 7);")))


@pytest.mark.parametrize(
    ("seed", "draw"), [("srand", "rand"), ("srandom", "random"), ("srand48", "lrand48"), ("srand48", "drand48")]
)
def test_numbers_that_may_come_again_are_not_taken_for_any(seed: str, draw: str) -> None:
    text = _program(f"{seed}(42); double a = {draw}(); {seed}(42); double b = {draw}(); assert(a == b);")
    assert reason(answer(text)).startswith(f"unsupported: {seed} after random numbers have been drawn")


def test_a_generator_that_no_seed_is_set_for_draws_any_numbers(tmp_path: Path) -> None:
    assert _verdict(tmp_path, "srand48(1); lrand48(); srand(1); assert(rand() != rand());") == "unsafe"


@needs_compiler
@pytest.mark.parametrize(
    "statements",
    [
        "rand(); getpid(); clock(); assert(rand() != 7 || getpid() != 9 || clock() != 8);",
        f"{_TWO_CLOCKS.format('CLOCK_MONOTONIC', 'CLOCK_MONOTONIC')} assert(b.tv_sec != a.tv_sec + 3);",
    ],
)
def test_compiled_tests_are_given_these_numbers(statements: str) -> None:
    confirmed(answer(_program(statements)))


def test_threads_of_a_process_see_the_same_number() -> None:
    threads = "static int a; static void *f(void *x) { a = getpid(); return x; }\n"
    calls = "pthread_t t; int b = getpid(); pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(a == b);"
    text = f"#include <pthread.h>\n{_HEADERS}{threads}int main(void) {{ {calls} return 0; }}\n"
    safe(answer(text))


def test_threads_that_read_one_clock_do_not_race() -> None:
    read = "struct timespec a; clock_gettime(CLOCK_MONOTONIC, &a); clock(); return x;"
    calls = "pthread_t t; pthread_create(&t, 0, f, 0); f(0); pthread_join(t, 0);"
    thread = f"static void *f(void *x) {{ {read} }}"
    text = f"#include <pthread.h>\n{_HEADERS}{thread}\nint main(void) {{ {calls} return 0; }}\n"
    safe(answer(text, "race"))


def test_a_seed_that_one_thread_sets_while_another_draws_is_no_race_of_ours() -> None:
    calls = "pthread_t t; pthread_create(&t, 0, f, 0); srandom(1); pthread_join(t, 0);"
    thread = "static void *f(void *x) { random(); return x; }"
    text = f"#include <pthread.h>\n{_HEADERS}{thread}\nint main(void) {{ {calls} return 0; }}\n"
    assert "data race" not in reason(answer(text, "race"))
