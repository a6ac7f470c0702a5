"""Running programs with the evaluator of the evidence, alone and beside the execution that finds counterexamples."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from pincer.evidence.msvl.counterexample import Counterexample, Interpretation, State
from pincer.evidence.msvl.replay import judge
from pincer.evidence.msvl.states import FreshWord, fresh_word
from pincer.execution.msvl import Execution, Options, StateObserver, execute
from pincer.frontends.msvl import Program, parse_condition, parse_program
from pincer.frontends.source import SourceText, generous_limits

NOTHING: Mapping[str, int] = {}
NO_PROPOSITIONS: Mapping[str, str] = {}
PLAIN = Interpretation("overwrite", "implicit", False, 400)
STRICT = replace(PLAIN, framing="strict")
REJECT = replace(PLAIN, same_state="reject")


def claim(
    inputs: Mapping[str, int] = NOTHING, how: Interpretation = PLAIN, propositions: Mapping[str, str] = NO_PROPOSITIONS
) -> Counterexample:
    """A claim for which a program is run to its end, or until it comes back."""
    return Counterexample("t.m", "false", propositions, how, inputs, "lasso", (), None, None)


def word(text: str, claimed: Counterexample | None = None) -> FreshWord:
    with generous_limits():
        return fresh_word(parse_program(text, "t.m"), claimed or claim())


def shown(found: FreshWord, *names: str) -> str:
    """The values of variables at each state."""
    return " ".join(",".join(state.values.get(name, "-") for name in names) for state in found.states)


def disagreement(program: Program, options: Options, propositions: Mapping[str, str] = NO_PROPOSITIONS) -> str:
    """What the evidence sees otherwise than the execution, on the inputs that the execution draws."""
    ran = execute(program, NOTHING, options)
    how = Interpretation(options.same_state, options.framing, options.int32, options.max_states)
    states = _states(program, ran, options, propositions)
    with generous_limits():
        fresh = fresh_word(program, claim(ran.input_values(), how, propositions))
    for number, (one, other) in enumerate(zip(states, fresh.states, strict=False)):
        if one != other:
            return f"state {number} is {other} instead of {one}"
    return _ends_otherwise(ran, states, fresh)


def _states(program: Program, ran: Execution, options: Options, propositions: Mapping[str, str]) -> tuple[State, ...]:
    observer = StateObserver(program, options)
    said = {name: parse_condition(text, SourceText("t.m", text)) for name, text in propositions.items()}
    return tuple(
        State(state.texts(), tuple(sorted(name for name, what in said.items() if observer.observe(state, what).value)))
        for state in ran.states
    )


def _ends_otherwise(ran: Execution, states: tuple[State, ...], fresh: FreshWord) -> str:
    if fresh.lasso_start is not None:
        if ran.ending.kind == "cut":
            return "" if len(states) >= len(fresh.states) else "the evidence goes further"
        lasso = replace(claim(), states=states, lasso_start=ran.ending.start)
        verdict = judge(lasso, fresh)
        return "" if verdict.confirmed else verdict.reason
    broken = ran.ending.kind in ("error", "inconsistent", "cut")
    same = len(states) == len(fresh.states) and fresh.terminated != broken and broken == bool(fresh.reason)
    return "" if same else f"{len(states)} states, {ran.ending}, instead of {len(fresh.states)}, {fresh.reason}"


def program_files() -> list[Path]:
    root = Path(__file__).parents[3]
    return sorted((*(root / "benchmarks").rglob("*.m"), *(root / "examples").glob("*.m")))
