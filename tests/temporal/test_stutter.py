"""Words that end, and the same with the last state repeated for ever."""

from __future__ import annotations

from random import Random

import pytest

from pincer.errors import PincerError
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.truth import TruthJudge
from pincer.temporal.parser import parse_formula, parse_ltl
from pincer.temporal.stutter import repeating_the_last
from pincer.temporal.text import formula_text
from tests.fuzz.temporal.trees import ltl_text, random_ltl


def translated(text: str) -> str:
    return formula_text(repeating_the_last(parse_ltl(text).formula))


def test_a_translated_formula_says_of_a_word_what_the_other_says_of_the_longer_one() -> None:
    random, judge = Random("stutter"), TruthJudge()
    for _ in range(300):
        text = ltl_text(random_ltl(random, random.randint(2, 6)))
        before, after = read_formula(f"ltl:{text}"), read_formula(translated(text))
        for _ in range(5):
            word = [frozenset(name for name in "pq" if random.random() < 0.5) for _ in range(random.randint(1, 4))]
            assert judge.on_lasso(before, word, len(word) - 1) == judge.on_finite(after, word), (text, word)
            start = random.randrange(len(word))
            assert judge.on_lasso(before, word, start) == judge.on_lasso(after, word, start), (text, word)


def test_only_the_next_state_is_translated() -> None:
    assert translated("G(p -> F q)") == formula_text(parse_formula("[](p -> <>q)").formula)
    assert translated("WX p") == translated("X p")
    assert translated("F !X true") == "false"


@pytest.mark.parametrize("text", ["p ; q", "len(2)", "p+", "(p) prj q"])
def test_what_speaks_of_words_that_end_is_refused(text: str) -> None:
    with pytest.raises(PincerError, match="stutter-end"):
        repeating_the_last(parse_formula(text).formula)
