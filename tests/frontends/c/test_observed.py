"""Programs are observed where states change, with what predicates say there; what is no predicate is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.program.control_flow import Fail, Halt, Observe
from tests.engines.termination.formula_programs import WAITS, observed


def letters(folder: Path, text: str, formula: str) -> list[tuple[str, str]]:
    """The moments, and what the first predicate says at each."""
    program = observed(folder, text, formula)
    labels = [edge.label for edge in program.edges() if isinstance(edge.label, Observe)]
    return [(label.moment, str(label.letters[0][1])) for label in labels]


def test_moments_are_constants_at_observations(tmp_path: Path) -> None:
    found = letters(tmp_path, WAITS, "<>{call(work)}")
    assert {said for moment, said in found if moment == "call work"} == {"true"}
    assert {said for moment, said in found if moment != "call work"} == {"false"}


def test_every_end_is_the_last_state_that_is_observed(tmp_path: Path) -> None:
    text = "int x; int main(void) { if (x) abort(); assert(x == 0); return 0; }"
    program = observed(tmp_path, text, "[]{x == 0}")
    main = program.procedures["main"]
    for edge in main.edges:
        if isinstance(edge.label, Halt | Fail) or edge.target == main.exit:
            before = main.incoming[edge.source] if edge.target != main.exit else (edge,)
            assert all(isinstance(one.label, Observe) and one.label.last for one in before)


def test_lines_are_told_by_file_and_number(tmp_path: Path) -> None:
    text = "int x;\nint main(void) {\n  if (x)\n    x = 1; else x = 2;\n  x = 3;\n}"
    [file] = {edge.position.file for edge in observed(tmp_path, text, "[]{x}").edges()}
    line = 1 + Path(file).read_text(encoding="utf-8").split("\n").index("    x = 1; else x = 2;")
    for asked in (Path(file).name, f"{Path(file).parent.name}/{Path(file).name}"):
        found = letters(tmp_path, text, f"[]{{at({asked}:{line})}}")
        assert [moment for moment, said in found if said == "true"] == [f"at {asked}:{line}"] * 2
    assert not any("at " in moment for moment, _ in letters(tmp_path, text, "[]{x}"))


def test_a_predicate_is_false_where_it_is_undefined(tmp_path: Path) -> None:
    [*_, (_, said)] = letters(tmp_path, "int x, y; int main(void) { y = 1; x = 2; }", "[]{x / y > 0}")
    assert "!(same(y, 0))" in said


def test_it_is_warned_of_predicates_that_may_be_undefined(tmp_path: Path) -> None:
    text = "int x, y, a[3]; int main(void) { y = 1; x = 2; }"
    [concern] = observed(tmp_path, text, "[]{x / y > 0}").concerns
    assert str(concern).startswith("{x / y > 0} is false where it is undefined")
    assert observed(tmp_path, text, "[]{a[7] == 0}").concerns
    assert observed(tmp_path, text, "[]{a[1] + x == 0}").concerns == ()


@pytest.mark.parametrize(
    ("text", "formula", "message"),
    [
        (WAITS, "[]{nosuch}", "not declared"),
        (WAITS, "[]{busy = 1}", "must not have effects"),
        (WAITS, "[]{busy++}", "must not have effects"),
        (WAITS, "[]{work(1), 1}", "must not have effects"),
        ("int a, b, *p = &a, *q = &b; int main(void) { p = &b; q = &a; }", "[]{p < q}", "where objects lie"),
        (WAITS, "[]{at(nowhere)}", "no label"),
        (WAITS, "[]{at(p.c:77)}", "no statement that begins there"),
        (WAITS, "[]{call(nobody)}", "no function"),
        (WAITS, "[]{work.other}", "no such variable"),
        ("int f(int k) { return k ? f(k - 1) : 0; } int main(void) { f(2); }", "[]{f.k >= 0}", "is recursive"),
    ],
)
def test_what_is_no_predicate_is_refused(tmp_path: Path, text: str, formula: str, message: str) -> None:
    with pytest.raises(PincerError, match=message):
        observed(tmp_path, text, formula)
