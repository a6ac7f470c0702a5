"""Running small programs and reading their states."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.execution.msvl import Execution, Options, execute
from pincer.frontends.msvl import parse_program

NO_INPUTS: Mapping[str, int] = {}
DEFAULT = Options()


def run(text: str, inputs: Mapping[str, int] = NO_INPUTS, options: Options = DEFAULT) -> Execution:
    return execute(parse_program(text, "test.m"), inputs, options)


def column(execution: Execution, name: str) -> list[object]:
    """The values of one variable, state by state; None before its declaration."""
    return [state.value(name) for state in execution.states]


def shown(execution: Execution, *names: str) -> str:
    """The values of variables at each state, as the tables of the language's description write them."""
    return " ".join(
        ",".join("-" if state.value(name) is None else str(state.value(name)) for name in names)
        for state in execution.states
    )
