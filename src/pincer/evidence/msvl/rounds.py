"""Runs of MSVL programs that go on for ever, reading inputs or never coming back to a state.

They are claimed as runs of the translation to guarded commands, a lasso or a recurrence, which are checked as such. The
interpreter then follows the program itself, on the inputs that such a run has chosen: every state must be the one of
the guarded run, for the beginning and some rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.evidence.gcl.interpreter import compile_formula
from pincer.evidence.live.recurrence import RecurrenceFile, check_recurrence, executed
from pincer.evidence.live.replay import replay_run
from pincer.evidence.live.trace import ROUNDS, LiveTrace
from pincer.evidence.live.witness import LiveWitness, propositions_text
from pincer.evidence.msvl.controls import HOW, input_symbol
from pincer.evidence.msvl.counterexample import Counterexample, State
from pincer.evidence.msvl.guarded import AT, Translated
from pincer.evidence.msvl.interpreter import Interpreter
from pincer.evidence.msvl.machine import ReplayMachine
from pincer.evidence.msvl.memory import NoState, RunCut
from pincer.evidence.msvl.proofs import MsvlEvidence
from pincer.evidence.msvl.replay import Judgement
from pincer.evidence.msvl.states import meaning, state_of
from pincer.frontends.msvl.program import Program
from pincer.frontends.msvl.syntax import Node
from pincer.runtime.codec import Format
from pincer.runtime.run import Run

GuardedState = Mapping[str, int]


class MsvlRounds(MsvlEvidence, frozen=True):
    """A run, as it is kept: a `lasso` or a `recurrence` of the guarded program, or of that with constant `inputs`."""

    lasso: LiveWitness | None = None
    recurrence: RecurrenceFile | None = None
    inputs: int | None = None

    def beginning(self, followed: Followed, states: int) -> Counterexample:
        """As many states of the run as are to be shown, with the place to which a lasso comes back."""
        start = None if self.lasso is None else self.lasso.loop_from
        given, shown = dict(followed.inputs), followed.states[:states]
        return Counterexample(self.file, self.formula, self.propositions, HOW, given, "lasso", shown, None, start)


FORMAT = Format("pincer-msvl-rounds-1", "run file", MsvlRounds, ("file", "sha256"))


class Followed(Struct, frozen=True):
    """The states of the program along a guarded run, its inputs, and whether it ends with the last state."""

    states: tuple[State, ...]
    inputs: Mapping[str, int]
    ended: bool


class Astray(Exception):
    """The program does not go the way of the guarded run; the argument says where."""


def check_rounds(
    program: Program, sha256: str, given: MsvlRounds, solver: str = "cvc5", run: Run | None = None
) -> tuple[Judgement, Followed | None]:
    """Judge a run, with what following it has shown."""
    made = given.translation(program, sha256, run)
    if given.inputs is not None:
        made = made.with_inputs(given.inputs)
    kept = given.lasso or given.recurrence
    if kept is None or (given.lasso and given.recurrence):
        return Judgement(False, "the evidence holds no run"), None
    wanted = made.alone
    known = propositions_text(made.program, wanted)
    if (kept.sha256, kept.property, kept.formula, dict(kept.propositions)) != (
        sha256, wanted.name, wanted.text, known,
    ):  # fmt: skip
        return Judgement(False, "the run is about another property"), None
    if given.recurrence is not None:
        recurrence = given.recurrence.of(made.program)
        outcome = check_recurrence(made.program, wanted, recurrence, solver, run)
    else:
        assert given.lasso is not None
        lasso = given.lasso.of(made.program)
        outcome = replay_run(made.program, wanted, lasso)
    if not outcome.ok:
        return Judgement(False, outcome.reason), None
    if given.lasso is None:
        return _confirmed(program, made, [*recurrence.stem.states, *executed(made.program, recurrence)], run)
    return _confirmed(program, made, repeated(lasso), run)


def _confirmed(
    program: Program, made: Translated, states: Sequence[GuardedState], run: Run | None
) -> tuple[Judgement, Followed | None]:
    try:
        found = follow(program, made, states, run)
    except Astray as astray:
        return Judgement(False, str(astray)), None
    return (Judgement(False, "the run ends"), None) if found.ended else (Judgement(True), found)


def repeated(lasso: LiveTrace) -> list[GuardedState]:
    """The states of a lasso, its loop for some rounds; of other runs, their states."""
    states: list[GuardedState] = list(lasso.trace.states)
    if lasso.kind != "lasso" or lasso.loop_from is None:
        return states
    loop = states[lasso.loop_from + 1 :]
    return states + loop * (1 + ROUNDS // len(loop))


@dataclass(slots=True)
class _Given(ReplayMachine):
    """A machine that takes inputs from the states of a guarded run, and notes them as they are called."""

    values: Callable[[str], int] = field(default=lambda symbol: 0)
    reads: list[tuple[int | None, int | None]] = field(default_factory=list)
    noted: dict[str, int] = field(default_factory=dict)

    def input(self, label: str, low: int | None, high: int | None) -> int:
        self.reads.append((low, high))
        value = self.values(input_symbol(low, high, self.reads.count((low, high)) - 1))
        if (low is not None and value < low) or (high is not None and value > high):
            raise Astray(f"the input {value} is outside of its range")
        count = self.counts[label] = self.counts.get(label, 0) + 1
        self.noted[f"s_{label}" if count == 1 else f"s_{label}#{count}"] = value
        return value


def follow(program: Program, made: Translated, states: Sequence[GuardedState], run: Run | None = None) -> Followed:
    """Run the program along a guarded run; `Astray` where it goes another way, or a state is another."""
    machine = _Given(program, HOW, {})
    interpreter = Interpreter(machine)
    meanings = {name: meaning(program.source.file, text) for name, text in made.question.propositions.items()}
    tests = {name: compile_formula(said, made.program) for name, said in made.alone.propositions}
    found: list[State] = []
    remaining: Node = program.core
    for number, state in enumerate(states):
        if run is not None:
            run.poll()
        machine.reads = []
        machine.values = made.inputs_from(states[number - 1] if number else None, state)
        try:
            outcome = interpreter.settled(remaining)
        except (NoState, RunCut) as reason:
            raise Astray(f"the program cannot make state {number}: {reason}") from None
        shown = state_of(machine, meanings)
        found.append(shown)
        _compare(machine, made, state, number)
        if frozenset(shown.holds) != {name for name, test in tests.items() if test(state)}:
            raise Astray(f"other propositions hold at state {number}")
        if (outcome.length == "ends") != made.ends_at(state[AT]):
            raise Astray(f"the program and its translation differ on whether the run ends at state {number}")
        if outcome.length == "ends":
            if number + 1 < len(states):
                raise Astray(f"the program ends at state {number}")
            return Followed(tuple(found), dict(machine.noted), True)
        machine.leave()
        remaining = outcome.rest
    return Followed(tuple(found), dict(machine.noted), False)


def _compare(machine: ReplayMachine, made: Translated, state: GuardedState, number: int) -> None:
    """The integers in memory are those of the guarded state."""
    for variable in machine.memory.variables.values():
        for offset, value in variable.cells.items():
            if isinstance(value, int):
                name = made.name_of(variable, offset)
                if name is None or state[name] != value:
                    given = "unknown" if name is None else str(state[name])
                    raise Astray(f"{variable.name} is {value} at state {number}, not {given}")
