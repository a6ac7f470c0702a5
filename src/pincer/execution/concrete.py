"""Stepping on concrete states with generated code: no terms, no solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincer.logic.evaluation import argument_names, compile_source, python_source, unpacking
from pincer.program.transition_system import Nondet, State, TransitionCase, TransitionSystem

Successors = Callable[[State], list[tuple[int, State]]]


def compile_successors(system: TransitionSystem) -> Successors:
    """A function from a state to its (transition index, next state) pairs, by deterministic transitions only."""
    names = argument_names(system.variables)
    body = unpacking(names, "state") + "    found = []\n"
    for transition in system.transitions:
        if transition.deterministic:
            guard = python_source(transition.guard, names)
            target = _target_source(system, transition, list(names.values()))
            body += f"    if {guard}: found.append(({transition.index}, {target}))\n"
    return compile_source(f"def successors(state):\n{body}    return found\n", "successors")


def compile_choosing(system: TransitionSystem) -> Callable[[State], list[int]] | None:
    """A function from a state to the enabled transitions that choose freely, None when the program has none."""
    choosing = [t for t in system.transitions if not t.deterministic]
    if not choosing:
        return None
    names = argument_names(system.variables)
    body = unpacking(names, "state") + "    found = []\n"
    for transition in choosing:
        body += f"    if {python_source(transition.guard, names)}: found.append({transition.index})\n"
    return compile_source(f"def choosing(state):\n{body}    return found\n", "choosing")


def _target_source(system: TransitionSystem, transition: TransitionCase, targets: Sequence[str]) -> str:
    names = argument_names(system.variables)
    values = list(targets)
    for i, update in transition.control_updates:
        values[i] = python_source(update, names)
    for i, data_update in transition.data_updates:
        assert not isinstance(data_update, Nondet)
        values[len(system.domains) + i] = python_source(data_update, names)
    return f"({', '.join(values)},)" if values else "()"
