"""The runner over public libraries reads its manifest, calls `pincer check`, and says what differs from it.

`make libraries SOURCES=FOLDER` runs it on the libraries themselves.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .public_libraries import (
    MANIFEST,
    PROPERTIES,
    ManifestError,
    Outcome,
    Row,
    Verdict,
    closing_line,
    command,
    files_checked,
    given_files,
    main,
    missing,
    read_answer,
    remark,
    rows,
    table_line,
    unity_caller,
    unity_tests,
)

HOLDS = dict.fromkeys(PROPERTIES, Verdict("holds"))


def _manifest(folder: Path, text: str) -> Path:
    path = folder / "rows.toml"
    path.write_text(text)
    return path


def test_the_manifest_names_tests_once_each() -> None:
    found = rows(MANIFEST)
    names = [(row.library, row.program) for row in found]
    assert len(set(names)) == len(names) > 60
    assert not [row for row in found if "{}" in " ".join((row.program, *row.files, row.unity, row.select))]
    assert not [row for row in found for name, _ in row.violated if name not in PROPERTIES]


def test_every_word_of_each_is_a_row(tmp_path: Path) -> None:
    text = '[[rows]]\nlibrary = "a/b"\nprogram = "{}"\neach = ["x", "y"]\nfiles = ["b/{}.c", "b/lib.c"]\n'
    first, second = rows(_manifest(tmp_path, text))
    assert (first.program, first.files) == ("x", ("b/x.c", "b/lib.c"))
    assert (second.program, second.files) == ("y", ("b/y.c", "b/lib.c"))


@pytest.mark.parametrize(
    "text",
    [
        '[[rows]]\nlibrary = "a/b"\nprogram = "x"\nfiles = []\nverdict = "holds"\n',
        '[[rows]]\nlibrary = "a/b"\nfiles = []\n',
        "[[rows\n",
        "",
    ],
)
def test_a_manifest_that_cannot_be_used_is_told(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sources", str(tmp_path), "--manifest", str(_manifest(tmp_path, text))]) == 2
    assert capsys.readouterr().err


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "there.c").write_text("")
    row = Row("a/b", "x", ("there.c", "absent.c"), include=("folder",), unity="tests.c")
    assert missing(row, tmp_path) == ["absent.c", "folder", "tests.c"]


def test_tests_for_unity_are_called_in_their_order(tmp_path: Path) -> None:
    text = "void setUp(void) {}\nvoid test_b( void )\n{\n}\nvoid testA(void) {}\nstatic void test_own(void) {}\n"
    (tmp_path / "tests.c").write_text(text)
    row = Row("a/b", "x", ("lib.c",), unity="tests.c")
    assert unity_tests(text, row) == ["test_b", "testA"]
    assert unity_tests(text, Row("a/b", "x", (), only=("testA",))) == ["testA"]
    assert unity_tests(text, Row("a/b", "x", (), without=("testA",))) == ["test_b"]
    with pytest.raises(ManifestError, match="no test absent"):
        unity_tests(text, Row("a/b", "x", (), without=("absent",)))
    caller, *others = given_files(row, tmp_path, tmp_path)
    assert others == [str(tmp_path / "tests.c"), str(tmp_path / "lib.c")]
    assert Path(caller).read_text() == unity_caller(["test_b", "testA"])
    assert "    RUN_TEST(test_b);\n    RUN_TEST(testA);\n" in unity_caller(["test_b", "testA"])


def test_the_call_has_what_the_row_says(tmp_path: Path) -> None:
    row = Row("a/b", "x", ("x.c",), include=("inc",), definitions=("N=1",), select="x_test.c", timeout=60.0)
    words = command(row, ["x.c"], tmp_path)
    assert words[3:5] == ["check", "x.c"]
    assert words[-7:] == ["--timeout=60", "-I", str(tmp_path / "inc"), "-D", "N=1", "--program", "x_test.c"]


def test_verdicts_are_read_with_their_places() -> None:
    answer = json.dumps(
        {
            "program": {"files": ["d/x_test.c", "d/x.c"]},
            "properties": [
                {"name": "assertions", "verdict": "unknown", "reason": "time is up"},
                {"name": "memory", "verdict": "safe", "up_to_undefined_behaviour": {"file": "d/x.c", "line": 3}},
                {"name": "overflow", "verdict": "unsafe", "run": {"failure": {"file": "d/x.c", "line": 3}}},
            ],
        }
    )
    found = read_answer(answer)
    assert [str(found[name]) for name in PROPERTIES] == ["undecided", "holds up to x.c:3", "VIOLATED at x.c:3"]
    assert files_checked(answer) == 2 and files_checked("{}") == 0
    assert remark(answer, "") == "time is up"
    assert remark("", "one\ntwo\n") == "two"
    assert remark(json.dumps({"error": {"message": "no such header"}}), "") == "no such header"


def test_a_violation_that_nobody_expects_is_a_false_alarm() -> None:
    alarm = HOLDS | {"memory": Verdict("VIOLATED", "x.c:3")}
    outcome = Outcome(Row("a/b", "x", ()), 1, alarm, 1.0)
    assert not outcome.as_expected and outcome.false_alarms == ["memory"]
    assert "**VIOLATED at x.c:3** (expected: holds)" in table_line(outcome)
    expected = Outcome(Row("a/b", "x", (), violated=(("memory", "x.c:3"),)), 1, alarm, 1.0)
    assert expected.as_expected and not expected.false_alarms
    elsewhere = Outcome(Row("a/b", "x", (), violated=(("memory", "x.c:9"),)), 1, alarm, 1.0)
    assert elsewhere.false_alarms == ["memory"]
    other = Outcome(Row("a/b", "x", ()), 1, HOLDS | {"race": Verdict("VIOLATED", "x.c:3")}, 1.0)
    assert other.false_alarms == ["race"]


def test_what_has_no_answer_is_not_as_expected() -> None:
    nothing = Outcome(Row("a/b", "x", ()), 1, {}, 1.0, "did not end in time")
    undecided = Outcome(Row("a/b", "x", (), undecided=("memory",)), 1, HOLDS | {"memory": Verdict("undecided")}, 0.5)
    assert not nothing.as_expected and not nothing.false_alarms
    assert undecided.as_expected
    assert closing_line([nothing, undecided]) == "2 rows, 1 as expected, 0 false alarms, 1.5 s of a processor"


def test_the_runner_checks_a_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "twice.c").write_text("int twice(int x) { return x + x; }\n")
    (tmp_path / "own" / "test.c").write_text(
        "#include <assert.h>\nint twice(int);\nint main(void) { assert(twice(2) == 4); return 0; }\n"
    )
    text = '[[rows]]\nlibrary = "our/own"\nprogram = "test.c"\nfiles = ["own/test.c", "own/twice.c"]\n'
    absent = '[[rows]]\nlibrary = "our/other"\nprogram = "test.c"\nfiles = ["other/test.c"]\n'
    manifest = _manifest(tmp_path, text + absent)
    assert main(["--sources", str(tmp_path), "--manifest", str(manifest), "--only", "our/own"]) == 0
    shown = capsys.readouterr().out
    assert "| our/own | test.c | 2 | holds | holds | holds | " in shown
    assert "1 rows, 1 as expected, 0 false alarms" in shown
    assert main(["--sources", str(tmp_path), "--manifest", str(manifest), "--only", "our/other"]) == 1
    assert "not there: other/test.c" in capsys.readouterr().err
