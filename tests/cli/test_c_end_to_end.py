"""The whole tool on small C programs, as a user runs it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]

SAFE = """\
int main(void)
{
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_bool()) {
        x += 2;
        y++;
    }
    if (x != 2 * y)
        reach_error();
    return 0;
}
"""
UNSAFE = """\
#include <assert.h>
int twice(int y)
{
    return y + y;
}
int main(void)
{
    int n = __VERIFIER_nondet_int();
    int s = 0;
    if (n < 5 || n > 10)
        return 0;
    for (int i = 0; i < n; i++)
        s += twice(i);
    assert(s != 56);
    return 0;
}
"""
OVERRUN = "int main(void) { int a[4]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 5) a[i] = 1; return 0; }\n"
needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")
ASSERTED = ("--property", "assertions")


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("safe.c", SAFE), ("unsafe.c", UNSAFE), ("overrun.c", OVERRUN)):
        Path(name).write_text(text, encoding="utf-8")


def test_a_proof_is_printed_with_its_checker(capsys: Output) -> None:
    assert main(["check", *ASSERTED, "safe.c"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("HOLDS      safe.c: assertions\n")
    assert "proof accepted by the checker" in out


@needs_gcc
def test_a_violation_is_told_in_the_users_lines_and_confirmed(capsys: Output) -> None:
    assert main(["check", *ASSERTED, "unsafe.c"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("VIOLATED   unsafe.c: assertions\n")
    assert "assertion s != 56 fails at unsafe.c:14:5" in " ".join(out.split())
    assert "__VERIFIER_nondet_int() = 8 (unsafe.c:8)" in out
    assert "more rounds)" in out
    assert "confirmed by execution" in out
    assert max(map(len, out.splitlines())) <= 80


def test_without_a_compiler_the_report_says_so(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    assert main(["check", *ASSERTED, "unsafe.c"]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "not confirmed: there is no C compiler" in out
    assert "the interpreter executed the run above again" in out


@needs_gcc
def test_the_test_of_a_violation_can_be_kept_and_run(capsys: Output) -> None:
    assert main(["check", *ASSERTED, "unsafe.c", "--test-out", "bug"]) == 1
    assert "sh bug/build.sh" in " ".join(capsys.readouterr().out.split())
    done = subprocess.run(["sh", "bug/build.sh"], capture_output=True, text=True, timeout=60)
    assert "reached" in done.stderr
    assert main(["replay", "bug/test.json"]) == 0


@needs_gcc
def test_json_results_are_evidence_for_replay_and_certify(capsys: Output) -> None:
    assert main(["check", *ASSERTED, "safe.c", "unsafe.c", "--format", "json"]) == 1
    text = capsys.readouterr().out
    safe, unsafe = map(json.loads, text.splitlines())
    assert safe["program"]["language"] == "C"
    assert safe["properties"][0]["evidence"]["kind"] == "proof"
    assert unsafe["properties"][0]["trace"]["inputs"][0]["value"] == 8
    Path("result.json").write_text(text, encoding="utf-8")
    assert main(["replay", "--quiet", "result.json"]) == 0
    assert main(["certify", "--quiet", "result.json"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "REPRODUCED  unsafe.c",
        "ACCEPTED  safe.c",
    ]


@pytest.mark.parametrize("command", ["replay", "certify"])
def test_evidence_about_another_version_is_refused(command: str, capsys: Output) -> None:
    name = "unsafe.c" if command == "replay" else "safe.c"
    main(["check", *ASSERTED, name, "--format", "json"])
    Path("result.json").write_text(capsys.readouterr().out, encoding="utf-8")
    Path(name).write_text(Path(name).read_text(encoding="utf-8") + "/* edited */\n", encoding="utf-8")
    assert main([command, "result.json"]) == 2
    assert "hash differs" in capsys.readouterr().err


def test_a_tampered_proof_is_not_accepted(capsys: Output) -> None:
    assert main(["check", *ASSERTED, "safe.c", "--certificate", "c.json"]) == 0
    proof = json.loads(Path("c.json").read_text(encoding="utf-8"))
    proof["proofs"][0]["invariants"] = {}
    Path("c.json").write_text(json.dumps(proof), encoding="utf-8")
    capsys.readouterr()
    assert main(["certify", "c.json"]) == 1
    assert capsys.readouterr().out.startswith("NOT ACCEPTED")


@pytest.mark.parametrize(
    ("member", "content", "complaint"),
    [
        ("categories", ["valid-free"], "'valid-free' is no part of the property assertions"),
        ("categories", ["assertions"], "'assertions' is no part"),
        ("categories", 3, "`categories` is no list"),
        ("include", 5, '"include" must be a list'),
        ("include", [5], "must be text"),
        ("rule", 7, "`rule` must be a file"),
        ("rule", "memory", "memory"),
    ],
)
def test_a_proof_does_not_choose_what_counts_as_an_error(
    member: str, content: object, complaint: str, capsys: Output
) -> None:
    assert main(["check", *ASSERTED, "safe.c", "--certificate", "c.json"]) == 0
    proof = json.loads(Path("c.json").read_text(encoding="utf-8"))
    proof["loading"][member] = content
    Path("c.json").write_text(json.dumps(proof), encoding="utf-8")
    assert main(["certify", "c.json"]) == 2
    assert complaint in capsys.readouterr().err


def test_an_accepted_proof_is_named_after_what_was_checked(capsys: Output) -> None:
    main(["check", *ASSERTED, "safe.c", "--format", "json"])
    result = json.loads(capsys.readouterr().out)
    result["properties"][0]["name"] = "memory"
    result["properties"][0]["certificate"]["loading"]["categories"] = ["unreach-call"]
    Path("result.json").write_text(json.dumps(result), encoding="utf-8")
    assert main(["certify", "--quiet", "result.json"]) == 0
    assert capsys.readouterr().out == "ACCEPTED  safe.c: unreach-call\n"


def test_no_witness_is_written_for_a_rule(capsys: Output) -> None:
    Path("once.rule").write_text('rule Once "once";\non call f before { assert 1 "never"; }\n', encoding="utf-8")
    Path("ruled.c").write_text("void f(void);\nint main(void) { f(); return 0; }\n", encoding="utf-8")
    main(["check", "ruled.c", "--rule", "once.rule", "--witness", "w.yml"])
    assert "cannot state Once" in capsys.readouterr().err
    assert not Path("w.yml").exists()


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (["safe.c"], "true"),
        (["unsafe.c", "--32"], "false(unreach-call)"),
        (["overrun.c", "--property", "memory"], "false(valid-deref)"),
        (["overrun.c", "--spec", "assertions", "--unwind", "5", "--timelimit", "50"], "true"),
    ],
)
def test_svcomp_gets_its_last_line(words: list[str], last: str, capsys: Output) -> None:
    main(["check", *words, "--svcomp"])
    assert capsys.readouterr().out.splitlines()[-1] == f"SV-COMP result: {last}"


def test_a_task_is_checked_for_its_properties(capsys: Output) -> None:
    Path("unreach-call.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", encoding="utf-8")
    Path("safe.yml").write_text(
        'format_version: "2.0"\ninput_files: safe.c\nproperties:\n  - property_file: unreach-call.prp\n',
        encoding="utf-8",
    )
    assert main(["check", "--quiet", "safe.yml"]) == 0
    assert capsys.readouterr().out == "HOLDS      safe.yml: unreach-call\n"


@needs_gcc
@pytest.mark.parametrize(("name", "kind"), [("safe.c", "invariant_set"), ("unsafe.c", "violation_sequence")])
def test_witnesses_are_written(name: str, kind: str) -> None:
    main(["check", name, "--witness", "w.yml", "--quiet"])
    assert f"entry_type: {kind}" in Path("w.yml").read_text(encoding="utf-8")


def test_certify_names_an_entry_and_a_data_model_that_are_not_the_usual_ones(capsys: Output) -> None:
    Path("f.c").write_text("int f(int x) { if (x != x + 0) reach_error(); return 0; }\n", encoding="utf-8")
    main(["check", *ASSERTED, "f.c", "--entry", "f", "--32", "--certificate", "c.json", "--quiet"])
    capsys.readouterr()
    assert main(["certify", "c.json", "--quiet"]) == 0
    assert capsys.readouterr().out == "ACCEPTED  f.c: assertions (with entry = f, data model = ILP32)\n"


def test_a_saved_test_finds_the_violation_at_once(capsys: Output) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); if (3 * x + (x >> 2) == 3250) reach_error(); }\n"
    Path("deep.c").write_text(text, encoding="utf-8")
    words = ["check", *ASSERTED, "deep.c", "--tests", "saved", "--format", "json"]
    counts = []
    for _ in range(2):
        main(words)
        counts.append(json.loads(capsys.readouterr().out)["properties"][0]["statistics"]["solver_calls"])
    assert counts[0] > 0
    assert counts[1] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int main(void) {\n  int x = ;\n}\n", "bad.c:2:11: error:"),
        ('#include "nowhere.h"\nint main(void) { return 0; }\n', "nowhere.h"),
        ("int f(void) { return 0; }\n", "--entry"),
        ("", "main"),
    ],
)
def test_bad_input_gives_a_message_and_status_two(text: str, words: str, capsys: Output) -> None:
    Path("bad.c").write_text(text, encoding="utf-8")
    assert main(["check", "bad.c"]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err
    assert "internal" not in err


def test_an_unsupported_construct_is_named_only_where_a_path_reaches_it(capsys: Output) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x %s) __CPROVER_array_set(&x); return 0; }\n"
    Path("live.c").write_text(text % "> 0", encoding="utf-8")
    Path("dead.c").write_text(text % "!= x", encoding="utf-8")
    assert main(["check", *ASSERTED, "live.c"]) == 3
    assert "unsupported: the word __CPROVER_array_set" in " ".join(capsys.readouterr().out.split())
    assert main(["check", *ASSERTED, "dead.c"]) == 0


def test_a_function_can_be_checked_by_itself(capsys: Output) -> None:
    Path("lib.c").write_text("void f(int x) { if (x == 3) reach_error(); }\n", encoding="utf-8")
    assert main(["check", *ASSERTED, "lib.c", "--function", "f", "--no-certify"]) == 1
    assert "argument x = 3" in capsys.readouterr().out


@pytest.mark.parametrize(("call", "status"), [("remove(p)", 3), ('fopen(p, "r")', 1), ("puts(p)", 1)])
def test_what_the_library_reads_is_checked(capsys: Output, call: str, status: int) -> None:
    """Of those that the system reads itself no sanitizer knows."""
    text = f"char *p = malloc(2); int n; if (!p) return 0; p[0] = 0; free(p); {call}; return 0;"
    headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
    Path("freed.c").write_text(f"{headers}int main(void) {{ {text} }}\n", encoding="utf-8")
    assert main(["check", "freed.c", "--property", "memory"]) == status
    assert "which is no text that ends within its object" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "words",
    [
        ["check", "m.gcl", "--engine", "dash"],
        ["check", "safe.c", "--engine", "ur"],
        ["show", "m.gcl", "--what", "cfg"],
        ["test", "m.gcl"],
        ["check", "safe.c", "unsafe.c", "--test-out", "bug"],
        ["replay", "w.yml"],
    ],
)
def test_a_call_that_does_not_fit_the_language_is_refused(words: list[str], capsys: Output) -> None:
    Path("m.gcl").write_text("var x : int = 0; safety ok: x = 0;", encoding="utf-8")
    assert main(words) == 2
    assert "error:" in capsys.readouterr().err


@needs_gcc
@pytest.mark.parametrize("name", ['a"b.c', "a\\b.c", "a<b>&c d.c"])
def test_violations_are_confirmed_in_files_of_any_name(capsys: Output, name: str) -> None:
    Path(name).write_text(UNSAFE, encoding="utf-8")
    assert main(["check", *ASSERTED, name]) == 1
    assert "confirmed by execution: reached a failing assertion at line 14" in capsys.readouterr().out


READ_BACK = """\
#include <assert.h>
#include <stdio.h>
int main(void)
{
    %s
    int c = f == NULL ? 'a' : fgetc(f);
    if (c >= 0)
        assert(c == 'a');
    return 0;
}
"""


@needs_gcc
@pytest.mark.parametrize(
    ("opened", "status"),
    [
        ('FILE *f = fopen("a", "r");', 1),
        ('FILE *f = fopen("a", "r+");', 1),
        ('FILE *f = fopen("a", "r"), *g = fopen("b", "w");', 1),
        ('FILE *f = fopen("a", "w+");', 3),
        ("FILE *f = tmpfile();", 3),
        ('FILE *g = fopen("a", "w"); if (g) fclose(g); FILE *f = fopen("a", "rb");', 3),
        ('FILE *g = fopen("a", "rb+"), *f = fopen("a", "r");', 3),
    ],
)
def test_what_the_program_may_have_written_itself_is_no_input(opened: str, status: int, capsys: Output) -> None:
    Path("back.c").write_text(READ_BACK % opened, encoding="utf-8")
    assert main(["check", *ASSERTED, "back.c"]) == status
    told = "what a file contains that the program may have written itself"
    assert (told in " ".join(capsys.readouterr().out.split())) is (status == 3)


def test_what_the_program_may_have_written_may_be_anything_in_a_proof() -> None:
    text = READ_BACK.replace("c == 'a'", "c <= 255") % "FILE *f = tmpfile();"
    Path("back.c").write_text(text, encoding="utf-8")
    assert main(["check", *ASSERTED, "back.c"]) == 0


def test_threads_that_open_files_do_not_race_for_that() -> None:
    text = """\
#include <pthread.h>
#include <stdio.h>
static void *opening(void *name) { FILE *f = fopen(name, "w"); if (f) fclose(f); return 0; }
int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, opening, "a");
    pthread_create(&other, 0, opening, "b");
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
"""
    Path("opening.c").write_text(text, encoding="utf-8")
    assert main(["check", "--property", "race", "opening.c"]) == 0
