"""Random formulas of LTL about random small programs with threads, decided by a tableau over all their states.

Formulas have no `X`. Propositions are about the two shared variables and about labels at which threads are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import cast

from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.engines.threads.endings import check
from pincer.engines.threads.task import ThreadOptions
from pincer.errors import PincerError
from pincer.evidence.thread_proof.checker import check_thread_proof
from pincer.evidence.thread_proof.endless_check import check_endless_threads
from pincer.evidence.threads import execution
from pincer.evidence.threads.trace import ThreadedTest
from pincer.frontends.c.formulas import c_formula
from pincer.frontends.c.load import load
from pincer.frontends.c.observed import load_observed
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.termination import with_termination
from pincer.program.property import Fairness
from pincer.runtime.run import Run
from tests.fuzz.live.models import Model as Tableaued
from tests.fuzz.live.streett import violated
from tests.fuzz.temporal.trees import Tree, ltl_text, random_ltl
from tests.fuzz.threads.endings import FAIRNESS, OVER, Model, State, following, model

MOST_STATES = 400
Word = tuple[State, bool]
"""A state, and whether the program is over: the last state of a run is that before its end."""


@dataclass(frozen=True)
class _Step:
    process: int


@dataclass(frozen=True)
class Proposition:
    """That a variable has a value, or that a thread is at a label, with its text."""

    text: str
    name: str
    number: int
    thread: int = 0

    def holds(self, state: State) -> bool:
        places, a, b = state[:3]
        if self.name == "at":
            return len(places) > self.thread and places[self.thread] == self.number
        return (a if self.name == "a" else b) == self.number


class Runs:
    """The states of a program as the tableau reads them: who has ended the program takes no step any more, and those
    that all wait stand still."""

    def __init__(self, program: Model, fairness: Fairness, propositions: dict[str, Proposition]) -> None:
        self._program = program
        self._propositions = propositions
        count = len(program.threads)
        self.fairness = ("" if fairness == "none" else fairness,) * count
        self.actions = tuple(_Step(thread) for thread in range(count))

    def initial_states(self) -> list[Word]:
        return [(((0, *(-1 for _ in self._program.threads[1:])), 0, 0, -1, -1, 0), False)]

    def steps(self, word: Word) -> Iterator[tuple[_Step, Word]]:
        state, over = word
        if over:
            return
        found = [(t, s) for t in range(len(self.actions)) for s in following(self._program, state, t)]
        for thread, after in found:
            yield _Step(thread), (state, True) if after == OVER else (after, False)
        if not found:
            yield _Step(-1), word

    def enabled(self, action: _Step, word: Word) -> bool:
        return not word[1] and bool(following(self._program, word[0], action.process))

    def letter(self, word: Word) -> frozenset[str]:
        return frozenset(name for name, one in self._propositions.items() if one.holds(word[0]))

    def are_few(self) -> bool:
        seen = set(self.initial_states())
        waiting = list(seen)
        while waiting and len(seen) <= MOST_STATES:
            fresh = {after for _, after in self.steps(waiting.pop())} - seen
            seen |= fresh
            waiting += fresh
        return len(seen) <= MOST_STATES


def random_proposition(random: Random, program: Model) -> Proposition:
    labels = [
        (t, i, one.name) for t, code in enumerate(program.threads) for i, one in enumerate(code) if one.what == "at"
    ]
    if labels and random.random() < 0.5:
        thread, place, label = random.choice(labels)
        said = random.choice([str(thread), "main" if thread == 0 else f"t{thread - 1}"])
        return Proposition(f"{{at({label}, {said})}}", "at", place, thread)
    name, value = random.choice("ab"), random.randint(0, 2)
    return Proposition(f"{{{name} == {value}}}", name, value)


_P, _Q = ("prop", "p"), ("prop", "q")
_USUAL: tuple[Tree, ...] = (
    ("always", ("implies", _P, ("some", _Q))),
    ("always", ("some", _P)),
    ("some", ("always", _P)),
    ("implies", ("always", ("some", _P)), ("always", ("some", _Q))),
    ("until", ("not", _P), _Q),
)
"""What people ask for."""


def random_formula(random: Random) -> Tree:
    if random.random() < 0.5:
        return random.choice(_USUAL)
    while True:
        tree = random_ltl(random, random.randint(2, 5))
        if "next" not in str(tree):
            return tree


def loaded(file: Path, text: str) -> ControlFlowProgram:
    files = (CFile(str(file)),)
    plain = load(files, data_model="LP64", entry="main")
    return with_termination(load_observed(files, c_formula(text), plain, data_model="LP64", entry="main"))


def judge_formulas(seed: int, folder: Path, tally: Counter[str], compiled: bool = False) -> str | None:
    """Compare what is said about a program and a formula with the tableau; what is wrong, if something is."""
    random = Random(f"thread formula {seed}")
    program, fairness = model(seed, labels=True), FAIRNESS[seed % 3]
    propositions = {name: random_proposition(random, program) for name in ("p", "q")}
    runs = Runs(program, fairness, propositions)
    if not runs.are_few():
        tally["too large"] += 1
        return None
    tree = random_formula(random)
    text = f"ltl: {ltl_text(tree)}"
    for name, one in propositions.items():
        text = text.replace(name, one.text)
    truth = violated(cast(Tableaued, runs), tree)
    file = folder / "program.c"
    file.write_text(program.text, encoding="utf-8")
    try:
        lowered = loaded(file, text)
    except PincerError as error:
        tally[f"refused: {error.message.partition(': ')[2].rpartition(' ')[0]}"] += 1  # A label that nothing leads to.
        return None
    [claim] = check(EngineTask(lowered, (fairness,), ThreadOptions()), Run(timeout=60))
    match claim:
        case Proved(proof=proof):
            answer = check_thread_proof(lowered, proof)  # type: ignore[arg-type]
            verdict, right = "holds", not truth
        case Refuted(run=ThreadedTest(rounds=rounds) as test):
            assert rounds is not None
            answer = check_endless_threads(lowered, rounds)
            verdict, right = f"violated ({test.kind})", truth
            if compiled:
                tally[f"compiled: {execution.confirm(test, file).status}"] += 1
        case _:
            tally[f"open: {claim.said[:60]} (truth: {'violated' if truth else 'holds'})"] += 1
            return None
    if not answer.accepted:
        tally[f"{verdict}, refused: {answer.refused[0][:60]}"] += 1
        return None
    tally[verdict] += 1
    if right:
        return None
    return f"seed {seed} ({fairness}): {text}: {verdict}, but brute force says otherwise\n{program.text}"
