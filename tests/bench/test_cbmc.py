"""CBMC beside us: its verdict counts only when it does not rest on the unwinding bound."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincer.bench import cbmc
from pincer.bench.cbmc import judged, measure_cbmc
from pincer.bench.measure_commands import require
from pincer.bench.measurement import Job
from pincer.bench.rows import CQuestion, Row
from pincer.errors import PincerError

BOUND = "[main.unwind.0] line 3 unwinding assertion loop 0: FAILURE\n[main.assertion.1] line 5 x > 0: SUCCESS\n"
REAL = BOUND + "[main.assertion.2] line 6 y > 0: FAILURE\n"
NO_BODY = "[f.no-body.strspn] line 9 no body for callee strspn: FAILURE\n"

FAKE = """\
#!/bin/sh
# Succeeds once loops are unwound 4 times.
case "$*" in
    *--help*) echo "--no-standard-checks"; exit 0 ;;
    *"--unwind 1"|*"--unwind 2") printf '%s' '{bound}'; exit 10 ;;
esac
echo "$*" > calls
exit {status}
"""


@pytest.mark.parametrize(
    ("status", "output", "answer"),
    [
        (0, "", "safe"),
        (10, BOUND, "bound"),
        (10, REAL, "unsafe"),
        (10, REAL + NO_BODY, "error"),
        (10, "", "error"),
        (6, "PARSING ERROR", "error"),
    ],
)
def test_a_verdict_is_told_apart_from_a_bound_that_was_too_small(status: int, output: str, answer: str) -> None:
    assert judged(status, output) == answer


@pytest.fixture
def row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Row:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "p.c"
    path.write_text("void reach_error(void); int main(void) { reach_error(); }\n", encoding="utf-8")
    return Row("p", "", path, "safe", CQuestion(data_model="ILP32"))


def install(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("bin") / "cbmc"
    path.parent.mkdir()
    path.write_text(FAKE.format(bound=BOUND.strip(), status=status), encoding="utf-8")
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent.absolute()}{os.pathsep}{os.environ['PATH']}")
    cbmc._quiet_defaults.cache_clear()


@pytest.mark.parametrize(("status", "verdict"), [(0, "safe"), (6, "error")])
def test_the_bound_is_doubled_until_the_verdict_does_not_rest_on_it(
    status: int, verdict: str, row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(status, monkeypatch)
    measured = measure_cbmc(Job(row, "cbmc", timeout=20))
    assert (measured.status, measured.figures["iterations"]) == (verdict, 4)
    words = Path("calls").read_text(encoding="utf-8").split()
    assert {"--32", "--unwinding-assertions", "--no-standard-checks"} <= set(words)
    assert any(word.endswith("stubs.c") for word in words)


def test_headers_are_looked_for_where_ours_are_and_their_functions_get_stubs(
    row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(0, monkeypatch)
    Path("own").mkdir()
    Path("own/assume.h").write_text("#define assume(c) __VERIFIER_assume(c)\n", encoding="utf-8")
    row.file.write_text('#include "assume.h"\nint main(void) { assume(1); }\n', encoding="utf-8")
    assert measure_cbmc(Job(row, "cbmc", timeout=20, options=("-I", "own"))).status == "safe"
    words = Path("calls").read_text(encoding="utf-8").split()
    assert words[words.index("-I") + 1] == "own"
    assert any(word.endswith("stubs.c") for word in words)


def test_rules_are_not_given_to_cbmc(row: Row) -> None:
    ruled = Row("p", "", row.file, "safe", CQuestion(kind="rule"))
    assert measure_cbmc(Job(ruled, "cbmc")).status == "unsupported"


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("void reach_error(void); int main(void) { reach_error(); }", True),
        ("void reach_error(void) { } int main(void) { reach_error(); }", False),
        ("void reach_error() __attribute__((noreturn)); int main(void) { reach_error(); }", True),
        ("int main(void) { return 0; }", False),
    ],
)
def test_stubs_are_made_for_what_is_used_and_not_defined(text: str, needed: bool) -> None:
    assert cbmc._used_but_undefined("reach_error", text) is needed


def test_a_tool_that_is_not_there_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PincerError, match="--tools pincer"):
        require("cbmc")


GROWING = """\
#!/bin/sh
# Accepts {least} unwindings and more.
for word in "$@"; do last=$word; done
case "$*" in *--help*) exit 0 ;; esac
echo "$*" >> calls
[ "$last" -lt {least} ] && {{ printf '%s' '{bound}'; exit 10; }}
echo "20 variables, 300 clauses"
echo "Runtime Solver: 0.25s"
exit 0
"""


@pytest.mark.parametrize("size", [None, 4, 16])
@pytest.mark.parametrize("least", [1, 5, 8])
def test_the_smallest_bound_that_is_accepted_is_measured(
    least: int, size: int | None, row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(0, monkeypatch)
    Path("bin/cbmc").write_text(GROWING.format(least=least, bound=BOUND.strip()), encoding="utf-8")
    sized = Row("p", "", row.file, "safe", CQuestion(size=size))
    measured = cbmc.measure_smallest(Job(sized, "cbmc", timeout=20))
    assert (measured.status, measured.figures["iterations"]) == ("safe", least)
    assert (measured.figures["formula"], measured.figures["solver_s"]) == (320, 0.25)


def test_a_bound_that_is_never_accepted_in_time_is_no_verdict(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    install(0, monkeypatch)
    Path("bin/cbmc").write_text(f"#!/bin/sh\nprintf '%s' '{BOUND.strip()}'\nexit 10\n", encoding="utf-8")
    measured = cbmc.measure_smallest(Job(row, "cbmc", timeout=0.1))
    assert (measured.status, measured.decided) == ("time", False)


def test_macros_and_checks_of_the_question_are_given_to_cbmc(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    install(0, monkeypatch)
    sized = Row("p", "", row.file, "safe", CQuestion(("-D", "N=4"), kind="everything"))
    assert measure_cbmc(Job(sized, "cbmc", timeout=20)).status == "safe"
    words = Path("calls").read_text(encoding="utf-8").split()
    assert words[words.index("-D") + 1] == "N=4"
    assert {"--bounds-check", "--pointer-check", "--signed-overflow-check", "--div-by-zero-check"} <= set(words)


def test_processor_time_is_what_a_limit_counts_where_it_is_wanted(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    install(0, monkeypatch)
    job = Job(row, "cbmc", timeout=1.0, processor=True, unwinding=1)
    Path("bin/cbmc").write_text("#!/bin/sh\nsleep 2\nexit 0\n", encoding="utf-8")
    waiting = cbmc.measure_smallest(job)
    assert (waiting.status, waiting.figures["iterations"]) == ("safe", 1)
    assert waiting.spent_s < 1.0
    Path("bin/cbmc").write_text("#!/bin/sh\nwhile :; do :; done\n", encoding="utf-8")
    assert cbmc.measure_smallest(job).status == "time"
