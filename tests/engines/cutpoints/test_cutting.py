"""A program is cut at its loop heads with its calls put in place, or it is said why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.cutpoints.cutting import Cut, Manner, cut_of, guessed, rounds
from pincer.engines.cutpoints.view import Sampling
from pincer.engines.questions import Questions
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

LOOP = "int main(void) { unsigned i = 0; while (i < %s) i++; }"


def test_guesses_hold_in_all_tests(tmp_path: Path) -> None:
    program = loaded(tmp_path, LOOP % "9")
    cut = cut_of(program, "assertions", Questions(Run()), Manner(sampling=Sampling(3, 100)))
    assert isinstance(cut, Cut)
    [head] = cut.view.procedure.loop_heads
    found = guessed(cut.view, head, next(rounds(cut.view)), {})
    assert found
    assert all(cut.view.holds(guess, head) for guess in found)
    assert not guessed(cut.view, head, next(rounds(cut.view)), found)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int main(void) { return 0; }", "no loop"),
        ("int f(int n) { while (n) n = f(n - 1); return n; } int main(void) { return f(2); }", "calls"),
    ],
)
def test_what_cannot_be_cut_is_told(tmp_path: Path, text: str, reason: str) -> None:
    found = cut_of(loaded(tmp_path, text), "assertions", Questions(Run()))
    assert isinstance(found, str)
    assert reason in found
