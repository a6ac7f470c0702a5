"""Verdicts and runs in notebooks."""

from __future__ import annotations

from pincer.evidence.violating_run import RunForm, RunInput, RunStep, ValueChange, ViolatingRun
from pincer.report.notebook import MOST_STEPS, drawing_html, run_html, verdict_html

EVIL = "<script>x</script>\u202e"


def run(count: int, text: str = "x++;") -> ViolatingRun:
    steps = tuple(
        RunStep(number, "a.c", number, text=text, changes=(ValueChange("x", str(number)),))
        for number in range(1, count + 1)
    )
    return ViolatingRun(RunForm.LINES, steps, steps[-1], inputs=(RunInput("n", "3"),))


def test_a_verdict_has_its_word_and_its_run() -> None:
    shown = verdict_html("unsafe", "memory", "it goes wrong", run(2))
    assert "VIOLATED" in shown and "it goes wrong" in shown and "n = 3" in shown
    assert shown.count("<tr>") == 3 and "a.c:2" in shown and "x = 2" in shown


def test_text_of_programs_is_no_markup() -> None:
    shown = verdict_html("unknown", EVIL, EVIL, run(1, EVIL))
    assert "<script>" not in shown and "\u202e" not in shown and "&lt;script&gt;" in shown


def test_lines_of_callees_are_indented_and_many_elements_told_together() -> None:
    changes = tuple(ValueChange(f"a[{number}]", "0") for number in range(8))
    step = RunStep(1, "a.c", 1, text="fill();", depth=2, changes=changes)
    shown = run_html(ViolatingRun(RunForm.LINES, (step,), step))
    assert '<td style="text-align: left; padding-left: 3em">fill();</td>' in shown
    assert '<td style="text-align: left">a[0..7] = 0</td>' in shown and "\\x" not in shown


def test_a_long_run_is_cut_in_the_middle() -> None:
    shown = run_html(run(1000))
    assert shown.count("<tr>") == MOST_STEPS + 2
    assert "rows left out" in shown


def test_a_drawing_is_part_of_the_page_and_what_is_left_out_is_text() -> None:
    shown = drawing_html('<?xml version="1.0"?>\n<svg width="1"></svg>', EVIL)
    assert "<?xml" not in shown and '<svg width="1"></svg>' in shown
    assert "<script>" not in shown and "&lt;script&gt;" in shown
    assert drawing_html("nothing") == '<div style="max-width: 100%; overflow: auto"></div>'
