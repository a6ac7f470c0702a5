"""A few random programs with temporal properties in every test run; `make fuzz-live` tries thousands."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.engines.live import question, states, verify
from pincer.engines.live.components import LiveGraph
from pincer.engines.live.question import Question
from pincer.evidence.live.checker import check_live
from pincer.program.guarded import GuardedProgram, TemporalProperty
from tests.evidence.live.live_samples import SEMAPHORE, fair, proved
from tests.fuzz.live.compare import Findings, compare_ltl, compare_pptl
from tests.fuzz.live.models import Action, Model
from tests.fuzz.live.streett import violated

PROP = ("prop", "p")


def test_answers_agree_with_the_explicit_tableau() -> None:
    findings = Findings()
    for seed in range(40):
        compare_ltl(seed, findings, 0 if seed % 3 == 2 else None)
    assert findings.wrong == []
    assert findings.counts["unsafe"] > 5
    assert findings.counts["safe"] > 5


def test_answers_agree_with_the_definition_of_pptl() -> None:
    findings = Findings()
    for seed in range(30):
        compare_pptl(seed, findings)
    assert findings.wrong == []


def _model(fairness: tuple[str, str]) -> Model:
    """One process goes round, the other may set a flag for good."""
    spin = Action("spin", 0, (), ((0, ("next", 1)),))
    flag = Action("flag", 1, ((0, "=", 1),), ((1, ("set", 1)),))
    return Model((2, 2), frozenset(), (0, 0), (spin, flag), fairness, (("p", (1, "=", 1)), ("q", (0, "=", 0))))


def test_the_tableau_knows_what_fairness_means() -> None:
    assert violated(_model(("", "")), ("some", PROP))
    assert violated(_model(("weak", "weak")), ("some", PROP)), "the flag is not enabled all the time"
    assert not violated(_model(("weak", "strong")), ("some", PROP))
    assert not violated(_model(("weak", "")), ("implies", ("some", PROP), ("some", PROP)))


def _without_ends(program: GuardedProgram, wanted: TemporalProperty) -> Question:
    asked = question.question(program, wanted)
    return replace(asked, automaton=replace(asked.automaton, ends=((),) * asked.automaton.size))


def test_runs_that_end_left_out_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted mistake: the automaton does not look at the end of words."""
    monkeypatch.setattr(verify, "question", _without_ends)
    findings = Findings()
    for seed in range(60):
        compare_ltl(seed, findings)
    assert findings.wrong


def test_weak_fairness_taken_for_strong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted mistake: the engine claims what only strong fairness gives, and the checker does not accept it."""
    whole = states.StateGraph.live

    def taken_for_strong(graph: states.StateGraph, asked: Question) -> LiveGraph:
        found = whole(graph, asked)
        return replace(found, strong=(True,) * len(found.strong))

    monkeypatch.setattr(states.StateGraph, "live", taken_for_strong)
    program, certificate = proved(fair(SEMAPHORE, "fairness weak A, B;"))
    assert "not strongly fair to A" in check_live(program, certificate).reason
