"""Trials: every lead in turn, then again and further."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from pincer.analysis.thread_facts import ThreadFacts
from pincer.engines.agse.guided_search import Trial
from pincer.engines.agse.limits import AgseLimits, TrialRound
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import target_sets
from pincer.engines.agse.trials import trials
from pincer.program.property import PropertyKind
from tests.engines.agse.guided_programs import COUNTER, CROSSED, lowered

LIMITS = AgseLimits(rounds=(TrialRound(1, 10, 1), TrialRound(2, 20, 2)), open_ended_threads=3)


def found(folder: Path, text: str, name: PropertyKind) -> list[Trial]:
    flow = SystemFlow(ThreadFacts(lowered(folder, text)))
    return list(islice(trials(flow, target_sets(flow.facts, name), LIMITS), 20))


def test_rounds_follow_each_other_and_numbers_are_in_order(tmp_path: Path) -> None:
    given = found(tmp_path, CROSSED, "deadlock")
    assert [trial.number for trial in given] == list(range(len(given)))
    rounds = [LIMITS.rounds.index(trial.round) for trial in given]
    assert rounds == sorted(rounds) and set(rounds) == {0, 1}


def test_the_first_trace_set_is_followed_boldly(tmp_path: Path) -> None:
    given = found(tmp_path, COUNTER.replace("LIMIT", "3"), "assertions")
    assert given[0].bold and all(trial.bold for trial in given if trial.round is LIMITS.rounds[0])
    assert len({trial.traces for trial in given if trial.round is LIMITS.rounds[1]}) <= LIMITS.rounds[1].trace_sets


def test_targets_for_several_threads_come_before_those_for_one(tmp_path: Path) -> None:
    given = found(tmp_path, CROSSED, "deadlock")
    first = [len(trial.traces) for trial in given if trial.round is LIMITS.rounds[0]]
    assert first[0] == 2 and first == sorted(first, key=lambda length: length == 1)


def test_any_number_of_threads_is_some(tmp_path: Path) -> None:
    text = """
    struct fork { pthread_mutex_t lock; } forks[9]; int n;
    void *eat(void *given) {
      pthread_mutex_lock(&forks[(long)given].lock); pthread_mutex_lock(&forks[((long)given + 1) % n].lock); return 0;
    }
    int main(void) {
      pthread_t t; n = __VERIFIER_nondet_int();
      for (int i = 0; i < n; i++) pthread_create(&t, 0, eat, (void *)(long)i);
      return 0;
    }"""
    assert LIMITS.open_ended_threads in {len(trial.traces) for trial in found(tmp_path, text, "deadlock")}
