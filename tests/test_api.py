"""Checking programs from Python."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

import pincer

EXAMPLES = Path(__file__).parents[1] / "examples"
COUNTER = """
program counter;
const N = 3;
var x : int = 0;
trans up: x < N -> x := x + 1;
safety small: x <= 3;
safety never_two: x != 2;
"""


def test_every_property_has_an_answer_with_its_evidence() -> None:
    result = pincer.check_text(COUNTER, "gcl", timeout=60)
    assert [(answer.name, answer.verdict) for answer in result.properties] == [
        ("small", "safe"),
        ("never_two", "unsafe"),
    ]
    assert result.verdict == "unsafe"
    small, never_two = result["small"], result["never_two"]
    assert small.evidence is not None
    assert small.evidence.kind == "proof"
    assert small.certificate["properties"] == ["small"]
    assert never_two.violation is not None
    assert [str(step) for step in never_two.violation.steps] == ["initial state; x = 0", "up; x = 1", "up; x = 2"]
    assert never_two.why == "it is false after 2 steps"


def test_options_reach_the_analysis() -> None:
    result = pincer.check_text(COUNTER, "gcl", property="small", define={"N": 5}, engine="ur", timeout=60)
    assert [(answer.name, answer.verdict, answer.engine) for answer in result.properties] == [("small", "unsafe", "ur")]
    assert result.program is not None
    assert result.program["constants"] == {"N": 5}


def test_results_and_progress_are_told_as_they_come() -> None:
    answers: list[pincer.Answer] = []
    progress: list[pincer.Progress] = []
    result = pincer.check(EXAMPLES / "2-ticket.gcl", timeout=60, on_result=answers.append, on_progress=progress.append)
    assert {answer.name for answer in answers} == {answer.name for answer in result.properties} == {"mutex", "live"}
    assert all(event.elapsed_s >= 0 for event in progress)


def test_a_text_is_called_by_its_name_only() -> None:
    result = pincer.check_text("int main(void) { int a[2]; return a[2]; }", "c", property="memory", timeout=60)
    [answer] = result.properties
    assert result.file == "program.c"
    assert answer.verdict == "unsafe"
    assert answer.violation is not None
    assert answer.violation.failure.file == "program.c"
    assert tempfile.gettempdir() not in json.dumps(answer.trace) + str(result)


def test_the_report_about_a_text_shows_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.gcl").write_text("not this one", encoding="utf-8")
    pincer.check_text(COUNTER, "gcl", property="small", timeout=60, report="page.json")
    assert json.loads(Path("page.json").read_text(encoding="utf-8"))["files"][0]["source"] == COUNTER


def test_results_cannot_be_changed() -> None:
    result = pincer.check_text(COUNTER, "gcl", property="small", timeout=60)
    with pytest.raises(FrozenInstanceError):
        result["small"].verdict = "unsafe"  # type: ignore[misc]
    with pytest.raises(TypeError):
        result["small"].statistics["states"] = 0  # type: ignore[index]
    with pytest.raises(KeyError):
        result["large"]


def test_a_mistake_in_the_program_raises_with_its_place() -> None:
    with pytest.raises(pincer.PincerError) as caught:
        pincer.check_text("program p;\nvar x : int = y;", "gcl")
    assert str(caught.value.position) == "program.gcl:2:15"


@pytest.mark.parametrize(
    "options",
    [
        {"engine": "magic"},
        {"timeout": 0},
        {"timeout": "3"},
        {"memory": -1},
        {"memory": 1.5},
        {"jobs": 0},
        {"data_model": "LP32"},
        {"define": {"N": 1.5}},
        {"property": "none"},
    ],
)
def test_a_wrong_option_raises(options: dict[str, Any]) -> None:
    with pytest.raises(pincer.PincerError):
        pincer.check_text(COUNTER, "gcl", **options)


def test_an_unknown_option_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="there is no option 'tiemout'"):
        pincer.check_text(COUNTER, "gcl", tiemout=3)  # type: ignore[call-arg]


def test_what_is_not_supported_is_unknown_with_the_reason() -> None:
    result = pincer.check_text('int main(void) { int x; __asm__("cpuid" : "=a"(x)); return x > 0; }', "c", timeout=60)
    assert result.verdict == "unknown"
    assert result.reason or result.properties[0].reason


def test_a_time_limit_leaves_an_open_answer() -> None:
    squares = (
        "program squares; var a : int = 1; var b : int = 1; trans s: true -> a := a + 2 * b + 1, b := b + 1;"
        "safety far: a != 10000000000;"
    )
    result = pincer.check_text(squares, "gcl", timeout=1)
    assert result.verdict == "unknown"
    assert "time limit" in (result.reason or result["far"].reason)


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, pincer; print(sorted(m for m in sys.modules if m.startswith('pincer')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['pincer']"


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chek'"):
        pincer.chek  # noqa: B018


def test_results_are_short_in_a_shell_and_tables_in_a_notebook() -> None:
    result = pincer.check_text("int main(void) { int a[2]; return a[2]; }", "c", property="memory")
    assert repr(result) == "<Result of program.c: VIOLATED memory>"
    assert repr(result["memory"]).startswith("<Answer VIOLATED memory: ")
    assert "VIOLATED" in result._repr_html_() and "<table>" in result._repr_html_()
    run = result["memory"].violation
    assert run is not None and "<table>" in run._repr_html_()
    assert repr(run).startswith("<Run of 1 step: ") and len(repr(run)) < 200


def test_graphs_are_drawn_and_show_themselves_in_notebooks(tmp_path: Path) -> None:
    file = tmp_path / "p.c"
    file.write_text("int f(int n) { return n; }\nint main(void) { return f(1); }\n", encoding="utf-8")
    both, one = pincer.show(file), pincer.show(file, "cfg", function="f")
    assert repr(both).startswith("<Drawing of cfg: ") and both.states > one.states
    assert both._repr_html_().startswith("<div") and "<svg" in both._repr_html_() and "<?xml" not in both._repr_html_()
    one.save(tmp_path / "f.svg")
    assert (tmp_path / "f.svg").read_text(encoding="utf-8") == one.svg


def test_a_program_that_cannot_be_drawn_is_a_mistake_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "p.gcl"
    file.write_text("program p;\nvar x : itn = 0;\n", encoding="utf-8")
    with pytest.raises(pincer.PincerError, match=r"p\.gcl:2"):
        pincer.show(file)


def test_help_names_every_option_and_dir_what_there_is() -> None:
    documented = pincer.check.__doc__ or ""
    assert [name for name in pincer.Options.__annotations__ if name not in documented] == []
    assert dir(pincer) == sorted(pincer.__all__)


def test_a_program_may_have_several_files(tmp_path: Path) -> None:
    (tmp_path / "lib.c").write_text("int one(void) { return 1; }\n", encoding="utf-8")
    text = "#include <assert.h>\nint one(void);\nint main(void) { assert(one() == 1); return 0; }\n"
    (tmp_path / "main.c").write_text(text, encoding="utf-8")
    assert pincer.check(tmp_path / "main.c", property="assertions")["assertions"].verdict == "unsafe"
    both = pincer.check(tmp_path / "main.c", tmp_path / "lib.c", property="assertions")
    assert both["assertions"].verdict == "safe"
