"""Random MSVL programs and their translations agree; a translation with a mistake in it does not."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pincer.evidence.msvl import forms
from pincer.evidence.msvl.guarded import MsvlQuestion, translated
from pincer.execution.msvl import Options, execute
from pincer.frontends.msvl import parse_program
from tests.fuzz.msvl.translations import CONDITIONS, SimpleStatements, compare, run_disagreement


@pytest.mark.parametrize("first", [0, 40])
def test_runs_agree(first: int) -> None:
    counts: Counter[str] = Counter()
    problems = [problem for seed in range(first, first + 25) for problem in compare(seed, counts, verdicts=False)]
    assert not problems
    assert counts["translated"] >= 15


def test_verdicts_agree() -> None:
    counts: Counter[str] = Counter()
    assert not [problem for seed in (1, 2, 6, 8) for problem in compare(seed, counts)]
    assert sum(count for name, count in counts.items() if name.startswith("verdicts")) >= 3


def test_a_mistake_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def floored(self: forms.LinearForm, divisor: int) -> forms.LinearForm | int:
        return forms.form_of({forms.Quotient(self.terms, self.constant, abs(divisor)): 1}, 0, self.ways)

    monkeypatch.setattr(forms.LinearForm, "divided", floored)
    noticed = 0
    for seed in range(60):
        program = parse_program(SimpleStatements(seed).program(), "t.m")
        try:
            made = translated(program, "", MsvlQuestion("p", "p and q and r", CONDITIONS))
        except Exception:  # What cannot be translated shows nothing.
            continue
        random = Random(seed)
        for _ in range(3):
            ran = execute(program, {}, Options(seed=random.randrange(99), max_states=20, input_range=(-3, 3)))
            noticed += bool(run_disagreement(program, made, ran))
    assert noticed
